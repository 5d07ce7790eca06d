import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Tracer } from "effect"
import { gzipSync } from "node:zlib"
import { dayOf, SerpApi } from "../../packages/dialects/src/SerpApi.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import type { SearchRequest } from "../../src/application/ports/SearchProvider.ts"
import { oneAnswer } from "../support/oneAnswer.ts"
import { dialectAt, request } from "../support/sandboxSearch.ts"
import { leaks, witnessed } from "../support/witness.ts"
import { searchBy } from "./acceptanceTable.ts"
import { assertPromised } from "./searchProviderContract.ts"

const keyed = (key: string | undefined) => dialectAt(SerpApi, key)
const providerAt = keyed("serp-sandbox-1")
const searchAt = (baseUrl: string, fields: Partial<SearchRequest> = {}) =>
  searchBy(providerAt, baseUrl, fields)

describe("what SerpAPI is sent", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    const sentBy = (fields: Partial<SearchRequest>) =>
      Effect.gen(function*() {
        const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
        yield* forget
        yield* Effect.ignore(searchAt(`${baseUrl}/`, fields))
        return (yield* hits).recent.at(-1)
      })

    it.effect("the parameters and nothing else, no trace of ours among the headers", () =>
      Effect.gen(function*() {
        const sent = yield* sentBy({
          query: "rent & deposit",
          hitsMax: 7,
          locale: "ko",
          region: { country: "KR" },
          timeRange: "week",
          includeDomains: ["a.example", "b.example"],
          excludeDomains: ["c.example"]
        }).pipe(Effect.withSpan("outer"))
        assert.deepStrictEqual(sent?.body, {
          engine: "google",
          q: "rent & deposit (site:a.example OR site:b.example) -site:c.example",
          num: "7",
          gl: "kr",
          hl: "ko",
          tbs: "qdr:w"
        })
        assert.deepStrictEqual(
          Object.keys(sent?.headers ?? {}).toSorted(),
          ["accept", "accept-encoding", "connection", "host", "user-agent"]
        )
      }))

    it.effect.each([
      ["en-GB", undefined, "uk", "en"],
      ["zh-TW", undefined, "tw", "zh-tw"],
      ["zh", undefined, undefined, "zh-cn"],
      ["pt-BR", undefined, "br", "pt-br"],
      ["he", "IL", "il", "iw"],
      ["tlh", undefined, undefined, undefined]
    ])(
      "locale %s with country %s is gl %s and hl %s",
      ([locale, country, gl, hl]) =>
        Effect.gen(function*() {
          const region = country === undefined ? {} : { region: { country } }
          const sent = yield* sentBy({ query: "q", locale: locale ?? "en", ...region })
          const { gl: sentGl, hl: sentHl } = Object(sent?.body)
          assert.deepStrictEqual([sentGl, sentHl], [gl, hl])
        })
    )
  })
})

describe("what SerpAPI answers", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    it.effect("hits with their day, cut to hitsMax, credits unknown", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const answer = yield* searchAt(baseUrl, { hitsMax: 3 })
        assertPromised(answer, 3)
        assert.strictEqual(answer.hits.length, 3)
        assert.isTrue(answer.hits.some(({ published_date }) => published_date !== undefined))
        assert.notProperty(answer, "credits")
        assert.match(answer.upstreamRequestId ?? "", /^[0-9a-f]{24}$/)
      }))
  })
  const success = { search_metadata: { status: "Success" } }
  it.live.each(
    [
      [{ ...success, error: "Google hasn't returned any results for this query." }, "no_results"],
      [{ ...success, search_information: { organic_results_state: "Fully empty" } }, "no_results"],
      [{ ...success, organic_results: [] }, "bad_body"],
      [success, "bad_body"],
      [{}, "bad_body"],
      [[], "bad_body"],
      [{ ...success, error: "Something else." }, "refused"],
      [{ search_metadata: { status: "Processing" } }, "unfinished"],
      [{ search_metadata: { status: "Error" }, error: "Failed." }, "engine_failed"],
      [
        {
          search_metadata: { status: "Error" },
          error: "Google hasn't returned any results for this query."
        },
        "engine_failed"
      ],
      [{ error: "Your account has run out of searches." }, "quota_exhausted"]
    ] as const
  )("200 with %j is %s", ([body, expected]) =>
    Effect.gen(function*() {
      const { baseUrl, say } = yield* oneAnswer
      yield* say({ body: JSON.stringify(body), contentType: "application/json" })
      const outcome = yield* Effect.match(searchAt(baseUrl), {
        onSuccess: ({ hits }) => hits.length === 0 ? "no_results" : "success",
        onFailure: ({ detail, status }) => detail ?? status
      })
      assert.strictEqual(outcome, expected)
    }))

  it.live("a compressed answer is read, a broken one is cut off", () =>
    Effect.gen(function*() {
      const { baseUrl, say } = yield* oneAnswer
      const found = { title: "보증금", link: "https://a.example/", snippet: "敷金" }
      const zipped = gzipSync(JSON.stringify({ ...success, organic_results: [found] }))
      const headers = { "content-encoding": "gzip" }
      yield* say({ body: zipped, contentType: "application/json", headers })
      assert.strictEqual((yield* searchAt(baseUrl)).hits[0]?.title, "보증금")
      for (const body of [zipped.subarray(0, -9), Buffer.from("no gzip"), Buffer.alloc(0)]) {
        yield* say({ body, contentType: "application/json", headers })
        const failure = yield* Effect.flip(searchAt(baseUrl))
        assert.deepStrictEqual([failure.status, failure.detail], ["network_error", "cut_off"])
      }
    }))

  const now = DateTime.makeUnsafe("2026-03-01T02:00:00Z")
  it.each([
    ["Apr 2, 2025", "2025-04-02"],
    ["April 2, 2025", "2025-04-02"],
    ["2 Apr 2025", "2025-04-02"],
    ["2025-04-02", "2025-04-02"],
    ["2025. 4. 2.", "2025-04-02"],
    ["2025년 4월 2일", "2025-04-02"],
    ["2025年4月2日", "2025-04-02"],
    ["2025/04/02", "2025-04-02"],
    ["02.04.2025", "2025-04-02"],
    ["3 days ago", "2026-02-26"],
    ["1 day ago", "2026-02-28"],
    ["5 hours ago", "2026-02-28"],
    ["1 hour ago", "2026-03-01"],
    ["12 mins ago", "2026-03-01"],
    ["2 weeks ago", "2026-02-15"],
    ["3일 전", "2026-02-26"],
    ["5 時間前", "2026-02-28"],
    ["2 months ago", undefined],
    ["3/4/2025", undefined],
    ["Feb 30, 2025", undefined],
    ["Foo 3, 2025", undefined],
    ["2025", undefined],
    ["", undefined],
    ["4.5 days ago", undefined]
  ])("the date %s is %s", (text, day) => {
    assert.strictEqual(Option.getOrUndefined(dayOf(text, now)), day)
  })
})

describe("SerpAPI's key, which is in the address,", () => {
  const canary = "serp-sandbox-CANARY-7f3a9"

  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    it.effect.each(["gzip-bomb", "refused", "unresolved"])(
      "is in no failure, log, span and ledger of %s",
      (fault) =>
        Effect.gen(function*() {
          const { baseUrl, hits } = yield* SandboxServer.SandboxServer
          const origins: Record<string, string> = {
            refused: "http://127.0.0.1:9",
            unresolved: `http://${"x".repeat(64)}.example`
          }
          const provider = yield* keyed(canary)(origins[fault] ?? baseUrl)
          const { seen } = yield* witnessed(Effect.exit(
            provider.search(request({ query: `Halvern secret-question fault:${fault}` })).pipe(
              Effect.timeout(300)
            )
          ))
          assert.deepStrictEqual(leaks([...seen, provider, yield* hits]), [])
        })
    )

    it.effect("is not in the span of a request, and neither is the question", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const spans: Array<Tracer.NativeSpan> = []
        const tracer = Tracer.make({
          span: (options) => {
            const span = new Tracer.NativeSpan(options)
            spans.push(span)
            return span
          }
        })
        const provider = yield* keyed(canary)(baseUrl)
        yield* Effect.withTracer(provider.search(request({ query: "secret-question" })), tracer)
        const told = spans.map(({ attributes, name }) => [name, [...attributes.keys()]])
        assert.deepStrictEqual(told, [["DialectSearch.search", []]])
      }))
  })
})
