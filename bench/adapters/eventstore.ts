/**
 * Our log behind the interface of the event-store harness: see `bench/README.md`.
 *
 * The harness lives outside this repository, so its types are repeated here and its conflict class
 * is handed in. A stream's head is kept from append to append, as the service does.
 */
import { Effect, Layer, ManagedRuntime, Redacted, Stream } from "effect"
import pg from "pg"
import {
  EventStore,
  LogPosition,
  type NewEvent,
  type StoredEvent,
  type StreamHead
} from "../../src/application/ports/EventStore.ts"
import * as HashChain from "../../src/domain/audit/HashChain.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256, uuidv7 } from "../../src/infrastructure/Digest.ts"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import * as PlainEventStore from "../../test/support/plainEventStore.ts"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [k: string]: Json }

interface HarnessEvent {
  readonly id: string
  readonly type: string
  readonly data: { readonly [k: string]: Json }
  readonly metadata: { readonly [k: string]: Json }
}

interface HarnessRecord {
  readonly id: string
  readonly streamId: string
  readonly version: number
  readonly position: string
  readonly type: string
  readonly data: unknown
  readonly metadata: unknown
}

type Query = (
  text: string,
  values?: ReadonlyArray<unknown>
) => Promise<ReadonlyArray<Record<string, unknown>>>

type Handler = (
  events: ReadonlyArray<HarnessRecord>,
  context: { readonly query: Query }
) => Promise<void>

interface CatchUpOptions {
  readonly consumerId: string
  readonly batchSize: number
}

const tenant = "default"
const batchEventsMax = 1_000

/** `VersionConflict` is the class by which the harness recognises conflicts. */
export const eventstore =
  (VersionConflict: new(stream: string, cause?: unknown) => Error, name = "web-grounding") =>
  () => {
    const heads = new Map<string, StreamHead>()
    let runtime: ManagedRuntime.ManagedRuntime<EventStore, unknown>
    let store: EventStore["Service"]
    let checkpoints: pg.Pool

    const appendEffect = (
      session: string,
      events: ReadonlyArray<HarnessEvent>,
      expectedVersion: number
    ) =>
      Effect.gen(function*() {
        const head = heads.get(session) ?? unwritten(session)
        const expected = head.version === expectedVersion
          ? head
          : { ...head, version: expectedVersion }
        const appended = yield* store.append(expected, events.map(toNewEvent))
        heads.set(session, appended.head)
        return { version: appended.head.version }
      })

    return {
      name,
      capabilities: {
        batchAppend: true,
        transactionalCheckpoint: true,
        readStream: true,
        catchUp: true
      },

      async open(connection: { readonly connectionString: string; readonly poolSize: number }) {
        const server = PostgresServer.layer({
          url: Redacted.make(connection.connectionString),
          poolMax: connection.poolSize
        })
        const migrated = Layer.effectDiscard(Migrations.run).pipe(Layer.provideMerge(server))
        runtime = ManagedRuntime.make(PlainEventStore.layer.pipe(Layer.provide(migrated)))
        store = await runtime.runPromise(Effect.service(EventStore))
        checkpoints = new pg.Pool({ connectionString: connection.connectionString, max: 4 })
      },

      async append(
        session: string,
        events: ReadonlyArray<HarnessEvent>,
        expectedVersion: number | "any"
      ) {
        if (expectedVersion === "any") throw new Error("append at the version read instead")
        const exit = await Effect.runPromiseExit(appendEffect(session, events, expectedVersion))
        if (exit._tag === "Success") return exit.value
        throw new VersionConflict(session, exit.cause)
      },

      async readStream(session: string) {
        const history = await Effect.runPromise(
          store.read({ tenant_id: tenant, session_id: session })
        )
        return history.events.map(toRecord)
      },

      async catchUp(handler: Handler, { batchSize, consumerId }: CatchUpOptions) {
        const found = await checkpoints.query(
          `insert into wg.checkpoints as known (consumer_id) values ($1)
            on conflict (consumer_id) do update set position = known.position
            returning position`,
          [consumerId]
        )
        const client = await checkpoints.connect()
        const done = { at: BigInt(found.rows[0].position), events: 0, batches: 0 }
        const batches = store.all(LogPosition.make(done.at)).pipe(
          batchSize < batchEventsMax ? Stream.rechunk(batchSize) : (stream) => stream,
          Stream.runForEachArray((events) =>
            Effect.promise(async () => {
              done.at = await handle(client, handler, events, { consumerId, from: done.at })
              done.events += events.length
              done.batches++
            })
          )
        )
        try {
          await Effect.runPromise(batches)
          return { events: done.events, batches: done.batches }
        } finally {
          client.release()
        }
      },

      async close() {
        await checkpoints?.end()
        await runtime?.dispose()
      }
    }
  }

/** As `read` answers for a stream that holds nothing, without the round trip. */
const unwritten = (session: string): StreamHead => {
  const streamId = uuidv7(Date.now())
  const hash = HashChain.genesis({ sha256, canonical }, streamId)
  return { ref: { tenant_id: tenant, session_id: session }, streamId, version: 0, hash }
}

/** The checkpoint moves in the transaction of the handler's effects, when it has any. */
const handle = async (
  client: pg.PoolClient,
  handler: Handler,
  events: ReadonlyArray<StoredEvent>,
  { consumerId, from }: { readonly consumerId: string; readonly from: bigint }
): Promise<bigint> => {
  const to = events.at(-1)?.position ?? from
  let open = false
  const query: Query = async (text, values) => {
    if (!open) await client.query("begin")
    open = true
    return (await client.query({ text, values: [...values ?? []] })).rows
  }
  try {
    await handler(events.map(toRecord), { query })
    const moved = await client.query({
      name: "checkpoint",
      text: `update wg.checkpoints set position = $2, updated_at = now()
        where consumer_id = $1 and position = $3`,
      values: [consumerId, String(to), String(from)]
    })
    if (moved.rowCount !== 1) throw new Error(`the checkpoint ${consumerId} was moved elsewhere`)
    if (open) await client.query("commit")
    return to
  } catch (cause) {
    if (open) await client.query("rollback")
    throw cause
  }
}

/** The ids and the actor under our names, the rest as it is: the same bytes for every store. */
const toNewEvent = ({ data, id, metadata, type }: HarnessEvent): NewEvent => {
  const { causationId, correlationId, ...rest } = metadata
  return {
    eventId: id,
    type,
    schemaVersion: 1,
    data,
    metadata: {
      ...rest,
      correlation_id: String(correlationId),
      causation_id: String(causationId),
      actor: String(rest["actor"])
    }
  }
}

const toRecord = (event: StoredEvent): HarnessRecord => ({
  id: event.eventId,
  streamId: event.streamId,
  version: event.version,
  position: String(event.position),
  type: event.type,
  data: event.data,
  metadata: event.metadata
})
