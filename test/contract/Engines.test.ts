/** Engines that are asked by their dialect alone, against the faults that any of them may meet. */
import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { firstDayOf } from "../../packages/dialects/src/Dialect.ts"
import { dialects, type Engine } from "../../packages/dialects/src/Dialects.ts"
import { listening, portOf } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as Fault from "../../packages/sandbox/src/dialect/Fault.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import type { SearchRequest } from "../../src/application/ports/SearchProvider.ts"
import { oneAnswer } from "../support/oneAnswer.ts"
import { dialectAt, request } from "../support/sandboxSearch.ts"
import { leaks, witnessed } from "../support/witness.ts"
import { acceptanceTable, type Row, searchBy } from "./acceptanceTable.ts"
import { assertPromised } from "./searchProviderContract.ts"

/** Every engine's meaning for what the sandbox says in Tavily's words. */
const common: ReadonlyArray<Row> = [
  { fault: "202", status: "unknown_error", detail: "bad_body", http: 202 },
  { fault: "captcha", status: "unknown_error", detail: "bad_body", http: 200 },
  { fault: "402", status: "unknown_error", detail: "upstream_4xx", http: 402 },
  { fault: "403", status: "unknown_error", detail: "forbidden", http: 403 },
  { fault: "429", status: "rate_limited", http: 429 },
  { fault: "429,retry-after=junk", status: "rate_limited", http: 429 },
  { fault: "432", status: "unknown_error", detail: "upstream_4xx", http: 432 }
]
const keyed: ReadonlyArray<Row> = [
  ...common,
  { fault: "401", status: "invalid_key", http: 401 },
  { fault: "echo", status: "invalid_key", http: 401 }
]
const brave: ReadonlyArray<Row> = [
  ...keyed,
  { fault: "brave-quota", status: "quota_exhausted", http: 429 },
  { fault: "brave-quota,retry-after=60", status: "quota_exhausted", http: 429, waitMs: 60_000 }
]

type Alone = Exclude<Engine, "tavily" | "duckduckgo">

const rowsOf: Readonly<Record<Alone, ReadonlyArray<Row>>> = {
  searxng: [
    ...common,
    // Without a result it is asked once more, without the language.
    { fault: "empty", status: "no_results", requests: 2 },
    {
      fault: "searxng-silent",
      status: "network_error",
      detail: "engine_failed",
      http: 200,
      requests: 2
    },
    { fault: "403", status: "unknown_error", detail: "format_off", http: 403 },
    { fault: "401", status: "unknown_error", detail: "forbidden", http: 401 },
    { fault: "echo", status: "unknown_error", detail: "forbidden", http: 401 }
  ],
  brave,
  brave_context: brave,
  exa: [...keyed, { fault: "402", status: "quota_exhausted", http: 402 }],
  serper: [
    ...keyed,
    { fault: "403", status: "invalid_key", http: 403 },
    { fault: "serper-credits", status: "quota_exhausted", http: 400 }
  ],
  serpapi: [
    ...keyed,
    { fault: "429,retry-after=-5", status: "rate_limited", http: 429 },
    { fault: "serp-hourly", status: "rate_limited", http: 429 },
    { fault: "serp-hourly,retry-after=900", status: "rate_limited", http: 429, waitMs: 900_000 },
    { fault: "serp-out-of-searches", status: "quota_exhausted", http: 429 },
    { fault: "serp-error", status: "network_error", detail: "engine_failed", http: 200 }
  ]
}

const canary = "sandbox-CANARY-7f3a9"
const engines = Object.keys(rowsOf).filter((name): name is Alone => name in rowsOf)

const at = (engine: Alone, key = Fault.plain(engine)) => (baseUrl: string) =>
  dialectAt(dialects[engine], key)(engine === "serpapi" ? baseUrl : `${baseUrl}/${engine}`)

for (const engine of engines) acceptanceTable(engine, at(engine), rowsOf[engine])

describe.each(engines)("%s", (engine) => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    const sentBy = (fields: Partial<SearchRequest>) =>
      Effect.gen(function*() {
        const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
        yield* forget
        const answer = yield* Effect.result(searchBy(at(engine), `${baseUrl}/`, fields))
        return { answer, sent: (yield* hits).recent.at(-1) }
      })

    it.effect("finds pages of the domains and the range that were asked for", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const fields = { includeDomains: ["gov.example"], timeRange: "year", hitsMax: 3 } as const
        const { hits } = yield* searchBy(at(engine), baseUrl, fields)
        assert.isTrue(hits.length > 0 && hits.length <= 3)
        assert.isTrue(hits.every(({ url }) => /\.gov\.example\//.test(url)))
        const every = yield* searchBy(at(engine), baseUrl, { hitsMax: 20 })
        assertPromised(every, 20)
        assert.isTrue(every.hits.some(({ published_date }) => published_date !== undefined))
        const none = yield* searchBy(at(engine), baseUrl, { query: "zxqv wobblefrotz gnarpt" })
        assert.deepStrictEqual([none.hits, none.droppedCount], [[], 0])
      }))

    it.effect("is asked once, with nothing of ours but the name", () =>
      Effect.gen(function*() {
        const { sent } = yield* sentBy({ locale: "ko-KR" }).pipe(Effect.withSpan("outer"))
        const names = Object.keys(sent?.headers ?? {})
        assert.deepStrictEqual(names.filter((name) => /trace|x-|b3/.test(name)), [])
        assert.strictEqual(sent?.headers["user-agent"], "web-grounding")
      }))

    it.effect.skipIf(!("key" in dialects[engine]))(
      "sends nothing without a key that can be sent",
      () =>
        Effect.gen(function*() {
          const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
          yield* forget
          for (const [key, status] of [["", "api_key_missing"], ["a\r\nx: y", "invalid_key"]]) {
            const failure = yield* Effect.flip(searchBy(at(engine, key), baseUrl))
            assert.strictEqual(failure.status, status)
          }
          assert.strictEqual((yield* hits).total, 0)
          const wrong = yield* Effect.flip(searchBy(at(engine, "nobody-1"), baseUrl))
          assert.strictEqual(wrong.status, "invalid_key")
        })
    )

    it.effect.each(["echo", "401", "reset", "cut", "502-html", "redirect", "huge", "200"])(
      "has its key in no failure, log, span and ledger of %s",
      (fault) =>
        Effect.gen(function*() {
          const { baseUrl, hits } = yield* SandboxServer.SandboxServer
          const key = Fault.plain(engine).replace("sandbox-1", canary)
          const provider = yield* at(engine, key)(baseUrl)
          const { seen, spans } = yield* witnessed(Effect.exit(
            provider.search(request({ query: `Halvern secret-question fault:${fault}` })).pipe(
              Effect.timeout(300)
            )
          ))
          assert.deepStrictEqual(leaks([...seen, provider, yield* hits]), [])
          assert.deepStrictEqual(spans, ["DialectSearch.search"])
        })
    )
  })
})

/** What is sent, by engine: every field that a request can have. */
const everyField: Partial<SearchRequest> = {
  query: "rent & deposit",
  hitsMax: 7,
  topic: "news",
  locale: "pt-BR",
  region: { country: "BR" },
  timeRange: "week",
  includeDomains: ["a.example", "b.example"],
  excludeDomains: ["c.example"]
}
const inWords = "rent & deposit (site:a.example OR site:b.example) -site:c.example"

describe("what is sent", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    /** `day`: the first of the last week. */
    const tableOf = (day: string) =>
      [
        ["searxng", {
          q: inWords,
          format: "json",
          categories: "news",
          language: "pt-BR",
          time_range: "week"
        }],
        ["brave", {
          q: inWords,
          country: "BR",
          search_lang: "pt-br",
          freshness: "pw",
          count: "7",
          result_filter: "web",
          text_decorations: "false"
        }],
        ["brave_context", {
          q: inWords,
          country: "BR",
          search_lang: "pt-br",
          freshness: "pw",
          count: "7",
          maximum_number_of_urls: "7",
          maximum_number_of_tokens: "14336",
          maximum_number_of_tokens_per_url: "2048"
        }],
        ["serper", { q: inWords, num: 7, gl: "br", hl: "pt-br", tbs: "qdr:w" }],
        ["exa", {
          query: "rent & deposit",
          type: "auto",
          numResults: 7,
          contents: { text: { maxCharacters: 8_000 } },
          category: "news",
          userLocation: "BR",
          startPublishedDate: `${day}T00:00:00.000Z`,
          includeDomains: ["a.example", "b.example"],
          excludeDomains: ["c.example"]
        }]
      ] as const

    it.effect.each(tableOf("").map(([engine], index) => ({ engine, index })))(
      "to $engine are its fields and nothing else",
      ({ engine, index }) =>
        Effect.gen(function*() {
          const day = firstDayOf("week", yield* DateTime.now)
          const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
          yield* forget
          yield* Effect.ignore(searchBy(at(engine), baseUrl, everyField))
          assert.deepStrictEqual((yield* hits).recent[0]?.body, tableOf(day)[index]?.[1])
        })
    )
  })

  it("to Brave has at most 50 words and 400 characters, and no country or language it refuses", () => {
    const { fieldsOf } = dialects.brave
    const now = Object(undefined)
    const domains = Array.from({ length: 50 }, (_, n) => `department-${n}.gov.example`)
    for (const query of ["q", "w ".repeat(300), "x".repeat(500)]) {
      const asked = { query, includeDomains: domains, excludeDomains: domains }
      const q = String(fieldsOf(asked, now)["q"])
      assert.isAtMost(q.length, 400)
      assert.isAtMost(q.split(/\s+/).length, 50)
      assert.include(q, "site:department-0.gov.example")
    }
    const odd = fieldsOf({ query: "q", country: "AQ", locale: "xx" }, now)
    assert.notProperty(odd, "country")
    assert.notProperty(odd, "search_lang")
  })
})

describe("SearXNG", () => {
  const searching = (say: Effect.Success<typeof oneAnswer>["say"], body: object) =>
    say({ body: JSON.stringify(body), contentType: "application/json" })
  const found = { url: "https://a.example/", title: "A", content: "One." }

  it.live("that found nothing while engines did not answer has failed", () =>
    Effect.gen(function*() {
      const { baseUrl, say } = yield* oneAnswer
      const search = searchBy(dialectAt(dialects.searxng), baseUrl, { locale: "xx-yyyy" })
      const silent = [["brave", "timeout"]]
      yield* searching(say, { results: [], unresponsive_engines: silent })
      const failure = yield* Effect.flip(search)
      assert.deepStrictEqual([failure.status, failure.detail], ["network_error", "engine_failed"])
      yield* searching(say, { results: [found], unresponsive_engines: silent })
      assert.lengthOf((yield* search).hits, 1)
      yield* searching(say, { results: [], unresponsive_engines: [] })
      assert.lengthOf((yield* search).hits, 0)
    }))

  it.live("that finds nothing with a language is asked once without it", () =>
    Effect.gen(function*() {
      const asked: Array<string | null> = []
      const server = yield* listening((incoming, response) => {
        const language = new URL(incoming.url ?? "", "http://x").searchParams.get("language")
        asked.push(language)
        response.end(JSON.stringify({ results: language === null ? [found] : [] }))
      })
      const baseUrl = `http://127.0.0.1:${portOf(server)}`
      const search = (locale: string) =>
        searchBy(dialectAt(dialects.searxng), baseUrl, { locale, includeDomains: ["a.example"] })
      assert.lengthOf((yield* search("ko-KR")).hits, 1)
      assert.lengthOf((yield* search("x-y-z")).hits, 1)
      assert.deepStrictEqual(asked, ["ko-KR", null, null])
    }))
})
