/** Pages that were read for a request and wait to be collected. They go with their session. */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** One row a source: the newest reading waits, and `token` tells it from an earlier one. */
const statements = [
  `create table wg.pages_to_collect (
    tenant_id  text not null,
    source_key text not null,
    session_id text not null,
    page       jsonb not null,
    token      text not null,
    tries      integer not null default 0,
    due_at     timestamptz not null,
    primary key (tenant_id, source_key)
  )`,
  `create index pages_to_collect_due on wg.pages_to_collect (tenant_id, due_at)`,
  `create function wg.forget_pages() returns trigger language plpgsql security definer
    set search_path = pg_catalog as $$
  begin
    delete from wg.pages_to_collect
      where tenant_id = new.tenant_id and session_id = new.session_id;
    return null;
  end $$`,
  `revoke all on function wg.forget_pages() from public`,
  `create trigger forget_pages after update of erased_at on wg.streams
    for each row when (new.erased_at is not null) execute function wg.forget_pages()`,
  `do $$ begin
    if exists (select from pg_roles where rolname = 'wg_app') then
      grant select, insert, update, delete on wg.pages_to_collect to wg_app;
    end if;
  end $$`
]
