/** Which calls pass in a cell, by its database and by the routing table. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Ref } from "effect"
import { TestClock } from "effect/testing"
import { CellRoutes } from "../../src/application/cells/CellRoutes.ts"
import type { MoveState } from "../../src/application/cells/CellStore.ts"
import * as TenantGate from "../../src/application/cells/TenantGate.ts"
import { TenantMoves } from "../../src/application/cells/TenantMoves.ts"
import { EventStoreUnavailable } from "../../src/application/ports/EventStore.ts"
import type { AccessScope } from "../../src/domain/access/AccessToken.ts"
import type { CellTable } from "../../src/domain/cells/CellTable.ts"

const table: CellTable = {
  default: "a",
  cells: { a: { url: "https://a.example" }, b: { url: "https://b.example" } },
  tenants: { away: "b" }
}

const scopes: ReadonlySet<AccessScope> = new Set(["ground", "read"])
const ask = (tenantId: string, scope: AccessScope, of = scopes) =>
  Effect.gen(function*() {
    const { pass } = yield* TenantGate.TenantGate
    return yield* Effect.match(pass({ tenantId, scopes: of }, scope), {
      onFailure: (failure) => "cell" in failure ? `${failure._tag} ${failure.cell}` : failure._tag,
      onSuccess: () => "passed"
    })
  })

const inCell = (
  moves: TenantMoves["Service"]["all"]
) =>
  TenantGate.layer.pipe(Layer.provide(Layer.merge(
    Layer.succeed(CellRoutes, {
      own: "a",
      table: Effect.succeed(table),
      broken: Effect.succeed(Option.none())
    }),
    Layer.succeed(TenantMoves, { all: moves })
  )))

const moved = (tenantId: string, state: MoveState, cell = "b") => [{ tenantId, state, cell }]

const expected: ReadonlyArray<readonly [MoveState | "none", string, string, string]> = [
  // State in the cell's database, the tenant by the table, what writes and reads are told.
  ["none", "home", "passed", "passed"],
  ["none", "away", "TenantElsewhere b", "TenantElsewhere b"],
  ["leaving", "home", "TenantMoving", "passed"],
  ["switching", "home", "TenantMoving", "passed"],
  ["left", "home", "TenantElsewhere b", "TenantElsewhere b"],
  ["erased", "home", "TenantElsewhere b", "TenantElsewhere b"],
  ["arriving", "away", "TenantElsewhere b", "TenantElsewhere b"],
  ["arriving", "home", "TenantMoving", "TenantMoving"],
  ["arrived", "away", "passed", "passed"]
]

describe("the gate of a cell", () => {
  it.effect.each(expected)(
    "of a tenant %s, %s: %s, %s",
    ([state, tenant, writes, reads]) =>
      Effect.gen(function*() {
        assert.deepStrictEqual([yield* ask(tenant, "ground"), yield* ask(tenant, "read")], [
          writes,
          reads
        ])
      }).pipe(Effect.provide(inCell(Effect.succeed(state === "none" ? [] : moved(tenant, state)))))
  )

  it.effect("lets operators look anywhere, and record nowhere else", () =>
    Effect.gen(function*() {
      const admin = new Set<AccessScope>(["ground", "read", "admin"])
      assert.strictEqual(yield* ask("away", "read", admin), "passed")
      assert.strictEqual(yield* ask("away", "ground", admin), "TenantElsewhere b")
    }).pipe(Effect.provide(inCell(Effect.succeed([])))))

  it.effect("reads the moves again when they are old, and before it refuses", () =>
    Effect.gen(function*() {
      const moves = yield* Ref.make(moved("away", "arrived"))
      const readings = yield* Ref.make(0)
      const all = Effect.andThen(Ref.update(readings, (count) => count + 1), Ref.get(moves))
      yield* Effect.gen(function*() {
        yield* ask("away", "ground")
        yield* ask("away", "ground")
        assert.strictEqual(yield* Ref.get(readings), 1)
        yield* Ref.set(moves, moved("away", "left"))
        yield* TestClock.adjust(500)
        assert.strictEqual(yield* ask("away", "ground"), "TenantElsewhere b")
        yield* Ref.set(moves, moved("away", "arrived"))
        yield* TestClock.adjust(100)
        assert.strictEqual(yield* ask("away", "ground"), "passed")
      }).pipe(Effect.provide(inCell(all)))
    }))

  it.effect("refuses everybody while the moves cannot be read", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* ask("home", "ground"), "StoreUnavailable")
    }).pipe(Effect.provide(inCell(
      Effect.fail(new EventStoreUnavailable({ operation: "cells", cause: "away" }))
    ))))
})
