/** Tavily's recorded answers through the adapter. The set is not in the repository. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option, Schema } from "effect"
import { Tavily } from "../../packages/dialects/src/Tavily.ts"
import { oneAnswer } from "../support/oneAnswer.ts"
import { recordingsOf } from "../support/recordings.ts"
import { readBy, searchAt } from "../support/sandboxSearch.ts"
import { assertPromised } from "./searchProviderContract.ts"

const { answerOf, bodyOf, recordings } = recordingsOf("tavily")
const cutsPerBody = 20
const hitsMax = 20

const Results = Schema.fromJsonString(Schema.Struct({
  results: Schema.Array(Schema.Struct({
    url: Schema.String,
    title: Schema.String,
    content: Schema.String,
    score: Schema.optionalKey(Schema.Unknown)
  }))
}))

const searches = recordings.filter(({ endpoint, status }) =>
  endpoint === "/search" && status === 200
)
const errors = recordings.flatMap(({ id, status }) =>
  status != null && status >= 400 ? [{ id, status }] : []
)

const statusOf: Record<number, string> = {
  400: "bad_request",
  401: "invalid_key",
  403: "unknown_error",
  404: "unknown_error",
  422: "bad_request",
  429: "rate_limited",
  432: "quota_exhausted",
  433: "quota_exhausted",
  500: "network_error",
  504: "network_error"
}
/** The one recorded 429 that speaks of an exhausted plan. */
const exhaustedPlan = "lg-5570ee4f-0"

describe.skipIf(recordings.length === 0)("recorded Tavily bodies", () => {
  const replay = (id: string) =>
    Effect.gen(function*() {
      const { baseUrl, say } = yield* oneAnswer
      yield* say(answerOf(id))
      return yield* searchAt(baseUrl, { hitsMax })
    })

  it.live.each(searches)(
    "$id is an answer with all its results",
    ({ body_file, id }) =>
      Effect.gen(function*() {
        const answer = yield* replay(id)
        const { results } = Schema.decodeUnknownSync(Results)(bodyOf(body_file))
        assertPromised(answer, hitsMax)
        assert.strictEqual(answer.droppedCount, 0)
        assert.strictEqual(answer.hits.length, new Set(results.map(({ url }) => url)).size)
        for (const hit of answer.hits) {
          const result = results[hit.rank - 1]
          assert.strictEqual(hit.score, result?.score)
          assert.strictEqual(new URL(result?.url ?? "").hostname, new URL(hit.url).hostname)
        }
      })
  )

  it.live.each(errors)(
    "$id ($status) has its status",
    ({ id, status }) =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(replay(id))
        const expected = id === exhaustedPlan ? "quota_exhausted" : statusOf[status]
        assert.strictEqual(failure.status, expected)
        assert.strictEqual(failure.http_status, status)
        if (id === "obs-429-live-2026-07") assert.strictEqual(failure.retry_after_ms, 60_000)
      })
  )

  it.live("every other recording ends as an answer or a typed failure", () =>
    Effect.gen(function*() {
      for (const { id } of recordings) {
        const exit = yield* Effect.exit(replay(id))
        if (Exit.isFailure(exit)) assert.isFalse(Cause.hasDies(exit.cause), id)
      }
    }))

  it("a body cut anywhere is no answer, or one that invents nothing", () => {
    let cuts = 0
    for (const { body_file } of searches) {
      const body = bodyOf(body_file)
      const whole = readBy(Tavily, body, hitsMax)
      for (let n = 0; n < cutsPerBody; n++) {
        const part = body.slice(0, Math.trunc((body.length * n) / cutsPerBody))
        cuts += 1
        const answer = readBy(Tavily, part, hitsMax)
        if (Option.isSome(answer)) assert.deepStrictEqual(answer, whole)
      }
    }
    assert.strictEqual(cuts, searches.length * cutsPerBody)
    assert.isAtLeast(searches.length, 30)
  })

  it("a body with any one field of a result removed or odd invents nothing", () => {
    for (const { body_file } of searches) {
      const { results, ...rest } = JSON.parse(bodyOf(body_file))
      for (const name of ["url", "title", "content", "score", "raw_content"]) {
        for (const odd of [undefined, null, 7, "", [], {}, "\u0000\uD800"]) {
          const changed = results.map((result: object) => ({ ...result, [name]: odd }))
          const text = JSON.stringify({ ...rest, results: changed })
          const answer = readBy(Tavily, text, hitsMax)
          if (Option.isSome(answer)) assertPromised(answer.value, hitsMax)
          if (name === "url") assert.isTrue(Option.isNone(answer))
        }
      }
    }
  })
})
