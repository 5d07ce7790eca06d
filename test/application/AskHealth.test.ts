import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as HealthCommand from "../../src/adapters/cli/HealthCommand.ts"
import type { Style } from "../../src/adapters/cli/terminal/Terminal.ts"
import type { SearchAttempt } from "../../src/domain/search/SearchStatus.ts"
import type { Rung } from "../../src/domain/session/EngineDetail.ts"
import { append, attempt, calledWith, learnt, logged } from "../support/attempts.ts"
import { inMemory, providers } from "../support/grounding.ts"
import { PublicApi } from "../support/sent.ts"
import { decided, rung } from "../support/sessionFacts.ts"

const as = (text: string) => text
const style: Style = { strong: as, faint: as, good: as, doubtful: as, columns: 100 }

const now = Date.parse("2026-01-02T12:00:30.000Z")

const at = (iso: string, fields = {}) => attempt({ started_at: iso, ...fields })

const health = (input: unknown = {}) =>
  Effect.flatMap(PublicApi, (api) => api.health(input, "deployment"))

const recorded = (...attempts: ReadonlyArray<SearchAttempt>) =>
  Effect.andThen(
    learnt(attempts),
    Effect.flatMap(calledWith(...attempts), (event) => append("s", [event]))
  )

/** Each test has a log of its own. */
const layer = Layer.suspend(() => Layer.fresh(inMemory(providers())))

describe("the health of the searches", () => {
  it.effect("is of the last 24 hours, up to the moment it is asked for", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(now)
      yield* recorded(
        at("2026-01-01T11:59:59.999Z", { status: "timeout" }),
        at("2026-01-01T12:00:00.000Z"),
        at("2026-01-02T12:00:30.000Z", { provider: "serpapi", key_slot: 2, status: "no_results" })
      )
      const day = yield* health()
      assert.strictEqual(day.figures.attempts, 2)
      assert.deepStrictEqual(
        day.by_key.map(({ attempts, key_slot, provider }) => [provider, key_slot, attempts]),
        [["serpapi", 2, 1], ["tavily", 1, 1]]
      )
      assert.strictEqual((yield* health({ hours: 48 })).figures.attempts, 3)
      assert.strictEqual((yield* health({ hours: 1 })).figures.attempts, 1)
      yield* recorded(at("2026-01-02T12:00:29.000Z"))
      assert.strictEqual((yield* health({ hours: 1 })).figures.attempts, 2)
      assert.isTrue(
        day.read_models.every(({ events, state }) => events === 0 && state === "running")
      )
    }).pipe(Effect.provide(layer)))

  it.effect("refuses spans that make no sense", () =>
    Effect.gen(function*() {
      for (const hours of [0, 169, 1.5, "soon", "169"]) {
        const refused = yield* Effect.flip(health({ hours }))
        assert.deepInclude(refused, { _tag: "InvalidInput", field: "hours" })
      }
    }).pipe(Effect.provide(layer)))

  it.effect("alerts by the last hour, whatever span is shown", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(now)
      const good = Array.from({ length: 60 }, () => at("2026-01-02T01:00:00.000Z"))
      const bad = Array.from(
        { length: 25 },
        () => at("2026-01-02T11:30:00.000Z", { status: "network_error", hits_count: 0 })
      )
      yield* recorded(...good, ...bad)
      const { alerts, figures } = yield* health()
      assert.isAbove(figures.web_search_success_rate ?? 0, 0.7)
      assert.deepInclude(alerts[0], { _tag: "SuccessRateLow", severity: "critical", attempts: 25 })
    }).pipe(Effect.provide(layer)))

  it.effect("counts searches of the sandbox only where there are no others", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(now)
      const failed = { provider: "mock", status: "network_error", hits_count: 0 } as const
      yield* recorded(...Array.from({ length: 30 }, () => at("2026-01-02T11:30:00.000Z", failed)))
      assert.deepInclude((yield* health()).figures, { attempts: 30, web_search_success_rate: 0 })
      yield* recorded(at("2026-01-02T11:31:00.000Z"))
      const { alerts, by_key, figures } = yield* health()
      assert.deepInclude(figures, { attempts: 1, web_search_success_rate: 1 })
      assert.deepStrictEqual(alerts, [])
      assert.deepStrictEqual(by_key.map(({ provider }) => provider), ["mock", "tavily"])
    }).pipe(Effect.provide(layer)))

  it.effect("alerts of a model that fails more often than it answers in the last hour", () =>
    Effect.gen(function*() {
      const model = { ...rung, engine: "openai" }
      const late: Rung = { ...rung, faults: [{ engine: "openai", reason: "timeout" }] }
      const record = (...rungs: ReadonlyArray<Rung>) =>
        Effect.forEach(rungs, (rung) => logged(decided({ rung }))).pipe(
          Effect.flatMap((events) => append("s", events))
        )
      const failing = Effect.map(health(), ({ alerts }) => alerts)
      yield* TestClock.setTime(now - 7_200_000)
      yield* record(late, late, late, late, late)
      yield* TestClock.setTime(now)
      assert.deepStrictEqual(yield* failing, [])
      yield* record(late, late, late, late)
      assert.deepStrictEqual(yield* failing, [])
      const rested = { engine: "openai", reason: "refused", detail: "resting" } as const
      yield* record(late, { ...rung, faults: [rested] })
      const alert = { _tag: "EngineFailing", engine: "openai", reason: "timeout" } as const
      assert.deepStrictEqual(yield* failing, [
        { ...alert, severity: "critical", asked: 5, failed: 5 }
      ])
      yield* record(model, model, model, model)
      assert.deepStrictEqual(yield* failing, [
        { ...alert, severity: "warning", asked: 9, failed: 5 }
      ])
      yield* record(model)
      assert.deepStrictEqual(yield* failing, [])
    }).pipe(Effect.provide(layer)))

  it.effect("reads well in a terminal", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(now)
      yield* recorded(
        ...Array.from({ length: 45 }, () => at("2026-01-02T11:50:00.000Z")),
        ...Array.from({ length: 3 }, () =>
          at("2026-01-02T11:51:00.000Z", { status: "no_results", hits_count: 0 })),
        at("2026-01-02T11:52:00.000Z", { status: "timeout", duration_ms: 10_000 }),
        at("2026-01-02T11:53:00.000Z", { status: "api_key_missing", provider: "serpapi" })
      )
      const text = HealthCommand.render(yield* health(), style)
      const lines = text.split("\n")
      assert.strictEqual(lines[0], "Web Search Health (last 24 h)")
      assert.include(lines, "  Success          45    90%  █████████████████████▋")
      assert.include(lines, "  No results        3     6%  █▌")
      assert.include(lines, "  Timeout           1     2%  ▌")
      assert.include(lines, "  Avg results      4.0")
      assert.match(text, /^ {2}Avg latency +\d/m)
      assert.include(text, "p50 ")
      assert.include(lines, "  info      serpapi has no key in slot 1, since 2026-01-02 11:53 UTC.")
      assert.isTrue(lines.every((line) =>
        line.length <= 100 && line === line.trimEnd()
      ))
    }).pipe(Effect.provide(layer)))

  it.effect("reports a missing key to one of many that ask at once", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(now)
      yield* recorded(at("2026-01-02T11:53:00.000Z", { status: "api_key_missing", hits_count: 0 }))
      const views = yield* Effect.all(Array.from({ length: 8 }, () => health()), {
        concurrency: "unbounded"
      })
      assert.lengthOf(views.flatMap(({ alerts }) => alerts), 1)
    }).pipe(Effect.provide(layer)))

  it.effect("reports once that a key is missing, and again when it was there in between", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(now)
      const missed = (iso: string) =>
        recorded(at(iso, { status: "api_key_missing", hits_count: 0 }))
      yield* missed("2026-01-02T11:53:00.000Z")
      const first = yield* health()
      assert.deepStrictEqual(first.alerts.map(({ _tag }) => _tag), ["KeyMissing"])
      yield* missed("2026-01-02T11:54:00.000Z")
      const second = yield* health()
      assert.deepStrictEqual(second.alerts, [])
      assert.deepInclude(second.keys[0], { state: "missing", since: "2026-01-02T11:53:00.000Z" })
      yield* recorded(at("2026-01-02T11:55:00.000Z"))
      assert.deepStrictEqual((yield* health()).alerts, [])
      yield* missed("2026-01-02T11:56:00.000Z")
      assert.lengthOf((yield* health()).alerts, 1)
      assert.deepStrictEqual((yield* health()).alerts, [])
    }).pipe(Effect.provide(layer)))
})
