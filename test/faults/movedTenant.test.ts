/**
 * A tenant is moved between two databases of a real PostgreSQL, each with a payload key of its own.
 *
 * Promise: in the new cell every row of the tenant is what it was, wherever the move was cut off and
 * begun again; at no time do both cells take its appends; nothing is served from a copy that does not
 * verify; other tenants go on. Saboteurs: a copy that was changed on its way; `scripts/mutants/cells.ts`.
 */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Latch, Layer, Option } from "effect"
import * as PostgresCellStore from "../../src/adapters/postgres/cells/PostgresCellStore.ts"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import * as PostgresLogRows from "../../src/adapters/postgres/PostgresLogRows.ts"
import * as VerifyLog from "../../src/application/audit/VerifyLog.ts"
import { type CellStore, keptTables } from "../../src/application/cells/CellStore.ts"
import * as MoveTenant from "../../src/application/cells/MoveTenant.ts"
import { EraseSessions } from "../../src/application/EraseSessions.ts"
import { EventStore, type NewEvent } from "../../src/application/ports/EventStore.ts"
import { uuidv7 } from "../../src/infrastructure/Digest.ts"
import * as PayloadCipher from "../../src/infrastructure/encryption/PayloadCipher.ts"
import { PayloadKeys as Keys } from "../../src/infrastructure/encryption/PayloadKeys.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as Erasable from "../support/erasableService.ts"
import { caller } from "../support/grounding.ts"
import * as MemoryAnchors from "../support/memory/MemoryAnchors.ts"
import * as PayloadKeys from "../support/payloadKeys.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { digest } from "../support/verifiedHistory.ts"

const { tenantId } = caller
const sessions = 4
const keyThere = PayloadCipher.drawnKey()
const wrappingOf = (key: string) => Option.some(PayloadCipher.wrappingOf(key, []))

/** A database of a cell under the rights of a role, with what a move and a caller need of it. */
const cell = Effect.fnUntraced(function*(key: string) {
  const { url } = Context.get(
    yield* Layer.build(Layer.fresh(TestDatabase.layerOf("migrated"))),
    TestDatabase.TestDatabase
  )
  const keys = Layer.succeed(Keys, wrappingOf(key))
  const underRole = Effect.fnUntraced(function*(role: "wg_app" | "wg_eraser") {
    const database = Erasable.database(yield* Erasable.loginOf(url, role))
    const parts = Layer.mergeAll(
      PostgresEventStore.layer,
      VerifyLog.layer.pipe(
        Layer.provide(Layer.mergeAll(PostgresLogRows.layer, MemoryAnchors.none, digest))
      )
    ).pipe(Layer.provideMerge(Layer.merge(database, keys)))
    return yield* Layer.build(Layer.fresh(parts))
  })
  const app = yield* underRole("wg_app")
  const mover = yield* underRole("wg_eraser")
  const erasing = yield* Layer.build(
    Erasable.erasures(url)
  )
  return { url, app, mover, erasures: Context.get(erasing, EraseSessions) }
})
type Cell = Effect.Success<ReturnType<typeof cell>>

const both = Effect.gen(function*() {
  const here = yield* cell(PayloadKeys.key)
  const there = yield* cell(keyThere)
  const storeOf = ({ mover }: Cell, keys: PostgresCellStore.CellKeys) =>
    Effect.provide(PostgresCellStore.make(keys), mover)
  const from = yield* storeOf(here, { own: wrappingOf(PayloadKeys.key), others: Option.none() })
  const to = yield* storeOf(there, {
    own: wrappingOf(keyThere),
    others: wrappingOf(PayloadKeys.key)
  })
  const { verify } = Context.get(there.mover, VerifyLog.VerifyLog)
  const move = <E>(
    tenantId: string,
    done: (step: MoveTenant.MoveStep) => Effect.Effect<void, E>
  ) =>
    MoveTenant.move({
      tenantId,
      from: { name: "a", store: from },
      to: { name: "b", store: to },
      verified: Effect.forEach(
        [tenantId, `_evidence/${tenantId}`, `_erasure/${tenantId}`],
        (tenant) => verify({ tenantId: tenant }, { mode: "full" })
      ),
      tokensCopied: Effect.void,
      done
    })
  return { here, there, from, to, move }
})

/** The two cells of this file; each test has a tenant of its own. */
class Cells extends Context.Service<Cells, Effect.Success<typeof both>>()(
  "web-grounding/test/faults/movedTenant/Cells"
) {}

const movesOf = (store: CellStore, tenant: string) =>
  Effect.map(store.moves, (moves) => moves.filter((move) => move.tenantId === tenant))

const asked = (url: string, text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.promise(() =>
    Erasable.looked(url, async (client) => (await client.query(text, [...values])).rows)
  )

/** Rows of a table that are the tenant's, but for what a cell gives anew. */
const rowsOf = (url: string, table: string) =>
  Effect.map(
    asked(
      url,
      `select (to_jsonb(own) - 'position')::text as line from wg.${table} own
        where tenant_id in ($1, '_evidence/' || $1, '_erasure/' || $1) order by 1`,
      [tenantId]
    ),
    (rows) => rows.map(({ line }): string => line)
  )

const event = (): NewEvent => ({
  eventId: uuidv7(1_000),
  type: "WEB_GROUNDING_TESTED",
  schemaVersion: 1,
  data: { word: "x" },
  metadata: { correlation_id: "g", causation_id: "c", actor: "test" }
})

/** Whether the cell takes an append of a tenant. */
const takes = ({ app }: Cell, tenant: string, session_id: string, events = [event()]) =>
  Effect.gen(function*() {
    const store = yield* EventStore
    const { head } = yield* store.read({ tenant_id: tenant, session_id })
    return yield* Effect.match(store.append(head, events), {
      onFailure: ({ _tag }) => _tag,
      onSuccess: () => "taken"
    })
  }).pipe(Effect.provide(app))

const inCell = ({ app }: Cell) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, Postgres, Context.get(app, Postgres))

describe("a tenant that is moved", () => {
  it.layer(Layer.effect(Cells, both), { timeout: "60 seconds", excludeTestServices: true })(
    (it) => {
      it.effect("is what it was in its new cell, wherever the move was cut off", () =>
        Effect.gen(function*() {
          const { from, here, move, there, to } = yield* Cells
          yield* inCell(here)(Erasable.groundAll("m", sessions))
          yield* here.erasures.erase({ session_id: Erasable.sessionOf("m", 1) }, caller)
          yield* takes(here, "other", "s")
          const late = Erasable.sessionOf("m", 3)
          const steps: Array<string> = []
          for (const last of MoveTenant.moveSteps) {
            const cut = yield* Effect.flip(move(tenantId, (step) =>
              Effect.gen(function*() {
                if (step !== last) return
                steps.push(step)
                // What happens after a part was copied must come to the copy, too.
                if (step === "copied ahead") {
                  yield* here.erasures.erase({ session_id: Erasable.sessionOf("m", 0) }, caller)
                  yield* here.erasures.hold({ session_id: late, matter: "m", held: true }, caller)
                }
                yield* Effect.fail("cut off" as const)
              })))
            assert.strictEqual(cut, "cut off")
            const isOpen = last === "expected" || last === "copied ahead"
            assert.strictEqual(
              yield* takes(here, tenantId, "written"),
              isOpen ? "taken" : "EventStoreUnavailable",
              last
            )
            assert.strictEqual(yield* takes(here, "other", "s"), "taken", last)
            if (last === "opened" || last === "left") continue
            assert.strictEqual(
              yield* takes(there, tenantId, "elsewhere"),
              "EventStoreUnavailable",
              last
            )
          }
          assert.deepStrictEqual(steps, [...MoveTenant.moveSteps])
          yield* move(tenantId, () => Effect.void)

          for (const table of ["events", "streams", ...keptTables]) {
            const before = yield* rowsOf(here.url, table)
            assert.deepStrictEqual(yield* rowsOf(there.url, table), before, table)
            // The tests' server keeps no vectors, and nobody set limits.
            if (!["evidence_models", "evidence_vectors", "tenant_use"].includes(table)) {
              assert.isAbove(before.length, 0, table)
            }
          }
          const order = (url: string) =>
            asked(
              url,
              `select event_id from wg.events where tenant_id in ($1, '_erasure/' || $1,
            '_evidence/' || $1) order by position`,
              [tenantId]
            )
          assert.deepStrictEqual(yield* order(there.url), yield* order(here.url))

          const store = Context.get(there.app, EventStore)
          const { events } = yield* store.read({ tenant_id: tenantId, session_id: late })
          assert.isTrue(events.every(({ data }) => data !== null))
          const { events: gone } = yield* store.read({
            tenant_id: tenantId,
            session_id: Erasable.sessionOf("m", 0)
          })
          assert.isTrue(gone.length > 0 && gone.every(({ data }) => data === null))
          assert.strictEqual(yield* takes(there, tenantId, "written"), "taken")
          assert.strictEqual(yield* takes(here, tenantId, "written"), "EventStoreUnavailable")
          assert.deepStrictEqual(
            [yield* movesOf(from, tenantId), yield* movesOf(to, tenantId)],
            [[{ tenantId, state: "left", cell: "b" }], [{ tenantId, state: "arrived", cell: "a" }]]
          )

          assert.strictEqual(yield* MoveTenant.eraseLeft(from, tenantId), 1)
          const [kept] = yield* asked(
            here.url,
            `select count(distinct stream_id)::int as streams from wg.events
          where data is not null and tenant_id in ($1, '_evidence/' || $1)`,
            [tenantId]
          )
          assert.strictEqual(kept?.streams, 1)
          for (const table of [...keptTables, "read_models"]) {
            assert.deepStrictEqual(yield* rowsOf(here.url, table), [], table)
          }
          const { verify } = Context.get(here.mover, VerifyLog.VerifyLog)
          assert.deepStrictEqual((yield* verify({}, { mode: "full" })).faults, [])
        }).pipe(Effect.provide(PayloadKeys.layer)))

      it.effect("is not served from a copy that was changed, and goes on where it was", () =>
        Effect.gen(function*() {
          const tenant = "changed"
          const { from, here, move, there } = yield* Cells
          yield* takes(here, tenant, "s")
          yield* takes(here, tenant, "s")
          const changed = yield* Effect.flip(move(tenant, (step) =>
            step === "copied"
              ? asked(
                there.url,
                `alter table wg.events disable trigger protect;
              update wg.events set recorded_at = recorded_at + interval '1 second'
                where version = 1 and tenant_id = 'changed';
              alter table wg.events enable trigger protect`
              )
              : Effect.void))
          assert.strictEqual(changed._tag, "CopyDiffers")
          assert.deepStrictEqual(yield* movesOf(from, tenant), [{
            tenantId: tenant,
            state: "leaving",
            cell: "b"
          }])
          assert.strictEqual(yield* takes(here, tenant, "s"), "EventStoreUnavailable")
          yield* MoveTenant.cancel(from, tenant)
          assert.strictEqual(yield* takes(here, tenant, "s"), "taken")
          assert.strictEqual(yield* takes(there, tenant, "s"), "EventStoreUnavailable")
          assert.strictEqual(
            (yield* Effect.flip(MoveTenant.cancel(from, tenant)))._tag,
            "NotMovable"
          )
        }).pipe(Effect.scoped))

      it.effect("is not served by both cells when its move is cancelled at the last moment", () =>
        Effect.gen(function*() {
          const tenant = "cancelled"
          const { from, here, move, there } = yield* Cells
          yield* takes(here, tenant, "s")
          const blocked = yield* Effect.flip(
            move(
              tenant,
              (step) => step === "verified" ? MoveTenant.cancel(from, tenant) : Effect.void
            )
          )
          assert.strictEqual(blocked._tag, "MoveBlocked")
          assert.strictEqual(yield* takes(here, tenant, "s"), "taken")
          assert.strictEqual(yield* takes(there, tenant, "s"), "EventStoreUnavailable")
        }).pipe(Effect.scoped))

      it.effect("loses nothing to a run that stood still while its move was cancelled and begun again", () =>
        Effect.gen(function*() {
          const tenant = "overtaken"
          const { from, here, move, there } = yield* Cells
          yield* takes(here, tenant, "s")
          const blocked = yield* Effect.flip(
            move(tenant, (step) =>
              step === "verified"
                ? Effect.gen(function*() {
                  yield* MoveTenant.cancel(from, tenant)
                  assert.strictEqual(yield* takes(here, tenant, "s"), "taken")
                  yield* from.close(tenant, "b")
                })
                : Effect.void)
          )
          assert.strictEqual(blocked._tag, "MoveBlocked")
          yield* move(tenant, () => Effect.void)
          const { read } = Context.get(there.app, EventStore)
          const { head } = yield* read({ tenant_id: tenant, session_id: "s" })
          assert.strictEqual(head.version, 2)
        }).pipe(Effect.scoped))

      it.effect("does not come to a cell that has streams of it", () =>
        Effect.gen(function*() {
          const tenant = "present"
          const { here, move, there } = yield* Cells
          yield* takes(here, tenant, "s")
          yield* takes(there, tenant, "other")
          assert.strictEqual(
            (yield* Effect.flip(move(tenant, () => Effect.void)))._tag,
            "TenantPresent"
          )
          assert.strictEqual(yield* takes(here, tenant, "s"), "taken")
        }).pipe(Effect.scoped))

      it.effect("is closed when appends under way are done, and what comes later is refused", () =>
        Effect.gen(function*() {
          const tenant = "slow"
          const { from, here } = yield* Cells
          const { transaction } = Context.get(here.app, Postgres)
          const open = yield* Latch.make()
          const appended = yield* Latch.make()
          const writer = yield* Effect.forkChild(
            transaction(Effect.gen(function*() {
              const store = yield* EventStore
              const { head } = yield* store.read({ tenant_id: tenant, session_id: "slow" })
              const { events } = yield* store.append(head, [event()])
              yield* appended.open
              yield* open.await
              return events[0]?.position ?? 0n
            })).pipe(Effect.provide(here.app))
          )
          yield* appended.await
          const closing = yield* Effect.forkScoped(from.close(tenant, "b"))
          for (let tries = 0; tries < 200; tries++) {
            if ((yield* movesOf(from, tenant)).length > 0) break
            yield* Effect.sleep(10)
          }
          yield* Effect.sleep(200)
          assert.strictEqual(closing.pollUnsafe(), undefined)
          yield* open.open
          const position = yield* Fiber.join(writer)
          assert.isAtLeast(Number((yield* Fiber.join(closing)).end), Number(position))

          // So many that some of them go in groups.
          const told = yield* Effect.forEach(
            Array.from({ length: 60 }, (_, index) => [tenant, "other"][index % 2] ?? ""),
            (one, index) => Effect.map(takes(here, one, `s${index}`), (told) => `${one} ${told}`),
            { concurrency: 60 }
          )
          assert.deepStrictEqual(
            [...new Set(told)].toSorted(),
            ["other taken", `${tenant} EventStoreUnavailable`]
          )
          // Several events of one append, which the check of one event passes on.
          const two = [event(), event()]
          assert.strictEqual(yield* takes(here, "other", "two", two), "taken")
          assert.strictEqual(yield* takes(here, tenant, "two", two), "EventStoreUnavailable")
        }).pipe(Effect.scoped))

      it.effect("has rows in tables of which each is copied, made anew or left", () =>
        Effect.gen(function*() {
          const { here: { url } } = yield* Cells
          const rows = yield* asked(
            url,
            `select table_name from information_schema.columns
          where table_schema = 'wg' and column_name = 'tenant_id' order by table_name`
          )
          const otherwise = [
            // Copied with their streams.
            "events",
            "streams",
            // Folded anew from the log.
            "read_models",
            // Worth nothing after seconds.
            "flights",
            // The move's own.
            "closed_tenants",
            "tenant_moves"
          ]
          assert.deepStrictEqual(
            rows.map(({ table_name }) => table_name),
            [...keptTables, ...otherwise].toSorted()
          )
        }).pipe(Effect.scoped))
    }
  )
})
