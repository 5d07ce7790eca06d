/**
 * What the service's role may do, table by table, and no more: exactly what its statements need.
 *
 * Heads of streams move only together with the events that they stand for, for owners too. Erasure
 * is a role of its own. Credits go down only by what one search may give back.
 */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [...heads, ...credits, ...roles]) {
    await sql.raw(statement).execute(db)
  }
}

/**
 * The trigger runs at the end of the statement that appends, so it sees the events that the same
 * statement inserted. It reads those alone, by the primary key. That each event links to the one
 * before cannot be computed here: readers verify it.
 */
const heads = [
  `create function wg.check_head() returns trigger language plpgsql
    set search_path = pg_catalog as $$
  declare
    before integer := 0;
    sound boolean;
  begin
    if tg_op = 'UPDATE' then
      before := old.version;
    end if;
    select count(*) = new.version - before
        and bool_or(version = new.version and substring(seal from 33 for 32) = new.head_hash)
      into sound from wg.events where stream_id = new.stream_id and version > before;
    if new.version > before and sound then
      return null;
    end if;
    raise exception 'a head moves only with its events' using errcode = 'restrict_violation';
  end $$`,
  `create trigger check_new_head after insert on wg.streams
    for each row when (new.version <> 0) execute function wg.check_head()`,
  `create trigger check_head after update of version, head_hash on wg.streams
    for each row execute function wg.check_head()`
]

/** A search costs at most a few credits; a correction may find that it cost none. */
const creditsBackMax = 10

const credits = [
  `create function wg.keep_credits() returns trigger language plpgsql
    set search_path = pg_catalog as $$
  begin
    raise exception 'at most ${creditsBackMax} credits are given back at once'
      using errcode = 'restrict_violation';
  end $$`,
  `create trigger keep_credits before update on wg.credits
    for each row when (new.used < old.used - ${creditsBackMax})
    execute function wg.keep_credits()`
]

/**
 * Default privileges were granted by the role that ran the first migration; another role's cannot be
 * taken back here. Tables of later migrations must be granted by these.
 */
const roles = [
  `do $$
  begin
    if not exists (select from pg_roles where rolname = 'wg_eraser') then
      create role wg_eraser nologin;
    end if;
  exception
    when insufficient_privilege then raise notice 'no right to create the role wg_eraser';
    when duplicate_object or unique_violation then null;
  end $$`,
  `do $$
  begin
    if exists (select from pg_roles where rolname = 'wg_eraser') then
      grant usage on schema wg to wg_eraser;
      grant select on wg.streams to wg_eraser;
      grant execute on function wg.erase(uuid) to wg_eraser;
    end if;
    if exists (select from pg_roles where rolname = 'wg_app') then
      alter default privileges in schema wg
        revoke select, insert, update, delete on tables from wg_app;
      alter default privileges in schema wg revoke usage, select on sequences from wg_app;
      revoke all on all tables in schema wg from wg_app;
      revoke execute on function wg.erase(uuid) from wg_app;
      grant select on wg.migrations to wg_app;
      grant select, insert on wg.events, wg.streams to wg_app;
      grant update (version, head_hash) on wg.streams to wg_app;
      grant select, insert, update on wg.checkpoints, wg.dead_letters to wg_app;
      grant select, insert, update, delete on wg.read_models to wg_app;
      grant select, insert, update on wg.live_models to wg_app;
      grant select, insert, update on wg.query_cache to wg_app;
      grant select, insert, update, delete on wg.flights to wg_app;
      grant select, insert, update (used) on wg.credits to wg_app;
      grant select, insert, delete on wg.evidence_entries, wg.evidence_vectors to wg_app;
      grant select, insert, update on wg.evidence_models to wg_app;
    end if;
  end $$`
]
