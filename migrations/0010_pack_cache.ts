/** Answers that other sessions of a tenant may be given; they go with the session they came from. */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table wg.pack_cache (
    tenant_id  text not null,
    key        text not null check (key ~ '^[0-9a-f]{64}$'),
    stream_id  uuid not null,
    pack       jsonb not null,
    made_at_ms bigint not null,
    primary key (tenant_id, key)
  )`,
  `create index pack_cache_stream on wg.pack_cache (stream_id)`,
  `create function wg.forget_packs() returns trigger language plpgsql security definer
    set search_path = pg_catalog as $$
  begin
    delete from wg.pack_cache where stream_id = new.stream_id;
    return null;
  end $$`,
  `revoke all on function wg.forget_packs() from public`,
  `create trigger forget_packs after update of erased_at on wg.streams
    for each row when (new.erased_at is not null) execute function wg.forget_packs()`,
  `do $$ begin
    if exists (select from pg_roles where rolname = 'wg_app') then
      grant select, insert, update on wg.pack_cache to wg_app;
    end if;
  end $$`
]
