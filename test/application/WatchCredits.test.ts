/** The credit ledger against the provider's own count: when it is asked, and what is reported. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as HealthCommand from "../../src/adapters/cli/HealthCommand.ts"
import * as WatchCredits from "../../src/application/health/WatchCredits.ts"
import {
  type CreditReport,
  CreditReporters,
  CreditsSpent,
  SearchFailed
} from "../../src/application/ports/SearchProvider.ts"
import { driftCreditsMax, isDrift } from "../../src/domain/health/SearchHealth.ts"
import { inMemory, providers } from "../support/grounding.ts"
import { PublicApi } from "../support/sent.ts"
import { timePasses } from "../support/testTime.ts"

const everyMs = 3_600_000
const now = Date.parse("2026-01-15T12:00:00.000Z")

type Answer = CreditReport | SearchFailed | "hangs"

/** Two keys, the second of which answers as given; everything else is the service in memory. */
const world = (counted: number, ...answers: ReadonlyArray<Answer>) => {
  const asked: Array<number> = []
  const report = (keySlot: number, answer: Answer | undefined) =>
    Effect.suspend(() => {
      asked.push(keySlot)
      if (answer === undefined || answer === "hangs") return Effect.never
      return "_tag" in answer ? Effect.fail(answer) : Effect.succeed(answer)
    })
  const reporters = answers.map((answer, index) => ({
    provider: "tavily" as const,
    keySlot: index + 1,
    report: report(index + 1, answer)
  }))
  const service = inMemory(providers())
  const watch = WatchCredits.layer(everyMs).pipe(
    Layer.provide(Layer.mergeAll(
      Layer.succeed(CreditReporters, reporters),
      Layer.succeed(CreditsSpent, {
        spent: () => Effect.succeed({ month: "2026-01", credits: counted })
      })
    )),
    Layer.provideMerge(service)
  )
  return { asked, layer: Layer.fresh(watch) }
}

const round = Effect.flatMap(WatchCredits.WatchCredits, ({ round }) => round)
const health = Effect.flatMap(PublicApi, (api) => api.health({}, "deployment"))

describe("the watch over credits", () => {
  it.effect("alerts with both numbers when they are too far apart, and not before", () => {
    const { layer } = world(40, { used: 40 + driftCreditsMax, limit: 1_000 }, { used: 400 })
    return Effect.gen(function*() {
      yield* TestClock.setTime(now)
      assert.notProperty(yield* health, "credits")
      yield* round
      const view = yield* health
      assert.deepStrictEqual(
        view.credits?.map(({ key_slot, limit, reported }) => [key_slot, reported, limit]),
        [[1, 50, 1_000], [2, 400, undefined]]
      )
      assert.deepStrictEqual(view.alerts, [{
        _tag: "CreditsDrift",
        severity: "warning",
        provider: "tavily",
        key_slot: 2,
        month: "2026-01",
        credits_counted: 40,
        credits_reported: 400,
        at: "2026-01-15T12:00:00.000Z"
      }])
      const as = (text: string) => text
      const style = { strong: as, faint: as, good: as, doubtful: as, columns: 200 }
      assert.include(
        HealthCommand.render(view, style),
        "Key 2 of tavily used 400 credits in 2026-01 by the provider's count and 40 by ours"
      )
      assert.lengthOf((yield* health).alerts, 1)
      yield* TestClock.setTime(Date.parse("2026-02-01T00:00:00.000Z"))
      assert.lengthOf((yield* health).alerts, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("asks each key once an interval, however many processes watch", () => {
    const { asked, layer } = world(0, { used: 0 }, { used: 0 })
    return Effect.gen(function*() {
      yield* TestClock.setTime(now)
      const { follow } = yield* WatchCredits.WatchCredits
      const watching = yield* Effect.forkChild(Effect.all([follow, follow, round], {
        concurrency: "unbounded"
      }))
      yield* timePasses(1)
      yield* round
      const first = asked.length
      assert.isAtMost(first, 6)
      yield* round
      assert.lengthOf(asked, first)
      yield* timePasses(everyMs)
      assert.isAbove(asked.length, first)
      yield* Fiber.interrupt(watching)
    }).pipe(Effect.provide(layer))
  })

  it.effect("goes on to the next key when one is refused or hangs, and reports nothing of it", () => {
    const refused = new SearchFailed({ provider: "tavily", status: "invalid_key" })
    const { asked, layer } = world(0, refused, "hangs", { used: 500 })
    return Effect.gen(function*() {
      yield* TestClock.setTime(now)
      const running = yield* Effect.forkChild(round)
      yield* timePasses("11 seconds")
      yield* Fiber.join(running)
      assert.deepStrictEqual(asked, [1, 2, 3])
      const { credits } = yield* health
      assert.deepStrictEqual(credits?.map(({ key_slot }) => key_slot), [3])
    }).pipe(Effect.provide(layer))
  })

  it("bears as many credits as may be under way, and a share of many", () => {
    const use = { provider: "tavily", key_slot: 1, month: "2026-01", at: "" } as const
    const drifts = (counted: number, reported: number) => isDrift({ ...use, counted, reported })
    assert.isFalse(drifts(0, driftCreditsMax))
    assert.isTrue(drifts(0, driftCreditsMax + 1))
    assert.isTrue(drifts(driftCreditsMax + 1, 0))
    assert.isFalse(drifts(1_000, 950))
    assert.isTrue(drifts(1_000, 949))
  })
})
