/**
 * Moves a tenant from one cell to another: copied while it is served, closed, copied to the end,
 * verified, and only then served by the other cell.
 *
 * How far the log was copied is kept in the databases, and every step may be repeated, so that a
 * move that was cut off anywhere goes on when it is run again. At no moment do both cells take
 * appends of the tenant.
 */
import { Effect, Schema } from "effect"
import type { LogVerification } from "../../contract/LogVerification.ts"
import type { CellName } from "../../domain/cells/CellTable.ts"
import type { EventStoreUnavailable } from "../ports/EventStore.ts"
import {
  type CellStore,
  type KeptTable,
  keptTables,
  MoveBlocked,
  type MoveState,
  type TenantMove,
  type TenantSummary
} from "./CellStore.ts"

/** Steps of a move, in their order. */
export const moveSteps = [
  "expected",
  "copied ahead",
  "closed",
  "copied",
  "states set",
  "rows copied",
  "tokens copied",
  "verified",
  "committed",
  "opened",
  "left"
] as const
export type MoveStep = typeof moveSteps[number]

/** The copy is not what was copied: nothing is served from it. */
export class CopyDiffers extends Schema.TaggedError<CopyDiffers>()("CopyDiffers", {
  problem: Schema.String
}) {
  override get message(): string {
    return `The copy is not the same: ${this.problem}. The tenant stays where it was, closed: ` +
      "find out why and move again, or cancel the move"
  }
}

/** The tenant is not where it would have to be. */
export class NotMovable extends Schema.TaggedError<NotMovable>()("NotMovable", {
  problem: Schema.String
}) {
  override get message(): string {
    return this.problem
  }
}

/** A cell that takes part in a move. */
export interface Side {
  readonly name: CellName
  readonly store: CellStore
}

/** A tenant's move, and the steps of it that lie outside of the two databases. */
export interface Move<Unverified, Untaken, Ended> {
  readonly tenantId: string
  readonly from: Side
  readonly to: Side
  /** Verifies the chains of the copy, of all that is the tenant's. */
  readonly verified: Effect.Effect<ReadonlyArray<LogVerification>, Unverified>
  /** Makes the tenant's tokens known to the other cell. */
  readonly tokensCopied: Effect.Effect<void, Untaken>
  /** Told after each step; a failure of it ends the move there. */
  readonly done: (step: MoveStep) => Effect.Effect<void, Ended>
}

/** Answers what was moved; of a move that was finished before, what is in the other cell. */
export const move = Effect.fn("MoveTenant.move")(function*<Unverified, Untaken, Ended>(
  { done, from, tenantId, to, tokensCopied, verified }: Move<Unverified, Untaken, Ended>
) {
  const source = yield* stateOf(from.store, tenantId)
  const isSwitched = source !== undefined && switched.has(source.state)
  if ((isSwitched || source?.state === "leaving") && source.cell !== to.name) {
    return yield* new NotMovable({ problem: `The tenant ${tenantId} goes to ${source.cell}` })
  }
  if (source?.state === "arriving") {
    return yield* new NotMovable({ problem: `The tenant ${tenantId} has not arrived here yet` })
  }
  if (!isSwitched) {
    const copied = yield* to.store.expect(tenantId, from.name)
    yield* done("expected")
    const settled = yield* from.store.settled
    const ahead = yield* copyLog({ from, tenantId, to }, copied, settled)
    yield* done("copied ahead")
    const closing = yield* from.store.close(tenantId, to.name)
    yield* done("closed")
    yield* copyLog({ from, tenantId, to }, ahead, closing.end)
    yield* done("copied")
    yield* copyStates({ from, tenantId, to })
    yield* done("states set")
    yield* copyKept({ from, tenantId, to })
    yield* done("rows copied")
    yield* tokensCopied
    yield* done("tokens copied")
    yield* compared(
      yield* from.store.summary(tenantId),
      yield* to.store.summary(tenantId),
      yield* verified
    )
    yield* done("verified")
    yield* from.store.commit(tenantId, closing)
    yield* done("committed")
  }
  // Opened before callers are sent there.
  yield* to.store.open(tenantId)
  yield* done("opened")
  yield* from.store.leave(tenantId)
  yield* done("left")
  return yield* to.store.summary(tenantId)
})

/** States from which a move only goes on. */
const switched: ReadonlySet<MoveState> = new Set(["switching", "left", "erased"])

/** Serves a tenant again where it was closed for a move that is not finished. */
export const cancel = Effect.fn("MoveTenant.cancel")(function*(
  store: CellStore,
  tenantId: string
) {
  const move = yield* stateOf(store, tenantId)
  if (move?.state !== "leaving") {
    return yield* new NotMovable({ problem: `No move of the tenant ${tenantId} is under way` })
  }
  yield* store.reopen(tenantId)
})

/** Erases the old copy of a tenant that left. Answers how many sessions a legal hold kept. */
export const eraseLeft = Effect.fn("MoveTenant.eraseLeft")(function*(
  store: CellStore,
  tenantId: string
) {
  const move = yield* stateOf(store, tenantId)
  if (move?.state !== "left" && move?.state !== "erased") {
    return yield* new NotMovable({ problem: `The tenant ${tenantId} did not leave this cell` })
  }
  return yield* store.eraseLeft(tenantId)
})

const stateOf = (
  store: CellStore,
  tenantId: string
): Effect.Effect<TenantMove | undefined, EventStoreUnavailable> =>
  Effect.map(store.moves, (moves) => moves.find((move) => move.tenantId === tenantId))

interface Between {
  readonly from: Side
  readonly to: Side
  readonly tenantId: string
}

/** Copies events behind `after` up to `until`. Answers how far it came. */
const copyLog = Effect.fnUntraced(function*(
  { from, tenantId, to }: Between,
  after: bigint,
  until: bigint
) {
  let copied = after
  while (copied < until) {
    const page = yield* from.store.logPage(tenantId, copied, until)
    if (page.until <= copied) {
      return yield* new MoveBlocked({ problem: "a page of the log does not end" })
    }
    yield* to.store.receiveLog(tenantId, page)
    copied = page.until
  }
  return copied
})

/** Copies erasures and holds of streams, which may be younger than the copies of their events. */
const copyStates = Effect.fnUntraced(function*({ from, tenantId, to }: Between) {
  const there = new Map(
    (yield* to.store.states(tenantId)).map((state) => [state.streamId, state])
  )
  const here = yield* from.store.states(tenantId)
  for (const state of here) {
    const copy = there.get(state.streamId)
    if (copy?.held !== state.held || copy.erasedAt !== state.erasedAt) {
      yield* to.store.setState(state)
    }
  }
  const kept = new Set(here.map(({ streamId }) => streamId))
  for (const { streamId } of there.values()) {
    if (!kept.has(streamId)) {
      yield* to.store.setState({ streamId, erasedAt: undefined, held: false })
    }
  }
})

/** Rows beside the log, from the first one on: nobody writes them any more. */
const copyKept = Effect.fnUntraced(function*({ from, tenantId, to }: Between) {
  yield* to.store.removeKept(tenantId)
  for (const table of keptTables) {
    let after: ReadonlyArray<string> | undefined
    while (true) {
      const page = yield* from.store.keptPage(tenantId, table, after)
      if (page.count > 0) yield* to.store.receiveKept(table, page.rows)
      if (page.next === undefined) break
      after = page.next
    }
  }
})

const differs = (problem: string) => new CopyDiffers({ problem })

/** Vectors are left out by a database that keeps none. */
const mayLack: ReadonlySet<KeptTable> = new Set(["evidence_vectors"])

const compared = Effect.fnUntraced(function*(
  here: TenantSummary,
  there: TenantSummary,
  verified: ReadonlyArray<LogVerification>
) {
  const faults = verified.reduce((sum, { faults_count }) => sum + faults_count, 0)
  if (faults > 0) {
    const kinds = verified.flatMap(({ faults }) => faults.slice(0, 1)).map(({ kind }) => kind)
    return yield* differs(`${faults} faults in its chains, the first one ${kinds[0]}`)
  }
  const events = verified.reduce((sum, { events }) => sum + events, 0)
  if (here.streams !== there.streams || here.events !== there.events || here.events !== events) {
    return yield* differs(
      `${there.streams} streams, ${there.events} events of which ${events} verified, ` +
        `instead of ${here.streams} streams and ${here.events} events`
    )
  }
  if (here.digest !== there.digest) return yield* differs("heads or states of streams differ")
  const table = keptTables.find((table) =>
    here.kept[table] !== there.kept[table] && !(mayLack.has(table) && there.kept[table] === 0)
  )
  if (table !== undefined) {
    return yield* differs(
      `${there.kept[table]} rows of ${table} instead of ${here.kept[table]}`
    )
  }
})
