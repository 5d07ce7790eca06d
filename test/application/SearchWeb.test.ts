import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger, Ref } from "effect"
import * as MemoryBreakers from "../../src/adapters/breakers/MemoryBreakers.ts"
import {
  type CreditCeilings,
  Credits,
  type KeySlots,
  type SearchAnswer,
  SearchFailed,
  type SearchProvider,
  SearchProviders
} from "../../src/application/ports/SearchProvider.ts"
import { ServiceState } from "../../src/application/ports/ServiceState.ts"
import * as KeyRing from "../../src/application/steps/KeyRing.ts"
import * as SearchWeb from "../../src/application/steps/SearchWeb.ts"
import type {
  ProviderName,
  SearchDetail,
  SearchStatus
} from "../../src/domain/search/SearchStatus.ts"
import { limits } from "../support/grounding.ts"
import * as MemoryCredits from "../support/memory/MemoryCredits.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import { request } from "../support/sandboxSearch.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"
import { timePasses } from "../support/testTime.ts"

type Reply = SearchAnswer | SearchFailed | "hangs"

const hits = (count: number, from: ProviderName = "tavily"): SearchAnswer =>
  answerWith(Array.from(
    { length: count },
    (_, index) => hit(`https://${from}${index}.example/`, { provider: from, rank: index + 1 })
  ))

const fails = (
  status: SearchStatus,
  fields: Partial<ConstructorParameters<typeof SearchFailed>[0]> = {}
) => new SearchFailed({ provider: "tavily", status, ...fields })

/** Answers by the reply function; writes down which slot was asked when. */
const fake = (
  name: ProviderName,
  keySlot: number | undefined,
  reply: (call: number) => Reply,
  calls: Array<string>
): SearchProvider => {
  const label = `${name}${keySlot === undefined ? "" : `#${keySlot}`}`
  return {
    name,
    ...(keySlot === undefined
      ? {}
      : { keySlot, creditsByDepth: { basic: 1, advanced: 2 } }),
    search: () =>
      Effect.suspend(() => {
        const answer = reply(calls.filter((call) => call === label).length)
        calls.push(label)
        if (answer === "hangs") return Effect.never
        return "_tag" in answer ? Effect.fail(answer) : Effect.succeed(answer)
      })
  }
}

const store = MemoryEventStore.layer

/** One process over a log that outlives it. */
const processOverLog = (
  providers: ReadonlyArray<KeySlots>,
  options: {
    readonly ceilings?: CreditCeilings
    readonly ledger?: Layer.Layer<Credits>
    readonly keyRing?: typeof KeyRing.layer
  } = {}
) =>
  SearchWeb.layer.pipe(
    Layer.provide(Layer.mergeAll(options.keyRing ?? KeyRing.layer, MemoryBreakers.layer)),
    Layer.provide(Layer.mergeAll(
      Layer.succeed(SearchProviders, SearchProviders.forEveryone(providers)),
      limits(),
      options.ledger ?? MemoryCredits.layer(options.ceilings ?? {})
    ))
  )

/** One process over a log of its own. */
const process = (...options: Parameters<typeof processOverLog>) =>
  Layer.provideMerge(processOverLog(...options), store)

const options = { leftMs: 30_000, tenantId: "t" }

const search = (leftMs = options.leftMs) =>
  Effect.flatMap(SearchWeb.SearchWeb, (web) => web.search(request(), { ...options, leftMs }))

const statuses = ({ attempts }: SearchWeb.Searched) =>
  attempts.map(({ key_slot, provider, status }) =>
    `${provider}${key_slot === undefined ? "" : `#${key_slot}`} ${status}`
  )

describe("the chain of providers", () => {
  const chain = (first: Reply, second: Reply, third: Reply, calls: Array<string> = []) =>
    process([
      [fake("tavily", 1, () => first, calls)],
      [fake("duckduckgo", undefined, () => second, calls)],
      [fake("serpapi", 1, () => third, calls)]
    ])

  it.effect("asks only the first when it answers well", () => {
    const calls: Array<string> = []
    return Effect.gen(function*() {
      const searched = yield* search()
      assert.deepStrictEqual(calls, ["tavily#1"])
      assert.deepInclude(searched, { status: "success", tool_used: "tavily", fallback_used: false })
    }).pipe(Effect.provide(chain(hits(5), hits(5), hits(5), calls)))
  })

  it.effect("goes on when one fails or finds no more than two, and keeps what was found", () =>
    Effect.gen(function*() {
      const searched = yield* search()
      assert.deepStrictEqual(statuses(searched), [
        "tavily#1 network_error",
        "duckduckgo success",
        "serpapi#1 success"
      ])
      assert.strictEqual(searched.hits.length, 3)
      assert.deepInclude(searched, { tool_used: "serpapi", fallback_used: true })
    }).pipe(
      Effect.provide(chain(fails("network_error"), hits(2, "duckduckgo"), hits(1, "serpapi")))
    ))

  it.effect("goes on when too few may be used, and cuts those that may not first", () =>
    Effect.gen(function*() {
      const sites = { allow: [], deny: hits(9).hits.map(({ url }) => new URL(url).hostname) }
      const web = yield* SearchWeb.SearchWeb
      const searched = yield* web.search(request({ hitsMax: 3, sites }), options)
      assert.deepStrictEqual(statuses(searched), ["tavily#1 success", "duckduckgo success"])
      assert.deepStrictEqual(searched.hits.map(({ provider }) => provider), [
        "duckduckgo",
        "duckduckgo",
        "duckduckgo"
      ])
    }).pipe(
      Effect.provide(chain(hits(9), hits(3, "duckduckgo"), hits(1, "serpapi")))
    ))

  it.effect("never reports a failure as nothing found, nor the other way round", () =>
    Effect.gen(function*() {
      const table: ReadonlyArray<readonly [Reply, Reply, Reply, SearchStatus]> = [
        [fails("timeout"), fails("rate_limited"), fails("network_error"), "network_error"],
        [hits(0), fails("timeout"), fails("rate_limited"), "no_results"],
        [fails("timeout"), hits(0), fails("rate_limited"), "no_results"],
        [fails("api_key_missing"), fails("timeout"), fails("api_key_missing"), "timeout"],
        [
          fails("api_key_missing"),
          fails("api_key_missing"),
          fails("api_key_missing"),
          "api_key_missing"
        ],
        [hits(1), fails("timeout"), hits(0), "success"]
      ]
      for (const [first, second, third, status] of table) {
        const searched = yield* search().pipe(
          Effect.provide(chain(first, second, third), { local: true })
        )
        assert.strictEqual(searched.status, status)
      }
    }))

  it.effect("leaves out hits of a low score, and keeps those that have none", () => {
    const scored = (...scores: ReadonlyArray<number | undefined>): SearchAnswer =>
      answerWith(scores.map((score, index) => {
        const { score: _, ...unscored } = hit(`https://${index}.example/`)
        return score === undefined ? unscored : { ...unscored, score }
      }))
    return Effect.gen(function*() {
      const low = scored(0.09, 0)
      const none = yield* search().pipe(
        Effect.provide(chain(low, low, low), { local: true })
      )
      assert.deepStrictEqual([none.status, none.hits], ["no_results", []])
      const some = yield* search().pipe(
        Effect.provide(chain(scored(0.1, 0.09, undefined, 0.9), low, low), { local: true })
      )
      assert.deepStrictEqual(some.hits.map(({ url }) => url), [
        "https://0.example/",
        "https://2.example/",
        "https://3.example/"
      ])
    })
  })

  it.effect("ends inside its time whatever hangs", () =>
    Effect.gen(function*() {
      const running = yield* Effect.forkChild(search(7_000))
      yield* timePasses("7 seconds")
      const searched = yield* Fiber.join(running)
      // Half of the time for the first attempt, half of the rest for the second.
      assert.deepStrictEqual(searched.attempts.map(({ duration_ms }) => duration_ms), [
        3_500,
        1_750,
        1_750
      ])
      assert.isTrue(searched.attempts.every(({ status }) => status === "timeout"))
    }).pipe(Effect.provide(chain("hangs", "hangs", "hangs"))))

  it.effect("does not call unsent what was under way when its time ended", () => {
    const held = Layer.succeed(Credits, {
      reserve: () => Effect.never,
      correct: () => Effect.void
    })
    return Effect.gen(function*() {
      const running = yield* Effect.forkChild(search(2_000))
      yield* timePasses("3 seconds")
      assert.deepInclude(yield* Fiber.join(running), { status: "timeout", detail: "interrupted" })
    }).pipe(
      Effect.provide(process([[fake("tavily", 1, () => "hangs", [])]], { ledger: held }))
    )
  })
})

describe("an attempt", () => {
  it.effect("ends when the request says so, if that is sooner, and the next provider is asked", () => {
    const calls: Array<string> = []
    const chain = process([
      [fake("tavily", 1, () => "hangs", calls)],
      [fake("duckduckgo", undefined, () => hits(3), calls)]
    ])
    const withTimeout = (attemptTimeoutMs: number) =>
      Effect.gen(function*() {
        const { search } = yield* SearchWeb.SearchWeb
        const running = yield* Effect.forkChild(search(request({ attemptTimeoutMs }), options))
        yield* timePasses("1 minute")
        return (yield* Fiber.join(running)).attempts.map(({ duration_ms }) => duration_ms)
      })
    return Effect.gen(function*() {
      assert.deepStrictEqual(yield* withTimeout(1_000), [1_000, 0])
      assert.deepStrictEqual(yield* withTimeout(20_000), [5_000, 0])
    }).pipe(Effect.provide(chain))
  })
})

describe("a search", () => {
  it.effect("takes no longer than it says, which is every key until its time is up", () => {
    /** Refused right before its time is up, so that the next key is asked as late as can be. */
    const late = (name: ProviderName, keySlot: number) => {
      const provider = fake(name, keySlot, () => fails("rate_limited"), [])
      return {
        ...provider,
        search: (asked: Parameters<SearchProvider["search"]>[0]) =>
          Effect.delay(provider.search(asked), "4900 millis")
      }
    }
    const slots: ReadonlyArray<KeySlots> = [
      [late("tavily", 1), late("tavily", 2)],
      [late("serpapi", 1)]
    ]
    return Effect.gen(function*() {
      const { durationMsMax, search } = yield* SearchWeb.SearchWeb
      assert.strictEqual(durationMsMax, 15_000)
      const running = yield* Effect.forkChild(search(request(), { ...options, leftMs: 60_000 }))
      yield* timePasses("1 minute")
      const { attempts, duration_ms } = yield* Fiber.join(running)
      assert.lengthOf(attempts, 3)
      assert.isAtMost(duration_ms, durationMsMax)
    }).pipe(Effect.provide(process(slots)))
  })
})

describe("the keys of a provider", () => {
  const limitedFirst = (calls: Array<string>): ReadonlyArray<KeySlots> => [[
    fake("tavily", 1, () => fails("rate_limited", { retry_after_ms: 120_000 }), calls),
    fake("tavily", 2, () => hits(5), calls)
  ]]

  it.effect("are each tried once until one is not refused", () => {
    const calls: Array<string> = []
    const refusing: ReadonlyArray<KeySlots> = [[
      fake("tavily", 1, () => fails("rate_limited"), calls),
      fake("tavily", 2, () => fails("invalid_key"), calls),
      fake("tavily", 3, () => fails("quota_exhausted"), calls)
    ], [fake("duckduckgo", undefined, () => hits(5), calls)]]
    return Effect.gen(function*() {
      const first = yield* search()
      assert.strictEqual(first.tool_used, "duckduckgo")
      assert.deepStrictEqual(calls.toSorted(), ["duckduckgo", "tavily#1", "tavily#2", "tavily#3"])
      const second = yield* search()
      assert.deepStrictEqual(statuses(second), ["tavily rate_limited", "duckduckgo success"])
      assert.strictEqual(second.attempts[0]?.detail, "keys_resting")
      assert.strictEqual(calls.length, 5)
    }).pipe(Effect.provide(process(refusing)))
  })

  it.effect("are reported as refused or used up, and not as limited, while no others are left", () => {
    const slots = (second: SearchStatus): ReadonlyArray<KeySlots> => [[
      fake("tavily", 1, () => fails("invalid_key"), []),
      fake("tavily", 2, () => fails(second), [])
    ]]
    return Effect.forEach(
      ["invalid_key", "quota_exhausted", "rate_limited"] as const,
      (second) =>
        Effect.gen(function*() {
          yield* search()
          const later = yield* search()
          assert.deepStrictEqual([later.status, later.detail], [second, "keys_resting"])
        }).pipe(Effect.provide(process(slots(second))))
    )
  })

  it.effect("are not turned for a bad request: another key would get the same", () => {
    const calls: Array<string> = []
    const bad: KeySlots = [
      fake("tavily", 1, () => fails("bad_request"), calls),
      fake("tavily", 2, () => fails("bad_request"), calls)
    ]
    return Effect.gen(function*() {
      yield* search()
      assert.strictEqual(calls.length, 1)
    }).pipe(Effect.provide(process([bad])))
  })

  /** Whether a resting key is asked by a second process that starts later on the same log. */
  const askedAfterRestart = (keyRing: typeof KeyRing.layer) => {
    const calls: Array<string> = []
    const run = (times: number) =>
      Effect.forEach(Array.from({ length: times }), () => search()).pipe(
        Effect.provide(processOverLog(limitedFirst(calls), { keyRing }), { local: true })
      )
    return Effect.gen(function*() {
      yield* run(10)
      const before = calls.filter((call) => call === "tavily#1").length
      yield* timePasses("90 seconds")
      yield* run(20)
      const resting = calls.filter((call) => call === "tavily#1").length - before
      yield* timePasses("60 seconds")
      yield* run(20)
      const rested = calls.filter((call) => call === "tavily#1").length - before - resting
      return { before, resting, rested }
    }).pipe(Effect.provide(store, { local: true }))
  }

  it.effect("rest over a restart, for as long as the provider said, and then are tried once", () =>
    Effect.gen(function*() {
      const asked = yield* askedAfterRestart(KeyRing.layer)
      assert.deepStrictEqual(asked, { before: 1, resting: 0, rested: 1 })
    }))

  it.effect("share the load", () => {
    const calls: Array<string> = []
    const slots: KeySlots = [
      fake("tavily", 1, () => hits(5), calls),
      fake("tavily", 2, () => hits(5), calls),
      fake("tavily", 3, () => hits(5), calls)
    ]
    return Effect.gen(function*() {
      yield* Effect.forEach(Array.from({ length: 600 }), () => search(), { concurrency: 8 })
      for (const slot of [1, 2, 3]) {
        const share = calls.filter((call) => call === `tavily#${slot}`).length
        assert.isAtLeast(share, 160)
        assert.isAtMost(share, 240)
      }
    }).pipe(Effect.provide(process([slots])))
  })

  it.effect("keep nothing secret but their numbers", () => {
    const calls: Array<string> = []
    return Effect.gen(function*() {
      yield* Effect.forEach(Array.from({ length: 10 }), () => search())
      const { rows } = yield* ServiceState
      const [first, ...others] = yield* rows("key", { limit: 9 })
      assert.isAtMost(others.length, 2)
      assert.hasAllKeys(
        first?.value,
        ["provider", "key_slot", "state", "since", "until", "reason", "strikes"]
      )
      assert.deepInclude(first?.value, {
        key_slot: 1,
        provider: "tavily",
        reason: "rate_limited"
      })
    }).pipe(Effect.provide(process(limitedFirst(calls))))
  })
})

describe("credits", () => {
  it.effect("stop at the ceiling, also when many ask at the same time", () => {
    const calls: Array<string> = []
    const charging: KeySlots = [fake("tavily", 1, () => ({ ...hits(5), credits: 1 }), calls)]
    return Effect.gen(function*() {
      const searched = yield* Effect.forEach(Array.from({ length: 50 }), () => search(), {
        concurrency: "unbounded"
      })
      assert.strictEqual(calls.length, 20)
      const refused = searched.filter(({ status }) => status === "quota_exhausted")
      assert.isNotEmpty(refused)
    }).pipe(
      Effect.provide(process([charging], { ceilings: { tavily: 20 } }))
    )
  })

  it.effect("are given back for what the provider found nothing for and did not charge", () => {
    const calls: Array<string> = []
    const free: KeySlots = [fake("tavily", 1, () => ({ ...hits(0), credits: 0 }), calls)]
    return Effect.gen(function*() {
      yield* Effect.forEach(Array.from({ length: 30 }), () => search())
      assert.strictEqual(calls.length, 30)
    }).pipe(Effect.provide(process([free], { ceilings: { tavily: 5 } })))
  })
})

describe("a provider's report of its charge", () => {
  /** What the ledger holds after one search, and what was written down of it. */
  const charged = Effect.fnUntraced(
    function*(credits: number | undefined, depth: "basic" | "advanced", found = 5) {
      const answer = { ...hits(found), ...(credits === undefined ? {} : { credits }) }
      const ledger: Array<number> = []
      const counting = Layer.succeed(Credits, {
        reserve: (provider, keySlot, reserved) =>
          Effect.sync(() => {
            ledger.push(reserved)
            return { provider, keySlot, month: "2026-01" }
          }),
        correct: (_, by) => Effect.sync(() => void ledger.push(by))
      })
      const searched = yield* Effect.flatMap(
        SearchWeb.SearchWeb,
        (web) => web.search(request({ depth }), options)
      ).pipe(
        Effect.provide(process([[fake("tavily", 1, () => answer, [])]], { ledger: counting }), {
          local: true
        })
      )
      return {
        ledger: ledger.reduce((sum, entry) => sum + entry, 0),
        credits: searched.attempts[0]?.credits,
        doubt: searched.attempts[0]?.credits_doubt
      }
    }
  )

  it.effect("counts where it can be true", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* charged(1, "basic"), {
        ledger: 1,
        credits: 1,
        doubt: undefined
      })
      assert.deepStrictEqual(yield* charged(2, "advanced"), {
        ledger: 2,
        credits: 2,
        doubt: undefined
      })
      assert.deepStrictEqual(yield* charged(0, "basic", 0), {
        ledger: 0,
        credits: 0,
        doubt: undefined
      })
      assert.deepStrictEqual(yield* charged(undefined, "advanced"), {
        ledger: 2,
        credits: undefined,
        doubt: undefined
      })
    }))

  it.effect.each(
    [
      [1e9, "above_price"],
      [3, "above_price"],
      [-5, "below_price"],
      [0, "below_price"],
      [0.5, "below_price"],
      [1, "below_price"],
      [NaN, "not_a_number"],
      [Infinity, "not_a_number"]
    ] as const
  )(
    "is counted by the price and told as doubted: %s for an advanced search",
    ([credits, doubt]) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* charged(credits, "advanced"), {
          ledger: 2,
          credits: 2,
          doubt
        })
      })
  )

  it.effect("of less than nothing is not believed either where nothing was found", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* charged(-5, "basic", 0), { ledger: 1, doubt: "below_price" })
    }))

  it.effect("does not let the ceiling be passed by telling nothing", () => {
    const calls: Array<string> = []
    const free: KeySlots = [fake("tavily", 1, () => ({ ...hits(5), credits: 0 }), calls)]
    return Effect.gen(function*() {
      yield* Effect.forEach(Array.from({ length: 40 }), () => search())
      assert.strictEqual(calls.length, 20)
    }).pipe(Effect.provide(process([free], { ceilings: { tavily: 20 } })))
  })
})

describe("our own ceiling", () => {
  const slots = (calls: Array<string>): ReadonlyArray<KeySlots> => [[
    fake("tavily", 1, () => ({ ...hits(5), credits: 1 }), calls),
    fake("tavily", 2, () => ({ ...hits(5), credits: 1 }), calls)
  ]]

  it.effect("is no refusal: the next key is asked, and none is sent to rest", () => {
    const calls: Array<string> = []
    return Effect.gen(function*() {
      const searched = yield* Effect.forEach(Array.from({ length: 10 }), () => search())
      // Three of each key, however the load was spread.
      assert.strictEqual(calls.length, 6)
      for (const key of ["tavily#1", "tavily#2"]) {
        assert.strictEqual(calls.filter((call) => call === key).length, 3)
      }
      for (const { attempts, detail, status } of searched.slice(6)) {
        assert.deepStrictEqual([status, detail], ["quota_exhausted", "own_ceiling"])
        assert.lengthOf(attempts, 2)
      }
      const keys = yield* (yield* KeyRing.keyStates).rows()
      assert.deepStrictEqual(keys.map(({ value }) => value.state), ["usable", "usable"])
    }).pipe(
      Effect.provide(process(slots(calls), { ceilings: { tavily: 3 } }))
    )
  })

  it.effect("unlike the provider's own, which sends the key to rest", () => {
    const calls: Array<string> = []
    const spent: KeySlots = [fake("tavily", 1, () => fails("quota_exhausted"), calls)]
    return Effect.gen(function*() {
      yield* search()
      assert.strictEqual((yield* search()).detail, "keys_resting")
    }).pipe(Effect.provide(process([spent])))
  })
})

describe("a provider in trouble", () => {
  it.effect("is left alone after five failures, and probed once when its time is up", () => {
    const calls: Array<string> = []
    const ill: KeySlots = [
      fake("tavily", 1, (call) => call < 5 ? fails("network_error") : hits(5), calls)
    ]
    const lines: Array<unknown> = []
    const keep = Logger.make((line) => {
      const { annotations, message } = Logger.formatStructured.log(line)
      lines.push([message, annotations["reason"] ?? annotations["until"]])
    })
    return Effect.gen(function*() {
      const times = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
        Effect.forEach(Array.from({ length: count }), () => effect)
      yield* times(5, search())
      const open = yield* times(10, search())
      assert.strictEqual(calls.length, 5)
      assert.isTrue(open.every(({ status }) => status === "circuit_open"))
      yield* timePasses("30 seconds")
      const probed = yield* times(3, search())
      assert.isTrue(probed.every(({ status }) => status === "success"))
      assert.strictEqual(calls.length, 8)
      assert.sameDeepMembers(lines, [
        ...Array.from({ length: 5 }, () => ["a search was not answered", "network_error"]),
        ["an upstream is left alone", "1970-01-01T00:00:30.000Z"],
        ["an upstream answers again", undefined]
      ])
    }).pipe(Effect.provide(Layer.provideMerge(process([ill]), Logger.layer([keep]))))
  })

  it.effect("is asked again only for what was never sent", () =>
    Effect.gen(function*() {
      const asked = (detail: SearchDetail | undefined) => {
        const calls: Array<string> = []
        const fault = fails("network_error", detail === undefined ? {} : { detail })
        const once: KeySlots = [fake("tavily", 1, (call) => call === 0 ? fault : hits(5), calls)]
        return Effect.gen(function*() {
          const running = yield* Effect.forkChild(search())
          yield* timePasses("2 seconds")
          yield* Fiber.join(running)
          return calls.length
        }).pipe(
          Effect.provide(process([once]), { local: true })
        )
      }
      assert.strictEqual(yield* asked("unsent"), 2)
      assert.strictEqual(yield* asked(undefined), 1)
      assert.strictEqual(yield* asked("cut_off"), 1)
    }))

  it.effect("gets at most a fifth more requests by retries while it is down", () => {
    const calls: Array<string> = []
    const down: KeySlots = [
      fake("tavily", undefined, () => fails("network_error", { detail: "unsent" }), calls)
    ]
    return Effect.gen(function*() {
      const requests = yield* Ref.make(0)
      const asking = Effect.andThen(Ref.update(requests, (count) => count + 1), search(1_000))
      yield* Effect.forEach(Array.from({ length: 60 }), () =>
        Effect.gen(function*() {
          // Five at once, a second apart: the breaker is closed for the first of them only.
          const batch = yield* Effect.forkChild(
            Effect.forEach(Array.from({ length: 5 }), () => asking, { concurrency: "unbounded" })
          )
          yield* timePasses("1 second")
          yield* Fiber.join(batch)
        }))
      assert.isAtMost(calls.length / (yield* Ref.get(requests)), 1.2)
    }).pipe(Effect.provide(process([down])))
  })

  /** Every second try never leaves: the breaker stays closed, and each failure could be retried. */
  const shaky = (calls: Array<string>) =>
    fake(
      "tavily",
      undefined,
      (call) => call % 2 === 0 ? fails("network_error", { detail: "unsent" }) : hits(5),
      calls
    )
  const searches = 300

  it.effect("gets at most a fifth more while every second request does not leave", () => {
    const calls: Array<string> = []
    return Effect.gen(function*() {
      for (let count = 0; count < searches; count++) {
        const running = yield* Effect.forkChild(search())
        yield* timePasses("2 seconds")
        yield* Fiber.join(running)
      }
      assert.isAbove(calls.length / searches, 1, "some were tried again")
      assert.isAtMost(calls.length / searches, 1.2)
    }).pipe(Effect.provide(process([[shaky(calls)]])))
  })
})

describe("a ledger that does not answer", () => {
  /** It takes the first provider's price and hangs at the second's, as when its database is away. */
  const hanging = Layer.effect(
    Credits,
    Effect.map(Credits, (credits) =>
      Credits.of({
        ...credits,
        reserve: (provider, slot, price) =>
          provider === "tavily" ? credits.reserve(provider, slot, price) : Effect.never
      }))
  ).pipe(Layer.provide(MemoryCredits.layer({})))
  const waitedMs = 5_200

  const foundBy = (leftMs: number) =>
    Effect.gen(function*() {
      const running = yield* Effect.forkChild(search(leftMs))
      yield* timePasses(waitedMs)
      const exit = running.pollUnsafe()
      return exit?._tag === "Success" ? exit.value : undefined
    }).pipe(
      Effect.provide(process([
        [fake("tavily", 1, () => hits(1), [])],
        [fake("serpapi", 1, () => hits(5, "serpapi"), [])]
      ], { ledger: hanging }))
    )

  it.effect("costs no answer that an earlier provider was paid for", () =>
    Effect.gen(function*() {
      const searched = yield* foundBy(5_000)
      assert.isDefined(searched)
      assert.deepInclude(searched, { status: "success", tool_used: "tavily" })
      assert.deepStrictEqual(statuses(searched), ["tavily#1 success"])
      assert.strictEqual(searched.hits.length, 1)
    }))
})
