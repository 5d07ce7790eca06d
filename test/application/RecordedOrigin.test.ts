/** Origin of each fact: its tenant, caller, request and command. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { Ids } from "../../src/application/ports/Platform.ts"
import { ids } from "../../src/wiring/Storage.ts"
import { inMemory, providers, scripted, tramFares as answer } from "../support/grounding.ts"
import { eventsIn } from "../support/recordedSession.ts"
import { PublicApi } from "../support/sent.ts"

const caller = { tenantId: "acme", actor: "user-7" }

/** Two requests of one session of that tenant, and the session's facts. */
const recorded = Effect.gen(function*() {
  const api = yield* PublicApi
  for (const request_id of ["r1", "r2"]) {
    yield* api.ground({
      session_id: "s",
      request_id,
      topic: `How much is a tram ticket in Halvern ${request_id}?`,
      phase: "mid_chat",
      user_asked_for_facts: true
    }, caller)
  }
  yield* api.shown({ session_id: "s", request_id: "r1", audience: "user" }, caller)
  const events = yield* eventsIn("s", caller.tenantId)
  assert.isAbove(events.length, 10)
  return events
}).pipe(Effect.provide(inMemory(providers(scripted(answer)))))

describe("a recorded fact", () => {
  it.effect("is in the stream of its caller's tenant, and in no other", () =>
    Effect.gen(function*() {
      const api = yield* PublicApi
      const asked = { session_id: "s", request_id: "r", topic: "Write a poem about my cat" }
      yield* api.ground(asked, caller)
      const { streams } = yield* EventStore
      assert.lengthOf(yield* streams("acme", 10), 1)
      assert.lengthOf(yield* streams("t", 10), 0)
    }).pipe(Effect.provide(inMemory(providers(scripted(answer))))))

  it.effect("names the request that it belongs to, and the caller who made it", () =>
    Effect.gen(function*() {
      for (const { data, metadata } of yield* recorded) {
        assert.strictEqual(metadata.correlation_id, Object(data).request_id)
        assert.strictEqual(metadata.actor, caller.actor)
      }
    }))

  it.effect("names the command that made it, of which its own id follows", () =>
    Effect.gen(function*() {
      const events = yield* recorded
      const { derived } = yield* Ids
      for (const { eventId, metadata } of events) {
        assert.strictEqual(eventId, derived(metadata.causation_id, 0))
      }
      const causes = new Set(events.map(({ metadata }) => metadata.causation_id))
      assert.strictEqual(causes.size, events.length, "one command recorded each")
    }).pipe(Effect.provide(ids)))
})
