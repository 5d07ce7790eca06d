import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CheckReadiness } from "../../src/application/CheckReadiness.ts"
import {
  SearchFailed,
  type SearchProvider,
  SearchProviders
} from "../../src/application/ports/SearchProvider.ts"
import { inMemory, providers, scripted } from "../support/grounding.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"

const answer = answerWith([1, 2, 3].map((n) => hit(`https://a.example/${n}`)))

const audit = (
  list: ReadonlyArray<SearchProvider>,
  limits: Parameters<typeof inMemory>[1] = {}
) =>
  Effect.flatMap(CheckReadiness, ({ check }) => check("t")).pipe(
    Effect.provide(inMemory(providers(...list), limits))
  )

const failedChecks = (
  report: { readonly checks: ReadonlyArray<{ name: string; passed: boolean }> }
) => report.checks.flatMap(({ name, passed }) => passed ? [] : [name])

describe("the readiness audit", () => {
  it.live("passes all six where a provider answers, after one real search", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      const report = yield* audit([provider])
      assert.deepInclude(report, { score: 6, verdict: "WEB_SEARCH_RELIABLE", next_steps: [] })
      assert.strictEqual(provider.queries.length, 1)
      assert.strictEqual(
        report.checks[0]?.finding,
        "providers: tavily (1); readers: snippet; rankers: lexical; embedders: none; " +
          "evidence: words alone, no extension vector; payloads: stored as plaintext"
      )
    })
  })

  it.live("asks a tenant's own engines, once", () => {
    const [everyones, own] = [scripted(answer), scripted(answer)]
    return Effect.gen(function*() {
      const report = yield* (yield* CheckReadiness).check("t")
      assert.deepInclude(report, { score: 6, verdict: "WEB_SEARCH_RELIABLE" })
      assert.deepStrictEqual([everyones.queries.length, own.queries.length], [0, 1])
    }).pipe(Effect.provide(inMemory(Layer.succeed(SearchProviders, {
      everyone: [[everyones]],
      byTenant: new Map([["t", [[own] as const]]])
    }))))
  })

  it.live("finds a missing key", () =>
    Effect.gen(function*() {
      const report = yield* audit([
        scripted(new SearchFailed({ provider: "tavily", status: "api_key_missing" }))
      ])
      assert.deepStrictEqual(failedChecks(report), ["key_loaded", "request_sent"])
      assert.strictEqual(report.verdict, "WEB_SEARCH_UNRELIABLE")
      assert.match(report.next_steps[0] ?? "", /TAVILY_API_KEY/)
    }))

  it.live("is not content with providers that need no key, or with another's key", () =>
    Effect.gen(function*() {
      const missing = scripted(new SearchFailed({ provider: "tavily", status: "api_key_missing" }))
      const { keySlot: _, ...keyless } = scripted(answer)
      const others = [
        { ...keyless, name: "duckduckgo" as const },
        { ...scripted(answer), name: "serpapi" as const }
      ]
      for (const other of others) {
        const report = yield* audit([missing, other])
        assert.deepStrictEqual(failedChecks(report), ["key_loaded"])
        assert.deepInclude(report, { score: 5, verdict: "WEB_SEARCH_UNRELIABLE" })
        assert.strictEqual(report.checks[1]?.finding, "tavily has no key")
        assert.match(report.next_steps[0] ?? "", /Set TAVILY_API_KEY/)
      }
      const failing = scripted(new SearchFailed({ provider: "tavily", status: "network_error" }))
      assert.notInclude(failedChecks(yield* audit([failing, ...others])), "key_loaded")
    }))

  it.live("relies on a server of one's own without a key, once it was heard, and on no other", () =>
    Effect.gen(function*() {
      const keyless = (
        name: "custom" | "duckduckgo" | "searxng",
        said: typeof answer | SearchFailed
      ) => {
        const { keySlot: _, ...provider } = scripted(said)
        return { ...provider, name }
      }
      for (const name of ["searxng", "custom"] as const) {
        assert.deepStrictEqual(failedChecks(yield* audit([keyless(name, answer)])), [])
        const down = new SearchFailed({ provider: name, status: "network_error" })
        const unheard = yield* audit([keyless(name, down)])
        assert.include(failedChecks(unheard), "key_loaded")
        assert.strictEqual(unheard.checks[1]?.finding, `${name} needs no key and did not answer`)
      }
      const report = yield* audit([keyless("duckduckgo", answer)])
      assert.deepStrictEqual(failedChecks(report), ["key_loaded"])
    }))

  it.live("does not say that an untested key was tested", () =>
    Effect.gen(function*() {
      for (const status of ["circuit_open", "network_error", "timeout"] as const) {
        const report = yield* audit([scripted(new SearchFailed({ provider: "tavily", status }))])
        assert.deepInclude(report.checks[1], {
          passed: true,
          finding: `tavily has a key and did not answer: ${status}`
        })
      }
      const heard = yield* audit([scripted(answer)])
      assert.strictEqual(heard.checks[1]?.finding, "tavily was asked with a key")
    }))

  it.live("distinguishes a refused key from a network that is down", () =>
    Effect.gen(function*() {
      const refused = yield* audit([
        scripted(new SearchFailed({ provider: "tavily", status: "invalid_key", http_status: 401 }))
      ])
      assert.deepStrictEqual(failedChecks(refused), ["key_loaded"])
      const down = yield* audit([
        scripted(new SearchFailed({ provider: "tavily", status: "network_error" }))
      ])
      assert.deepStrictEqual(failedChecks(down), ["request_sent"])
    }))

  it.live("finds that there is no provider, and a timeout that no caller would wait for", () =>
    Effect.gen(function*() {
      const none = yield* audit([])
      assert.include(failedChecks(none), "client_exists")
      const slow = yield* audit([scripted(answer)], { limits: { attemptTimeoutMs: 60_000 } })
      assert.deepStrictEqual(failedChecks(slow), ["timeout_configured"])
    }))
})
