/** What each tenant used in the running minute, day and month, counted atomically in one row. */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** A period that is over counts as empty; its figures give way to the next one's. */
const statements = [
  `create table wg.tenant_use (
    tenant_id            text primary key,
    minute               text not null,
    requests_in_minute   integer not null check (requests_in_minute >= 0),
    day                  text not null,
    searches_in_day      integer not null check (searches_in_day >= 0),
    cost_micros_in_day   bigint not null check (cost_micros_in_day >= 0),
    month                text not null,
    searches_in_month    integer not null check (searches_in_month >= 0),
    cost_micros_in_month bigint not null check (cost_micros_in_month >= 0)
  )`,
  `do $$ begin
    if exists (select from pg_roles where rolname = 'wg_app') then
      grant select, insert, update on wg.tenant_use to wg_app;
    end if;
  end $$`
]
