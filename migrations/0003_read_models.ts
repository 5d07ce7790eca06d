/** Rows of the read models, and which version of each is the one that readers see. */
import { type Kysely, sql } from "kysely"

/** Keys compare by code point wherever the database is: a range of keys is a span of time. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table wg.read_models (
    model         text not null,
    model_version integer not null check (model_version > 0),
    tenant_id     text not null,
    key           text collate "C" not null,
    row           jsonb not null,
    position      bigint not null,
    primary key (model, model_version, tenant_id, key)
  )`.execute(db)
  await sql`create table wg.live_models (
    model         text primary key,
    model_version integer not null
  )`.execute(db)
}
