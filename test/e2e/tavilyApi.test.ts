/**
 * Tavily's own client, unmodified, and raw bodies against the service: what is honoured, ignored
 * and refused, failures, and records.
 */
import { assert, describe, it } from "@effect/vitest"
import { tavily } from "@tavily/core"
import { Context, Effect, Exit, Fiber, Layer, Option, Scope } from "effect"
import { HttpServer } from "effect/http"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { usageOf } from "../../packages/dialects/src/Tavily.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as Fields from "../../src/adapters/tavilyapi/Fields.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { type KeySlots, SearchProviders } from "../../src/application/ports/SearchProvider.ts"
import { PublicApi } from "../../src/application/PublicApi.ts"
import { providers, sandbox, scripted } from "../support/grounding.ts"
import { send } from "../support/httpCalls.ts"
import { providerAt } from "../support/sandboxSearch.ts"
import { sandboxService } from "../support/sandboxService.ts"
import { url } from "../support/service.ts"
import {
  answering,
  bearer,
  hits,
  isShaped,
  pageWord,
  post,
  servingTavily
} from "../support/tavilyCalls.ts"

const query = "How much notice must a tenant give in Japan"
const caller = { tenantId: "default", actor: "test" }
const timeout = { timeout: "120 seconds", excludeTestServices: true } as const

/** Tavily's adapter with each of these keys as a provider of its own. */
const keyed = (...keys: ReadonlyArray<string>) =>
  Layer.effect(
    SearchProviders,
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer.SandboxServer
      const slots: Array<KeySlots> = []
      for (const [place, key] of keys.entries()) {
        slots.push([{
          ...yield* providerAt(baseUrl, { key }),
          name: place === 0 ? "tavily" : "mock"
        }])
      }
      return SearchProviders.forEveryone(slots)
    })
  ).pipe(Layer.provide(sandbox))

const faulty = (fault: string) => keyed(`tvly-sandbox-fault-${fault}`)

interface Told<A> {
  readonly answer?: A
  readonly message?: string
}

/** What the client makes of it: an answer, or the sentence of its failure. */
const asked = <A>(
  call: (client: ReturnType<typeof tavily>) => Promise<A>,
  apiKey = "tvly-any"
) =>
  Effect.flatMap(
    url,
    (apiBaseURL) =>
      Effect.promise((): Promise<Told<A>> =>
        call(tavily({ apiKey, apiBaseURL })).then(
          (answer) => ({ answer }),
          (failure: Error) => ({ message: failure.message })
        )
      )
  )

const recorded = (session_id: string) =>
  Effect.gen(function*() {
    const { events } = yield* (yield* EventStore).read({ tenant_id: "default", session_id })
    const api = yield* PublicApi
    const { difference, not_recomputed } = yield* api.ReplaySession({ session_id }, caller)
    assert.isUndefined(difference)
    assert.strictEqual(not_recomputed, 0)
    return events
  })

describe("Tavily's client", () => {
  it.layer(servingTavily(keyed("tvly-sandbox-1")), timeout)("over one provider", (it) => {
    it.effect("gets results with every field it reads, and the record replays", () =>
      Effect.gen(function*() {
        const { answer } = yield* asked((client) => client.search(query, { maxResults: 3 }))
        assert.lengthOf(answer?.results ?? [], 3)
        for (const { content, score, title, url } of answer?.results ?? []) {
          assert.isNotEmpty(title)
          assert.isNotEmpty(content)
          assert.match(url, /^https?:/)
          assert.isTrue(score >= 0 && score <= 1)
        }
        assert.strictEqual(answer?.query, query)
        assert.deepStrictEqual(answer?.images, [])
        assert.isNull(answer?.answer)
        const { json, status } = yield* post(yield* url, "/search", { query, max_results: 3 })
        assert.strictEqual(status, 200)
        assert.isTrue(isShaped("/search", status, json), JSON.stringify(json))
        assert.isTrue(json.web_grounding.cached)
        assert.strictEqual(json.usage.credits, 0)
        const events = yield* recorded(json.web_grounding.session_id)
        assert.strictEqual(events.at(-1)?.metadata.actor, "tavily")
        assert.deepStrictEqual(events.map(({ type }) => type.replace("WEB_GROUNDING_", "")), [
          "REQUESTED",
          "DECIDED",
          "QUERY_PLANNED",
          "CACHE_USED",
          "FINISHED"
        ])
      }))

    it.effect("says in the vendor's words what is not offered", () =>
      Effect.gen(function*() {
        for (
          const call of [
            asked((client) => client.crawl("https://a.example/")),
            asked((client) => client.map("https://a.example/")),
            asked((client) => client.search("x".repeat(401)))
          ]
        ) {
          const { message } = yield* call
          assert.match(message ?? "", /^(?:\/crawl|\/map|query): /)
        }
        const { message } = yield* asked((client) => client.search(query), "")
        assert.include(message, "missing or invalid API key")
      }))
  })

  const faults = ["401", "403", "429", "432", "433", "500", "html-200", "reset", "truncated"]

  it.live.each(faults)(
    "does not notice that a provider meets %s: the next one answers",
    (fault) =>
      Effect.gen(function*() {
        const { answer, message } = yield* asked((client) => client.search(query))
        assert.isUndefined(message)
        assert.isNotEmpty(answer?.results)
        const { json } = yield* post(yield* url, "/search", { query: `${query} now` })
        assert.isTrue(json.web_grounding.fallback_used)
        assert.strictEqual(json.web_grounding.provider, "mock")
      }).pipe(
        Effect.provide(servingTavily(keyed(`tvly-sandbox-fault-${fault}`, "tvly-sandbox-1"))),
        Effect.scoped
      )
  )

  it.live.each(
    [
      ["429,retry-after=30", 429, "30"],
      ["432", 432, null],
      ["433", 432, null],
      ["401", 500, null],
      ["400", 400, null],
      ["500", 502, null],
      ["reset", 502, null],
      ["html-200", 502, null]
    ] as const
  )(
    "is told that the only provider meets %s by the status %i",
    ([fault, status, retryAfter]) =>
      Effect.gen(function*() {
        const asking = { query: `${query} fault:${fault}` }
        const refused = yield* post(yield* url, "/search", asking)
        assert.strictEqual(refused.status, status)
        assert.strictEqual(refused.headers.get("retry-after"), retryAfter)
        assert.isTrue(isShaped("/search", refused.status, refused.json), refused.text)
        const { request_id, session_id } = refused.json.web_grounding
        const events = yield* recorded(session_id)
        assert.isTrue(events.every(({ metadata }) => metadata.correlation_id === request_id))
        const { message } = yield* asked((client) => client.search(`${asking.query} x`))
        assert.isString(message)
      }).pipe(Effect.provide(servingTavily(keyed("tvly-sandbox-1"))), Effect.scoped)
  )

  it.live("says that no answer came in time", () =>
    Effect.gen(function*() {
      const refused = yield* post(yield* url, "/search", { query, timeout: 1 })
      assert.strictEqual(refused.status, 504)
      assert.isTrue(isShaped("/search", refused.status, refused.json), refused.text)
    }).pipe(Effect.provide(servingTavily(providers(scripted("hangs")))), Effect.scoped))

  it.live("reports nothing found as an answer without results", () =>
    Effect.gen(function*() {
      const { answer } = yield* asked((client) => client.search(query))
      assert.deepStrictEqual(answer?.results, [])
    }).pipe(Effect.provide(servingTavily(faulty("empty"))), Effect.scoped))
})

describe("a body", () => {
  const { asked: searches, provider } = answering()

  it.layer(servingTavily(providers(provider)), timeout)("of Tavily's", (it) => {
    const search = (body: object, headers?: Readonly<Record<string, string>>) =>
      Effect.flatMap(url, (service) => post(service, "/search", body, headers))

    const cases: ReadonlyArray<readonly [object, object]> = [
      [{}, { hitsMax: 5, depth: "basic", topic: "general", includeDomains: [] }],
      [{ max_results: 20, search_depth: "advanced" }, { hitsMax: 20, depth: "advanced" }],
      [{ search_depth: "ultra-fast" }, { depth: "basic" }],
      [{ topic: "news", days: 3 }, { topic: "news", timeRange: "week" }],
      [{ topic: "news", days: 400 }, { timeRange: undefined }],
      [{ days: 3 }, { timeRange: undefined }],
      [{ topic: "finance", time_range: "m", days: 1 }, { topic: "finance", timeRange: "month" }],
      [{ start_date: "2026-04-01", end_date: "2026-04-30", time_range: "m" }, {
        from: "2026-04-01",
        until: "2026-04-30",
        timeRange: undefined
      }],
      [{ country: "United States" }, { region: { country: "US" } }],
      [{ include_domains: ["HTTPS://Nasa.example/"] }, { includeDomains: ["nasa.example"] }],
      [{ exclude_domains: ["a.example", "b.example"] }, {
        excludeDomains: ["a.example", "b.example"]
      }],
      [{ max_results: "20", include_usage: "True" }, { hitsMax: 20 }],
      [{ include_domains: "[\"nasa.example\"]" }, { includeDomains: ["nasa.example"] }],
      [{ exclude_domains: "c.example, d.example" }, { excludeDomains: ["c.example", "d.example"] }],
      [{ start_date: "", country: null, include_answer: false, include_domains: [] }, {
        hitsMax: 5
      }],
      [{ query: "does jane.doe@mail.example own a flat" }, {
        query: "does jane.doe@mail.example own a flat"
      }]
    ]

    it.effect.each(cases)("is mapped: %j", ([body, expected]) =>
      Effect.gen(function*() {
        const before = searches.length
        const own = { query: `mapped ${JSON.stringify(body).replace(/\W+/g, " ")}`, ...body }
        const { json, status } = yield* search(own)
        assert.strictEqual(status, 200, JSON.stringify(json))
        assert.lengthOf(searches, before + 1)
        const sent: object = searches.at(-1) ?? {}
        assert.deepStrictEqual(
          Object.fromEntries(Object.keys(expected).map((key) => [key, Reflect.get(sent, key)])),
          { ...expected }
        )
      }))

    it.effect("is counted, and reported in Tavily's shape", () =>
      Effect.gen(function*() {
        const service = yield* url
        const told = Effect.promise(() =>
          fetch(`${service}/usage`, { headers: bearer }).then((answer) => answer.text())
        )
        const before = Option.getOrThrow(usageOf(yield* told))
        yield* search({ query: "counted once" })
        const after = Option.getOrThrow(usageOf(yield* told))
        assert.deepStrictEqual(after, { used: before.used + 1 })
      }))

    it.effect("leaves personal data out where it asks for that", () =>
      Effect.gen(function*() {
        const { status } = yield* search({
          query: "does jane.roe@mail.example rent a flat in Osaka",
          web_grounding: { redact: true }
        })
        assert.strictEqual(status, 200)
        assert.notInclude(searches.at(-1)?.query, "jane.roe")
      }))

    it.effect("with max_results 0 searches nothing", () =>
      Effect.gen(function*() {
        const before = searches.length
        const { json, status } = yield* search({ query: "nothing wanted", max_results: 0 })
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(json.results, [])
        assert.lengthOf(searches, before)
        yield* recorded(json.web_grounding.session_id)
      }))

    it.effect("gets scores by rank if its provider gives none", () =>
      Effect.gen(function*() {
        const { json } = yield* search({ query: "scores", max_results: 4 })
        const scores = json.results.map(({ score }: { readonly score: number }) => score)
        assert.deepStrictEqual(scores, [1, 0.75, 0.5, 0.25])
        assert.strictEqual(json.usage.credits, 1)
      }))

    const wrong: ReadonlyArray<object> = [
      { query: 1 },
      { query: " " },
      { query: "x".repeat(401) },
      { query: "a\u0000b" },
      { search_depth: "deep" },
      { topic: "sports" },
      { time_range: "decade" },
      { days: 0 },
      { days: 1.5 },
      { start_date: "2026-02-30" },
      { start_date: "yesterday" },
      { end_date: "2026-04-30", start_date: "2026-05-01" },
      { max_results: -1 },
      { max_results: 21 },
      { max_results: "five" },
      { include_domains: "not a host" },
      { include_domains: ["not a host"] },
      { include_domains: Array.from({ length: 51 }, (_, place) => `a${place}.example`) },
      { include_domains_mode: "prefer" },
      { exclude_domains: [7] },
      { country: "US" },
      { country: "atlantis" },
      { include_raw_content: "html" },
      { include_usage: "yes" },
      { timeout: 0.5 },
      { timeout: 121 },
      { web_grounding: { redacted: true } },
      { web_grounding: { redact: "yes" } }
    ]

    it.effect.each(wrong)(
      "that is wrong is refused by its field: %j",
      (body) =>
        Effect.gen(function*() {
          const before = searches.length
          const { json, status } = yield* search({ query, ...body })
          assert.strictEqual(status, 400)
          const [field = ""] = Object.keys(body)
          assert.match(json.detail.error, new RegExp(`^${field}: Expected `))
          assert.lengthOf(searches, before)
        })
    )

    it.effect.each(Object.keys(Fields.search.unkept))(
      "is answered without %s, and refused for it where it is strict",
      (field) =>
        Effect.gen(function*() {
          const strict = { strict: true }
          const { json, status } = yield* search({ query, [field]: true, web_grounding: strict })
          assert.strictEqual(status, 400)
          assert.match(json.detail.error, new RegExp(`^${field}: `))
          const loose = yield* search({ query, [field]: true })
          assert.strictEqual(loose.status, 200)
          assert.match(loose.json.web_grounding.notes.join(), new RegExp(`${field} is ignored`))
          assert.strictEqual((yield* search({ query, [field]: false })).status, 200)
        })
    )

    it.effect.each(Object.keys(Fields.search.ignored))(
      "is answered without %s",
      (field) =>
        Effect.gen(function*() {
          const { json, status } = yield* search({ query, [field]: true })
          assert.strictEqual(status, 200)
          assert.match(json.web_grounding.notes[0], new RegExp(`^${field} is ignored: `))
        })
    )

    it.effect("may hold unknown fields; a key among their names is not shown", () =>
      Effect.gen(function*() {
        const { json, text } = yield* search({
          query,
          max_result: 3,
          client_source: "x",
          "tvly-canary-1": 1
        })
        assert.deepStrictEqual(json.web_grounding.notes, [
          "Fields that are not known are ignored: max_result, 1 more."
        ])
        assert.notInclude(text, "canary")
      }))

    it.effect("brings its key in the header or in itself", () =>
      Effect.gen(function*() {
        const good = [
          [{ api_key: "tvly-any" }, {}],
          [{ api_key: 7 }, bearer],
          [{}, { authorization: "bearer wg_token" }]
        ] as const
        for (const [body, headers] of good) {
          const { json, status } = yield* search({ query, ...body }, headers)
          assert.strictEqual(status, 200)
          assert.deepStrictEqual(json.web_grounding.notes, [])
        }
        const bad = [
          [{}, {}],
          [{ api_key: "" }, {}],
          [{ api_key: "a b" }, {}],
          [{ api_key: 7 }, {}],
          [{ api_key: "tvly-any" }, { authorization: "Basic dTpw" }],
          [{}, { authorization: "Bearer " }],
          [{}, { authorization: `Bearer ${"x".repeat(9_000)}` }]
        ] as const
        for (const [body, headers] of bad) {
          const { json, status } = yield* search({ query, ...body }, headers)
          assert.strictEqual(status, 401, JSON.stringify([body, headers]))
          assert.strictEqual(json.detail.error, "Unauthorized: missing or invalid API key.")
        }
      }))

    it.effect("with raw content gets the texts of the pages, null where one was not read", () =>
      Effect.gen(function*() {
        const { json } = yield* search({
          query: "raw pages",
          max_results: 3,
          include_raw_content: "markdown"
        })
        const texts = json.results.map((result: Record<string, unknown>) => result["raw_content"])
        assert.include(texts[0], pageWord)
        assert.isNull(texts[1])
        assert.include(texts[2], "https://site-3.example/")
        const events = yield* recorded(json.web_grounding.session_id)
        assert.notInclude(JSON.stringify(events.map(({ data }) => data)), pageWord)
      }))

    it.effect.each([false, true])(
      "is read and told, kept only with consent: %s",
      (consent) =>
        Effect.gen(function*() {
          const urls = [
            "https://site-7.example/a?utm_source=x",
            "https://site-7.example/a",
            "https://closed.example/",
            "ftp://site-7.example/",
            "https://user:secret@site-7.example/"
          ]
          const { json, status } = yield* post(yield* url, "/extract", {
            urls,
            format: "markdown",
            query: "what",
            web_grounding: { consent_raw_content: consent }
          })
          assert.strictEqual(status, 200)
          assert.isTrue(isShaped("/extract", status, json), JSON.stringify(json))
          assert.deepStrictEqual(
            json.results.map((result: { readonly url: string }) => result.url),
            urls.slice(0, 2)
          )
          assert.include(json.results[0].raw_content, pageWord)
          assert.deepStrictEqual(json.failed_results, [
            { url: urls[2], error: "The page was not read: robots" },
            { url: urls[3], error: "The page was not read: address_invalid" },
            { url: urls[4], error: "The page was not read: address_invalid" }
          ])
          const events = yield* recorded(json.web_grounding.session_id)
          const dump = JSON.stringify(events.map(({ data }) => data))
          assert.strictEqual(dump.includes(pageWord), consent)
          assert.notInclude(dump, "secret")
        })
    )

    it.effect("that names pages wrongly is refused, and one address is enough", () =>
      Effect.gen(function*() {
        const service = yield* url
        const one = "https://site-1.example/"
        for (const urls of [undefined, [], 7, [7], Array.from({ length: 21 }, () => one)]) {
          const { json, status } = yield* post(service, "/extract", { urls })
          assert.strictEqual(status, 400)
          assert.match(json.detail.error, /^urls: Expected /)
        }
        assert.lengthOf((yield* post(service, "/extract", { urls: one })).json.results, 1)
        const none = yield* post(service, "/extract", { urls: "mailto:x" })
        assert.strictEqual(none.status, 200)
        assert.lengthOf(none.json.failed_results, 1)
        const { message } = yield* asked((client) =>
          client.extract([one, "https://closed.example/"]).then(({ failedResults, results }) => {
            assert.deepStrictEqual([results.length, failedResults.length], [1, 1])
          })
        )
        assert.isUndefined(message)
      }))

    it.effect("or a path that is none of Tavily's is refused in its form", () =>
      Effect.gen(function*() {
        const service = yield* url
        const body = JSON.stringify({ query })
        const deep = `{"query":"x","deep":${"[".repeat(40)}${"]".repeat(40)}}`
        const json = { ...bearer, "content-type": "application/json" }
        const refusals = [
          [405, { method: "GET", path: "/search", headers: bearer }],
          [405, { method: "PUT", path: "/extract", headers: json, body }],
          [404, { method: "POST", path: "/search/more", headers: json, body }],
          [400, { method: "GET", path: "/research/1", headers: bearer }],
          [401, { method: "GET", path: "/usage", headers: {} }],
          [405, { method: "POST", path: "/usage", headers: json, body }],
          [404, { method: "GET", path: "/usage/more", headers: bearer }],
          [415, {
            method: "POST",
            path: "/search",
            headers: { "content-type": "text/plain" },
            body
          }],
          [403, {
            method: "POST",
            path: "/search",
            headers: { ...json, origin: "https://a.example" }
          }],
          [400, { method: "POST", path: "/search", headers: json, body: "{" }],
          [400, { method: "POST", path: "/search", headers: json, body: "[]" }],
          [400, { method: "POST", path: "/search", headers: json, body: "[".repeat(90_000) }],
          [400, { method: "POST", path: "/search", headers: json, body: deep }],
          [413, { method: "POST", path: "/search", headers: json, body: "x".repeat(600_000) }]
        ] as const
        for (const [status, sent] of refusals) {
          const answer = yield* send(service, sent)
          assert.strictEqual(answer.status, status, sent.path)
          assert.isTrue(isShaped("/search", status, JSON.parse(answer.text)), answer.text)
          if (status === 405) {
            assert.strictEqual(answer.headers.get("allow"), sent.path === "/usage" ? "GET" : "POST")
          }
        }
        assert.strictEqual(
          (yield* send(service, { method: "POST", path: "/search?x=1", headers: json, body }))
            .status,
          200
        )
      }))
  })
})

describe("a service that has no slot or time for the call", () => {
  it.live("says when to ask again, and stays within the limit of groundings", () =>
    Effect.gen(function*() {
      const service = yield* url
      const running = yield* Effect.forkChild(
        Effect.forEach([1, 2, 3], (one) => post(service, "/search", { query: `slow ${one}` }), {
          concurrency: "unbounded"
        })
      )
      yield* Effect.sleep("300 millis")
      const refused = yield* post(service, "/search", { query })
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.headers.get("retry-after"), "1")
      assert.isTrue(isShaped("/search", 429, refused.json), refused.text)
      yield* Fiber.interrupt(running)
    }).pipe(
      Effect.provide(servingTavily(providers(scripted("hangs")), {
        places: { grounding: 1, read: 8, health: 2, document: 1 }
      })),
      Effect.scoped
    ))

  it.live("says that it is ending", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const services = yield* Layer.build(
        servingTavily(providers(scripted("hangs")), { ending: { delayMs: 600, graceMs: 100 } })
      ).pipe(Scope.provide(scope))
      const service = HttpServer.formatAddress(Context.get(services, HttpServer.HttpServer).address)
      const ending = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* Effect.sleep("100 millis")
      const refused = yield* post(service, "/search", { query })
      assert.strictEqual(refused.status, 503)
      assert.isTrue(isShaped("/search", 503, refused.json), refused.text)
      yield* Fiber.join(ending)
    }))
})

describe("an answer that is wanted", () => {
  it.effect(
    "is the checked claims of a grounding in the call's session",
    () =>
      Effect.gen(function*() {
        const { json, status } = yield* post(yield* url, "/search", {
          query,
          include_answer: true,
          include_images: true
        })
        assert.strictEqual(status, 200)
        assert.match(json.answer, /one month's notice.*\[1\]/)
        assert.deepStrictEqual(json.images, [])
        assert.isNotEmpty(json.results)
        const notes = json.web_grounding.notes.join("\n")
        assert.match(notes, /answer is the checked claims.*\n?.*/)
        assert.match(notes, /include_images is ignored/)
      }).pipe(Effect.provide(sandboxService)),
    60_000
  )
})

describe("the fields", () => {
  const rowsOf = (call: Fields.Call): ReadonlyArray<string> => [
    ...Object.entries(call.honoured).map(([name, expected]) =>
      `| \`${name}\` | honoured | ${expected}`
    ),
    ...Object.entries(call.ignored).map(([name, why]) => `| \`${name}\` | ignored | | ${why} |`),
    ...Object.entries(call.unkept).map(([name, why]) =>
      `| \`${name}\` | ignored, or refused | | ${why} |`
    )
  ]

  it("are in docs/reference/tavily-api.md", () => {
    const text = readFileSync("docs/reference/tavily-api.md", "utf8")
    const rows = text.match(/^\| `\w+` \| (?:honoured \| .*?(?= \|)|ignored.*$)/gm)
    assert.deepStrictEqual(rows, [...rowsOf(Fields.search), ...rowsOf(Fields.extract)])
  })

  const openapi = join(import.meta.dirname, "../../../shared/data/tavily/openapi.json")
  it.skipIf(!existsSync(openapi))("of Tavily's OpenAPI document are all known", () => {
    const { paths } = JSON.parse(readFileSync(openapi, "utf8"))
    for (
      const [path, call] of [["/search", Fields.search], ["/extract", Fields.extract]] as const
    ) {
      const { schema } = paths[path].post.requestBody.content["application/json"]
      const known = [call.honoured, call.ignored, call.unkept].flatMap((part) => Object.keys(part))
      const unknown = Object.keys(schema.properties).filter((name) => !known.includes(name))
      assert.deepStrictEqual(unknown, [], path)
    }
    assert.lengthOf(hits, 20)
  })
})

describe("searches in another format", () => {
  const over = answering()
  it.layer(servingTavily(providers(over.provider)), timeout)("over one provider", (it) => {
    it.effect("of Perplexity's are honoured and answered in it", () =>
      Effect.gen(function*() {
        const { json } = yield* post(yield* url, "/perplexity/search", {
          query: ["tenant notice"],
          max_results: 2,
          country: "JP",
          search_domain_filter: ["city.example", "-rumours.example"],
          search_after_date_filter: "3/1/2026",
          max_tokens_per_page: 512
        })
        assert.deepStrictEqual(Object.keys(json), ["id", "results"])
        assert.lengthOf(json.results, 2)
        assert.deepStrictEqual(Object.keys(json.results[0]), [
          "title",
          "url",
          "snippet",
          "date",
          "last_updated"
        ])
        const [sent] = over.asked.splice(0)
        assert.deepInclude(sent, {
          query: "tenant notice",
          includeDomains: ["city.example"],
          excludeDomains: ["rumours.example"],
          from: "2026-03-01",
          region: { country: "JP" }
        })
      }))

    it.effect("of Open WebUI's are honoured and answered in it", () =>
      Effect.gen(function*() {
        const { json } = yield* post(yield* url, "/openwebui/search", { query: "notice", count: 3 })
        assert.lengthOf(json, 3)
        assert.deepStrictEqual(Object.keys(json[0]), ["link", "title", "snippet"])
        assert.strictEqual(json[0].link, hits[0]?.url)
      }))

    it.effect.each<readonly [path: string, body: object, field: string]>([
      ["/perplexity/search", { query: ["a", "b"] }, "query"],
      ["/perplexity/search", { query: "a", search_before_date_filter: "2026-03-01" }, "search_b"],
      ["/perplexity/search", { query: "a", search_domain_filter: ["no host"] }, "search_domain"],
      ["/openwebui/search", { query: "a", count: 0 }, "count"],
      ["/openwebui/search", { count: 2 }, "query"]
    ])(
      "of %s are refused by the field's name: %j",
      ([path, body, field]) =>
        Effect.gen(function*() {
          const { json, status } = yield* post(yield* url, path, body)
          assert.strictEqual(status, 400)
          assert.include(JSON.stringify(json), field)
        })
    )

    it.effect("need a key and a POST, like Tavily's", () =>
      Effect.gen(function*() {
        const service = yield* url
        const unkeyed = yield* post(service, "/openwebui/search", { query: "a" }, {})
        assert.strictEqual(unkeyed.status, 401)
        const got = yield* send(service, { method: "GET", path: "/perplexity/search" })
        assert.strictEqual(got.status, 405)
      }))
  })
})
