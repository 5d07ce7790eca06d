import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Duration, Effect, Exit, Fiber, Layer, Option, Scope } from "effect"
import { execFile } from "node:child_process"
import * as FaultAnswer from "../../packages/sandbox/src/dialect/FaultAnswer.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import { grace } from "../support/machine.ts"
import { providerAt, request, searchAt } from "../support/sandboxSearch.ts"

const key = "Bearer tvly-sandbox-test"

interface Asked {
  readonly status: number
  readonly body: any
  readonly headers: Headers
}

/** A plain client: what is on the wire, not what our adapter makes of it. */
const ask = (
  path: string,
  body?: unknown,
  init: { readonly method?: string; readonly headers?: Record<string, string> } = {}
): Effect.Effect<Asked, never, SandboxServer.SandboxServer> =>
  Effect.gen(function*() {
    const { baseUrl } = yield* SandboxServer.SandboxServer
    return yield* Effect.promise(async (signal) => {
      const response = await fetch(`${baseUrl}${path}`, {
        method: body === undefined ? "GET" : "POST",
        signal,
        ...init,
        headers: { authorization: key, "content-type": "application/json", ...init.headers },
        ...(body === undefined ? {} : { body: textOf(body) })
      })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        body: text === "" ? undefined : JSON.parse(text)
      }
    })
  })

const textOf = (body: unknown) => typeof body === "string" ? body : JSON.stringify(body)

const urlsOf = ({ body }: Asked): ReadonlyArray<string> =>
  body.results.map(({ url }: { readonly url: string }) => url)

const sandbox = SandboxServer.layer({ port: 0 })

describe("the protocol", () => {
  layer(sandbox, { excludeTestServices: true })((it) => {
    it.effect("an answer has every field that the OpenAPI document requires", () =>
      Effect.gen(function*() {
        const { body, headers, status } = yield* ask("/search", { query: "Halvern tram fare" })
        assert.strictEqual(status, 200)
        assert.match(headers.get("content-type") ?? "", /^application\/json/)
        assert.strictEqual(body.query, "Halvern tram fare")
        assert.deepStrictEqual([body.images, body.answer], [[], null])
        assert.isNumber(body.response_time)
        assert.isString(body.request_id)
        assert.notProperty(body, "usage")
        assert.isAbove(body.results.length, 0)
        for (const result of body.results) {
          assert.match(result.url, /^https:\/\//)
          assert.isTrue(result.title.length > 0 && result.content.length > 0)
          assert.isTrue(result.score > 0 && result.score <= 1)
          assert.isNull(result.raw_content)
          const passages = result.content.split(" [...] ")
          assert.isAtMost(passages.length, 3)
          for (const passage of passages) assert.isAtMost(passage.length, 500)
        }
        const scores = body.results.map(({ score }: { readonly score: number }) => score)
        assert.deepStrictEqual(scores, scores.toSorted((a: number, b: number) => b - a))
      }))

    it.effect.each(
      [
        [{ include_usage: true }, { credits: 1 }],
        [{ include_usage: true, search_depth: "advanced" }, { credits: 2 }],
        [{ include_usage: true, search_depth: "ultra-fast" }, { credits: 1 }],
        [{}, undefined]
      ] as const
    )("%j costs %j", ([fields, usage]) =>
      Effect.gen(function*() {
        const { body } = yield* ask("/search", { query: "Halvern", ...fields })
        assert.deepStrictEqual(body.usage, usage)
      }))

    it.effect.each(
      [
        [{}, "Query is missing."],
        [{ query: " " }, "Query is missing."],
        [{ query: "x".repeat(401) }, "Query is too long. Max query length is 400 characters."],
        [{ query: "q", search_depth: "deep" }, "Invalid search_depth."],
        [{ query: "q", topic: "sports" }, "Invalid topic."],
        [{ query: "q", max_results: 21 }, "Invalid max_results."],
        [{ query: "q", max_results: -1 }, "Invalid max_results."],
        [{ query: "q", chunks_per_source: 4 }, "Invalid chunks_per_source."],
        [{ query: "q", time_range: "decade" }, "Invalid time_range."],
        [{ query: "q", start_date: "1.1.2026" }, "Invalid start_date."],
        [{ query: "q", country: "US" }, "Invalid country."],
        [{ query: "q", country: "kor" }, "Invalid country."],
        [{ query: "q", country: "United States" }, "Invalid country."],
        [{ query: "q", include_domains: Array(301).fill("a.example") }, "Invalid include_domains."],
        [{ query: "q", exclude_domains: Array(151).fill("a.example") }, "Invalid exclude_domains."]
      ] as const
    )("%j is refused: %s", ([body, error]) =>
      Effect.gen(function*() {
        const answer = yield* ask("/search", body)
        assert.strictEqual(answer.status, 400)
        assert.deepStrictEqual(answer.body, { detail: { error } })
      }))

    it.effect.each(["", "Bearer ", "Bearer tvly-real-key", "Basic x", "tvly-sandbox-1"])(
      "'%s' is no key",
      (authorization) =>
        Effect.gen(function*() {
          const answers = [
            yield* ask("/search", { query: "q" }, { headers: { authorization } }),
            yield* ask("/usage", undefined, { headers: { authorization } })
          ]
          for (const { body, status } of answers) {
            assert.strictEqual(status, 401)
            const error = "Unauthorized: missing or invalid API key."
            assert.deepStrictEqual(body, { detail: { error } })
          }
        })
    )

    it.effect("what is no JSON is refused and nothing falls over", () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* ask("/search", "{not json")).status, 422)
        assert.strictEqual((yield* ask("/search", "[]")).status, 422)
        const { baseUrl } = yield* SandboxServer.SandboxServer
        assert.isAbove((yield* searchAt(baseUrl)).hits.length, 0)
      }))

    it.effect("fields of newer and older clients are passed over", () =>
      Effect.gen(function*() {
        const query = { query: "Halvern tram fare", days: 3, api_key: "x", language: "en" }
        assert.strictEqual((yield* ask("/search", query)).status, 200)
        const nulls = { time_range: null, country: null, start_date: null, max_results: null }
        assert.strictEqual((yield* ask("/search", { query: "Halvern", ...nulls })).status, 200)
      }))

    it.effect.each([[0, 0], [1, 1], [3, 3]] as const)(
      "max_results %i gives %i",
      ([most, found]) =>
        Effect.gen(function*() {
          const answer = yield* ask("/search", { query: "Halvern tram fare", max_results: most })
          assert.strictEqual(urlsOf(answer).length, found)
        })
    )

    it.effect("domains are kept to and kept out, with their subdomains", () =>
      Effect.gen(function*() {
        const query = "Halvern tram fare"
        const inside = yield* ask("/search", { query, include_domains: ["gov.example"] })
        assert.isAbove(urlsOf(inside).length, 0)
        for (const url of urlsOf(inside)) assert.match(url, /\.gov\.example\//)
        const outside = yield* ask("/search", { query, exclude_domains: ["gov.example"] })
        for (const url of urlsOf(outside)) assert.notMatch(url, /\.gov\.example\//)
        const none = yield* ask("/search", { query, include_domains: ["v.example"] })
        assert.deepStrictEqual(urlsOf(none), [])
      }))

    it.effect("days limit the dated pages and keep the others", () =>
      Effect.gen(function*() {
        const query = { query: "Halvern tram fare", max_results: 20 }
        const dated = (answer: Asked) =>
          answer.body.results.flatMap((result: { readonly published_date?: string }) =>
            result.published_date ?? []
          )
        const late = dated(yield* ask("/search", { ...query, start_date: "2026-08-01" }))
        assert.isTrue(late.length > 0 && late.every((date: string) => date >= "2026-08-01"))
        const early = dated(yield* ask("/search", { ...query, end_date: "2025-12-31" }))
        assert.isTrue(early.length > 0 && early.every((date: string) => date <= "2025-12-31"))
        assert.strictEqual((yield* ask("/search", { ...query, time_range: "d" })).status, 200)
      }))

    it.effect("news states its dates as RFC 1123, everything else as a day", () =>
      Effect.gen(function*() {
        const query = "Halvern tram fares September 2026"
        const plain = yield* ask("/search", { query })
        const news = yield* ask("/search", { query, topic: "news" })
        assert.match(plain.body.results[0].published_date, /^\d{4}-\d{2}-\d{2}$/)
        assert.match(news.body.results[0].published_date, /^[A-Z][a-z]{2}, \d{2} .* GMT$/)
      }))

    it.effect("usage counts the credits of honest answers", () =>
      Effect.gen(function*() {
        const { forget } = yield* SandboxServer.SandboxServer
        yield* forget
        yield* ask("/search", { query: "Halvern", search_depth: "advanced" })
        yield* ask("/search", { query: "Halvern" })
        yield* ask("/search", { query: "Halvern fault:500" })
        const { body, status } = yield* ask("/usage")
        assert.strictEqual(status, 200)
        assert.deepStrictEqual([body.key.usage, body.account.plan_usage], [3, 3])
      }))
  })
})

describe("the ranking", () => {
  layer(sandbox, { excludeTestServices: true })((it) => {
    it.effect.each(
      [
        ["current adult tram fare in Port Halvern", "halverntransit.gov.example"],
        ["minimum wage Port Halvern 2026", "wageboard.gov.example"],
        ["how much notice must a tenant give in Japan", "www.housing.gov.example"],
        ["Veldmark central bank policy rate June 2026", "centralbank.gov.example"],
        ["opening hours maritime museum Halvern", "www.halvernmaritime.example"],
        ["notice period tenant Germany", "mieterhilfe.example"],
        ["Halvern housing ombudsman time limit for complaints", "housingombudsman.gov.example"],
        ["emergency telephone numbers Japan ambulance", "www.bousai-guide.go.example"],
        ["한국 주택 임대차 계약갱신요구권 기간", "jutaek.go.example"],
        ["한국 긴급 전화번호 119", "anjeon.go.example"],
        ["賃貸 敷金 原状回復", "shouhisha.go.example"],
        ["転入届 14日以内 届出", "juumin.go.example"],
        ["日本 消費税 軽減税率", "kakei-memo.example"]
      ] as const
    )("'%s' finds %s in its first three", ([query, page]) =>
      Effect.gen(function*() {
        const urls = urlsOf(yield* ask("/search", { query, max_results: 3 }))
        assert.include(urls.map((url) => new URL(url).hostname).join(" "), page)
      }))

    it.effect.each([
      "zxqv wobblefrotz gnarpt",
      "quantum chromodynamics lattice gluon",
      "asdkjh qwoeiu",
      "나트륨 이온 전지 양극재",
      "量子色力学 格子",
      "!!! ???",
      "the of and"
    ])("'%s' finds nothing", (query) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(urlsOf(yield* ask("/search", { query })), [])
      }))

    it.effect("the same query gives the same results", () =>
      Effect.gen(function*() {
        const [one, two] = [
          yield* ask("/search", { query: "deposit" }),
          yield* ask("/search", { query: "deposit" })
        ]
        assert.deepStrictEqual(one.body.results, two.body.results)
      }))
  })
})

describe("faults", () => {
  it.each([
    ["fault:500", "500", undefined],
    ["tram fault:500x2 fare", "500", 2],
    ["fault:html-200x1", "html-200", 1],
    ["fault:429,retry-after=30", "429", undefined]
  ])("%s is read", (text, name, times) => {
    const fault = Option.getOrThrow(FaultAnswer.inText(text))
    assert.deepStrictEqual([fault.name, fault.times], [name, times])
  })

  it.each(["", "fault:", "fault:nothing", "default:500", "fault:500x", "fault: 500"])(
    "'%s' is none",
    (text) => assert.isTrue(Option.isNone(FaultAnswer.inText(text)))
  )

  layer(sandbox, { excludeTestServices: true })((it) => {
    it.effect("a count of two is met twice, by any query that names it, then no more", () =>
      Effect.gen(function*() {
        yield* (yield* SandboxServer.SandboxServer).forget
        const statuses = yield* Effect.forEach(
          ["a", "b", "c", "d"],
          (word) =>
            Effect.map(
              ask("/search", { query: `${word} tram fault:500x2` }),
              ({ status }) => status
            )
        )
        assert.deepStrictEqual(statuses, [500, 500, 200, 200])
      }))

    it.effect("a header, a key and a word set for all requests name a fault too", () =>
      Effect.gen(function*() {
        const { setFault } = yield* SandboxServer.SandboxServer
        const statusOf = (headers: Record<string, string>) =>
          Effect.map(ask("/search", { query: "tram" }, { headers }), ({ status }) => status)
        assert.strictEqual(yield* statusOf({ "x-sandbox-fault": "433" }), 433)
        const keyed = (name: string) => ({ authorization: `Bearer tvly-sandbox-fault-${name}` })
        assert.strictEqual(yield* statusOf(keyed("429")), 429)
        assert.strictEqual(yield* statusOf(keyed("432_b")), 432)
        yield* setFault("503")
        assert.strictEqual(yield* statusOf({}), 503)
        yield* ask("/_sandbox/fault", "", { method: "PUT" })
        assert.strictEqual(yield* statusOf({}), 200)
      }))

    it.effect("a fault's word is not searched for", () =>
      Effect.gen(function*() {
        const plain = yield* ask("/search", { query: "Halvern tram fare" })
        const faulty = yield* ask("/search", { query: "Halvern fault:200 tram fare" })
        assert.deepStrictEqual(urlsOf(faulty), urlsOf(plain))
      }))

    it.effect("the ledger counts by query, key and fault, and forgets", () =>
      Effect.gen(function*() {
        const { forget } = yield* SandboxServer.SandboxServer
        yield* forget
        yield* ask("/search", { query: "one" })
        yield* ask("/search", { query: "one fault:500" })
        yield* ask("/search", { query: "__proto__" }, { headers: { authorization: "Bearer x" } })
        const { body } = yield* ask("/_sandbox/hits")
        assert.strictEqual(body.total, 3)
        assert.deepStrictEqual(Object.values(body.by_query), [1, 1, 1])
        assert.deepStrictEqual(Object.values(body.by_key).toSorted(), [1, 2])
        assert.deepStrictEqual(body.by_fault, { "fault:500": 1 })
        assert.notInclude(JSON.stringify(body), "tvly-sandbox")
        yield* ask("/_sandbox/hits", undefined, { method: "DELETE" })
        assert.strictEqual((yield* ask("/_sandbox/hits")).body.total, 0)
      }))
  })

  it.live.each(["hang", "drip", "stall", "slow,delay=60000"])(
    "closing ends %s at once",
    (fault) =>
      Effect.gen(function*() {
        const scope = yield* Scope.make()
        const context = yield* Layer.buildWithScope(sandbox, scope)
        const { baseUrl } = Context.get(context, SandboxServer.SandboxServer)
        const provider = yield* providerAt(baseUrl)
        const search = yield* Effect.forkChild(
          Effect.flip(provider.search(request({ query: `tram fault:${fault}` })))
        )
        yield* Effect.sleep(100)
        const [took] = yield* Effect.timed(Scope.close(scope, Exit.void))
        assert.isBelow(Duration.toMillis(took), grace(500))
        const failure = yield* Effect.timeout(Fiber.join(search), grace(500))
        assert.strictEqual(failure.status, "network_error")
      })
  )

  it("a hanging request keeps no process alive", { timeout: 20_000 }, () => {
    const script = `
      import { Effect, Option, Redacted } from "effect"
      import * as SandboxServer from "./packages/sandbox/src/SandboxServer.ts"
      import * as TavilySearch from "./src/adapters/search/TavilySearch.ts"
      const program = Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const provider = TavilySearch.make({
          apiKey: Option.some(Redacted.make("tvly-sandbox-1")), baseUrl, keySlot: 1, label: "mock"
        })
        const request = { query: "fault:hang", hitsMax: 1, depth: "basic", topic: "general",
          locale: "en", includeDomains: [], excludeDomains: [] }
        return yield* Effect.timeoutOption(provider.search(request), 300)
      }).pipe(Effect.provide(SandboxServer.layer({ port: 0 })))
      Effect.runPromise(program).then((found) => console.log(found._tag))
    `
    return new Promise<void>((resolve, reject) => {
      execFile(
        process.execPath,
        ["--input-type=module-typescript", "--eval", script],
        { timeout: 15_000, cwd: new URL("../..", import.meta.url) },
        (error, stdout) => stdout.trim() === "None" ? resolve() : reject(error ?? stdout)
      )
    })
  })
})
