/**
 * Erasure in PostgreSQL, on a server or embedded: by the functions that `wg_eraser` alone may call,
 * and by plain statements for what was copied from a session.
 */
import { Effect, Layer, Predicate } from "effect"
import { type RawBuilder, sql } from "kysely"
import {
  ErasureRefused,
  ErasureStore,
  type Purged
} from "../../../application/erasure/EraseSession.ts"
import { EventStoreUnavailable, type StreamRef } from "../../../application/ports/EventStore.ts"
import { codeOf, Postgres } from "../../../infrastructure/postgres/Postgres.ts"

type Service = ErasureStore["Service"]

/** Read models with rows of one session alone. */
const models = ["sessions", "groundings", "packs"]

/** SQLSTATE of a right that the login lacks. */
const insufficientPrivilege = "42501"

export const layer = Layer.effect(
  ErasureStore,
  Effect.gen(function*() {
    const postgres = yield* Postgres
    const rowsOf = <Row>(statement: RawBuilder<Row>) =>
      Effect.map(
        postgres.run((db) => statement.execute(db)),
        ({ rows }): ReadonlyArray<Row> => rows
      )

    /** Appends to it wait from here on. */
    const locked = Effect.fnUntraced(function*(ref: StreamRef) {
      const [stream] = yield* rowsOf(lockStream(ref))
      return stream ?? (yield* new ErasureRefused({ reason: "unknown_session" }))
    })

    const purged = Effect.fnUntraced(function*(ref: StreamRef, rowKey: string) {
      const stream = yield* locked(ref)
      if (stream.legal_hold) return yield* new ErasureRefused({ reason: "held" })
      const { stream_id } = stream
      const requests = yield* rowsOf(selectRequests(stream_id))
      const [before] = yield* rowsOf(countCopies(ref, stream_id))
      const [erased] = yield* rowsOf(
        sql<{ readonly payloads: number }>`select wg.erase(${stream_id}) as payloads`
      )
      const rows = yield* rowsOf(deleteRows(rowKey))
      const after = yield* locked(ref)
      const found: Purged = {
        streamId: stream_id,
        erasedAt: after.erased_at ?? "",
        version: stream.version,
        hash: stream.head_hash,
        requestIds: requests.map(({ id }) => id),
        removed: {
          payloads: erased?.payloads ?? 0,
          read_model_rows: rows.length,
          ...(before ?? none)
        }
      }
      return found
    })

    const erase: Service["erase"] = (ref, rowKey, record) =>
      Effect.flatMap(purged(ref, rowKey), record).pipe(
        postgres.transaction,
        Effect.catchTag("PostgresError", inPort("erase"))
      )

    const hold: Service["hold"] = (ref, held, record) =>
      Effect.gen(function*() {
        const { stream_id } = yield* locked(ref)
        yield* rowsOf(sql`select wg.hold(${stream_id}, ${held})`)
        return yield* record(stream_id)
      }).pipe(postgres.transaction, Effect.catchTag("PostgresError", inPort("hold")))

    return ErasureStore.of({ erase, hold })
  })
)

const lockStream = ({ session_id, tenant_id }: StreamRef) =>
  sql<{
    readonly stream_id: string
    readonly version: number
    readonly head_hash: string
    readonly legal_hold: boolean
    readonly erased_at: string | null
  }>`select stream_id, version, head_hash, legal_hold, erased_at from wg.streams
    where tenant_id = ${tenant_id} and session_id = ${session_id} for update`

const selectRequests = (streamId: string) =>
  sql<{ readonly id: string }>`select distinct metadata ->> 'correlation_id' as id from wg.events
    where stream_id = ${streamId} order by id`

const none = { data_keys: 0, cached_searches: 0, cached_packs: 0, waiting_pages: 0 }

/** Counts the copies that go by triggers with the erasure. */
const countCopies = ({ session_id, tenant_id }: StreamRef, streamId: string) =>
  sql<typeof none>`select
    (select count(*)::int from wg.payload_keys where stream_id = ${streamId}) as data_keys,
    (select count(*)::int from wg.query_cache where stream_id = ${streamId}) as cached_searches,
    (select count(*)::int from wg.pack_cache where stream_id = ${streamId}) as cached_packs,
    (select count(*)::int from wg.pages_to_collect
      where tenant_id = ${tenant_id} and session_id = ${session_id}) as waiting_pages`

/** The session's own row, and those whose keys go on behind a space; `!` follows it. */
const deleteRows = (key: string) =>
  sql<{ readonly key: string }>`delete from wg.read_models
    where model = any(${models}::text[])
      and (key = ${key} or (key >= ${`${key} `} and key < ${`${key}!`}))
    returning key`

const inPort = (operation: string) => (error: unknown) =>
  Predicate.hasProperty(error, "cause") && codeOf(error.cause) === insufficientPrivilege
    ? Effect.fail<ErasureRefused | EventStoreUnavailable>(
      new ErasureRefused({ reason: "not_allowed" })
    )
    : Effect.fail(new EventStoreUnavailable({ operation, cause: error }))
