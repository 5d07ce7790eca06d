/** Readiness and the end of a service, as a load balancer and a caller see them. */
import { assert, describe, it } from "@effect/vitest"
import {
  Context,
  Deferred,
  Effect,
  Exit,
  Fiber,
  Layer,
  Logger,
  Option,
  References,
  Scope
} from "effect"
import { HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { GroundingClient, layer as clientLayer } from "../../packages/client/src/effect.ts"
import * as CheckServing from "../../src/application/CheckServing.ts"
import {
  EventStore,
  EventStoreUnavailable,
  type LogState
} from "../../src/application/ports/EventStore.ts"
import { ProjectionRunner } from "../../src/application/projections/ProjectionRunner.ts"
import { kept } from "../../src/wiring/Serving.ts"
import { limitsAlone, scripted } from "../support/grounding.ts"
import { grace } from "../support/machine.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import { get, serving } from "../support/service.ts"
import * as Database from "../support/testDatabase.ts"

const question = {
  session_id: "s",
  topic: "How much notice must a tenant give in Japan?",
  phase: "mid_chat",
  user_asked_for_facts: true
} as const

const partMs = grace(600)

describe("the end of a service", () => {
  it.live(
    "stops being ready, takes no new grounding, and tells running ones how to go on",
    () =>
      Effect.gen(function*() {
        const scope = yield* Scope.make()
        const services = yield* Layer.build(
          serving(scripted("hangs"), { ending: { delayMs: partMs, graceMs: partMs } })
        ).pipe(Scope.provide(scope))
        const url = HttpServer.formatAddress(Context.get(services, HttpServer.HttpServer).address)
        const ask = (request_id: string) =>
          Effect.flip(
            Effect.flatMap(
              GroundingClient,
              (client) => client.ground({ ...question, session_id: request_id, request_id })
            )
          ).pipe(Effect.provide(clientLayer({ url, retries: 0 }), { local: true }))
        assert.strictEqual((yield* get(url, "/readyz")).status, 200)
        const running = yield* Effect.forkChild(ask("running"))
        yield* Effect.sleep("300 millis")
        const ending = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        yield* Effect.sleep("100 millis")
        const drained = yield* get(url, "/readyz")
        assert.deepInclude(drained, { status: 503 })
        assert.include(drained.text, "draining")
        for (const path of ["/livez", "/health"]) {
          assert.strictEqual((yield* get(url, path)).status, 200)
        }
        const closing = yield* Effect.promise(() => fetch(`${url}/livez`))
        assert.strictEqual(closing.headers.get("connection"), "close")
        // It begins, for who sent it may not have noticed; whether it ends is another question.
        const early = yield* Effect.forkChild(ask("early"))
        yield* Effect.sleep(partMs)
        assert.isUndefined(early.pollUnsafe())
        assert.deepInclude(yield* ask("late"), { _tag: "Interrupted", request_id: "late" })
        assert.deepInclude(yield* Fiber.join(running), {
          _tag: "Interrupted",
          request_id: "running",
          retry_after_ms: 0
        })
        yield* Fiber.join(ending)
        assert.deepInclude(yield* ask("after"), { _tag: "ServiceUnreachable", reason: "refused" })
      }),
    30_000
  )

  it.live("lets a running grounding finish within its grace", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const asked = yield* Deferred.make<void>()
      const slow = {
        ...scripted({ hits: [], droppedCount: 0 }),
        search: () =>
          Deferred.succeed(asked, undefined).pipe(
            Effect.andThen(Effect.sleep("500 millis")),
            Effect.as({ hits: [], droppedCount: 0 })
          )
      }
      const services = yield* Layer.build(
        serving(slow, { ending: { delayMs: 0, graceMs: 8_000 } })
      ).pipe(Scope.provide(scope))
      const url = HttpServer.formatAddress(Context.get(services, HttpServer.HttpServer).address)
      const running = yield* Effect.forkChild(
        Effect.flatMap(GroundingClient, (client) =>
          client.ground({ ...question, overrides: { max_queries: 1 } })).pipe(
            Effect.provide(clientLayer({ url, retries: 0 }), { local: true })
          )
      )
      yield* Deferred.await(asked)
      yield* Scope.close(scope, Exit.void)
      const outcome = yield* Fiber.join(running)
      assert.strictEqual(outcome.searches[0]?.status, "no_results")
    }), 30_000)
})

describe("background work", () => {
  it.effect("begins again a minute after a defect, which is logged with its work", () =>
    Effect.gen(function*() {
      let runsCount = 0
      const logged: Array<unknown> = []
      const logger = Logger.make(({ fiber, message }) => {
        logged.push([message, fiber.getRef(References.CurrentLogAnnotations)])
      })
      const work = Effect.suspend(() => {
        runsCount += 1
        return runsCount === 1 ? Effect.die("a defect") : Effect.never
      })
      yield* Effect.forkChild(
        kept("retention", work).pipe(Effect.provide(Logger.layer([logger])))
      )
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(runsCount, 1)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(runsCount, 2)
      assert.lengthOf(logged, 1)
      assert.include(JSON.stringify(logged), `{"work":"retention"}`)
    }))
})

describe("readiness", () => {
  const caughtUp = { isBegun: Effect.succeed(true), ownLagMs: Effect.succeed(0) }
  const servingOver = (
    state: EventStore["Service"]["state"],
    models: Partial<ProjectionRunner["Service"]> = caughtUp,
    readModelLagMsMax = 300_000
  ) =>
    CheckServing.layer.pipe(
      Layer.provide(CheckServing.layerDraining),
      Layer.provide(Layer.mock(EventStore, { state })),
      Layer.provide(Layer.mock(ProjectionRunner, models)),
      Layer.provide(limitsAlone({ readModelLagMsMax }))
    )
  const reasonOver = (state: EventStore["Service"]["state"]) =>
    Effect.flatMap(CheckServing.CheckServing, ({ reason }) => reason).pipe(
      Effect.provide(servingOver(state), { local: true })
    )

  it.live("says what keeps the process from serving", () =>
    Effect.gen(function*() {
      for (
        const state of ["read_only", "schema_behind", "schema_newer"] satisfies Array<LogState>
      ) {
        assert.deepStrictEqual(yield* reasonOver(Effect.succeed(state)), Option.some(state))
      }
      assert.deepStrictEqual(yield* reasonOver(Effect.succeed("writable")), Option.none())
      const away = Option.some("database_unreachable" as const)
      assert.deepStrictEqual(yield* reasonOver(Effect.never), away)
      const failed = new EventStoreUnavailable({ operation: "state", cause: "gone" })
      assert.deepStrictEqual(yield* reasonOver(Effect.fail(failed)), away)
    }), 20_000)

  it.live("says that the process's own read models are further behind than the limit", () =>
    Effect.gen(function*() {
      const reasonAt = (lagMs: number, limitMs: number) =>
        Effect.flatMap(CheckServing.CheckServing, ({ reason }) => reason).pipe(
          Effect.provide(
            servingOver(
              Effect.succeed("writable"),
              { ...caughtUp, ownLagMs: Effect.succeed(lagMs) },
              limitMs
            ),
            { local: true }
          )
        )
      assert.deepStrictEqual(yield* reasonAt(1_000, 1_000), Option.none())
      assert.deepStrictEqual(yield* reasonAt(1_001, 1_000), Option.some("read_models_behind"))
      assert.deepStrictEqual(yield* reasonAt(1_001, 0), Option.none())
    }))

  it.live("says nothing of a lag that cannot be found out", () =>
    Effect.gen(function*() {
      const ownLagMs = Effect.fail(new EventStoreUnavailable({ operation: "backlog", cause: "" }))
      const reason = yield* Effect.flatMap(CheckServing.CheckServing, ({ reason }) => reason).pipe(
        Effect.provide(servingOver(Effect.succeed("writable"), { ...caughtUp, ownLagMs }))
      )
      assert.deepStrictEqual(reason, Option.none())
    }))

  it.live(
    "asks the database once for callers at the same time, and goes on when one leaves",
    () =>
      Effect.gen(function*() {
        let asked = 0
        const slow = Effect.sleep("50 millis").pipe(
          Effect.andThen(Effect.sync((): LogState => {
            asked += 1
            return "writable"
          }))
        )
        yield* Effect.gen(function*() {
          const { reason } = yield* CheckServing.CheckServing
          const first = yield* Effect.forkChild(reason)
          yield* Effect.sleep("10 millis")
          const others = yield* Effect.forkChild(
            Effect.all(Array.from({ length: 40 }, () => reason), { concurrency: "unbounded" })
          )
          yield* Effect.sleep("10 millis")
          yield* Fiber.interrupt(first)
          const told = yield* Fiber.join(others)
          assert.isTrue(told.every(Option.isNone))
        }).pipe(Effect.provide(servingOver(slow), { local: true }))
        assert.strictEqual(asked, 1)
        // Callers who do not share an answer ask once each.
        asked = 0
        yield* Effect.all(Array.from({ length: 40 }, () => slow), { concurrency: "unbounded" })
        assert.strictEqual(asked, 40)
      }),
    20_000
  )

  it.layer(PlainEventStore.layer.pipe(Layer.provideMerge(Database.layer)), {
    timeout: "60 seconds",
    excludeTestServices: true
  })((it) => {
    it.effect("reads the state of the log off the database", () =>
      Effect.gen(function*() {
        const { state } = yield* EventStore
        const admin = yield* Database.connect
        const run = (statement: string) => Effect.promise(() => admin.query(statement))
        assert.strictEqual(yield* state, "writable")
        yield* run("insert into wg.migrations (name, checksum) values ('9999_later', '')")
        assert.strictEqual(yield* state, "schema_newer")
        yield* run("delete from wg.migrations where name = '9999_later' or name like '0003%'")
        assert.strictEqual(yield* state, "schema_behind")
        yield* run("alter table wg.migrations rename to migrations_away")
        assert.strictEqual(yield* state, "schema_behind")
      }))
  })
})
