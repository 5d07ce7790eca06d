/** What sound verifications of the whole log found: a digest of all that stands up to a position. */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [table, rights]) await sql.raw(statement).execute(db)
}

/** `after`: the position of the digest before, which is `previous`. */
const table = `create table wg.log_digests (
  position    bigint primary key,
  after       bigint not null,
  digest      bytea not null,
  previous    bytea not null,
  recorded_at timestamptz not null default now()
)`

const rights = `do $$
  begin
    if exists (select from pg_roles where rolname = 'wg_app') then
      grant select, insert on wg.log_digests to wg_app;
    end if;
  end $$`
