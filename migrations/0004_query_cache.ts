/** Answers of earlier searches by what was asked, and who is searching for which. */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table wg.query_cache (
    tenant_id      text not null,
    key            text not null check (key ~ '^[0-9a-f]{64}$'),
    entry          jsonb not null,
    recorded_at_ms bigint not null,
    primary key (tenant_id, key)
  )`.execute(db)
  await sql`create table wg.flights (
    tenant_id text not null,
    key       text not null check (key ~ '^[0-9a-f]{64}$'),
    owner     text not null,
    until     timestamptz not null,
    primary key (tenant_id, key)
  )`.execute(db)
}
