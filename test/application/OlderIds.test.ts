/** Sessions that were recorded under ids of any text stay readable; nothing new joins them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { GroundQuestion } from "../../src/application/GroundQuestion.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { GroundingRequest } from "../../src/domain/request/GroundingRequest.ts"
import { askedRequest, caller, inMemory, providers, scripted } from "../support/grounding.ts"
import { PublicApi, ResearchTopic } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"

const id = { session_id: "my session \u202e", request_id: "turn 1 \u001b[2J e\u0301" }
const answer = answerWith([hit("https://housing.gov.example/notice", {
  official: true,
  content: "A tenant must give one month's notice before moving out of an ordinary flat."
})])
const silent = () => Effect.void

const versions = Effect.gen(function*() {
  const store = yield* EventStore
  const ref = { tenant_id: caller.tenantId, session_id: id.session_id }
  return (yield* store.read(ref)).events.map(({ version }) => version)
})

/** As a release before the alphabet did it: the input is not checked. */
const recorded = Effect.gen(function*() {
  const request = yield* Schema.decodeUnknownEffect(GroundingRequest)({ ...askedRequest, ...id })
  const { ground } = yield* GroundQuestion
  return yield* ground(request, caller, silent)
})

describe("a session recorded under ids of any text", () => {
  it.effect("is listed, replayed, and its pack is read and shown", () =>
    Effect.gen(function*() {
      const outcome = yield* recorded
      const api = yield* PublicApi
      const { events } = yield* api.session({ session_id: id.session_id }, caller)
      assert.isAbove(events.length, 5)
      assert.deepStrictEqual(yield* api.pack(id, caller), outcome)
      const view = yield* api.view({ ...id, audience: "roleplay_background" }, caller)
      assert.notStrictEqual(view.text, "")
      assert.isTrue((yield* api.shown({ ...id, audience: "user" }, caller)).recorded)
      const { chain_fault, difference } = yield* api.replay({ session_id: id.session_id }, caller)
      assert.deepStrictEqual({ chain_fault, difference }, {
        chain_fault: undefined,
        difference: undefined
      })
    }).pipe(Effect.provide(inMemory(providers(scripted(answer))))))

  it.effect("takes no new request, and no repeated one", () =>
    Effect.gen(function*() {
      yield* recorded
      const before = yield* versions
      const api = yield* PublicApi
      const research = yield* ResearchTopic
      const course = { session_id: id.session_id, course_title: "Notice in Japan" }
      const refusals = yield* Effect.all([
        Effect.flip(api.ground({ ...askedRequest, ...id }, caller, silent)),
        Effect.flip(api.ground({ ...askedRequest, session_id: id.session_id }, caller, silent)),
        Effect.flip(research.research(course, caller)),
        Effect.flip(research.outline(course, caller))
      ])
      for (const refusal of refusals) {
        assert.deepInclude(refusal, { _tag: "InvalidInput", field: "session_id" })
      }
      assert.deepStrictEqual(yield* versions, before)
      const again = yield* Effect.flip(
        research.research({ ...course, session_id: "s", request_id: id.request_id }, caller)
      )
      assert.deepInclude(again, { _tag: "InvalidInput", field: "request_id" })
    }).pipe(Effect.provide(inMemory(providers(scripted(answer))))))
})
