import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as LocalEngines from "../../src/adapters/rules/LocalEngines.ts"
import { requestWith } from "../support/groundingRequest.ts"

describe("rule need gate", () => {
  it.effect("answers in full, in the order of its reasons", () =>
    Effect.gen(function*() {
      const user_question = "What is the etiquette of gift giving in Japan?"
      assert.deepStrictEqual(yield* LocalEngines.gate.ask(requestWith({ user_question })), {
        need_search: true,
        reason_codes: ["CULTURE_NORMS", "NICHE_ENTITY"],
        max_queries: 2,
        max_sources_per_query: 5,
        search_depth: "basic",
        topic: "general"
      })
    }))

  it.effect("says the same to the same request at any time", () =>
    Effect.gen(function*() {
      const request = requestWith({ user_question: "What changed in 2025?" })
      const first = yield* LocalEngines.gate.ask(request)
      assert.deepStrictEqual(yield* LocalEngines.gate.ask(request), first)
      const templated = { ...request, template_id: "tenancy law of Japan" }
      assert.deepStrictEqual(yield* LocalEngines.gate.ask(templated), first)
    }))
})
