/**
 * What one attempt leaves of a key's credits, whatever comes of it.
 *
 * Promise: what may have been charged is counted, what certainly was not is given back, and
 * nothing is bought that cannot be counted.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as MemoryBreakers from "../../src/adapters/breakers/MemoryBreakers.ts"
import { EventStoreUnavailable } from "../../src/application/ports/EventStore.ts"
import {
  Credits,
  type SearchAnswer,
  SearchFailed,
  type SearchProvider
} from "../../src/application/ports/SearchProvider.ts"
import * as SearchWeb from "../../src/application/steps/SearchWeb.ts"
import { type SearchDetail, SearchStatus } from "../../src/domain/search/SearchStatus.ts"
import { limitsAlone, whileTimePasses } from "../support/grounding.ts"
import { request } from "../support/sandboxSearch.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"

const budget = 10
const timeoutMs = 5_000

type Reply = SearchAnswer | SearchFailed | "hangs"
type Depth = "basic" | "advanced"

const found: SearchAnswer = answerWith([hit("https://a.example/")])
const nothing: SearchAnswer = answerWith([])
const fails = (status: SearchStatus, detail?: SearchDetail) =>
  new SearchFailed({ provider: "tavily", status, ...(detail === undefined ? {} : { detail }) })
const away = Effect.fail(new EventStoreUnavailable({ operation: "credits", cause: "away" }))

/** Credits left of ten, and what a ledger that is away or hangs does with it. */
const ledger = (changes: Partial<Credits["Service"]> = {}) => {
  let left = budget
  const layer = Layer.succeed(Credits, {
    reserve: (provider, keySlot, credits) =>
      Effect.sync(() => {
        left -= credits
        return { provider, keySlot, month: "2026-01" }
      }),
    correct: (_, credits) =>
      Effect.sync(() => {
        left -= credits
      }),
    ...changes
  })
  return { layer, left: () => left }
}

/** One attempt; how often the provider was asked, and what is left. */
const attempted = (reply: Reply, depth: Depth = "basic", credits = ledger(), scoreMin = 0.1) =>
  Effect.gen(function*() {
    let asked = 0
    const provider: SearchProvider = {
      name: "tavily",
      keySlot: 1,
      creditsByDepth: { basic: 1, advanced: 2 },
      search: () =>
        Effect.suspend(() => {
          asked += 1
          if (reply === "hangs") return Effect.never
          return "_tag" in reply ? Effect.fail(reply) : Effect.succeed(reply)
        })
    }
    const one = Effect.gen(function*() {
      const attempt = yield* SearchWeb.make
      return yield* attempt(provider, request({ depth }), timeoutMs)
    }).pipe(
      Effect.provide(
        Layer.fresh(Layer.mergeAll(MemoryBreakers.layer, credits.layer, limitsAlone({ scoreMin })))
      )
    )
    const { attempt, hits } = yield* whileTimePasses(one, timeoutMs + 1_000)
    return { attempt, hits, asked, left: credits.left() }
  })

const free: ReadonlyArray<SearchStatus> = [
  "api_key_missing",
  "invalid_key",
  "rate_limited",
  "quota_exhausted",
  "bad_request",
  "circuit_open"
]
const failures = SearchStatus.literals.filter((one) => one !== "success" && one !== "no_results")

const table: ReadonlyArray<readonly [string, Reply, number, number]> = [
  ["hits with no figure", found, 9, 8],
  ["hits for one credit", { ...found, credits: 1 }, 9, 8],
  ["hits for two credits", { ...found, credits: 2 }, 9, 8],
  ["hits for nothing", { ...found, credits: 0 }, 9, 8],
  ["nothing found, no figure", nothing, 9, 8],
  ["nothing found for nothing", { ...nothing, credits: 0 }, 10, 10],
  ["nothing found for one credit", { ...nothing, credits: 1 }, 9, 9],
  ["no answer in time", "hangs", 9, 8],
  ["a request that was never sent", fails("network_error", "unsent"), 10, 10],
  ["a key without the right", fails("unknown_error", "forbidden"), 10, 10],
  ...failures.map((status): readonly [string, Reply, number, number] => [
    `the failure ${status}`,
    fails(status),
    free.includes(status) ? 10 : 9,
    free.includes(status) ? 10 : 8
  ])
]

describe("an attempt", () => {
  it.effect.each(table)(
    "that ends in %s leaves of ten credits so many",
    ([, reply, basic, advanced]) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* attempted(reply, "basic")).left, basic, "basic")
        assert.strictEqual((yield* attempted(reply, "advanced")).left, advanced, "advanced")
      })
  )

  it.effect("is made three times at most, for what is never sent", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* attempted(fails("network_error", "unsent"))).asked, 3)
      assert.strictEqual((yield* attempted(fails("network_error"))).asked, 1)
      assert.strictEqual((yield* attempted(fails("timeout"))).asked, 1)
    }))

  it.effect("is not made when its price cannot be taken", () =>
    Effect.gen(function*() {
      const { asked, attempt } = yield* attempted(found, "basic", ledger({ reserve: () => away }))
      assert.strictEqual(asked, 0)
      assert.deepInclude(attempt, { status: "unknown_error", detail: "credits_unknown" })
    }))

  it.effect("is not made beyond our own ceiling", () =>
    Effect.gen(function*() {
      const { asked, attempt } = yield* attempted(
        found,
        "basic",
        ledger({ reserve: () => Effect.undefined })
      )
      assert.strictEqual(asked, 0)
      assert.deepInclude(attempt, { status: "quota_exhausted", detail: "own_ceiling" })
    }))

  it.effect.each([["is away", away], ["hangs", Effect.never]] as const)(
    "keeps its answer when the ledger %s at the refund, and the price stands",
    ([, correct]) =>
      Effect.gen(function*() {
        const { attempt, left } = yield* attempted(
          { ...nothing, credits: 0 },
          "basic",
          ledger({ correct: () => correct })
        )
        assert.deepInclude(attempt, { status: "no_results", credits: 0 })
        assert.isAtMost(attempt.duration_ms, 500)
        assert.strictEqual(left, 9)
      })
  )

  it.effect("ends with its time, and says so", () =>
    Effect.gen(function*() {
      const { attempt } = yield* attempted("hangs")
      assert.deepInclude(attempt, { status: "timeout", duration_ms: timeoutMs })
    }))

  it.effect("counts what was found before weak hits are left out", () =>
    Effect.gen(function*() {
      const { attempt, hits } = yield* attempted(found, "basic", ledger(), 0.6)
      assert.deepStrictEqual(hits, [])
      assert.deepInclude(attempt, { status: "no_results", hits_count: 1 })
    }))
})
