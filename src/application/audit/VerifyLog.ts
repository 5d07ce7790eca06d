/**
 * Verifies the log as a whole, and not only what is read of it: every event against its
 * predecessor, every stream against its row, all of them against the anchors.
 *
 * It runs beside writers, in memory for a few pages, and goes on after a fault. What no outside
 * anchor holds, an attacker who owns the database can still make fit: see `docs/eventstore.md`.
 */
import { Clock, Context, DateTime, Effect, Layer, Semaphore, Stream } from "effect"
import type { LogVerification } from "../../contract/LogVerification.ts"
import * as LogCheck from "../../domain/audit/LogCheck.ts"
import type { AnchorStatement } from "../../domain/audit/MerkleTree.ts"
import { Digest } from "../ports/Digest.ts"
import type { EventStoreUnavailable } from "../ports/EventStore.ts"
import { AnchorKeys } from "./AnchorKeys.ts"
import type { AnchorLedger, AnchorsUnavailable } from "./AnchorLedger.ts"
import type { AnchorNotShipped, AnchorOutlets } from "./AnchorOutlets.ts"
import * as KnownAnchors from "./KnownAnchors.ts"
import { LogRows, type LogScope, type ReadEventRow } from "./LogRows.ts"

/** Faults that are named, those met first; all are counted. */
const faultsMax = 100

/** Verifications of a process at the same time. */
const atOnceMax = 2

/** How much is verified, and what it is compared with. */
export interface VerifyOptions {
  /**
   * `full`: every payload. `incremental`: payloads after the newest anchor of the database; of
   * those before it place, owner and hash. Counts but for `streams` are of the part whose payloads
   * were read. Of a tenant or a session, and without an anchor, it is always `full`.
   */
  readonly mode: "full" | "incremental"
  /** Anchor that the caller kept, compared beside those of the database and of `ANCHOR_FILE`. */
  readonly anchor?: AnchorStatement | undefined
}

/** `AnchorNotShipped`: the file of anchors cannot be read. */
export type VerifyFailed = AnchorNotShipped | AnchorsUnavailable | EventStoreUnavailable

/** Verification of the log, a tenant or a session. Faults are part of the answer and no failure. */
export class VerifyLog extends Context.Service<VerifyLog, {
  /**
   * Verifies the scope. A whole log is also held against all anchors, and a sound one gives an
   * anchor to keep.
   */
  readonly verify: (
    scope: LogScope,
    options: VerifyOptions
  ) => Effect.Effect<LogVerification, VerifyFailed>
}>()("web-grounding/application/audit/VerifyLog") {}

export const layer = Layer.effect(
  VerifyLog,
  Effect.gen(function*() {
    const services = yield* Effect.context<
      AnchorKeys | AnchorLedger | AnchorOutlets | Digest | LogRows
    >()
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

const whole = Effect.fn("VerifyLog.whole")(function*({ anchor: given, mode }: VerifyOptions) {
  const rows = yield* LogRows
  const { sha256 } = yield* Digest
  const { hash } = yield* AnchorKeys
  const startMs = yield* Clock.currentTimeMillis
  const told = makeTold()
  const known = yield* KnownAnchors.readAnchors(given)
  const until = yield* rows.settled
  const history = LogCheck.start({ hash, sha256 }, known.anchors)
  const after = mode === "incremental" && known.newest !== undefined
    ? BigInt(known.newest.last_position)
    : undefined
  if (after !== undefined) {
    yield* Stream.runForEachArray(
      rows.places(after),
      (places) => Effect.andThen(Effect.sync(() => places.forEach(history.take)), Effect.yieldNow)
    )
  }
  yield* checkEvents(
    told,
    {},
    { after, until },
    (row) => history.take({ ...row, sessionId: row.owner?.sessionId })
  )
  const { faults, log } = history.end()
  told.tell(faults)
  told.tell(known.faults)
  yield* checkStreams(told, {}, after === undefined ? "told by events" : "not told yet")

  const endMs = yield* Clock.currentTimeMillis
  const size = log?.tree_size ?? 0
  const covered = known.anchors.at(-1)?.tree_size ?? 0
  const view: LogVerification = {
    ...viewOf(told, { durationMs: endMs - startMs, position: until }),
    anchors: {
      count: known.anchors.length,
      uncovered: Math.max(0, size - covered),
      outside: known.isOutside
    }
  }
  return view.sound && log !== undefined
    ? { ...view, anchor: { ...log, at: DateTime.formatIso(DateTime.makeUnsafe(startMs)) } }
    : view
})

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
  yield* Stream.runForEach(
    rows.resurrected(scope),
    (found) => Effect.sync(() => tell([LogCheck.resurrection(found)]))
  )
})
