/** SQL of the evidence store. Each statement and each joined table is limited to the tenant. */
import { type RawBuilder, sql } from "kysely"
import {
  dayOf,
  type EmbeddingModel,
  type Entry,
  type EntryFilter,
  equalFields
} from "../../domain/store/Entry.ts"
import { type Held, holdersMax, toRecord, weightOf } from "./EvidenceRow.ts"

/** First of two keys: the log's fence and the migrations lock single keys. */
const lockSpace = 7_265_002

/** Locks sources until the transaction ends, in a fixed order against deadlocks. */
export const lockSources = (tenantId: string, sources: ReadonlyArray<string>) =>
  sql`select pg_advisory_xact_lock(${lockSpace}::int, place) from (
    select distinct hashtext(${tenantId}::text || ' ' || source) as place
      from unnest(${[...sources]}::text[]) as source order by place
  ) places`

export const deleteSources = (tenantId: string, sources: ReadonlyArray<string>) =>
  sql<{ readonly source_key: string; readonly removed: number }>`
    with gone as (
      delete from wg.evidence_entries
        where tenant_id = ${tenantId} and source_key = any(${[...sources]}::text[])
        returning source_key
    )
    select source_key, count(*)::int as removed from gone group by source_key`

/** Against erasure. `kept` is false after it; no row if nothing is recorded. */
export const shareSession = (tenantId: string, sessionId: string) =>
  sql<{ readonly kept: boolean }>`select erased_at is null as kept from wg.streams
    where tenant_id = ${tenantId} and session_id = ${sessionId} for share`

export const selectCollectedFor = (tenantId: string, sessionId: string) =>
  sql<Pick<Entry, "source_type" | "source_id">>`
    select distinct source_type, source_id from wg.evidence_entries
      where tenant_id = ${tenantId} and collected_for = ${sessionId}
      order by source_type, source_id`

export const insertEntries = (
  tenantId: string,
  entries: ReadonlyArray<Entry>,
  collectedFor: string | undefined
) =>
  sql`insert into wg.evidence_entries (tenant_id, entry_id, source_key, source_type, source_id,
      source_url, collected_at, collector, node_id, node_label, title, published_date,
      modified_date, official, chunk_index, total_chunks, text_start, text_end, text, text_sha256,
      terms, collected_for)
    select ${tenantId}, entry_id, source_key, source_type, source_id, source_url, collected_at,
        collector, node_id, node_label, title, published_date, modified_date, official,
        chunk_index, total_chunks, text_start, text_end, text, text_sha256, terms::tsvector,
        ${collectedFor ?? null}::text
      from jsonb_to_recordset(${JSON.stringify(entries.map(toRecord))}::jsonb) as entry (
        entry_id text, source_key text, source_type text, source_id text, source_url text,
        collected_at timestamptz, collector text, node_id text, node_label text, title text,
        published_date text, modified_date text, official boolean, chunk_index int,
        total_chunks int, text_start int, text_end int, text text, text_sha256 text, terms text)`

const compared = sql`
  select v.model as embedding_model, v.dimensions as embedding_dimensions
    from wg.evidence_models m join wg.evidence_vectors v using (tenant_id, model, dimensions)
    where m.tenant_id = e.tenant_id and v.entry_id = e.entry_id`

const columns = sql`e.entry_id as id, e.source_type, e.source_id, e.source_url, e.collected_at,
  e.collector, e.node_id, e.node_label, e.title, e.published_date, e.modified_date, e.official,
  e.chunk_index, e.total_chunks, e.text_start as start, e.text_end as "end", e.text, e.text_sha256,
  compared.embedding_model, compared.embedding_dimensions`

export const selectSource = (tenantId: string, source: string) =>
  sql<object>`
    select ${columns} from wg.evidence_entries e left join lateral (${compared}) compared on true
      where e.tenant_id = ${tenantId} and e.source_key = ${source} order by e.chunk_index`

export const countHolders = (
  tenantId: string,
  queries: ReadonlyArray<string>,
  filter: EntryFilter
) =>
  sql<Held>`
    select asked.query, (select count(*)::int from (
        select from wg.evidence_entries e
          where e.terms @@ asked.query::tsquery and ${allowed(tenantId, filter)}
          limit ${holdersMax}
      ) holders) as holders
      from unnest(${[...queries]}::text[]) with ordinality as asked (query, place)
      order by asked.place`

/** Fetches words once for an entry, then ranks each term by frequency and title. */
export const selectByText = (
  tenantId: string,
  candidates: string,
  held: ReadonlyArray<Held>,
  filter: EntryFilter,
  limit: number
) =>
  sql<object>`
    with asked as materialized (
      select query::tsquery, weight from unnest(
        ${held.map(({ query }) => query)}::text[], ${held.map(weightOf)}::float8[]
      ) as asked (query, weight)
    ), candidate as (
      select e.entry_id, e.terms || ''::tsvector as terms from wg.evidence_entries e
        where e.terms @@ ${candidates}::tsquery and ${allowed(tenantId, filter)}
        limit ${holdersMax}
    ), best as (
      select entry_id, (
          select sum(weight * ts_rank(${placeWeights}::float4[], candidate.terms, query, 1))
            from asked
        ) as score
        from candidate order by score desc, entry_id limit ${limit}
    )
    select ${columns} from best join wg.evidence_entries e using (entry_id)
        left join lateral (${compared}) compared on true
      where e.tenant_id = ${tenantId} order by best.score desc, e.entry_id`

/** Weights of words in the text (first) and in the title (last). */
const placeWeights = "{0.6,0.6,0.6,1}"

export const selectByVector = (
  tenantId: string,
  { dimensions, model }: EmbeddingModel,
  vector: string,
  filter: EntryFilter,
  limit: number
) =>
  sql<object>`
    with best as (
      select e.entry_id, v.embedding <=> ${vector}::vector as distance
        from wg.evidence_vectors v join wg.evidence_entries e using (tenant_id, entry_id)
        where v.tenant_id = ${tenantId} and v.model = ${model} and v.dimensions = ${dimensions}
          and exists (select from wg.evidence_models m where m.tenant_id = ${tenantId}
            and m.model = ${model} and m.dimensions = ${dimensions})
          and ${allowed(tenantId, filter)}
        order by distance, e.entry_id limit ${limit}
    )
    select ${columns} from best join wg.evidence_entries e using (entry_id)
        left join lateral (${compared}) compared on true
      where e.tenant_id = ${tenantId} order by best.distance, e.entry_id`

const published = sql`left(e.published_date, 10) collate "C"`

const allowed = (tenantId: string, filter: EntryFilter): RawBuilder<unknown> => {
  const { collected_from, collected_until, published_from, published_until } = filter
  const equal = equalFields.flatMap((field) => {
    const value = filter[field]
    return value === undefined ? [] : [equals(field, value)]
  })
  return sql.join([
    sql`e.tenant_id = ${tenantId}`,
    ...equal,
    ...(collected_from === undefined ? [] : [sql`e.collected_at >= ${collected_from}`]),
    ...(collected_until === undefined ? [] : [sql`e.collected_at < ${collected_until}`]),
    ...(published_from === undefined ? [] : [sql`${published} >= ${dayOf(published_from)}`]),
    ...(published_until === undefined ? [] : [sql`${published} < ${dayOf(published_until)}`])
  ], sql` and `)
}

const equals = (
  field: typeof equalFields[number],
  value: string | number | boolean
): RawBuilder<unknown> =>
  field === "embedding_model" || field === "embedding_dimensions"
    ? sql`exists (select from (${compared}) compared where ${sql.ref(field)} = ${value})`
    : sql`${sql.ref(`e.${field}`)} = ${value}`
