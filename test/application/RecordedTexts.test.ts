/** Which texts an answer without results was made of: the outcome's version says it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { SearchFailed } from "../../src/application/ports/SearchProvider.ts"
import { PublicApi } from "../../src/application/PublicApi.ts"
import * as Degradation from "../../src/domain/search/Degradation.ts"
import { asked, caller, inMemory, providers, scripted } from "../support/grounding.ts"

describe("an outcome", () => {
  it.effect("records the version of the texts that a failed search is told in", () => {
    const provider = scripted(new SearchFailed({ provider: "tavily", status: "network_error" }))
    return Effect.gen(function*() {
      const api = yield* PublicApi
      const { llm_context, searches } = yield* api.ground(asked, caller, () => Effect.void)
      const query = searches.at(-1)?.query ?? ""
      assert.strictEqual(llm_context, Degradation.advice("network_error", query, "en"))
      const { read } = yield* EventStore
      const { events } = yield* read({ tenant_id: caller.tenantId, session_id: asked.session_id })
      const { data, type } = events.at(-1) ?? assert.fail("nothing is recorded")
      assert.strictEqual(type, "WEB_GROUNDING_FINISHED")
      assert.strictEqual(Object(data).texts_version, Degradation.degradationVersion)
    }).pipe(Effect.provide(inMemory(providers(provider))))
  })
})
