/**
 * Who is searching for what right now is worth nothing after a crash: leases of seconds, which then
 * everybody may take. Without a journal taking and giving back one waits for no disk.
 */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table wg.flights set unlogged`.execute(db)
}
