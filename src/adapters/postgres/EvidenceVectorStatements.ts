/** The evidence store's statements about vectors, and about what it holds. */
import { sql } from "kysely"
import type { Unembedded, Vectors } from "../../application/ports/EvidenceStore.ts"
import type { Vector } from "../../domain/retrieval/Ranking.ts"
import type { EmbeddingModel } from "../../domain/store/Entry.ts"

export const hasVectors = sql<{ readonly kept: boolean }>`
  select exists (select from pg_attribute where attrelid = 'wg.evidence_vectors'::regclass
    and attname = 'embedding') as kept`

/** A vector as the extension reads it. */
export const textOf = (vector: Vector): string => `[${vector.join(",")}]`

/**
 * Stores vectors of entries. Entries that are gone, or whose text was changed meanwhile, get none.
 */
export const insertVectors = (
  tenantId: string,
  entries: ReadonlyArray<Pick<Unembedded, "id" | "text_sha256">>,
  { model, values }: Vectors
) =>
  sql`insert into wg.evidence_vectors (tenant_id, entry_id, model, dimensions, embedding)
    select e.tenant_id, e.entry_id, ${model.model}, ${model.dimensions}, given.embedding::vector
      from unnest(
        ${entries.map(({ id }) => id)}::text[],
        ${entries.map(({ text_sha256 }) => text_sha256)}::text[],
        ${values.map(textOf)}::text[]
      ) as given (entry_id, text_sha256, embedding)
      join wg.evidence_entries e on e.tenant_id = ${tenantId} and e.entry_id = given.entry_id
        and e.text_sha256 = given.text_sha256
    on conflict do nothing`

/**
 * Records the embedding model of a tenant's first vectors, by which its entries are compared from
 * then on.
 */
export const startModel = (tenantId: string, { dimensions, model }: EmbeddingModel) =>
  sql`insert into wg.evidence_models (tenant_id, model, dimensions)
    values (${tenantId}, ${model}, ${dimensions}) on conflict do nothing`

export const lockModel = (tenantId: string) =>
  sql<EmbeddingModel>`
    select model, dimensions from wg.evidence_models where tenant_id = ${tenantId} for update`

export const setModel = (tenantId: string, { dimensions, model }: EmbeddingModel) =>
  sql`insert into wg.evidence_models (tenant_id, model, dimensions)
    values (${tenantId}, ${model}, ${dimensions})
    on conflict (tenant_id) do update set model = excluded.model, dimensions = excluded.dimensions`

export const deleteOtherVectors = (tenantId: string, { dimensions, model }: EmbeddingModel) =>
  sql`delete from wg.evidence_vectors
    where tenant_id = ${tenantId} and (model, dimensions) <> (${model}, ${dimensions})`

export const selectUnembedded = (
  tenantId: string,
  { dimensions, model }: EmbeddingModel,
  limit: number
) =>
  sql<Unembedded>`
    select e.entry_id as id, e.title, e.text, e.text_sha256 from wg.evidence_entries e
      where e.tenant_id = ${tenantId} and not exists (
        select from wg.evidence_vectors v where v.tenant_id = e.tenant_id
          and v.entry_id = e.entry_id and v.model = ${model} and v.dimensions = ${dimensions}
      )
      order by e.entry_id limit ${limit}`

export interface CountRow {
  readonly source_type: string
  readonly entries: number
  readonly sources: number
}

export const countEntries = (tenantId: string) =>
  sql<CountRow>`
    select source_type, count(*)::int as entries, count(distinct source_key)::int as sources
      from wg.evidence_entries where tenant_id = ${tenantId} group by source_type`

/**
 * A tenant's embedding model, and how many entries have a vector of it. No row before the first
 * vector.
 */
export const countVectors = (tenantId: string) =>
  sql<EmbeddingModel & { readonly embedded: number }>`
    select m.model, m.dimensions, (select count(*)::int from wg.evidence_vectors v
        where v.tenant_id = m.tenant_id and v.model = m.model and v.dimensions = m.dimensions
      ) as embedded
      from wg.evidence_models m where m.tenant_id = ${tenantId}`
