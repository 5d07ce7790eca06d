import { assert, describe, it, layer } from "@effect/vitest"
import axios from "axios"
import { Effect, Option, Redacted } from "effect"
import { createRequire } from "node:module"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import { providerAt, request, searchAt } from "../support/sandboxSearch.ts"
import { leaks, witnessed } from "../support/witness.ts"
import { acceptanceTable, outcomeOf, type Row } from "./acceptanceTable.ts"
import { assertPromised } from "./searchProviderContract.ts"

const rows: ReadonlyArray<Row> = [
  { fault: "401", status: "invalid_key", http: 401 },
  { fault: "echo", status: "invalid_key", http: 401 },
  { fault: "402", status: "unknown_error", detail: "upstream_4xx", http: 402 },
  { fault: "403", status: "unknown_error", detail: "forbidden", http: 403 },
  { fault: "429", status: "rate_limited", http: 429 },
  { fault: "429,retry-after=-5", status: "rate_limited", http: 429 },
  { fault: "429,retry-after=junk", status: "rate_limited", http: 429 },
  { fault: "429-plan", status: "quota_exhausted", http: 429 },
  { fault: "432", status: "quota_exhausted", http: 432 },
  { fault: "433", status: "quota_exhausted", detail: "paygo_exhausted", http: 433 },
  { fault: "202", status: "unknown_error", detail: "bad_body", http: 202 }
]

acceptanceTable("TavilySearch", providerAt, rows)

describe("Retry-After as a date", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    it.effect("is the time until then", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const outcome = yield* outcomeOf(providerAt, baseUrl, "429,retry-after=date")
        const waitMs = "_tag" in outcome ? outcome.retry_after_ms ?? 0 : 0
        assert.isTrue(waitMs > 57_000 && waitMs <= 60_000, String(waitMs))
      }))
  })
})

describe("what is sent", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    const sentBy = (fields: Parameters<typeof request>[0], options = {}) =>
      Effect.gen(function*() {
        const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
        yield* forget
        const provider = yield* providerAt(baseUrl, options)
        yield* Effect.ignore(provider.search(request(fields)))
        return (yield* hits).recent.at(-1)
      })

    it.effect("the whole body and nothing else", () =>
      Effect.gen(function*() {
        const sent = yield* sentBy({
          query: "q",
          depth: "advanced",
          hitsMax: 50,
          timeRange: "month",
          region: { country: "KR" },
          includeDomains: ["a.example"],
          excludeDomains: ["b.example"]
        })
        assert.deepStrictEqual(sent?.body, {
          query: "q",
          search_depth: "advanced",
          topic: "general",
          max_results: 20,
          include_images: false,
          include_answer: false,
          include_raw_content: false,
          include_domains: ["a.example"],
          exclude_domains: ["b.example"],
          time_range: "month",
          country: "south korea",
          auto_parameters: false,
          include_usage: true
        })
        assert.strictEqual(sent?.headers["x-client-name"], "web-grounding")
        assert.notProperty(sent?.headers, "x-tavily-access-mode")
      }))

    it.effect.each([
      { topic: "news" as const, country: "KR" },
      { topic: "finance" as const, country: "KR" },
      { topic: "general" as const, country: "XX" },
      { topic: "general" as const, country: "AQ" }
    ])("no country with $topic and $country", ({ country, topic }) =>
      Effect.gen(function*() {
        const sent = yield* sentBy({ query: "q", topic, region: { country } })
        assert.notProperty(sent?.body, "country")
      }))

    it.effect("a query is cut at 400 without halving a character", () =>
      Effect.gen(function*() {
        const sent = yield* sentBy({ query: `${"x".repeat(399)}😀 and more` })
        assert.strictEqual(sent?.query, "x".repeat(399))
      }))

    it.effect("nothing is taken from the environment", () =>
      Effect.gen(function*() {
        const names = [
          "TAVILY_API_KEY",
          "TAVILY_PROJECT",
          "TAVILY_ORG_ID",
          "TAVILY_HTTP_PROXY",
          "TAVILY_HTTPS_PROXY",
          "HTTP_PROXY",
          "http_proxy",
          "HTTPS_PROXY"
        ]
        for (const name of names) {
          process.env[name] = name.startsWith("TAVILY") ? "not an address" : "http://127.0.0.1:9/"
        }
        const sent = yield* sentBy({ query: "environment" })
        const project = yield* sentBy({ query: "environment" }, { projectId: "p-1" })
        for (const name of names) delete process.env[name]
        assert.strictEqual(sent?.query, "environment")
        assert.notProperty(sent?.headers, "x-project-id")
        assert.notProperty(sent?.headers, "x-tavily-orgid")
        assert.strictEqual(project?.headers["x-project-id"], "p-1")
      }))

    it.effect.each(["", "  ", undefined])(
      "without a key (%j) nothing is sent",
      (key) =>
        Effect.gen(function*() {
          process.env["TAVILY_API_KEY"] = "tvly-sandbox-env"
          const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
          yield* forget
          const apiKey = Option.map(Option.fromUndefinedOr(key), (text) => Redacted.make(text))
          const provider = yield* providerAt(baseUrl, { apiKey })
          const failure = yield* Effect.flip(provider.search(request()))
          delete process.env["TAVILY_API_KEY"]
          assert.strictEqual(failure.status, "api_key_missing")
          assert.strictEqual((yield* hits).total, 0)
        })
    )

    it.effect("a key that no header can carry is refused unsent", () =>
      Effect.gen(function*() {
        const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
        yield* forget
        const provider = yield* providerAt(baseUrl, { key: "tvly-sandbox-1\r\nx: y" })
        assert.strictEqual((yield* Effect.flip(provider.search(request()))).status, "invalid_key")
        assert.strictEqual((yield* hits).total, 0)
      }))

    it.effect("other users of axios are left alone", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const answer = yield* Effect.promise(() =>
          axios.post(`${baseUrl}/search`, { query: "Halvern" }, {
            headers: { "X-Client-Name": "someone", Authorization: "Bearer tvly-sandbox-2" }
          })
        )
        assert.strictEqual(answer.status, 200)
        assert.isAbove(answer.data.results.length, 0)
      }))
  })

  it("the SDK's axios is ours", () => {
    const ours = createRequire(import.meta.url)
    const theirs = createRequire(ours.resolve("@tavily/core"))
    assert.strictEqual(theirs.resolve("axios"), ours.resolve("axios"))
  })
})

describe("what is answered", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    it.effect("hits are clean, canonical, once each, and say their site", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const answer = yield* searchAt(baseUrl, { query: "fault:odd-results", hitsMax: 20 })
        const shared = { provider: "mock" as const, official: false }
        const page = { ...shared, title: "A page", content: "Some words." }
        const [one, two, three] = ["one.example", "two.example", "three.example"]
        assertPromised(answer, 20)
        assert.deepStrictEqual(answer.hits, [
          { ...page, url: `https://${one}/`, rank: 3, site: one },
          {
            ...shared,
            url: `https://${two}/`,
            title: two,
            content: "Only words.",
            rank: 4,
            site: two
          },
          {
            ...page,
            url: `https://${three}/`,
            score: 1,
            published_date: "2024-11-19",
            rank: 5,
            site: three
          }
        ])
        assert.strictEqual(answer.droppedCount, 3)
      }))

    it.effect("an answer is cut to hitsMax and states its credits", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const basic = yield* searchAt(baseUrl, { query: "Halvern", hitsMax: 2 })
        const advanced = yield* searchAt(baseUrl, { depth: "advanced" })
        assert.deepStrictEqual([basic.hits.length, basic.credits, advanced.credits], [2, 1, 2])
        assert.match(basic.upstreamRequestId ?? "", /^[0-9a-f-]{36}$/)
        assert.isTrue(advanced.hits.some(({ official }) => official))
      }))
  })
})

describe("the key", () => {
  const canary = "tvly-sandbox-CANARY-7f3a9"

  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    it.effect.each(["echo", "401", "reset", "cut", "502-html", "redirect", "huge", "drip", "200"])(
      "is in no failure, log and span of %s",
      (fault) =>
        Effect.gen(function*() {
          const { baseUrl } = yield* SandboxServer.SandboxServer
          const provider = yield* providerAt(baseUrl, { key: canary })
          const { seen, spans } = yield* witnessed(Effect.exit(
            provider.search(request({ query: `Halvern fault:${fault}` })).pipe(Effect.timeout(300))
          ))
          assert.deepStrictEqual(leaks([...seen, provider]), [])
          assert.isNotEmpty(spans)
        })
    )
  })
})
