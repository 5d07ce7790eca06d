/** The acceptance table of every search adapter: one fault, one right outcome, one request. */
import { assert, describe, layer } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import type { SearchProvider, SearchRequest } from "../../src/application/ports/SearchProvider.ts"
import type { SearchStatus } from "../../src/domain/search/SearchStatus.ts"
import { grace } from "../support/machine.ts"
import { oneAnswer } from "../support/oneAnswer.ts"
import { request } from "../support/sandboxSearch.ts"
import { assertPromised } from "./searchProviderContract.ts"

export const deadlineMs = 1_000
/** For the scheduler of a busy machine. */
const graceIdleMs = 800
const closeMsMax = 500

export interface Row {
  readonly fault: string
  readonly status: SearchStatus
  readonly detail?: string
  readonly http?: number
  readonly waitMs?: number
  /** Default: 1. */
  readonly requests?: number
}

type ProviderAt = (baseUrl: string) => Effect.Effect<SearchProvider>

export const searchBy = (
  providerAt: ProviderAt,
  baseUrl: string,
  fields: Partial<SearchRequest> = {}
) => Effect.flatMap(providerAt(baseUrl), (provider) => provider.search(request(fields)))

const cutsPerBody = 20

/** Bodies that end early, under each of the types: an answer is the whole body's, which has the first. */
export const inventsNothing = Effect.fnUntraced(
  function*(
    providerAt: ProviderAt,
    bodies: ReadonlyArray<string>,
    types: readonly [string, ...ReadonlyArray<string>]
  ) {
    const { baseUrl, say } = yield* oneAnswer
    const read = Effect.result(searchBy(providerAt, baseUrl, { hitsMax: 20 }))
    for (const body of bodies) {
      yield* say({ body, contentType: types[0] })
      const whole = yield* read
      for (let n = 0; n <= cutsPerBody; n++) {
        const part = body.slice(0, Math.trunc((body.length * n) / cutsPerBody))
        yield* say({ body: part, contentType: types[1 + n % (types.length - 1)] ?? "" })
        const cut = yield* read
        // What is no answer may show early; every answer counts only with its end.
        if (cut._tag === "Success" || n === cutsPerBody) assert.deepStrictEqual(cut, whole)
      }
    }
  }
)

/** As the use case sees an attempt: an answer, a failure, or its own timeout. */
export const outcomeOf = (
  providerAt: ProviderAt,
  baseUrl: string,
  fault: string,
  waitMs: number = deadlineMs
) =>
  searchBy(providerAt, baseUrl, { query: `Halvern tram fare fault:${fault}` }).pipe(
    Effect.map(({ hits }) => ({ status: hits.length === 0 ? "no_results" : "success" })),
    Effect.timeoutOrElse({
      duration: Duration.millis(waitMs),
      orElse: () => Effect.succeed({ status: "timeout" })
    }),
    Effect.catchTag("SearchFailed", (failure) => Effect.succeed(failure))
  )

/** Waits for the sandbox to see the connection end; bounded by what is promised. */
export const untilClosed = Effect.gen(function*() {
  const { openRequests } = yield* SandboxServer.SandboxServer
  for (let waitedMs = 0; waitedMs < closeMsMax; waitedMs += 10) {
    if ((yield* openRequests) === 0) return
    yield* Effect.sleep(10)
  }
  assert.strictEqual(yield* openRequests, 0, "requests still open at the sandbox")
})

/** `rows`: those of the provider alone; `commonRows` are tried with them. */
export const acceptanceTable = (
  name: string,
  providerAt: ProviderAt,
  rows: ReadonlyArray<Row>
): void => {
  /** A provider's own row replaces a common one. */
  const byFault = new Map<string | undefined, Row>(
    [...commonRows, ...rows].map((row) => [row.fault, row])
  )
  describe(`${name} against the acceptance table`, () => {
    layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
      it.effect.each([...byFault.values()])(
        "$fault is $status $detail",
        (row) =>
          Effect.gen(function*() {
            const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
            yield* forget
            // What is answered at all may take as long as a busy machine needs for it.
            const waitMs = row.status === "timeout" ? deadlineMs : grace(deadlineMs)
            const [took, outcome] = yield* Effect.timed(
              outcomeOf(providerAt, baseUrl, row.fault, waitMs)
            )
            assert.strictEqual(outcome.status, row.status)
            if ("_tag" in outcome) {
              assert.strictEqual(outcome.detail, row.detail)
              assert.strictEqual(outcome.http_status, row.http)
              assert.strictEqual(outcome.retry_after_ms, row.waitMs)
            }
            assert.isBelow(Duration.toMillis(took), waitMs + grace(graceIdleMs))
            yield* untilClosed
            assert.strictEqual((yield* hits).total, row.requests ?? 1)
          })
      )

      it.effect.each(["200", "odd-results", "hostile", "doubled-result"])(
        "%s gives no more hits than were asked for, and none twice",
        (fault) =>
          Effect.gen(function*() {
            const { baseUrl } = yield* SandboxServer.SandboxServer
            const query = `Halvern tram fare fault:${fault}`
            assertPromised(yield* searchBy(providerAt, baseUrl, { query, hitsMax: 1 }), 1)
            assertPromised(yield* searchBy(providerAt, baseUrl, { query }), 5)
          })
      )

      it.effect.each(["hang", "stall", "drip", "slow,delay=9000"])(
        "interrupting %s closes the socket",
        (fault) =>
          Effect.gen(function*() {
            const { baseUrl, openRequests } = yield* SandboxServer.SandboxServer
            const query = `Halvern fault:${fault}`
            const search = yield* Effect.forkChild(searchBy(providerAt, baseUrl, { query }))
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
          const statuses = ["401", "432", "500", "404"]
          const faults = Array.from({ length: 40 }, (_, n) => statuses[n % 4] ?? "")
          const outcomes = yield* Effect.forEach(
            faults,
            (fault) => outcomeOf(providerAt, baseUrl, fault, grace(deadlineMs)),
            { concurrency: 40 }
          )
          // On a crowded machine some run out of time; what answered must be each one's own answer.
          const pairs = outcomes.map((outcome, place) => ({
            got: "_tag" in outcome ? outcome.http_status : undefined,
            asked: byFault.get(faults[place])?.http ?? Number(faults[place])
          })).filter(({ got }) => got !== undefined)
          assert.isAtLeast(pairs.length, 10)
          assert.deepStrictEqual(pairs.filter(({ asked, got }) => asked !== got), [])
        }))

      it.effect("a port without a listener is a network error", () =>
        Effect.gen(function*() {
          /** The discard port: nothing of the kind runs here. */
          const failure = yield* Effect.flip(searchBy(providerAt, "http://127.0.0.1:9"))
          assert.deepInclude(failure, { status: "network_error", detail: "unsent" })
          assert.isUndefined(failure.http_status)
        }))

      it.effect("a name that does not resolve is a network error", () =>
        Effect.gen(function*() {
          /** A label of 64 fails in the resolver itself: no name server is asked. */
          const nowhere = `http://${"x".repeat(64)}.example`
          const failure = yield* Effect.flip(searchBy(providerAt, nowhere))
          assert.deepInclude(failure, { status: "network_error", detail: "unsent" })
        }))
    })
  })
}

export const rowsOf = <A extends object>(faults: ReadonlyArray<string>, outcome: A) =>
  faults.map((fault) => ({ fault, ...outcome }))

/**
 * Rows that are the same for every provider: how a connection, a size or a server goes wrong. One
 * that means something else by a status, such as a bad key by 422, has a row of its own for it.
 */
export const commonRows: ReadonlyArray<Row> = [
  ...rowsOf(["200", "odd-results", "hostile", "slow,delay=100"], { status: "success" as const }),
  { fault: "empty", status: "no_results" },
  ...rowsOf(["slow,delay=9000", "hang", "stall", "drip"], { status: "timeout" as const }),
  { fault: "400", status: "bad_request", http: 400 },
  { fault: "413", status: "bad_request", http: 413 },
  { fault: "422", status: "bad_request", http: 422 },
  { fault: "404", status: "unknown_error", detail: "upstream_4xx", http: 404 },
  { fault: "451", status: "unknown_error", detail: "upstream_4xx", http: 451 },
  { fault: "429,retry-after=30", status: "rate_limited", http: 429, waitMs: 30_000 },
  { fault: "429,retry-after=0", status: "rate_limited", http: 429, waitMs: 0 },
  { fault: "429,retry-after=past", status: "rate_limited", http: 429, waitMs: 0 },
  { fault: "429,retry-after=1000000000", status: "rate_limited", http: 429, waitMs: 86_400_000 },
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
  { fault: "204", status: "unknown_error", detail: "bad_body", http: 204 },
  ...rowsOf(
    ["html-200", "invalid-json", "empty-body", "truncated", "wrong-shape", "bad-urls"],
    { status: "unknown_error", detail: "bad_body", http: 200 } as const
  ),
  { fault: "huge", status: "unknown_error", detail: "too_large", http: 200 },
  { fault: "gzip-bomb", status: "unknown_error", detail: "too_large", http: 200 }
]
