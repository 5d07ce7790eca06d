/**
 * A head that goes on by one event, as most do, is checked by that event alone, and no function
 * sets a search path: together they were two fifths of what the server did for one append. Names
 * and operators are qualified instead, so that no schema of a caller's can stand for them.
 */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of functions) await sql.raw(statement).execute(db)
}

const equal = "operator(pg_catalog.=)"
const minus = "operator(pg_catalog.-)"
const hashOf = "pg_catalog.substring(event.seal, 33, 32)"

/**
 * What passes the first look passes the second: the stream's newest event is the head's, and the
 * only one since. Scalar subqueries keep every plan at the index, whatever statistics say.
 *
 * `before`: the version of before, of a row of `after`. `moved`: rows whose head is another than
 * before, with that version.
 */
const check = (
  name: string,
  { before, moved }: { readonly before: string; readonly moved: string }
) =>
  `create or replace function wg.${name}() returns trigger language plpgsql as $$
  declare
    sound boolean;
    closed boolean;
  begin
    if not exists (
      select from after where (
        select event.version ${equal} after.version
            and (event.version ${minus} 1) ${equal} ${before}
            and ${hashOf} ${equal} after.head_hash
            and not exists (
              select from wg.closed_tenants as own
                where own.tenant_id ${equal} after.tenant_id offset 0)
          from wg.events as event where event.stream_id ${equal} after.stream_id
          order by event.version desc limit 1) is not true)
    then
      return null;
    end if;
    with moved as (${moved})
    select pg_catalog.bool_and(moved.version operator(pg_catalog.>) moved.before and (
          select pg_catalog.count(*) ${equal} (moved.version ${minus} moved.before)
              and pg_catalog.bool_or(event.version ${equal} moved.version
                and ${hashOf} ${equal} moved.head_hash)
            from wg.events as event
            where event.stream_id ${equal} moved.stream_id
              and event.version operator(pg_catalog.>) moved.before)),
        pg_catalog.bool_or(exists (
          select from wg.closed_tenants as own where own.tenant_id ${equal} moved.tenant_id))
      into sound, closed from moved;
    if closed and not coalesce(
      pg_catalog.current_setting('wg.moving', true) ${equal} 'on', false)
    then
      raise exception 'the tenant is moved to another cell' using errcode = 'WG001';
    end if;
    if not sound then
      raise exception 'a head moves only with its events' using errcode = 'restrict_violation';
    end if;
    return null;
  end $$`

const functions = [
  check("check_new_heads", {
    before: "0",
    moved: `select stream_id, tenant_id, version, head_hash, 0 as before from after
        where version operator(pg_catalog.<>) 0`
  }),
  check("check_heads", {
    before: `(select before.version from before
              where before.stream_id ${equal} after.stream_id)`,
    moved: `select after.stream_id, after.tenant_id, after.version, after.head_hash,
          coalesce(before.version, 0) as before
        from after left join before on before.stream_id ${equal} after.stream_id
        where not coalesce(after.version ${equal} before.version
          and after.head_hash ${equal} before.head_hash, false)`
  })
]
