/** Lets the role that may only append see that there is nothing to migrate, so that it can start. */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`do $$ begin
    if exists (select from pg_roles where rolname = 'wg_app') then
      grant select on wg.migrations to wg_app;
    end if;
  end $$`.execute(db)
}
