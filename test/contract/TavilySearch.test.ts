import { assert, describe, it, layer } from "@effect/vitest"
import { tavily, type TavilyClient } from "@tavily/core"
import axios from "axios"
import {
  Cause,
  Duration,
  Effect,
  Exit,
  Fiber,
  Logger,
  Option,
  Redacted,
  References,
  Tracer
} from "effect"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { inspect } from "node:util"
import * as SandboxServer from "../../src/adapters/sandbox/SandboxServer.ts"
import type { SearchStatus } from "../../src/domain/search/SearchStatus.ts"
import { providerAt, request, searchAt } from "../support/sandboxSearch.ts"
import { assertPromised } from "./searchProviderContract.ts"

const deadlineMs = 1_000
/** For the scheduler of a busy machine. */
const graceMs = 400
const closeMsMax = 500

interface Row {
  readonly fault: string
  readonly status: SearchStatus
  readonly detail?: string
  readonly http?: number
  readonly waitMs?: number
}

const day = 86_400_000
const rows: ReadonlyArray<Row> = [
  { fault: "empty", status: "no_results" },
  { fault: "200", status: "success" },
  { fault: "no-images", status: "success" },
  { fault: "odd-results", status: "success" },
  { fault: "hostile", status: "success" },
  { fault: "slow,delay=100", status: "success" },
  { fault: "slow,delay=9000", status: "timeout" },
  { fault: "hang", status: "timeout" },
  { fault: "stall", status: "timeout" },
  { fault: "drip", status: "timeout" },
  { fault: "400", status: "bad_request", http: 400 },
  { fault: "413", status: "bad_request", http: 413 },
  { fault: "422", status: "bad_request", http: 422 },
  { fault: "401", status: "invalid_key", http: 401 },
  { fault: "echo", status: "invalid_key", http: 401 },
  { fault: "402", status: "unknown_error", detail: "upstream_4xx", http: 402 },
  { fault: "403", status: "unknown_error", detail: "forbidden", http: 403 },
  { fault: "404", status: "unknown_error", detail: "upstream_4xx", http: 404 },
  { fault: "451", status: "unknown_error", detail: "upstream_4xx", http: 451 },
  { fault: "429", status: "rate_limited", http: 429 },
  { fault: "429,retry-after=30", status: "rate_limited", http: 429, waitMs: 30_000 },
  { fault: "429,retry-after=0", status: "rate_limited", http: 429, waitMs: 0 },
  { fault: "429,retry-after=past", status: "rate_limited", http: 429, waitMs: 0 },
  { fault: "429,retry-after=1000000000", status: "rate_limited", http: 429, waitMs: day },
  { fault: "429,retry-after=-5", status: "rate_limited", http: 429 },
  { fault: "429,retry-after=junk", status: "rate_limited", http: 429 },
  { fault: "429-plan", status: "quota_exhausted", http: 429 },
  { fault: "432", status: "quota_exhausted", http: 432 },
  { fault: "433", status: "quota_exhausted", detail: "paygo_exhausted", http: 433 },
  { fault: "500", status: "network_error", detail: "upstream_5xx", http: 500 },
  { fault: "502", status: "network_error", detail: "upstream_5xx", http: 502 },
  { fault: "502-html", status: "network_error", detail: "upstream_5xx", http: 502 },
  {
    fault: "503,retry-after=7",
    status: "network_error",
    detail: "upstream_5xx",
    http: 503,
    waitMs: 7_000
  },
  { fault: "504", status: "network_error", detail: "upstream_5xx", http: 504 },
  { fault: "reset", status: "network_error" },
  { fault: "cut", status: "network_error", detail: "cut_off", http: 200 },
  { fault: "redirect", status: "unknown_error", detail: "redirect", http: 307 },
  { fault: "202", status: "unknown_error", detail: "bad_body", http: 202 },
  { fault: "204", status: "unknown_error", detail: "bad_body", http: 204 },
  { fault: "html-200", status: "unknown_error", detail: "bad_body", http: 200 },
  { fault: "invalid-json", status: "unknown_error", detail: "bad_body", http: 200 },
  { fault: "empty-body", status: "unknown_error", detail: "bad_body", http: 200 },
  { fault: "truncated", status: "unknown_error", detail: "bad_body", http: 200 },
  { fault: "wrong-shape", status: "unknown_error", detail: "bad_body", http: 200 },
  { fault: "bad-urls", status: "unknown_error", detail: "bad_body", http: 200 },
  { fault: "huge", status: "unknown_error", detail: "too_large", http: 200 },
  { fault: "gzip-bomb", status: "unknown_error", detail: "too_large", http: 200 }
]

/** As the use case tells an attempt: an answer, a failure, or its own timeout. */
const outcomeOf = (baseUrl: string, fault: string) =>
  searchAt(baseUrl, { query: `Halvern tram fare fault:${fault}` }).pipe(
    Effect.map(({ hits }) => ({ status: hits.length === 0 ? "no_results" : "success" })),
    Effect.timeoutOrElse({
      duration: Duration.millis(deadlineMs),
      orElse: () => Effect.succeed({ status: "timeout" })
    }),
    Effect.catchTag("SearchFailed", (failure) => Effect.succeed(failure))
  )

/** Waits for the sandbox to see the connection end; bounded by what is promised. */
const untilClosed = Effect.gen(function*() {
  const { openRequests } = yield* SandboxServer.SandboxServer
  for (let waitedMs = 0; waitedMs < closeMsMax; waitedMs += 10) {
    if ((yield* openRequests) === 0) return
    yield* Effect.sleep(10)
  }
  assert.strictEqual(yield* openRequests, 0, "requests still open at the sandbox")
})

/** The SDK alone, as the table's control: what it makes of the same faults. */
const bareSdk = (baseUrl: string): TavilyClient =>
  tavily({ apiKey: "tvly-sandbox-bare", apiBaseURL: baseUrl })

describe("TavilySearch against the acceptance table", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    it.effect.each(rows)("$fault is $status $detail", (row) =>
      Effect.gen(function*() {
        const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
        yield* forget
        const [took, outcome] = yield* Effect.timed(outcomeOf(baseUrl, row.fault))
        assert.strictEqual(outcome.status, row.status)
        if ("_tag" in outcome) {
          assert.strictEqual(outcome.detail, row.detail)
          assert.strictEqual(outcome.http_status, row.http)
          assert.strictEqual(outcome.retry_after_ms, row.waitMs)
        }
        assert.isBelow(Duration.toMillis(took), deadlineMs + graceMs)
        yield* untilClosed
        assert.strictEqual((yield* hits).total, 1)
      }))

    it.effect("Retry-After as a date is the time until then", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const outcome = yield* outcomeOf(baseUrl, "429,retry-after=date")
        const waitMs = "_tag" in outcome ? outcome.retry_after_ms ?? 0 : 0
        assert.isTrue(waitMs > 57_000 && waitMs <= 60_000, String(waitMs))
      }))

    it.effect.each(["hang", "stall", "drip", "slow,delay=9000"])(
      "interrupting %s closes the socket",
      (fault) =>
        Effect.gen(function*() {
          const { baseUrl, openRequests } = yield* SandboxServer.SandboxServer
          const query = `Halvern fault:${fault}`
          const search = yield* Effect.forkChild(searchAt(baseUrl, { query }))
          for (let waitedMs = 0; waitedMs < deadlineMs && (yield* openRequests) === 0;) {
            yield* Effect.sleep(5)
            waitedMs += 5
          }
          assert.strictEqual(yield* openRequests, 1)
          yield* Effect.sleep(fault === "hang" ? 0 : 50)
          yield* Fiber.interrupt(search)
          yield* untilClosed
        })
    )

    it.effect("forty searches at once do not mix their answers", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const statuses = ["401", "432", "500", "403"]
        const faults = Array.from({ length: 40 }, (_, n) => statuses[n % 4] ?? "")
        const outcomes = yield* Effect.forEach(faults, (fault) => outcomeOf(baseUrl, fault), {
          concurrency: 40
        })
        assert.deepStrictEqual(
          outcomes.map((outcome) => "_tag" in outcome ? String(outcome.http_status) : ""),
          faults
        )
      }))
  })

  it.live("a port that nobody listens on is a network error", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(searchAt(`http://127.0.0.1:${yield* closedPort}`))
      assert.strictEqual(failure.status, "network_error")
      assert.isUndefined(failure.http_status)
    }))

  it.live("a name that does not resolve is a network error", () =>
    Effect.gen(function*() {
      /** A label of 64 fails in the resolver itself: no name server is asked. */
      const failure = yield* Effect.flip(searchAt(`http://${"x".repeat(64)}.example`))
      assert.strictEqual(failure.status, "network_error")
    }))
})

const closedPort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" ? address?.port ?? 0 : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

describe("saboteur: the SDK without the repair fails the same table", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    const failureOf = (baseUrl: string, fault: string) =>
      Effect.promise(() =>
        bareSdk(baseUrl).search(`Halvern fault:${fault}`, { timeout: 1 })
          .then(() => undefined, (error: unknown) => error)
      )

    const erring = ["401", "429,retry-after=30", "432", "433", "500"]
    it.effect.each(erring)("%s loses its status", (fault) =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const error = yield* failureOf(baseUrl, fault)
        assert.instanceOf(error, Error)
        const seen = inspect(error, { showHidden: true, depth: 9 })
        assert.notInclude(seen, "retry-after")
        assert.notMatch(seen, new RegExp(`\\b${fault.slice(0, 3)}\\b`))
      }))

    it.effect("a key that the server repeats ends up in the error", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        assert.include(String(yield* failureOf(baseUrl, "echo")), "tvly-sandbox-bare")
      }))

    it.effect("an answer without images is lost", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        assert.match(String(yield* failureOf(baseUrl, "no-images")), /unexpected error/)
      }))

    it.effect("a drip outlives a timeout of one second", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const [took, error] = yield* Effect.timed(failureOf(baseUrl, "drip,every=12"))
        assert.isUndefined(error)
        assert.isAbove(Duration.toMillis(took), 1_500)
      }))

    it.effect("an interrupted search keeps its socket", () =>
      Effect.gen(function*() {
        const { baseUrl, openRequests } = yield* SandboxServer.SandboxServer
        yield* Effect.timeoutOption(failureOf(baseUrl, "drip,every=12"), 200)
        yield* Effect.sleep(closeMsMax)
        assert.strictEqual(yield* openRequests, 1)
      }))

    it.effect("a redirect is followed, so one search is many requests", () =>
      Effect.gen(function*() {
        const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
        yield* forget
        yield* failureOf(baseUrl, "redirect")
        assert.isAbove((yield* hits).total, 1)
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

    it.effect("an answer is cut to hitsMax and tells its credits", () =>
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
          const seen: Array<unknown> = []
          const logger = Logger.make((entry) => seen.push(Logger.formatStructured.log(entry)))
          const tracer = Tracer.make({
            span: (options) => {
              const span = new Tracer.NativeSpan(options)
              seen.push(span)
              return span
            }
          })
          const provider = yield* providerAt(baseUrl, { key: canary })
          seen.push(provider)
          const exit = yield* Effect.exit(
            provider.search(request({ query: `Halvern fault:${fault}` })).pipe(
              Effect.timeout(300),
              Effect.tapCause((cause) => Effect.logError("search failed", cause)),
              Effect.provide(Logger.layer([logger])),
              Effect.provideService(References.MinimumLogLevel, "Trace"),
              Effect.withTracer(tracer)
            )
          )
          seen.push(exit, Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "")
          if (Exit.isFailure(exit)) seen.push(...Cause.prettyErrors(exit.cause))
          for (const thing of seen) {
            assert.notInclude(inspect(thing, { depth: 20, showHidden: true }), "CANARY")
            assert.notInclude(String(thing), "CANARY")
          }
          assert.notInclude(JSON.stringify(exit), "CANARY")
          assert.isAbove(seen.length, 2)
        })
    )
  })
})
