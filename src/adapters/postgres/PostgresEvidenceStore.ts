/**
 * The evidence store in PostgreSQL: an inverted index of words; vectors if the server has the
 * extension, compared exactly.
 */
import { Array as Arr, Effect, Layer } from "effect"
import { type RawBuilder, sql } from "kysely"
import {
  EvidenceStore,
  EvidenceStoreUnavailable,
  foundMax,
  type Unembedded,
  type Vectors
} from "../../application/ports/EvidenceStore.ts"
import type { Vector } from "../../domain/retrieval/Ranking.ts"
import type { EmbeddingModel, SourceType } from "../../domain/store/Entry.ts"
import { Postgres, rowsIn } from "../../infrastructure/postgres/Postgres.ts"
import { candidatesOf, queryTextsOf, toEntries } from "./EvidenceRow.ts"
import * as Statements from "./EvidenceStatements.ts"

const insertRowsMax = 500

type Service = EvidenceStore["Service"]

export const layer = Layer.effect(
  EvidenceStore,
  Effect.gen(function*() {
    const postgres = yield* Postgres
    const rowsOf = rowsIn(postgres)
    const entriesFrom = (statement: RawBuilder<object>) =>
      Effect.flatMap(rowsOf(statement), toEntries)
    const [vectors] = yield* rowsOf(hasVectors)
    const keepsVectors = vectors?.kept ?? false

    /** Waits for a concurrent erasure. */
    const isKept = (tenantId: string, sessionId: string) =>
      Effect.map(
        rowsOf(Statements.shareSession(tenantId, sessionId)),
        ([session]) => session?.kept !== false
      )

    const replace: Service["replace"] = (tenantId, replacement, record) =>
      Effect.gen(function*() {
        const { entries, forSession, sources, vectors } = replacement
        if (forSession !== undefined && !(yield* isKept(tenantId, forSession))) {
          return yield* new EvidenceStoreUnavailable({
            operation: "keep a page of a session that was erased",
            cause: undefined
          })
        }
        yield* rowsOf(Statements.lockSources(tenantId, sources))
        const gone = yield* rowsOf(Statements.deleteSources(tenantId, sources))
        yield* Effect.forEach(
          Arr.chunksOf(entries, insertRowsMax),
          (rows) => rowsOf(Statements.insertEntries(tenantId, rows, forSession)),
          { discard: true }
        )
        if (keepsVectors && vectors !== undefined && entries.length > 0) {
          yield* rowsOf(startModel(tenantId, vectors.model))
          yield* rowsOf(insertVectors(tenantId, entries, vectors))
        }
        const removed = sources.map((source) =>
          gone.find(({ source_key }) => source_key === source)?.removed ?? 0
        )
        yield* record(removed)
        return removed
      }).pipe(postgres.transaction, Effect.catchTag("PostgresError", unavailable("change")))

    const byText: Service["byText"] = Effect.fn("PostgresEvidenceStore.byText")(
      function*(tenantId, question, filter, limit) {
        const queries = queryTextsOf(question)
        if (queries.length === 0) return []
        const held = yield* rowsOf(Statements.countHolders(tenantId, queries, filter))
        for (const candidates of candidatesOf(held)) {
          const found = yield* entriesFrom(
            Statements.selectByText(tenantId, candidates, held, filter, Math.min(limit, foundMax))
          )
          if (found.length > 0) return found
        }
        return []
      },
      Effect.catch(unavailable("search"))
    )

    const byVector: Service["byVector"] = Effect.fn("PostgresEvidenceStore.byVector")(
      function*(tenantId, model, vector, filter, limit) {
        if (!keepsVectors || vector.length !== model.dimensions) return []
        const near = textOf(vector)
        return yield* entriesFrom(
          Statements.selectByVector(tenantId, model, near, filter, Math.min(limit, foundMax))
        )
      },
      Effect.catch(unavailable("search"))
    )

    const counts: Service["counts"] = Effect.fn("PostgresEvidenceStore.counts")(
      function*(tenantId) {
        const kinds = yield* rowsOf(countEntries(tenantId))
        const [compared] = yield* rowsOf(countVectors(tenantId))
        const of = (type: SourceType) =>
          kinds.find(({ source_type }) => source_type === type)?.entries ?? 0
        const { embedded = 0, ...model } = compared ?? {}
        return {
          entries: {
            kg_node: of("kg_node"),
            web_search: of("web_search"),
            paper: of("paper"),
            user_note: of("user_note")
          },
          sources: kinds.reduce((sum, { sources }) => sum + sources, 0),
          model: "model" in model ? model : undefined,
          embedded
        }
      },
      Effect.catch(unavailable("count"))
    )

    const compareBy: Service["compareBy"] = (tenantId, model, record) =>
      Effect.gen(function*() {
        const [before] = yield* rowsOf(lockModel(tenantId))
        const missing = yield* rowsOf(selectUnembedded(tenantId, model, 1))
        if (missing.length > 0) return false
        yield* rowsOf(setModel(tenantId, model))
        yield* rowsOf(deleteOtherVectors(tenantId, model))
        const [compared] = yield* rowsOf(countVectors(tenantId))
        yield* record(before, compared?.embedded ?? 0)
        return true
      }).pipe(postgres.transaction, Effect.catchTag("PostgresError", unavailable("change")))

    return EvidenceStore.of({
      keepsVectors,
      replace,
      byText,
      byVector,
      counts,
      compareBy,
      entriesOf: (tenantId, key) =>
        Effect.catch(entriesFrom(Statements.selectSource(tenantId, key)), unavailable("read")),
      collectedFor: (tenantId, sessionId) =>
        Effect.catch(
          rowsOf(Statements.selectCollectedFor(tenantId, sessionId)),
          unavailable("read")
        ),
      unembedded: (tenantId, model, limit) =>
        Effect.catch(rowsOf(selectUnembedded(tenantId, model, limit)), unavailable("read")),
      addVectors: (tenantId, entries, vectors) =>
        keepsVectors
          ? rowsOf(insertVectors(tenantId, entries, vectors)).pipe(
            Effect.asVoid,
            Effect.catch(unavailable("change"))
          )
          : Effect.void
    })
  })
)

const unavailable = (operation: string) => (cause: unknown) =>
  new EvidenceStoreUnavailable({ operation, cause })

const hasVectors = sql<{ readonly kept: boolean }>`
  select exists (select from pg_attribute where attrelid = 'wg.evidence_vectors'::regclass
    and attname = 'embedding') as kept`

export const textOf = (vector: Vector): string => `[${vector.join(",")}]`

/** Stores vectors of entries. Skips entries that were removed or changed meanwhile. */
const insertVectors = (
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

/** The tenant's entries are compared by this model from then on. */
const startModel = (tenantId: string, { dimensions, model }: EmbeddingModel) =>
  sql`insert into wg.evidence_models (tenant_id, model, dimensions)
    values (${tenantId}, ${model}, ${dimensions}) on conflict do nothing`

const lockModel = (tenantId: string) =>
  sql<EmbeddingModel>`
    select model, dimensions from wg.evidence_models where tenant_id = ${tenantId} for update`

const setModel = (tenantId: string, { dimensions, model }: EmbeddingModel) =>
  sql`insert into wg.evidence_models (tenant_id, model, dimensions)
    values (${tenantId}, ${model}, ${dimensions})
    on conflict (tenant_id) do update set model = excluded.model, dimensions = excluded.dimensions`

const deleteOtherVectors = (tenantId: string, { dimensions, model }: EmbeddingModel) =>
  sql`delete from wg.evidence_vectors
    where tenant_id = ${tenantId} and (model, dimensions) <> (${model}, ${dimensions})`

const selectUnembedded = (
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

const countEntries = (tenantId: string) =>
  sql<Readonly<Record<"entries" | "sources", number> & { source_type: string }>>`
    select source_type, count(*)::int as entries, count(distinct source_key)::int as sources
      from wg.evidence_entries where tenant_id = ${tenantId} group by source_type`

/** A tenant's embedding model and its number of vectors. No row before the first vector. */
const countVectors = (tenantId: string) =>
  sql<EmbeddingModel & { readonly embedded: number }>`
    select m.model, m.dimensions, (select count(*)::int from wg.evidence_vectors v
        where v.tenant_id = m.tenant_id and v.model = m.model and v.dimensions = m.dimensions
      ) as embedded
      from wg.evidence_models m where m.tenant_id = ${tenantId}`
