/**
 * The evidence store in PostgreSQL, on a server or embedded: words in an inverted index, vectors
 * where the server has the extension for them, compared exactly and not by an index of neighbours.
 */
import { Array as Arr, Effect, Layer } from "effect"
import type { Kysely, RawBuilder } from "kysely"
import {
  EvidenceStore,
  EvidenceStoreUnavailable,
  foundMax
} from "../../application/ports/EvidenceStore.ts"
import type { SourceType } from "../../domain/store/Entry.ts"
import { Postgres } from "../../infrastructure/postgres/Postgres.ts"
import type { Tables } from "../../infrastructure/postgres/Tables.ts"
import { type EvidenceRow, toEntries } from "./EvidenceRow.ts"
import * as Statements from "./EvidenceStatements.ts"
import { candidatesOf, queryTextsOf } from "./EvidenceTerms.ts"
import * as Vectors from "./EvidenceVectorStatements.ts"

/** Entries of one statement. */
const insertRowsMax = 500

type Service = EvidenceStore["Service"]

export const layer = Layer.effect(
  EvidenceStore,
  Effect.gen(function*() {
    const postgres = yield* Postgres
    const rowsOf = <Row>(statement: RawBuilder<Row>) =>
      Effect.map(
        postgres.run((db: Kysely<Tables>) => statement.execute(db)),
        ({ rows }): ReadonlyArray<Row> => rows
      )
    const entriesFrom = (statement: RawBuilder<EvidenceRow>) =>
      Effect.flatMap(rowsOf(statement), toEntries)
    const [vectors] = yield* rowsOf(Vectors.hasVectors)
    const keepsVectors = vectors?.kept ?? false

    /** An erasure that goes on beside it is waited for. */
    const isKept = (tenantId: string, sessionId: string) =>
      Effect.map(
        inStore(rowsOf(Statements.shareSession(tenantId, sessionId))),
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
        yield* inStore(rowsOf(Statements.lockSources(tenantId, sources)))
        const gone = yield* inStore(rowsOf(Statements.deleteSources(tenantId, sources)))
        yield* Effect.forEach(
          Arr.chunksOf(entries, insertRowsMax),
          (rows) => inStore(rowsOf(Statements.insertEntries(tenantId, rows, forSession))),
          { discard: true }
        )
        if (keepsVectors && vectors !== undefined && entries.length > 0) {
          yield* inStore(rowsOf(Vectors.startModel(tenantId, vectors.model)))
          yield* inStore(rowsOf(Vectors.insertVectors(tenantId, entries, vectors)))
        }
        yield* record(
          sources.map((source) =>
            gone.find(({ source_key }) => source_key === source)?.removed ?? 0
          )
        )
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
        const near = Vectors.textOf(vector)
        return yield* entriesFrom(
          Statements.selectByVector(tenantId, model, near, filter, Math.min(limit, foundMax))
        )
      },
      Effect.catch(unavailable("search"))
    )

    const counts: Service["counts"] = Effect.fn("PostgresEvidenceStore.counts")(
      function*(tenantId) {
        const kinds = yield* rowsOf(Vectors.countEntries(tenantId))
        const [compared] = yield* rowsOf(Vectors.countVectors(tenantId))
        const of = (type: SourceType) =>
          kinds.find(({ source_type }) => source_type === type)?.entries ?? 0
        return {
          entries: {
            kg_node: of("kg_node"),
            web_search: of("web_search"),
            paper: of("paper"),
            user_note: of("user_note")
          },
          sources: kinds.reduce((sum, { sources }) => sum + sources, 0),
          model: compared === undefined
            ? undefined
            : { model: compared.model, dimensions: compared.dimensions },
          embedded: compared?.embedded ?? 0
        }
      },
      Effect.catch(unavailable("count"))
    )

    const compareBy: Service["compareBy"] = (tenantId, model, record) =>
      Effect.gen(function*() {
        const [before] = yield* inStore(rowsOf(Vectors.lockModel(tenantId)))
        const missing = yield* inStore(rowsOf(Vectors.selectUnembedded(tenantId, model, 1)))
        if (missing.length > 0) return false
        yield* inStore(rowsOf(Vectors.setModel(tenantId, model)))
        yield* inStore(rowsOf(Vectors.deleteOtherVectors(tenantId, model)))
        const [compared] = yield* inStore(rowsOf(Vectors.countVectors(tenantId)))
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
        Effect.catch(
          entriesFrom(Statements.selectSource(tenantId, key)),
          unavailable("read")
        ),
      collectedFor: (tenantId, sessionId) =>
        Effect.catch(
          rowsOf(Statements.selectCollectedFor(tenantId, sessionId)),
          unavailable("read")
        ),
      unembedded: (tenantId, model, limit) =>
        Effect.catch(
          rowsOf(Vectors.selectUnembedded(tenantId, model, limit)),
          unavailable("read")
        ),
      addVectors: (tenantId, entries, vectors) =>
        keepsVectors
          ? Effect.asVoid(inStore(rowsOf(Vectors.insertVectors(tenantId, entries, vectors))))
          : Effect.void
    })
  })
)

const unavailable = (operation: string) => (cause: unknown) =>
  Effect.fail(new EvidenceStoreUnavailable({ operation, cause }))

const inStore = <A, R>(effect: Effect.Effect<A, unknown, R>) =>
  Effect.catch(effect, unavailable("change"))
