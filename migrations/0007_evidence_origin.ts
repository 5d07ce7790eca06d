/** What a document says of its age, and whether it is a public body's word. */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** In line, as the other columns that searches filter by. */
const statements = [
  `alter table wg.evidence_entries
    add column published_date text,
    add column modified_date text,
    add column official boolean`,
  `alter table wg.evidence_entries
    alter column published_date set storage main,
    alter column modified_date set storage main`
]
