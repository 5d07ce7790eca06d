/**
 * A head is checked against its events once for all rows of a statement. Checked row by row, a
 * group of 64 appends took twice the time.
 */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [...functions, ...triggers]) await sql.raw(statement).execute(db)
}

/** `moved`: rows whose head is another than before, with the version of `before`. */
const check = (name: string, moved: string) =>
  `create function wg.${name}() returns trigger language plpgsql
    set search_path = pg_catalog as $$
  declare
    sound boolean;
    closed boolean;
  begin
    with moved as (${moved})
    select bool_and(moved.version > moved.before and (
          select count(*) = moved.version - moved.before
              and bool_or(event.version = moved.version
                and substring(event.seal from 33 for 32) = moved.head_hash)
            from wg.events as event
            where event.stream_id = moved.stream_id and event.version > moved.before)),
        bool_or(exists (
          select from wg.closed_tenants as own where own.tenant_id = moved.tenant_id))
      into sound, closed from moved;
    if closed and current_setting('wg.moving', true) is distinct from 'on' then
      raise exception 'the tenant is moved to another cell' using errcode = 'WG001';
    end if;
    if not sound then
      raise exception 'a head moves only with its events' using errcode = 'restrict_violation';
    end if;
    return null;
  end $$`

const functions = [
  check(
    "check_new_heads",
    `select stream_id, tenant_id, version, head_hash, 0 as before from after where version <> 0`
  ),
  check(
    "check_heads",
    `select after.stream_id, after.tenant_id, after.version, after.head_hash,
          coalesce(before.version, 0) as before
        from after left join before on before.stream_id = after.stream_id
        where (after.version, after.head_hash) is distinct from
          (before.version, before.head_hash)`
  )
]

/** Transition tables go with no list of columns: an update of other columns moves no head. */
const triggers = [
  `drop trigger check_new_head on wg.streams`,
  `drop trigger check_head on wg.streams`,
  `drop function wg.check_head()`,
  `create trigger check_new_head after insert on wg.streams referencing new table as after
    for each statement execute function wg.check_new_heads()`,
  `create trigger check_head after update on wg.streams
    referencing old table as before new table as after
    for each statement execute function wg.check_heads()`
]
