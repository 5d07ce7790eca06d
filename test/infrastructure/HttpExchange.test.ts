import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { HttpClientRequest } from "effect/http"
import * as HttpExchange from "../../src/infrastructure/HttpExchange.ts"
import { oneAnswer } from "../support/oneAnswer.ts"

const answer = { body: "{}", contentType: "application/json", status: 429 }

describe("an exchange over HTTP", () => {
  it.live("tells an adapter the headers of the answer, by their names in lower case", () =>
    Effect.gen(function*() {
      const { baseUrl, say } = yield* oneAnswer
      yield* say({ ...answer, headers: { "X-RateLimit-Reset": "1, 3600", "Retry-After": "2" } })
      const request = HttpClientRequest.get(baseUrl)
      const { headers, retryAfterMs } = yield* HttpExchange.exchange(request, 10)
      assert.strictEqual(headers["x-ratelimit-reset"], "1, 3600")
      assert.isUndefined(headers["x-ratelimit-limit"])
      assert.deepStrictEqual(retryAfterMs, Option.some(2_000))
    }))

  it.live("takes no more headers than 16 KiB together", () =>
    Effect.gen(function*() {
      const { baseUrl, say } = yield* oneAnswer
      yield* say({ ...answer, headers: { "x-large": "x".repeat(16 * 1_024) } })
      const request = HttpClientRequest.get(baseUrl)
      const { unsent } = yield* Effect.flip(HttpExchange.exchange(request, 10))
      assert.isFalse(unsent)
    }))
})
