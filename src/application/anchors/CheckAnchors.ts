/**
 * Holds the log against every anchor there is, in the database and outside: what was cut off, taken
 * out, put in or changed since is told with the positions between which it is.
 *
 * The log is read once, page by page. Beside the tree each event is held against its own stream's
 * chain, as far as its predecessor is among those remembered.
 */
import { Context, Effect, Layer, Option, Result, Stream } from "effect"
import * as Anchor from "../../domain/audit/Anchor.ts"
import * as HashChain from "../../domain/audit/HashChain.ts"
import * as LogHistory from "../../domain/audit/LogHistory.ts"
import { Digest } from "../ports/Digest.ts"
import {
  EventStore,
  type EventStoreUnavailable,
  type LoggedEvent,
  logStart
} from "../ports/EventStore.ts"
import { AnchorKeys, type PublicKey } from "./AnchorKeys.ts"
import { AnchorLedger, type AnchorsUnavailable } from "./AnchorLedger.ts"
import { type AnchorNotShipped, AnchorOutlets } from "./AnchorOutlets.ts"
import { decodeStatement } from "./MakeAnchors.ts"

/** Anchors that the database is asked for at once. */
const pageAnchorsMax = 1_000
/** Streams whose newest hash is remembered while the log is read; those met first go first. */
const streamsMax = 100_000
/** Findings that are told. */
const faultsMax = 100

export interface Checked {
  /** Different anchors whose signature was verified. */
  readonly anchors: number
  /** Of the newest of them. Absent without any. */
  readonly newest?: Anchor.AnchorStatement
  /** Events that were read, and how many of them no anchor covers yet. */
  readonly events: number
  readonly uncovered: number
  /** Whether a file outside was read. */
  readonly isOutside: boolean
  /** At most 100; empty: everything below the newest anchor stands. */
  readonly faults: ReadonlyArray<Anchor.AnchorFault>
}

export class CheckAnchors extends Context.Service<CheckAnchors, {
  readonly check: Effect.Effect<
    Checked,
    AnchorsUnavailable | AnchorNotShipped | EventStoreUnavailable
  >
}>()("web-grounding/application/anchors/CheckAnchors") {}

export const layer = Layer.effect(
  CheckAnchors,
  Effect.gen(function*() {
    const store = yield* EventStore
    const ledger = yield* AnchorLedger
    const keys = yield* AnchorKeys
    const outlets = yield* AnchorOutlets
    const digests = yield* Digest

    /** The statement, or why nothing can be held against it. */
    const opened = Effect.fnUntraced(
      function*(envelope: Anchor.Envelope, known: ReadonlyArray<PublicKey>) {
        const text = yield* keys.open(Anchor.payloadType, envelope, known)
        return yield* Effect.mapError(decodeStatement(text), () => "unreadable" as const)
      },
      Effect.result
    )

    const inDatabase = Effect.fnUntraced(function*(known: ReadonlyArray<PublicKey>) {
      const statements: Array<Anchor.AnchorStatement> = []
      const shipped: Array<Anchor.AnchorStatement> = []
      const faults: Array<Anchor.AnchorFault> = []
      let after = 0
      for (let count = pageAnchorsMax; count === pageAnchorsMax;) {
        const page = yield* ledger.list(after, pageAnchorsMax)
        for (const { envelope, isShipped, treeSize } of page) {
          const statement = yield* opened(envelope, known)
          if (Result.isFailure(statement)) {
            faults.push({ kind: statement.failure, tree_size: treeSize })
          } else {
            statements.push(statement.success)
            if (isShipped) shipped.push(statement.success)
          }
          after = treeSize
        }
        count = page.length
      }
      return { statements, shipped, faults }
    })

    const outside = Effect.fnUntraced(function*(known: ReadonlyArray<PublicKey>) {
      const lines = yield* outlets.recorded
      if (lines === undefined) return undefined
      const statements: Array<Anchor.AnchorStatement> = []
      const faults: Array<Anchor.AnchorFault> = []
      for (const [place, envelope] of lines.entries()) {
        const statement = envelope === undefined
          ? Result.fail("unreadable" as const)
          : yield* opened(envelope, known)
        if (Result.isFailure(statement)) {
          faults.push({ kind: statement.failure, line: place + 1 })
        } else {
          statements.push(statement.success)
        }
      }
      return { statements, faults }
    })

    const check = Effect.gen(function*() {
      const known = [...Option.toArray(keys.current), ...yield* ledger.keys]
      const database = yield* inDatabase(known)
      const file = yield* outside(known)
      const { anchors, faults: forks } = LogHistory.ordered([
        ...database.statements,
        ...file?.statements ?? []
      ])
      const history = LogHistory.start(keys.hash, anchors)
      const links = linked(digests)
      yield* Stream.runForEach(
        store.all(logStart),
        (event) => Effect.sync(() => history.take({ ...event, isChanged: !links.stands(event) }))
      )
      const { events, faults } = history.end()
      const newest = anchors.at(-1)
      return {
        anchors: anchors.length,
        ...(newest === undefined ? {} : { newest }),
        events,
        uncovered: Math.max(0, events - (newest?.tree_size ?? 0)),
        isOutside: file !== undefined,
        faults: [
          ...faults,
          ...forks,
          ...database.faults,
          ...(file === undefined ? [] : [
            ...file.faults,
            ...LogHistory.lacking(file.statements, database.statements, "anchor_removed"),
            ...LogHistory.lacking(database.shipped, file.statements, "not_outside")
          ])
        ].slice(0, faultsMax)
      }
    })

    return CheckAnchors.of({ check })
  })
)

/** Whether each event is the one that its hash was taken over. */
const linked = (digests: HashChain.Digests) => {
  const heads = new Map<string, string>()
  return {
    stands: (event: LoggedEvent): boolean => {
      const { hash, streamId, version } = event
      const previous = version === 1 ? HashChain.genesis(digests, streamId) : heads.get(streamId)
      heads.delete(streamId)
      heads.set(streamId, hash)
      const [oldest] = heads.keys()
      if (heads.size > streamsMax && oldest !== undefined) heads.delete(oldest)
      // Forgotten, or gone: the tree sees what is gone.
      if (previous === undefined) return true
      const known = { version: version - 1, hash: previous }
      return Result.isSuccess(
        HashChain.verifyAfter(digests, known, { streamId, version, hash }, [event])
      )
    }
  }
}
