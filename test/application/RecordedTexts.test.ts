/** Which texts an answer without results was made of: the outcome's version says it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { SearchFailed } from "../../src/application/ports/SearchProvider.ts"
import * as OutcomeReason from "../../src/domain/session/OutcomeReason.ts"
import { askedRequest, caller, inMemory, providers, scripted } from "../support/grounding.ts"
import { PublicApi } from "../support/sent.ts"

describe("an outcome", () => {
  it.effect("records the version of the texts in which the outcome is reported", () => {
    const provider = scripted(new SearchFailed({ provider: "tavily", status: "network_error" }))
    return Effect.gen(function*() {
      const api = yield* PublicApi
      const { llm_context } = yield* api.ground(askedRequest, caller)
      assert.match(llm_context, /^\[Web search unavailable\] The search service is down, so nobody/)
      const { read } = yield* EventStore
      const { events } = yield* read({
        tenant_id: caller.tenantId,
        session_id: askedRequest.session_id
      })
      const { data, type } = events.at(-1) ?? assert.fail("nothing is recorded")
      assert.strictEqual(type, "WEB_GROUNDING_FINISHED")
      assert.strictEqual(Object(data).texts_version, OutcomeReason.textsVersion)
    }).pipe(Effect.provide(inMemory(providers(provider))))
  })
})
