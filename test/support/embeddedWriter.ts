/**
 * A process that appends to an embedded store without end and prints the number of each event when
 * it is sure of it, a line each. Its parent kills it at a moment of its own choosing.
 */
import { Effect, Layer } from "effect"
import { writeSync } from "node:fs"
import {
  EventStore,
  type NewEvent,
  type StreamRef
} from "../../src/application/ports/EventStore.ts"
import { uuidv7 } from "../../src/infrastructure/Digest.ts"
import * as EmbeddedPostgres from "../../src/infrastructure/postgres/EmbeddedPostgres.ts"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import * as PlainEventStore from "./plainEventStore.ts"
import { endWith } from "./processes.ts"

export interface Writer {
  readonly directory: string
  readonly session: string
}

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
  PlainEventStore.layer.pipe(
    Layer.provide(
      Layer.effectDiscard(Migrations.run).pipe(
        Layer.provideMerge(EmbeddedPostgres.layer({ directory }))
      )
    )
  )

/** Appends until the process ends; numbers go up from what the stream holds. */
const writing = Effect.fnUntraced(function*({ session }: Writer) {
  const store = yield* EventStore
  let { head } = yield* store.read(ref(session))
  for (;;) {
    const number = head.version + 1
    const appended = yield* store.append(head, [eventOf(number)])
    head = appended.head
    yield* acknowledge(number)
  }
})

if (process.argv[1]?.includes("embeddedWriter.")) {
  const writer: Writer = JSON.parse(process.argv[2] ?? "{}")
  endWith(Effect.runPromise(Effect.provide(writing(writer), embedded(writer.directory))))
}
