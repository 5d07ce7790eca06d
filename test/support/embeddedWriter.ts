/**
 * A process that appends to an embedded store without end and prints the number of each event when
 * it is sure of it, a line each. Its parent kills it at a moment of its own choosing.
 *
 * `after` is the design: an event is acknowledged when its append has returned. `before` is the
 * saboteur: an event is acknowledged when it is queued, and a queue is appended in one go.
 */
import { Effect, Layer } from "effect"
import { writeSync } from "node:fs"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import {
  EventStore,
  type NewEvent,
  type StreamRef
} from "../../src/application/ports/EventStore.ts"
import { uuidv7 } from "../../src/infrastructure/Digest.ts"
import * as EmbeddedPostgres from "../../src/infrastructure/postgres/EmbeddedPostgres.ts"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"

export interface Writer {
  readonly directory: string
  readonly session: string
  readonly acknowledge: "after" | "before"
}

const queueEventsMax = 50
const stdout = 1

export const ref = (session_id: string): StreamRef => ({ tenant_id: "t", session_id })

const eventOf = (number: number): NewEvent => ({
  eventId: uuidv7(number),
  type: "WRITTEN",
  schemaVersion: 1,
  data: { number },
  metadata: { correlation_id: "r", causation_id: "c", actor: "writer" }
})

/** The driver's own write to a pipe is not gone yet when it returns; this one is. */
const acknowledge = (number: number) => Effect.sync(() => writeSync(stdout, `${number}\n`))

/** The log in a directory, migrated. */
export const embedded = (directory: string) =>
  PostgresEventStore.layer.pipe(
    Layer.provide(
      Layer.effectDiscard(Migrations.run).pipe(
        Layer.provideMerge(EmbeddedPostgres.layer({ directory }))
      )
    )
  )

/** Appends until the process ends; numbers go up from what the stream holds. */
const writing = Effect.fnUntraced(function*({ acknowledge: order, session }: Writer) {
  const store = yield* EventStore
  let { head } = yield* store.read(ref(session))
  for (;;) {
    const events = Array.from(
      { length: order === "after" ? 1 : queueEventsMax },
      (_, index) => eventOf(head.version + index + 1)
    )
    const numbers = events.map((_, index) => head.version + index + 1)
    if (order === "before") yield* Effect.forEach(numbers, acknowledge)
    const appended = yield* store.append(head, events)
    head = appended.head
    if (order === "after") yield* Effect.forEach(numbers, acknowledge)
  }
})

if (process.argv[1]?.includes("embeddedWriter.")) {
  const writer: Writer = JSON.parse(process.argv[2] ?? "{}")
  Effect.runPromise(Effect.provide(writing(writer), embedded(writer.directory))).then(
    () => process.exit(0),
    (failure) => {
      process.stderr.write(`${String(failure)}\n`)
      process.exit(1)
    }
  )
}
