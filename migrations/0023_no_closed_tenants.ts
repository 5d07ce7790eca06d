/**
 * Takes out the moving of tenants between databases: an append no longer looks for a closed tenant,
 * and the tables of moves go. The check of a head is otherwise that of 0022.
 */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [...functions, ...removals]) await sql.raw(statement).execute(db)
}

const equal = "operator(pg_catalog.=)"
const minus = "operator(pg_catalog.-)"
const hashOf = "pg_catalog.substring(event.seal, 33, 32)"

/**
 * The first look passes a head that goes on by its newest event alone, as most do. The second looks
 * at all events since. Scalar subqueries keep every plan at the index, whatever statistics say.
 *
 * `before`: the version of before, of a row of `after`. `moved`: rows whose head is another than
 * before, with that version.
 */
const check = (
  name: string,
  { before, moved }: { readonly before: string; readonly moved: string }
) =>
  `create or replace function wg.${name}() returns trigger language plpgsql as $$
  begin
    if exists (
      select from after where (
        select event.version ${equal} after.version
            and (event.version ${minus} 1) ${equal} ${before}
            and ${hashOf} ${equal} after.head_hash
          from wg.events as event where event.stream_id ${equal} after.stream_id
          order by event.version desc limit 1) is not true)
      and not (
        select coalesce(pg_catalog.bool_and(moved.version operator(pg_catalog.>) moved.before and (
            select pg_catalog.count(*) ${equal} (moved.version ${minus} moved.before)
                and pg_catalog.bool_or(event.version ${equal} moved.version
                  and ${hashOf} ${equal} moved.head_hash)
              from wg.events as event
              where event.stream_id ${equal} moved.stream_id
                and event.version operator(pg_catalog.>) moved.before)), true)
          from (${moved}) as moved)
    then
      raise exception 'a head moves only with its events' using errcode = 'restrict_violation';
    end if;
    return null;
  end $$`

const functions = [
  check("check_new_heads", {
    before: "0",
    moved: `select stream_id, version, head_hash, 0 as before from after
        where version operator(pg_catalog.<>) 0`
  }),
  check("check_heads", {
    before: `(select before.version from before
              where before.stream_id ${equal} after.stream_id)`,
    moved: `select after.stream_id, after.version, after.head_hash,
          coalesce(before.version, 0) as before
        from after left join before on before.stream_id ${equal} after.stream_id
        where not coalesce(after.version ${equal} before.version
          and after.head_hash ${equal} before.head_hash, false)`
  })
]

const removals = [
  `drop table wg.closed_tenants, wg.tenant_moves`,
  `drop function wg.set_stream_state(uuid, timestamptz, boolean)`,
  `do $$
  begin
    if exists (select from pg_roles where rolname = 'wg_eraser') then
      revoke delete on wg.evidence_models, wg.tenant_use from wg_eraser;
    end if;
  end $$`
]
