/**
 * Verifies the log as a whole, and not only what is read of it: every event against its
 * predecessor, every stream against its row, all of them against an anchor.
 *
 * It runs beside writers, in memory for a few pages, and goes on after a fault. What no outside
 * anchor holds, an attacker who owns the database can still make fit: see `docs/eventstore.md`.
 */
import { Clock, Context, Effect, Layer, Semaphore, Stream } from "effect"
import type { LogVerification } from "../../contract/LogVerification.ts"
import * as LogCheck from "../../domain/audit/LogCheck.ts"
import { Digest } from "../ports/Digest.ts"
import type { EventStoreUnavailable } from "../ports/EventStore.ts"
import { LogRows, type LogScope, type ReadEventRow } from "./LogRows.ts"

/** Faults that are named, those met first; all are counted. */
const faultsMax = 100

/** Verifications of a process at the same time. */
const atOnceMax = 2

export interface VerifyOptions {
  /**
   * `full`: every payload. `incremental`: payloads after the anchor that this log recorded last;
   * of those before it place, owner and hash. Counts but for `streams` are of the part whose
   * payloads were read. Of a tenant or a session it is always `full`.
   */
  readonly mode: "full" | "incremental"
  /** One that was kept outside the database. Default: the one that this log recorded last. */
  readonly anchor?: LogCheck.Anchor | undefined
}

export class VerifyLog extends Context.Service<VerifyLog, {
  /** A sound whole log leaves an anchor of itself. */
  readonly verify: (
    scope: LogScope,
    options: VerifyOptions
  ) => Effect.Effect<LogVerification, EventStoreUnavailable>
}>()("web-grounding/application/log/VerifyLog") {}

export const layer = Layer.effect(
  VerifyLog,
  Effect.gen(function*() {
    const services = yield* Effect.context<Digest | LogRows>()
    const turns = yield* Semaphore.make(atOnceMax)
    return VerifyLog.of({
      verify: (scope, options) =>
        turns.withPermit(scope.tenantId === undefined ? whole(options) : part(scope)).pipe(
          Effect.provide(services)
        )
    })
  })
)

/** Collects what is told, and counts the rest. */
const makeTold = () => {
  const faults: Array<LogCheck.LogFault> = []
  const counts = { faults: 0, events: 0, streams: 0, bytes: 0, erased: 0 }
  return {
    counts,
    faults,
    tell: (found: ReadonlyArray<LogCheck.LogFault>): void => {
      counts.faults += found.length
      for (const fault of found) if (faults.length < faultsMax) faults.push(fault)
    }
  }
}

type Told = ReturnType<typeof makeTold>

const viewOf = (
  { counts: { bytes, erased, events, faults: count, streams }, faults }: Told,
  { durationMs, position }: { readonly durationMs: number; readonly position: bigint }
): LogVerification => ({
  sound: count === 0,
  events,
  streams,
  bytes,
  erased,
  position: String(position),
  faults_count: count,
  faults,
  duration_ms: durationMs
})

const part = Effect.fn("VerifyLog.part")(function*(scope: LogScope) {
  const rows = yield* LogRows
  const startMs = yield* Clock.currentTimeMillis
  const told = makeTold()
  const until = yield* rows.settled
  yield* checkEvents(told, scope, { after: undefined, until })
  yield* checkStreams(told, scope, "told by events")
  const durationMs = (yield* Clock.currentTimeMillis) - startMs
  return viewOf(told, { durationMs, position: until })
})

const whole = Effect.fn("VerifyLog.whole")(function*({ anchor: outside, mode }: VerifyOptions) {
  const rows = yield* LogRows
  const digests = yield* Digest
  const startMs = yield* Clock.currentTimeMillis
  const told = makeTold()
  const recorded = yield* rows.lastAnchor
  const until = yield* rows.settled
  const ledger = ledgerOf(digests, [recorded, outside].flatMap((anchor) => anchor ?? []))
  const after = mode === "incremental" && recorded !== undefined
    ? BigInt(recorded.position)
    : undefined
  if (after !== undefined) {
    yield* Stream.runForEach(
      rows.places(after),
      (place) => Effect.sync(() => ledger.add(place))
    )
  }
  yield* checkEvents(
    told,
    {},
    { after, until },
    (row) => ledger.add({ ...row, sessionId: row.owner?.sessionId })
  )
  told.tell(ledger.end())
  yield* checkStreams(told, {}, after === undefined ? "told by events" : "not told yet")

  const anchor = { position: String(until), digest: ledger.digest() }
  const isSound = told.counts.faults === 0
  const isNew = recorded === undefined || until > BigInt(recorded.position)
  if (isSound && isNew && until > 0n) yield* rows.recordAnchor(anchor, recorded)
  const durationMs = (yield* Clock.currentTimeMillis) - startMs
  const view = viewOf(told, { durationMs, position: until })
  return isSound ? { ...view, anchor } : view
})

/** Adds up the digest of the log, and compares it where an anchor stands. */
const ledgerOf = (digests: Digest["Service"], anchors: ReadonlyArray<LogCheck.Anchor>) => {
  let digest = LogCheck.anchorStart(digests)
  const waiting = anchors
    .map((anchor) => ({ position: BigInt(anchor.position), digest: anchor.digest }))
    .sort((one, other) => one.position < other.position ? -1 : 1)
  const faults: Array<LogCheck.LogFault> = []
  const compare = () => {
    const anchor = waiting.shift()
    if (anchor !== undefined && anchor.digest !== digest) {
      faults.push({ kind: "anchor_mismatch", position: String(anchor.position) })
    }
  }
  const passed = (position: bigint) => waiting[0] !== undefined && waiting[0].position < position
  return {
    add: (place: LogCheck.PlacedRow): void => {
      while (passed(place.position)) compare()
      digest = LogCheck.anchorNext(digests, digest, place)
    },
    /** An anchor beyond the end is one of a log that was longer. */
    end: (): ReadonlyArray<LogCheck.LogFault> => {
      while (waiting.length > 0) compare()
      return faults
    },
    digest: () => digest
  }
}

const checkEvents = Effect.fnUntraced(function*(
  { counts, tell }: Told,
  scope: LogScope,
  range: { readonly after: bigint | undefined; readonly until: bigint },
  seen: (row: ReadEventRow) => void = () => {}
) {
  const rows = yield* LogRows
  const digests = yield* Digest
  let before: bigint | undefined
  yield* rows.events(scope, range).pipe(
    Stream.runForEachArray((page) =>
      Effect.sync(() => {
        for (const row of page) {
          counts.events += 1
          counts.bytes += row.bytes
          if (row.salt === null) counts.erased += 1
          tell(LogCheck.eventFaults(digests, row, before))
          seen(row)
          before = row.position
        }
      }).pipe(Effect.andThen(Effect.yieldNow))
    )
  )
})

const checkStreams = Effect.fnUntraced(function*(
  { counts, tell }: Told,
  scope: LogScope,
  gaps: Parameters<typeof LogCheck.streamFaults>[1]
) {
  const rows = yield* LogRows
  yield* Stream.runForEach(rows.streams(scope), (row) =>
    Effect.sync(() => {
      counts.streams += 1
      tell(LogCheck.streamFaults(row, gaps))
    }))
})
