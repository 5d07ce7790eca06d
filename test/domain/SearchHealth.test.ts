import { assert, describe, it } from "@effect/vitest"
import {
  type Alert,
  alertsOf,
  attemptsMin,
  byKey,
  figuresOf,
  type MinuteFigures,
  record
} from "../../src/domain/health/SearchHealth.ts"
import type { SearchAttempt, SearchStatus } from "../../src/domain/search/SearchStatus.ts"
import { anyAttempt, attempt } from "../support/attempts.ts"
import { makeDice } from "../support/dice.ts"

const rowOf = (attempts: ReadonlyArray<SearchAttempt>) =>
  attempts.reduce<MinuteFigures | undefined>(record, undefined)

const figures = (...attempts: ReadonlyArray<SearchAttempt>) => {
  const row = rowOf(attempts)
  return figuresOf(row === undefined ? [] : [row])
}

const many = (count: number, status: SearchStatus) =>
  Array.from({ length: count }, () => attempt({ status, hits_count: status === "success" ? 4 : 0 }))

describe("the figures of searches", () => {
  it("are the dashboard's of the seed: 45, 3, 1 and 1 of 50", () => {
    const told = figures(
      ...many(45, "success"),
      ...many(3, "no_results"),
      attempt({ status: "timeout", hits_count: 0 }),
      attempt({ status: "unknown_error", hits_count: 0 })
    )
    assert.strictEqual(told.attempts, 50)
    assert.deepInclude(told.web_search_total, { success: 45, no_results: 3, timeout: 1 })
    assert.deepInclude(told.web_search_share, { success: 0.9, no_results: 0.06, timeout: 0.02 })
    assert.strictEqual(told.web_search_success_rate, 0.9)
    assert.strictEqual(told.web_search_timeout_rate, 0.02)
    assert.strictEqual(told.web_search_avg_results, 4)
  })

  it("say nothing where there is nothing: no rate, no average, no latency", () => {
    const none = figuresOf([])
    assert.strictEqual(none.attempts, 0)
    assert.notProperty(none, "web_search_success_rate")
    const failed = figures(attempt({ status: "no_results", hits_count: 0 }))
    assert.strictEqual(failed.web_search_success_rate, 0)
    assert.notProperty(failed, "web_search_avg_results")
  })

  it("leave attempts that were held back out of the times", () => {
    const held = figures(
      attempt({ status: "api_key_missing", duration_ms: 0 }),
      attempt({ status: "circuit_open", duration_ms: 0 }),
      attempt({ status: "rate_limited", detail: "keys_resting", duration_ms: 0 })
    )
    assert.strictEqual(held.attempts, 3)
    assert.notProperty(held, "web_search_latency_ms")
    const answered = figures(attempt({ status: "rate_limited", duration_ms: 90 }))
    assert.strictEqual(answered.web_search_latency_ms?.avg, 90)
  })

  it("state the percentiles of one or two attempts as they were", () => {
    assert.deepStrictEqual(
      figures(attempt({ duration_ms: 35 })).web_search_latency_ms,
      { avg: 35, p50: 35, p95: 35, p99: 35, max: 35 }
    )
    assert.deepStrictEqual(
      figures(attempt({ duration_ms: 35 }), attempt({ duration_ms: 7 })).web_search_latency_ms,
      { avg: 21, p50: 7, p95: 35, p99: 35, max: 35 }
    )
  })

  it("estimate percentiles within the bucket of the true one", () => {
    const bounds = [
      0,
      10,
      25,
      50,
      100,
      200,
      300,
      500,
      750,
      1_000,
      1_500,
      2_000,
      3_000,
      5_000,
      7_500
    ]
      .concat(10_000, 15_000, 30_000, Infinity)
    for (let seed = 0; seed < 200; seed++) {
      const dice = makeDice(seed)
      const times = Array.from(
        { length: 1 + Math.floor(dice() * 300) },
        () => Math.floor(dice() ** 3 * 40_000)
      ).sort((one, other) => one - other)
      const told = figures(...times.map((duration_ms) => attempt({ duration_ms })))
        .web_search_latency_ms
      for (const [share, estimate] of [[0.5, told?.p50], [0.95, told?.p95], [0.99, told?.p99]]) {
        const exact = times[Math.ceil((share ?? 0) * times.length) - 1] ?? 0
        const bucket = bounds.findIndex((bound) => exact <= bound)
        assert.isAtMost(estimate ?? -1, Math.min(bounds[bucket] ?? 0, told?.max ?? 0))
        assert.isAtLeast(estimate ?? -1, bounds[bucket - 1] ?? 0)
      }
      assert.strictEqual(told?.max, times.at(-1))
    }
  })

  it("add up: all is the sum of the keys, in whatever order attempts came", () => {
    const dice = makeDice(3)
    const attempts = Array.from({ length: 400 }, () => anyAttempt(dice))
    const rows = (list: ReadonlyArray<SearchAttempt>) =>
      [
        ...Map.groupBy(list, ({ key_slot, provider, started_at }) =>
          `${started_at.slice(0, 16)} ${provider} ${key_slot}`).values()
      ].flatMap((of) =>
        rowOf(of) ?? []
      )
    const all = figuresOf(rows(attempts))
    const keys = byKey(rows(attempts))
    assert.strictEqual(all.attempts, 400)
    assert.strictEqual(keys.reduce((sum, { attempts }) => sum + attempts, 0), 400)
    assert.deepStrictEqual(
      keys.map(({ key_slot, provider }) => [provider, key_slot]),
      [["duckduckgo", undefined], ["serpapi", 1], ["serpapi", 2], ["tavily", 1], ["tavily", 2]]
    )
    assert.deepStrictEqual(figuresOf(rows(attempts.toReversed())), all)
  })
})

describe("alerts", () => {
  const ofRate = (successes: number, attempts: number) =>
    alertsOf(
      figures(...many(successes, "success"), ...many(attempts - successes, "timeout")),
      []
    ).map(({ severity }) => severity)

  it.each<readonly [number, number, ReadonlyArray<Alert["severity"]>]>([
    [100, 100, []],
    [50, 100, []],
    [49, 100, ["warning"]],
    [10, 100, ["warning"]],
    [9, 100, ["critical"]],
    [0, 100, ["critical"]],
    [0, attemptsMin, ["critical"]],
    [0, attemptsMin - 1, []],
    [0, 0, []]
  ])("of %i successes in %i attempts: %j", (successes, attempts, severities) => {
    assert.deepStrictEqual(ofRate(successes, attempts), severities)
  })

  it("inform of keys that are missing, disabled or resting, after what is urgent", () => {
    const of = { provider: "tavily", since: "2026-01-01T10:00:00.000Z" } as const
    const alerts = alertsOf(figures(...many(30, "timeout")), [
      { ...of, key_slot: 1, state: "missing" },
      { ...of, key_slot: 2, state: "disabled", reason: "forbidden" },
      { ...of, key_slot: 3, state: "cooling", until: "2026-01-01T10:05:00.000Z" },
      { ...of, key_slot: 4, state: "usable" }
    ])
    assert.deepStrictEqual(
      alerts.map(({ _tag, severity }) => [_tag, severity]),
      [
        ["SuccessRateLow", "critical"],
        ["KeyMissing", "info"],
        ["KeyDisabled", "info"],
        ["KeyCooling", "info"]
      ]
    )
  })

  it("warn of a provider's last key, and are critical of it where no other provider answers", () => {
    const of = { since: "2026-01-01T10:00:00.000Z", reason: "invalid_key" } as const
    const severities = (...keys: ReadonlyArray<Parameters<typeof alertsOf>[1][number]>) =>
      alertsOf(figures(), keys).map(({ severity }) => severity)
    const disabled = { ...of, provider: "tavily", key_slot: 1, state: "disabled" } as const
    assert.deepStrictEqual(
      severities(disabled, { ...of, provider: "serpapi", key_slot: 1, state: "usable" }),
      ["warning"]
    )
    const answered = (provider: "tavily" | "duckduckgo", started_at: string) =>
      alertsOf(figures(), [disabled], {
        searches: [record(undefined, attempt({ provider, started_at }))]
      }).map(({ severity }) => severity)
    assert.deepStrictEqual(answered("duckduckgo", "2026-01-01T10:00:01.000Z"), ["warning"])
    assert.deepStrictEqual(answered("duckduckgo", "2026-01-01T09:59:01.000Z"), ["critical"])
    assert.deepStrictEqual(answered("tavily", "2026-01-01T10:00:01.000Z"), ["critical"])
    assert.deepStrictEqual(severities(disabled, { ...disabled, key_slot: 2 }), [
      "critical",
      "critical"
    ])
    assert.deepStrictEqual(severities(disabled, { ...disabled, key_slot: 2, state: "usable" }), [
      "info"
    ])
  })
})
