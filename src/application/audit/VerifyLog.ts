/**
 * Verifies the whole log: events against predecessors, streams against rows, all against anchors.
 * It runs while others write, in bounded memory, and goes on after a fault. What no outside anchor
 * covers can be forged by the database's owner: see `docs/eventstore.md`.
 */
import {
  Array as Arr,
  Clock,
  Context,
  DateTime,
  Effect,
  Layer,
  Option,
  Semaphore,
  Stream
} from "effect"
import type { LogVerification } from "../../contract/Replayed.ts"
import * as LogCheck from "../../domain/audit/LogCheck.ts"
import type { EventRow, Resurrected, StreamRow } from "../../domain/audit/LogCheck.ts"
import * as MerkleTree from "../../domain/audit/MerkleTree.ts"
import type { AnchorStatement, LeafPosition as Place } from "../../domain/audit/MerkleTree.ts"
import type { EventStoreUnavailable } from "../ports/EventStore.ts"
import { Digest } from "../ports/Platform.ts"
import {
  AnchorKeys,
  AnchorLedger,
  type AnchorNotShipped,
  AnchorOutlets,
  anchorsMax,
  type AnchorsUnavailable,
  decodeStatement,
  type PublicKey
} from "./MakeAnchors.ts"

/** Faults that are listed, the first ones; all are counted. */
const faultsMax = 100

const atOnceMax = 2

interface VerifyOptions {
  /**
   * `full`: every payload. `incremental`: payloads after the newest anchor of the database, and
   * position, owner and hash of earlier events. Always `full` without an anchor, and for a tenant
   * or session.
   */
  readonly mode: "full" | "incremental"
  /** Anchor that the caller kept, compared like those of the database and of `ANCHOR_FILE`. */
  readonly anchor?: AnchorStatement | undefined
}

/** `AnchorNotShipped`: the file of anchors cannot be read. */
type VerifyFailed = AnchorNotShipped | AnchorsUnavailable | EventStoreUnavailable

/** Verification of the log, a tenant or a session. Faults are part of the result and no failure. */
export class VerifyLog extends Context.Service<VerifyLog, {
  /** A whole log is also compared with all anchors; a sound one gives an anchor to keep. */
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

const makeReport = Effect.gen(function*() {
  const { settled } = yield* LogRows
  const startMs = yield* Clock.currentTimeMillis
  const until = yield* settled
  const faults: Array<LogCheck.LogFault> = []
  const counts = { events: 0, streams: 0, bytes: 0, erased: 0, faults_count: 0 }
  return {
    counts,
    startMs,
    until,
    tell: (found: ReadonlyArray<LogCheck.LogFault>): void => {
      counts.faults_count += found.length
      faults.push(...found.slice(0, faultsMax - faults.length))
    },
    view: Effect.map(Clock.currentTimeMillis, (endMs): LogVerification => ({
      sound: counts.faults_count === 0,
      ...counts,
      position: String(until),
      faults,
      duration_ms: endMs - startMs
    }))
  }
})

type VerifyReport = Effect.Success<typeof makeReport>

const part = Effect.fn("VerifyLog.part")(function*(scope: LogScope) {
  const report = yield* makeReport
  yield* checkEvents(report, scope, undefined)
  yield* checkStreams(report, scope, "from events")
  return yield* report.view
})

const whole = Effect.fn("VerifyLog.whole")(function*({ anchor: given, mode }: VerifyOptions) {
  const rows = yield* LogRows
  const { sha256 } = yield* Digest
  const { hash } = yield* AnchorKeys
  const known = yield* readAnchors(given)
  const report = yield* makeReport
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
    report,
    {},
    after,
    (row) => history.take({ ...row, sessionId: row.owner?.sessionId })
  )
  const { faults, log } = history.end()
  report.tell(faults)
  report.tell(known.faults)
  yield* checkStreams(report, {}, after === undefined ? "from events" : "not seen yet")
  const covered = known.anchors.at(-1)?.tree_size ?? 0
  const view: LogVerification = {
    ...yield* report.view,
    anchors: {
      count: known.anchors.length,
      uncovered: Math.max(0, (log?.tree_size ?? 0) - covered),
      outside: known.isOutside
    }
  }
  const at = DateTime.formatIso(DateTime.makeUnsafe(report.startMs))
  return view.sound && log !== undefined ? { ...view, anchor: { ...log, at } } : view
})

const checkEvents = Effect.fnUntraced(function*(
  { counts, tell, until }: VerifyReport,
  scope: LogScope,
  after: bigint | undefined,
  seen: (row: ReadEventRow) => void = () => {}
) {
  const rows = yield* LogRows
  const digests = yield* Digest
  let before: bigint | undefined
  yield* rows.events(scope, { after, until }).pipe(
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
  { counts, tell }: VerifyReport,
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

type Statements = ReadonlyArray<MerkleTree.AnchorStatement>

/** Anchors of database and outlet whose signatures verify, and contradictions. */
interface KnownAnchors {
  readonly anchors: Statements
  readonly newest: MerkleTree.AnchorStatement | undefined
  /** Anchors that cannot be read, contradict each other, or are missing on one side. */
  readonly faults: ReadonlyArray<MerkleTree.AnchorFault>
  readonly isOutside: boolean
}

type AnchorRef = Pick<MerkleTree.AnchorFault, "line" | "tree_size">

/** The anchor's statement, or why it has none. */
const opened = (
  envelope: MerkleTree.Envelope | undefined,
  known: ReadonlyArray<PublicKey>,
  at: AnchorRef
) =>
  Effect.gen(function*() {
    if (envelope === undefined) return yield* Effect.fail("unreadable" as const)
    const { open } = yield* AnchorKeys
    const text = yield* open(MerkleTree.payloadType, envelope, known)
    return yield* Effect.mapError(decodeStatement(text), () => "unreadable" as const)
  }).pipe(
    Effect.mapError((kind): MerkleTree.AnchorFault => ({ kind, ...at })),
    Effect.result
  )

const inDatabase = Effect.fnUntraced(function*(known: ReadonlyArray<PublicKey>) {
  const { list } = yield* AnchorLedger
  const kept = yield* list(0, anchorsMax)
  const read = yield* Effect.forEach(
    kept,
    ({ envelope, treeSize }) => opened(envelope, known, { tree_size: treeSize })
  )
  return {
    statements: Arr.getSuccesses(read),
    shipped: Arr.getSuccesses(read.filter((_, index) => kept[index]?.isShipped)),
    faults: Arr.getFailures(read)
  }
})

const outside = Effect.fnUntraced(function*(known: ReadonlyArray<PublicKey>) {
  const { recorded } = yield* AnchorOutlets
  const lines = yield* recorded
  if (lines === undefined) return undefined
  const read = yield* Effect.forEach(
    lines,
    (envelope, index) => opened(envelope, known, { line: index + 1 })
  )
  return { statements: Arr.getSuccesses(read), faults: Arr.getFailures(read) }
})

/** Anchors of the file that are of this log, and the first one of each other log. */
const byLog = Effect.fnUntraced(function*(file: Statements, database: Statements) {
  const own = new Set(database.map(({ log_id }) => log_id))
  if (file.every(({ log_id }) => own.has(log_id))) return { statements: file, others: [] }
  const rows = yield* LogRows
  const first = yield* Stream.runHead(rows.places(yield* rows.settled))
  // All of an empty log may have been cut off.
  if (Option.isNone(first)) return { statements: file, others: [] }
  own.add(first.value.hash)
  return {
    statements: file.filter(({ log_id }) => own.has(log_id)),
    others: Arr.dedupeWith(
      file.filter(({ log_id }) => !own.has(log_id)),
      (one, other) => one.log_id === other.log_id
    )
  }
})

const readAnchors = Effect.fn("KnownAnchors.readAnchors")(
  function*(given: MerkleTree.AnchorStatement | undefined) {
    const keys = yield* AnchorKeys
    const ledger = yield* AnchorLedger
    const known = [...Option.toArray(keys.current), ...yield* ledger.keys]
    const database = yield* inDatabase(known)
    const file = yield* outside(known)
    const { others, statements } = yield* byLog(file?.statements ?? [], database.statements)
    const isOtherFile = others.length > 0 && statements.length === 0
    const { anchors, faults } = LogCheck.ordered([
      ...database.statements,
      ...statements,
      ...(given === undefined ? [] : [given])
    ])
    const all: KnownAnchors = {
      anchors,
      newest: database.statements.at(-1),
      faults: [
        ...faults,
        ...database.faults,
        ...(file === undefined ? [] : [
          ...file.faults,
          ...others.map(LogCheck.ofOtherLog),
          ...LogCheck.missingAnchors(statements, database.statements, "anchor_removed"),
          ...LogCheck.missingAnchors(isOtherFile ? [] : database.shipped, statements, "not_outside")
        ])
      ],
      isOutside: file !== undefined
    }
    return all
  }
)

// Raw rows for verification: nothing is refused, repaired or left out, even if tampered with.

export type LogScope =
  | { readonly tenantId: string; readonly sessionId: string }
  | { readonly tenantId: string; readonly sessionId?: undefined }
  | { readonly tenantId?: undefined; readonly sessionId?: undefined }

/** A stored event as the verification reads it, unverified. */
export interface ReadEventRow extends EventRow {
  /** Bytes of payload and metadata as the store keeps them, which may be compressed. */
  readonly bytes: number
}

export class LogRows extends Context.Service<LogRows, {
  /** Position up to which no further event can become visible. */
  readonly settled: Effect.Effect<bigint, EventStoreUnavailable>
  /**
   * Events after `after` (`undefined`: all) up to `until`, by position. A tenant's are those that
   * either row assigns to it.
   */
  readonly events: (
    scope: LogScope,
    range: { readonly after: bigint | undefined; readonly until: bigint }
  ) => Stream.Stream<ReadEventRow, EventStoreUnavailable>
  /** Every event up to `until`, by position, with the fields that an anchor covers. */
  readonly places: (until: bigint) => Stream.Stream<Place, EventStoreUnavailable>
  readonly streams: (scope: LogScope) => Stream.Stream<StreamRow, EventStoreUnavailable>
  readonly resurrected: (scope: LogScope) => Stream.Stream<Resurrected, EventStoreUnavailable>
}>()("web-grounding/application/audit/VerifyLog/LogRows") {}
