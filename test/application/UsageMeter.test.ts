import { assert, describe, it } from "@effect/vitest"
import { added } from "../../src/application/ports/Limits.ts"

const counted = {
  model: "m",
  prompt_tokens: 10,
  completion_tokens: 5,
  requests: 1,
  cost_micros: 70
}
const uncounted = { model: "m", requests: 1 }

describe("what the models of a step used", () => {
  it("is added up, request by request", () => {
    assert.deepStrictEqual(added(added(undefined, counted), counted), {
      model: "m",
      prompt_tokens: 20,
      completion_tokens: 10,
      requests: 2,
      cost_micros: 140
    })
  })

  it.each([[counted, uncounted], [uncounted, counted], [uncounted, uncounted]])(
    "is unknown as soon as one request of it is",
    (one, other) => {
      assert.deepStrictEqual(added(one, other), { model: "m", requests: 2 })
    }
  )

  it("keeps what is known of either side", () => {
    const half = { model: "m", prompt_tokens: 10, requests: 1 }
    assert.deepStrictEqual(added(counted, half), { model: "m", prompt_tokens: 20, requests: 2 })
  })
})
