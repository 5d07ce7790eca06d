/** What each provider's key was charged in each month: a belt beside the log, counted atomically. */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table wg.credits (
    provider text not null,
    key_slot smallint not null check (key_slot > 0),
    month    text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
    used     integer not null check (used >= 0),
    primary key (provider, month, key_slot)
  )`.execute(db)
}
