/**
 * The data keys that payloads are encrypted with, a stream's wrapped in one row. What unwraps them is
 * never in the database.
 */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [...tables, rights]) await sql.raw(statement).execute(db)
}

/** `wrapped`: id of the wrapping key, a dot, the encrypted key. */
const tables = [
  `create table wg.payload_keys (
    stream_id uuid primary key,
    wrapped   text not null
  )`,
  `create table wg.wrapping_keys (
    key_id      text primary key,
    recorded_at timestamptz not null default now()
  )`
]

const rights = `do $$
  begin
    if exists (select from pg_roles where rolname = 'wg_app') then
      grant select, insert on wg.payload_keys, wg.wrapping_keys to wg_app;
    end if;
  end $$`
