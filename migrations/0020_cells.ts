/**
 * Tenants that are moved between databases: how far a move is, and whose streams take no appends.
 *
 * The head's check refuses an append to a closed tenant. It runs in the statement that appends, when
 * that holds the fence, and by a snapshot of its own: an append that does not see the closing is one
 * whose fence the move waits for.
 */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [...tables, ...functions, rights]) await sql.raw(statement).execute(db)
}

/** `cell`: where the tenant goes to or came from. `copied_position`: of the log that it came from. */
const tables = [
  `create table wg.closed_tenants (tenant_id text primary key)`,
  `create table wg.tenant_moves (
    tenant_id       text primary key,
    state           text not null
      check (state in ('leaving', 'switching', 'left', 'erased', 'arriving', 'arrived')),
    cell            text not null,
    copied_position bigint not null default 0,
    changed_at      timestamptz not null default now()
  )`
]

const functions = [
  `create or replace function wg.check_head() returns trigger language plpgsql
    set search_path = pg_catalog as $$
  declare
    before integer := 0;
    sound boolean;
    closed boolean;
  begin
    if tg_op = 'UPDATE' then
      before := old.version;
    end if;
    select count(*) = new.version - before
        and bool_or(version = new.version and substring(seal from 33 for 32) = new.head_hash),
        exists (select from wg.closed_tenants where tenant_id = new.tenant_id)
      into sound, closed from wg.events where stream_id = new.stream_id and version > before;
    if closed and current_setting('wg.moving', true) is distinct from 'on' then
      raise exception 'the tenant is moved to another cell' using errcode = 'WG001';
    end if;
    if new.version > before and sound then
      return null;
    end if;
    raise exception 'a head moves only with its events' using errcode = 'restrict_violation';
  end $$`,
  // Erased first: what is held cannot be.
  `create function wg.set_stream_state(moved uuid, erased timestamptz, held boolean)
    returns void language plpgsql security definer set search_path = pg_catalog as $$
  begin
    if erased is not null then
      update wg.streams set legal_hold = false, erased_at = erased where stream_id = moved;
      perform wg.erase(moved);
    end if;
    update wg.streams set legal_hold = held where stream_id = moved;
  end $$`,
  `revoke all on function wg.set_stream_state(uuid, timestamptz, boolean) from public`
]

const rights = `do $$
  begin
    if exists (select from pg_roles where rolname = 'wg_app') then
      grant select on wg.closed_tenants, wg.tenant_moves to wg_app;
    end if;
    if exists (select from pg_roles where rolname = 'wg_eraser') then
      grant select, insert, update, delete on wg.closed_tenants, wg.tenant_moves to wg_eraser;
      grant delete on wg.evidence_models, wg.tenant_use to wg_eraser;
      grant execute on function wg.set_stream_state(uuid, timestamptz, boolean) to wg_eraser;
    end if;
  end $$`
