/**
 * What grows with the log: the fold of a long session.
 *
 * `npm run bench -- growth` prints one line a size: CPU milliseconds (median of 7), and the ratio to
 * the smallest size or to the fold that copies its state for each event. Compare ratios of one run.
 */
import { Effect, Layer } from "effect"
import { fold } from "../src/application/log/CommandHandler.ts"
import * as SessionLog from "../src/application/log/SessionLog.ts"
import { appendEventsMax, EventStore } from "../src/application/ports/EventStore.ts"
import * as Session from "../src/domain/session/Session.ts"
import type { SessionEvent } from "../src/domain/session/SessionEvent.ts"
import { uuidv7 } from "../src/infrastructure/Digest.ts"
import * as MemoryEventStore from "../test/support/memory/MemoryEventStore.ts"
import { decided, planned, requested } from "../test/support/sessionFacts.ts"

const roundsMax = 7
const metadata = { correlation_id: "bench", causation_id: "c", actor: "bench" }
const ref = { tenant_id: "bench", session_id: "s" }

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0

const cpuMs = (from: NodeJS.CpuUsage): number => {
  const { system, user } = process.cpuUsage(from)
  return (system + user) / 1_000
}

const measured = (work: () => unknown): number =>
  median(Array.from({ length: roundsMax }, () => {
    const from = process.cpuUsage()
    work()
    return cpuMs(from)
  }))

const row = (...cells: ReadonlyArray<string>) =>
  console.log(
    cells.map((cell, index) => index === 0 ? cell.padEnd(34) : cell.padStart(20)).join("")
  )

const { evolveAll: _, ...oneByOne } = Session

const session = (count: number): ReadonlyArray<SessionEvent> =>
  Array.from({ length: Math.ceil(count / 3) }, (_, index) => `r${index}`).flatMap((request_id) => [
    requested({ request_id }),
    decided({ request_id }),
    planned(["one", "two"], { request_id })
  ]).slice(0, count)

row("session's events", "decode, ms", "fold, ms", "fold one by one, ms", "ratio")
for (const count of [1_000, 8, 40, 200, 1_000, 5_000]) {
  const events = session(count)
  const stored = await Effect.runPromise(
    Effect.gen(function*() {
      const store = yield* EventStore
      for (let from = 0; from < count; from += appendEventsMax) {
        const { head } = yield* store.read(ref, from)
        const some = events.slice(from, from + appendEventsMax)
        yield* store.append(
          head,
          yield* Effect.forEach(
            some,
            (event) => SessionLog.codec.encode(event, uuidv7(1_000), metadata)
          )
        )
      }
      return (yield* store.read(ref)).events
    }).pipe(Effect.provide(Layer.fresh(MemoryEventStore.layer)))
  )
  const decodeMs = measured(() =>
    Effect.runSync(Effect.forEach(stored, SessionLog.codec.decode, { discard: true }))
  )
  const foldMs = measured(() => fold(Session, events))
  const copyingMs = measured(() => fold(oneByOne, events))
  row(
    String(count),
    decodeMs.toFixed(2),
    foldMs.toFixed(2),
    copyingMs.toFixed(2),
    `${(copyingMs / foldMs).toFixed(1)} x`
  )
}
