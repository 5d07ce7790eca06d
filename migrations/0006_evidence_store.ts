/** The evidence store: entries with their words, and vectors where the server can keep them. */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [...tables, enableVectors, `select wg.enable_vectors()`]) {
    await sql.raw(statement).execute(db)
  }
}

/** Searches count and filter rows by their metadata: words and text go out of line, for narrow rows. */
const tables = [
  `create table wg.evidence_entries (
    tenant_id    text not null,
    entry_id     text collate "C" not null,
    source_key   text not null,
    source_type  text not null,
    source_id    text not null,
    source_url   text,
    collected_at timestamptz not null,
    collector    text not null,
    node_id      text,
    node_label   text,
    title        text not null,
    chunk_index  integer not null check (chunk_index >= 0),
    total_chunks integer not null check (total_chunks > chunk_index),
    text_start   integer not null,
    text_end     integer not null,
    text         text not null,
    text_sha256  text not null,
    terms        tsvector not null,
    primary key (tenant_id, entry_id),
    unique (tenant_id, source_key, chunk_index)
  ) with (toast_tuple_target = 1024)`,
  `alter table wg.evidence_entries
    alter column terms set storage external,
    alter column entry_id set storage main,
    alter column source_key set storage main,
    alter column source_id set storage main,
    alter column source_url set storage main,
    alter column collector set storage main,
    alter column node_id set storage main,
    alter column node_label set storage main,
    alter column title set storage main,
    alter column text_sha256 set storage main`,
  `create index evidence_terms on wg.evidence_entries using gin (terms)`,
  `create index evidence_node on wg.evidence_entries (tenant_id, node_id)
    where node_id is not null`,
  `create index evidence_source on wg.evidence_entries (tenant_id, source_type, source_id)`,
  `create table wg.evidence_models (
    tenant_id  text primary key,
    model      text not null,
    dimensions integer not null
  )`,
  `create table wg.evidence_vectors (
    tenant_id  text not null,
    entry_id   text collate "C" not null,
    model      text not null,
    dimensions integer not null,
    primary key (tenant_id, model, dimensions, entry_id),
    foreign key (tenant_id, entry_id) references wg.evidence_entries on delete cascade
  )`,
  `create index evidence_vectors_entry on wg.evidence_vectors (tenant_id, entry_id)`
]

/**
 * Adds the column for vectors where the extension is, or can be, installed; says whether it is
 * there. To be called again once an administrator has brought the extension.
 */
const enableVectors = `
  create function wg.enable_vectors() returns boolean language plpgsql as $$
  begin
    if exists (select from pg_attribute
        where attrelid = 'wg.evidence_vectors'::regclass and attname = 'embedding') then
      return true;
    end if;
    if not exists (select from pg_available_extensions where name = 'vector') then
      return false;
    end if;
    create extension if not exists vector;
    alter table wg.evidence_vectors add column embedding vector not null;
    return true;
  exception
    when insufficient_privilege then
      raise notice 'no right to install the extension vector';
      return false;
  end $$`
