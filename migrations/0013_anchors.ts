/**
 * Anchors as they are made: the signed statement, what the next one goes on from, and the keys.
 *
 * The table of the first migration had no place for a tree's size and was never written to.
 */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [...tables, rights]) await sql.raw(statement).execute(db)
}

const tables = [
  `drop table wg.anchors`,
  `create table wg.anchors (
    tree_size     bigint primary key,
    last_position bigint not null,
    frontier      jsonb not null,
    envelope      jsonb not null,
    shipped       boolean not null default false,
    recorded_at   timestamptz not null default now()
  )`,
  `create index anchors_unshipped on wg.anchors (tree_size) where not shipped`,
  `create table wg.anchor_keys (
    key_id      text primary key,
    public_key  text not null,
    recorded_at timestamptz not null default now()
  )`,
  `create table wg.anchor_turn (
    one   boolean primary key default true check (one),
    owner text not null,
    until timestamptz not null
  )`
]

const rights = `do $$
  begin
    if exists (select from pg_roles where rolname = 'wg_app') then
      grant select, insert, update (shipped) on wg.anchors to wg_app;
      grant select, insert on wg.anchor_keys to wg_app;
      grant select, insert, update on wg.anchor_turn to wg_app;
    end if;
  end $$`
