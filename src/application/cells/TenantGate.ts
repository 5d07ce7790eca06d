/**
 * Refuses calls of tenants that another cell serves or that are being moved, before anything is
 * done for them.
 *
 * The cell's own database counts for more than the routing table: a tenant that left is refused,
 * and one that arrived is served, however old the table is. Moves are known up to 500 ms late; the
 * append's own check refuses writes that come in between.
 */
import { Clock, Context, Effect, Layer, Option, Ref, Semaphore } from "effect"
import { StoreUnavailable, TenantElsewhere, TenantMoving } from "../../contract/PublicFailure.ts"
import type { AccessScope } from "../../domain/access/AccessToken.ts"
import * as CellTable from "../../domain/cells/CellTable.ts"
import { CellRoutes } from "./CellRoutes.ts"
import type { TenantMove } from "./CellStore.ts"
import { TenantMoves } from "./TenantMoves.ts"

/** Milliseconds for which moves that were read are taken to stand. */
const movesFreshMs = 500
/** The same before a call is refused. */
const refusalFreshMs = 20
/** Milliseconds after which a caller may ask again when the database was away. */
const storeRetryAfterMs = 5_000
/** Milliseconds after which a caller of a moving tenant may ask again. */
const movingRetryAfterMs = 1_000

type Passed = Effect.Effect<void, TenantElsewhere | TenantMoving | StoreUnavailable>

/**
 * Check whether a call may be served by this cell. Fails with `TenantElsewhere` where another one
 * serves the tenant, `TenantMoving` while it is moved (calls that record nothing pass until it has
 * left), and `StoreUnavailable` where the moves cannot be read.
 */
export interface TenantGate {
  /** `scope`: of the operation. Operators look into any cell, and change nothing there. */
  readonly pass: (
    caller: { readonly tenantId: string; readonly scopes: ReadonlySet<AccessScope> },
    scope: AccessScope
  ) => Passed
}

/** Lets every call pass, where there is one cell. */
export const TenantGate = Context.Reference<TenantGate>(
  "web-grounding/application/cells/TenantGate",
  {
    defaultValue: () => ({ pass: () => Effect.void })
  }
)

/** Scopes of operations that record something for the tenant. */
const recording: ReadonlySet<AccessScope> = new Set(["ground", "erase"])

export const layer = Layer.effect(
  TenantGate,
  Effect.gen(function*() {
    const { own, table } = yield* CellRoutes
    const { all } = yield* TenantMoves
    const known = yield* Ref.make(Option.none<Known>())
    const alone = yield* Semaphore.make(1)

    /** Moves as they were at most so many milliseconds ago. */
    const moves = (freshMs: number) =>
      alone.withPermit(Effect.gen(function*() {
        const nowMs = yield* Clock.currentTimeMillis
        const before = yield* Ref.get(known)
        if (Option.isSome(before) && nowMs - before.value.atMs < freshMs) {
          return before.value.moves
        }
        const read = new Map((yield* all).map((move) => [move.tenantId, move]))
        yield* Ref.set(known, Option.some({ atMs: nowMs, moves: read }))
        return read
      })).pipe(Effect.mapError(() =>
        new StoreUnavailable({ retry_after_ms: storeRetryAfterMs, may_have_searched: false })
      ))

    const placed = Effect.fnUntraced(function*(tenantId: string, freshMs: number) {
      const move = (yield* moves(freshMs)).get(tenantId)
      return placeOf(move, CellTable.cellOf(yield* table, tenantId), own)
    })

    const gate: TenantGate = {
      pass: Effect.fn("TenantGate.pass")(function*({ scopes, tenantId }, scope) {
        if (scopes.has("admin") && !recording.has(scope)) return
        const isPassed = (place: Place) =>
          place === "here" || (place === "leaving" && !recording.has(scope))
        if (isPassed(yield* placed(tenantId, movesFreshMs))) return
        // Whoever was sent here by the other cell is not sent back by what was read before.
        const place = yield* placed(tenantId, refusalFreshMs)
        if (isPassed(place)) return
        if (place === "leaving" || place === "arriving") {
          return yield* new TenantMoving({ retry_after_ms: movingRetryAfterMs })
        }
        if (place === "here") return
        const url = CellTable.addressOf(yield* table, place.cell)
        return yield* new TenantElsewhere({
          cell: place.cell,
          ...(url === undefined ? {} : { url })
        })
      })
    }
    return gate
  })
)

interface Known {
  readonly atMs: number
  readonly moves: ReadonlyMap<string, TenantMove>
}

type Place = "here" | "leaving" | "arriving" | { readonly cell: string }

/** `routed`: the tenant's cell by the routing table. */
const placeOf = (move: TenantMove | undefined, routed: string, own: string): Place => {
  switch (move?.state) {
    case "arrived":
      return "here"
    case "leaving":
    case "switching":
      return "leaving"
    case "left":
    case "erased":
      return { cell: move.cell }
    case "arriving":
      return routed === own ? "arriving" : { cell: routed }
    case undefined:
      return routed === own ? "here" : { cell: routed }
  }
}
