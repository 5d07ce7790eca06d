import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { SearchFailed } from "../../src/application/ports/SearchProvider.ts"
import { StoredEvidence } from "../../src/application/ports/StoredEvidence.ts"
import { pageOfEntry } from "../../src/domain/store/StoredPage.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { evidenceWith, recallWith, useCases } from "../../src/wiring/layers.ts"
import { collection, note as entryNote } from "../support/evidenceEntries.ts"
import { caller, instance, limits, providers, scripted } from "../support/grounding.ts"
import { grace } from "../support/machine.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryEvidenceStore from "../support/memory/MemoryEvidenceStore.ts"
import { eventsIn, replays } from "../support/recordedSession.ts"
import { EvidenceApi, PublicApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"

const rule = "The reading room of the institute opens at 7:30 and has 64 desks for visitors."
const answer = answerWith([
  hit("https://library.gov.example/room", {
    official: true,
    site: "gov.example",
    content: "The reading room of the city library has 120 desks and opens at noon."
  })
])
const asked = {
  session_id: "s",
  request_id: "r",
  topic: "How many desks has the reading room of the institute?",
  phase: "mid_chat",
  user_asked_for_facts: true
}
const note = {
  material: { source_type: "user_note", source_id: "house-rules", title: "House rules", text: rule }
}

const over = (provider: ReturnType<typeof scripted>, entriesMax = 4) =>
  Layer.mergeAll(useCases, evidenceWith(Engines.local)).pipe(
    Layer.provide(recallWith(Engines.local)),
    Layer.provide(providers(provider)),
    Layer.provideMerge(
      Layer.mergeAll(
        MemoryEventStore.layer,
        MemoryEvidenceStore.layer,
        instance("p1"),
        limits({ entriesMax })
      )
    )
  )

/** Over a store that answers so. */
const asking = (store: Layer.Layer<never>, bounds: { readonly engineTimeoutMs?: number } = {}) =>
  useCases.pipe(
    Layer.provide(store),
    Layer.provide(providers(scripted(answer))),
    Layer.provide(
      Layer.mergeAll(MemoryEventStore.layer, instance("p1"), limits({ entriesMax: 4, ...bounds }))
    )
  )

const ground = (fields: object = {}) =>
  Effect.flatMap(PublicApi, (api) => api.ground({ ...asked, ...fields }, caller))

const collected = Effect.flatMap(EvidenceApi, (api) => api.collect(note, caller))

const readersOf = Effect.gen(function*() {
  const events = yield* eventsIn()
  const read = events.findLast(({ type }) => type === "WEB_GROUNDING_EVIDENCE_READ")
  return { read: JSON.stringify(read?.data ?? null), types: events.map(({ type }) => type) }
})

describe("what was collected before", () => {
  it.effect("is quoted in addition to the web, and is no search of the budget", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      yield* collected
      const outcome = yield* ground()
      const { read } = yield* readersOf
      assert.include(read, "\"reader\":\"store\"")
      assert.include(read, "\"reader\":\"snippet\"")
      assert.include(JSON.stringify(outcome.pack), "64 desks")
      assert.strictEqual(outcome.budget.spent_by_request, provider.queries.length)
      yield* replays()
    }).pipe(Effect.provide(over(provider)))
  })

  it.effect("answers alone when the caller wants no search", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      yield* collected
      const outcome = yield* ground({ overrides: { sources: "store" } })
      assert.strictEqual(outcome.mode, "grounded")
      assert.include(JSON.stringify(outcome.pack), "64 desks")
      assert.strictEqual(provider.queries.length, 0)
      assert.deepStrictEqual(yield* ground({ overrides: { sources: "store" } }), outcome)
      yield* replays()
    }).pipe(Effect.provide(over(provider)))
  })

  it.effect("is reported to hold nothing when it alone was asked, and no search is blamed", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      const outcome = yield* ground({ overrides: { sources: "store" } })
      assert.strictEqual(outcome.mode, "ungrounded")
      assert.match(outcome.llm_context, /^\[Search finished\] The evidence store holds nothing on/)
      const korean = yield* ground({
        request_id: "ko",
        locale: "ko-KR",
        overrides: { sources: "store" }
      })
      assert.match(korean.llm_context, /^\[검색 완료\] 증거 저장소/)
      assert.strictEqual(provider.queries.length, 0)
    }).pipe(Effect.provide(over(provider)))
  })

  it.effect("answers when no search is left", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      yield* collected
      for (const request_id of ["r1", "r2"]) {
        yield* ground({ request_id, topic: `What does tram line ${request_id} cost?` })
      }
      const before = provider.queries.length
      const outcome = yield* ground({ request_id: "r3" })
      assert.include(outcome.need.reason_codes, "BUDGET_EXHAUSTED")
      assert.include(JSON.stringify(outcome.pack), "64 desks")
      assert.strictEqual(provider.queries.length, before)
      yield* replays()
    }).pipe(Effect.provide(over(provider)))
  })

  it.effect("answers when every provider is down", () => {
    const down = scripted(new SearchFailed({ provider: "tavily", status: "network_error" }))
    return Effect.gen(function*() {
      yield* collected
      const outcome = yield* ground()
      assert.strictEqual(outcome.mode, "partial")
      assert.include(JSON.stringify(outcome.pack), "64 desks")
      yield* replays()
    }).pipe(Effect.provide(over(down)))
  })

  it.effect("is not seen by another tenant", () =>
    Effect.gen(function*() {
      yield* collected
      const api = yield* PublicApi
      const other = { ...caller, tenantId: "other" }
      const outcome = yield* api.ground(asked, other)
      assert.notInclude(JSON.stringify(outcome), "64 desks")
    }).pipe(Effect.provide(over(scripted(answer)))))

  it.effect("is not asked where the limit is nothing, and an empty store changes no mode", () =>
    Effect.gen(function*() {
      yield* collected
      const outcome = yield* ground({ overrides: { sources: "store" } })
      assert.notInclude(JSON.stringify(outcome), "64 desks")
    }).pipe(Effect.provide(over(scripted(answer), 0))))

  it.live("may hang: the answer comes within the deadline all the same", () => {
    const hanging = Layer.succeed(StoredEvidence, { find: () => Effect.never })
    return Effect.gen(function*() {
      const [took] = yield* Effect.timed(ground({ deadline_ms: 400 }))
      assert.isBelow(Duration.toMillis(took), 400 + grace(250))
    }).pipe(Effect.provide(asking(hanging)))
  })

  it.effect("is asked without the user's personal data", () => {
    const asked: Array<string> = []
    const listening = Layer.succeed(StoredEvidence, {
      find: (_, { question }) => Effect.sync(() => (asked.push(question), { kept: [] }))
    })
    return Effect.gen(function*() {
      yield* ground({
        topic:
          "How many desks does the reading room of Halvern Library have? I am ada@quokka.example"
      })
      assert.strictEqual(asked.length, 1)
      assert.include(asked.join(), "reading room")
      assert.notInclude(asked.join(), "quokka")
    }).pipe(Effect.provide(asking(listening)))
  })

  it.effect("gives a pack no address but one of the web", () => {
    const { entries: [entry] } = collection(entryNote("house-rules", rule))
    // As a release that did not look at addresses may have left it.
    const known = pageOfEntry("e1", { ...entry, source_url: "javascript:alert(1)" }, () => "x")
    const store = Layer.succeed(StoredEvidence, { find: () => Effect.succeed({ kept: [known] }) })
    return Effect.gen(function*() {
      const outcome = yield* ground()
      assert.include(JSON.stringify(outcome.pack), "64 desks")
      assert.notInclude(JSON.stringify(outcome), "javascript")
      assert.include(JSON.stringify(outcome.pack), "evidence:doc%3Ahouse-rules")
    }).pipe(Effect.provide(asking(store)))
  })

  it.live("may be out of reach: the grounding goes on without it", () => {
    const broken = Layer.succeed(StoredEvidence, { find: () => Effect.never })
    return Effect.gen(function*() {
      const outcome = yield* ground()
      assert.strictEqual(outcome.mode, "snippets_only")
    }).pipe(Effect.provide(asking(broken, { engineTimeoutMs: 20 })))
  })
})
