/** DuckDuckGo's recorded pages through the adapter. The set is not in the repository. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { join } from "node:path"
import { DuckDuckGo } from "../../packages/dialects/src/DuckDuckGo.ts"
import * as WebAddress from "../../src/domain/search/WebAddress.ts"
import { oneAnswer } from "../support/oneAnswer.ts"
import { linesOf, recordingsOf } from "../support/recordings.ts"
import { dialectAt } from "../support/sandboxSearch.ts"
import { inventsNothing, searchBy } from "./acceptanceTable.ts"
import { assertPromised } from "./searchProviderContract.ts"

const { answerOf, bodyOf, directory, recordings } = recordingsOf("duckduckgo")
const hitsMax = 20

const Expected = Schema.fromJsonString(Schema.Struct({
  id: Schema.String,
  outcome: Schema.Literals(["results", "no-results", "anomaly"]),
  organic: Schema.Array(Schema.Struct({
    title: Schema.String,
    url: Schema.String,
    snippet: Schema.String
  }))
}))
const expectations = linesOf(join(directory, "expected_results.jsonl")).map((line) =>
  Schema.decodeUnknownSync(Expected)(line)
)
/** Kinds without an expectation of their own: pages that are none of this endpoint's. */
const failureByKind: Record<string, readonly [string, string]> = {
  anomaly: ["rate_limited", "captcha"],
  cloudflare: ["rate_limited", "captcha"],
  "news-results": ["unknown_error", "bad_body"],
  "news-empty": ["unknown_error", "bad_body"],
  "instant-answer": ["unknown_error", "bad_body"]
}

const providerAt = dialectAt(DuckDuckGo)

describe.skipIf(recordings.length === 0)("recorded DuckDuckGo pages", () => {
  const replay = (id: string) =>
    Effect.gen(function*() {
      const { baseUrl, say } = yield* oneAnswer
      yield* say(answerOf(id))
      return yield* searchBy(providerAt, baseUrl, { hitsMax })
    })

  it.live.each(expectations)(
    "$id is $outcome, word for word",
    ({ id, organic, outcome }) =>
      Effect.gen(function*() {
        if (outcome === "anomaly") {
          const failure = yield* Effect.flip(replay(id))
          assert.deepStrictEqual([failure.status, failure.detail], ["rate_limited", "captcha"])
          assert.strictEqual(failure.retry_after_ms, 600_000)
          return
        }
        const answer = yield* replay(id)
        assertPromised(answer, hitsMax)
        assert.strictEqual(answer.droppedCount, 0)
        assert.deepStrictEqual(
          answer.hits.map(({ content, title, url }) => ({ title, url, snippet: content })),
          organic.map(({ snippet, title, url }) => ({
            title,
            url: Option.getOrThrow(WebAddress.canonical(url)).href,
            snippet
          }))
        )
      })
  )

  const others = recordings.filter(({ id }) => !expectations.some((known) => known.id === id))
  it.live.each(others)(
    "$id ($kind) is a typed failure",
    ({ id, kind = "" }) =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(replay(id))
        assert.deepStrictEqual([failure.status, failure.detail ?? ""], failureByKind[kind])
      })
  )

  it.live("dates are read where the page shows them", () =>
    Effect.gen(function*() {
      const { hits } = yield* replay("celina-ddg_html")
      const dates = hits.map(({ published_date }) => published_date)
      const [first, , third, fourth] = dates
      assert.deepStrictEqual([first, third, fourth], ["2025-07-16", "2026-05-01", undefined])
    }))

  it.live("a page cut anywhere, under any type, invents nothing", () =>
    inventsNothing(providerAt, recordings.map(({ body_file }) => bodyOf(body_file)), [
      "text/html",
      "application/json",
      "text/plain",
      "image/png",
      "text/html; charset=iso-8859-1"
    ]))
})
