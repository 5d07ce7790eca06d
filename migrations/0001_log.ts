/**
 * The append-only log, its fence, its guards, and where each consumer has read to.
 *
 * Runs unchanged on PGlite and on PostgreSQL. Why it is built so: `docs/eventstore.md`.
 */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [...tables, ...fence, ...guards, ...consumers, ...rights]) {
    await sql.raw(statement).execute(db)
  }
}

/**
 * `seal` is the event's payload digest (bytes 1 to 32), its hash (33 to 64) and the salt (65 to
 * 80); erasure cuts the salt off. One column, because each bound parameter costs on every append.
 * `fillfactor` leaves room for the version to be bumped in place: no indexed column changes. There
 * are no check constraints: the server prepares each of them anew for every statement.
 */
const tables = [
  `create schema if not exists wg`,
  `create sequence wg.position cache 1`,
  `create table wg.streams (
    stream_id  uuid primary key,
    tenant_id  text not null,
    session_id text not null,
    version    integer not null,
    head_hash  bytea not null,
    created_at timestamptz not null,
    legal_hold boolean not null default false,
    erased_at  timestamptz,
    unique (tenant_id, session_id)
  ) with (fillfactor = 80)`,
  `create index streams_newest on wg.streams (tenant_id, stream_id desc)`,
  `create table wg.events (
    position       bigint not null default nextval('wg.position'),
    stream_id      uuid not null,
    version        integer not null,
    tenant_id      text not null,
    event_id       uuid not null,
    type           text not null,
    schema_version smallint not null,
    recorded_at    timestamptz not null,
    data           jsonb,
    metadata       jsonb not null,
    seal           bytea not null,
    primary key (stream_id, version)
  )`,
  `create unique index events_position on wg.events (position)`
]

/**
 * Nobody can insert without holding the fence, whatever SQL they write: a statement trigger runs
 * before the statement draws its first position. In the watermark the position is read first and
 * the holders second; swapped, a writer that starts between the two reads would be passed.
 * `is distinct from`, because a prepared transaction has no pid and must count.
 */
const fence = [
  `create function wg.fence() returns trigger language plpgsql as $$
  begin
    perform pg_catalog.pg_advisory_xact_lock_shared(7265001);
    return null;
  end $$`,
  `create trigger fence before insert on wg.events
    for each statement execute function wg.fence()`,
  `create function wg.watermark(out settled bigint, out holders text[]) language plpgsql
    as $$
  begin
    select case when is_called then last_value else 0 end into settled from wg.position;
    select coalesce(array_agg(virtualtransaction), '{}') into holders from pg_locks
      where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())
        and classid = 0 and objid = 7265001 and objsubid = 1
        and pid is distinct from pg_backend_pid();
  end $$`
]

/**
 * Events are never changed or removed, except that erasure takes payload and salt away. The
 * function `wg.erase` is the one door for it; the trigger holds for owners and superusers too.
 */
const guards = [
  `create function wg.protect() returns trigger language plpgsql
    set search_path = pg_catalog as $$
  begin
    if tg_op = 'UPDATE' then
      if current_setting('wg.erasure', true) = 'on'
        and new.data is null and new.seal = substring(old.seal for 64)
        and (new.position, new.stream_id, new.version, new.tenant_id, new.event_id, new.type,
             new.schema_version, new.recorded_at, new.metadata)
          is not distinct from
            (old.position, old.stream_id, old.version, old.tenant_id, old.event_id, old.type,
             old.schema_version, old.recorded_at, old.metadata)
      then
        return new;
      end if;
    end if;
    raise exception 'events are append-only' using errcode = 'restrict_violation';
  end $$`,
  `create trigger protect before update or delete on wg.events
    for each row execute function wg.protect()`,
  `create trigger protect_all before truncate on wg.events
    for each statement execute function wg.protect()`,
  `create trigger protect_all before truncate on wg.streams
    for each statement execute function wg.protect()`,
  `create function wg.erase(erased uuid) returns integer language plpgsql security definer
    set search_path = pg_catalog as $$
  declare count integer;
  begin
    update wg.streams set erased_at = coalesce(erased_at, now())
      where stream_id = erased and not legal_hold;
    if not found then
      raise exception 'no such stream, or it is under legal hold'
        using errcode = 'restrict_violation';
    end if;
    perform set_config('wg.erasure', 'on', true);
    update wg.events set data = null, seal = substring(seal for 64)
      where stream_id = erased and data is not null;
    get diagnostics count = row_count;
    perform set_config('wg.erasure', '', true);
    return count;
  end $$`,
  `revoke all on function wg.erase(uuid) from public`
]

const consumers = [
  `create table wg.checkpoints (
    consumer_id text primary key,
    position    bigint not null default 0,
    lease_owner text,
    lease_token bigint not null default 0,
    lease_until timestamptz,
    state       text not null default 'running'
      check (state in ('running', 'rebuilding', 'halted', 'retired')),
    last_error  text,
    updated_at  timestamptz not null default now()
  )`,
  `create table wg.dead_letters (
    consumer_id text not null,
    position    bigint not null,
    attempts    integer not null,
    error       text not null,
    parked_at   timestamptz not null default now(),
    primary key (consumer_id, position)
  )`,
  `create table wg.anchors (
    anchor_id     bigint primary key,
    from_position bigint not null,
    to_position   bigint not null,
    merkle_root   bytea not null,
    previous      bytea not null,
    signature     bytea,
    created_at    timestamptz not null
  )`
]

/**
 * The belt under the triggers: a role for the service that owns nothing. Where the migrating role
 * may not create roles, an administrator creates `wg_app` beforehand or goes without. Tables of
 * later migrations, which are not the log, are the service's to change.
 */
const rights = [
  `do $$
  begin
    if not exists (select from pg_roles where rolname = 'wg_app') then
      create role wg_app nologin;
    end if;
  exception
    when insufficient_privilege then raise notice 'no right to create the role wg_app';
    when duplicate_object or unique_violation then null;
  end $$`,
  `do $$
  begin
    if exists (select from pg_roles where rolname = 'wg_app') then
      grant usage on schema wg to wg_app;
      grant usage, select on sequence wg.position to wg_app;
      grant select, insert on wg.events, wg.anchors to wg_app;
      grant select, insert on wg.streams to wg_app;
      grant update (version, head_hash) on wg.streams to wg_app;
      grant select, insert, update, delete on wg.checkpoints, wg.dead_letters to wg_app;
      grant execute on function wg.watermark(), wg.erase(uuid) to wg_app;
      alter default privileges in schema wg
        grant select, insert, update, delete on tables to wg_app;
      alter default privileges in schema wg grant usage, select on sequences to wg_app;
    end if;
  end $$`
]
