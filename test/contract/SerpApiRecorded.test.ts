/** SerpAPI's recorded answers through the adapter. The set is not in the repository. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { SerpApi } from "../../packages/dialects/src/SerpApi.ts"
import * as WebAddress from "../../src/domain/search/WebAddress.ts"
import { oneAnswer } from "../support/oneAnswer.ts"
import { recordingsOf } from "../support/recordings.ts"
import { dialectAt } from "../support/sandboxSearch.ts"
import { inventsNothing, searchBy } from "./acceptanceTable.ts"
import { assertPromised } from "./searchProviderContract.ts"

const { answerOf, bodyOf, recordings } = recordingsOf("serpapi")
const hitsMax = 20

const Results = Schema.fromJsonString(Schema.Struct({
  organic_results: Schema.Array(Schema.Struct({
    title: Schema.String,
    link: Schema.String,
    snippet: Schema.optionalKey(Schema.String),
    date: Schema.optionalKey(Schema.String)
  }))
}))
const decodeResults = Schema.decodeUnknownOption(Results)

const failureById: Record<string, readonly [string, string]> = {
  "err-invalid-key": ["invalid_key", ""],
  "err-out-of-searches": ["quota_exhausted", ""],
  "sdkjava-error_sample": ["invalid_key", ""],
  "sdkjava-account": ["unknown_error", "bad_body"],
  "sdkjava-location": ["unknown_error", "bad_body"],
  "sdkjava-search_coffee_sample-html": ["unknown_error", "bad_body"]
}
const isResults = ({ body_file }: { readonly body_file: string }) =>
  Option.isSome(decodeResults(bodyOf(body_file)))
const searches = recordings.filter(isResults)
const failures = recordings.filter(({ id }) => id in failureById)

const providerAt = dialectAt(SerpApi, "serp-sandbox-1")

describe.skipIf(recordings.length === 0)("recorded SerpAPI answers", () => {
  const replay = (id: string) =>
    Effect.gen(function*() {
      const { baseUrl, say } = yield* oneAnswer
      yield* say(answerOf(id))
      return yield* searchBy(providerAt, baseUrl, { hitsMax })
    })

  it.live.each(searches)(
    "$id is an answer with all its results",
    ({ body_file, id }) =>
      Effect.gen(function*() {
        const answer = yield* replay(id)
        const { organic_results } = Option.getOrThrow(decodeResults(bodyOf(body_file)))
        assertPromised(answer, hitsMax)
        assert.strictEqual(answer.droppedCount, 0)
        assert.strictEqual(answer.hits.length, organic_results.length)
        for (const hit of answer.hits) {
          const result = organic_results[hit.rank - 1]
          assert.strictEqual(hit.title, result?.title.replace(/\s+/g, " ").trim())
          const address = WebAddress.canonical(result?.link ?? "")
          assert.strictEqual(hit.url, Option.getOrThrow(address).href)
          assert.strictEqual(hit.content.length > 0, (result?.snippet ?? "") !== "")
          assert.strictEqual(hit.published_date !== undefined, result?.date !== undefined)
        }
        assert.notProperty(answer, "credits")
        assert.match(answer.upstreamRequestId ?? "", /^[0-9a-f]{24}$/)
      })
  )

  it.live.each(failures)("$id is a typed failure", ({ id, status }) =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(replay(id))
      assert.deepStrictEqual([failure.status, failure.detail ?? ""], failureById[id])
      assert.strictEqual(failure.http_status, status)
    }))

  it.live("nothing found is an answer, though it comes with an error", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* replay("err-no-results")).hits, [])
    }))

  it("every recording is one of the three", () => {
    assert.strictEqual(searches.length + failures.length + 1, recordings.length)
  })

  it.live("an answer cut anywhere, under any type, invents nothing", () =>
    inventsNothing(providerAt, recordings.map(({ body_file }) => bodyOf(body_file)), [
      "application/json",
      "text/html",
      "text/plain",
      "image/png",
      "application/json; charset=utf-16"
    ]))

  it.live("a field of a result removed or odd invents nothing", () =>
    Effect.gen(function*() {
      const { baseUrl, say } = yield* oneAnswer
      const { organic_results, ...rest } = JSON.parse(bodyOf("bodies/lcg-serpapi-0.json"))
      for (const name of ["link", "title", "snippet", "date", "position"]) {
        for (const odd of [undefined, null, 7, "", [], {}, "\u0000\uD800"]) {
          const changed = organic_results.map((result: object) => ({ ...result, [name]: odd }))
          const body = JSON.stringify({ ...rest, organic_results: changed })
          yield* say({ body, contentType: "application/json" })
          const read = yield* Effect.result(searchBy(providerAt, baseUrl, { hitsMax }))
          if (read._tag === "Success") assertPromised(read.success, hitsMax)
          if (name === "link") assert.strictEqual(read._tag, "Failure")
        }
      }
    }))
})
