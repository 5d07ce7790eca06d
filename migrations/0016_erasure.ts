/**
 * Erasure of a session: its key and all that was copied from it go with its payloads. Only
 * `wg_eraser` may do it, and may do what the service may, to record it.
 */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [...columns, ...erasing, ...guards, rights]) {
    await sql.raw(statement).execute(db)
  }
}

/** Whose search, and whose page: unknown of those that were kept before. */
const columns = [
  `alter table wg.query_cache add column stream_id uuid`,
  `create index query_cache_stream on wg.query_cache (stream_id)`,
  `create index query_cache_unnamed on wg.query_cache ((entry ->> 'event_id'))
    where stream_id is null`,
  `alter table wg.evidence_entries add column collected_for text`,
  `alter table wg.evidence_entries alter column collected_for set storage main`,
  `create index evidence_session on wg.evidence_entries (tenant_id, collected_for)
    where collected_for is not null`
]

const erasing = [
  `create function wg.forget_searches() returns trigger language plpgsql security definer
    set search_path = pg_catalog as $$
  begin
    delete from wg.query_cache where stream_id = new.stream_id;
    delete from wg.query_cache where stream_id is null and entry ->> 'event_id' in
      (select event_id::text from wg.events where events.stream_id = new.stream_id);
    return null;
  end $$`,
  `revoke all on function wg.forget_searches() from public`,
  `create trigger forget_searches after update of erased_at on wg.streams
    for each row when (new.erased_at is not null) execute function wg.forget_searches()`,
  `create or replace function wg.erase(erased uuid) returns integer language plpgsql
    security definer set search_path = pg_catalog as $$
  declare count integer;
  begin
    update wg.streams set erased_at = coalesce(erased_at, now())
      where stream_id = erased and not legal_hold
        and (tenant_id not like '\\_%' or tenant_id like '\\_evidence/%');
    if not found then
      raise exception 'no such stream, or it is under legal hold'
        using errcode = 'restrict_violation';
    end if;
    perform set_config('wg.erasure', 'on', true);
    delete from wg.payload_keys where stream_id = erased;
    update wg.events set data = null, seal = substring(seal for 64)
      where stream_id = erased and data is not null;
    get diagnostics count = row_count;
    perform set_config('wg.erasure', '', true);
    return count;
  end $$`,
  `create function wg.hold(held uuid, holds boolean) returns void language plpgsql
    security definer set search_path = pg_catalog as $$
  begin
    update wg.streams set legal_hold = holds where stream_id = held;
  end $$`,
  `revoke all on function wg.hold(uuid, boolean) from public`,
  `create function wg.rewrap(of_stream uuid, before text, after text) returns boolean
    language plpgsql security definer set search_path = pg_catalog as $$
  begin
    perform set_config('wg.erasure', 'on', true);
    update wg.payload_keys set wrapped = after where stream_id = of_stream and wrapped = before;
    perform set_config('wg.erasure', '', true);
    return found;
  end $$`,
  `revoke all on function wg.rewrap(uuid, text, text) from public`
]

/** As of events: whoever changes a key outside of these functions says so first. */
const guards = [
  `create function wg.protect_keys() returns trigger language plpgsql
    set search_path = pg_catalog as $$
  begin
    if tg_op <> 'TRUNCATE' and current_setting('wg.erasure', true) = 'on' then
      return coalesce(new, old);
    end if;
    raise exception 'data keys go with their session alone' using errcode = 'restrict_violation';
  end $$`,
  `create trigger protect before update or delete on wg.payload_keys
    for each row execute function wg.protect_keys()`,
  `create trigger protect_all before truncate on wg.payload_keys
    for each statement execute function wg.protect_keys()`
]

const rights = `do $$
  begin
    if exists (select from pg_roles where rolname = 'wg_eraser') then
      grant execute on function wg.erase(uuid), wg.hold(uuid, boolean),
        wg.rewrap(uuid, text, text) to wg_eraser;
      grant delete on wg.wrapping_keys, wg.query_cache, wg.pack_cache to wg_eraser;
      if exists (select from pg_roles where rolname = 'wg_app') then
        grant wg_app to wg_eraser;
      end if;
    end if;
  exception
    when insufficient_privilege then
      raise notice 'no right to grant wg_app to wg_eraser: an administrator has to';
  end $$`
