/** Outlines over the house's documents and the web, by rule, by a model, and by bad models. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import * as SessionLog from "../../src/application/log/SessionLog.ts"
import { SearchFailed } from "../../src/application/ports/SearchProvider.ts"
import type { OutlineAnswer } from "../../src/domain/research/Research.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { applicationOf, housedOf } from "../support/chat.ts"
import { note } from "../support/evidenceEntries.ts"
import {
  caller,
  evidence,
  inMemory,
  instance,
  limits,
  providers,
  sandbox,
  sandboxProviders,
  scripted
} from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import { eventsIn } from "../support/recordedSession.ts"
import * as Sent from "../support/sent.ts"
import { PublicApi, ResearchTopic } from "../support/sent.ts"

const input = { session_id: "s", request_id: "r", course_title: "Tenant notice in Japan" }
const ownWords = "The notice period is fixed by the cancellation clause of the contract"
const ours = note(
  "n1",
  `${ownWords} that a tenant in Japan signed. Learners can find that clause.`,
  "Notice: ending an ordinary residential lease"
)

const quietly = Effect.provideService(References.MinimumLogLevel, "None")
const outlined = (given: object = input) =>
  Effect.flatMap(ResearchTopic, ({ outline }) => quietly(outline(given, caller)))
const researched = (given: object = input) =>
  Effect.flatMap(ResearchTopic, ({ research }) => quietly(research(given, caller)))
const housed = Effect.flatMap(
  Sent.EvidenceApi,
  ({ collect }) => collect({ material: ours }, caller)
)

const factsIn = (session_id = "s") =>
  Effect.gen(function*() {
    const events = yield* eventsIn(session_id)
    return yield* Effect.forEach(events, SessionLog.codec.decode)
  })
const researchIn = Effect.map(
  factsIn(),
  (facts) => facts.flatMap((fact) => fact._tag === "WEB_GROUNDING_RESEARCHED" ? [fact] : [])
)
const differenceIn = (session_id = "s") =>
  Effect.map(
    Effect.flatMap(PublicApi, (api) => api.replay({ session_id }, caller)),
    ({ difference }) => difference
  )

/** Every text that a source of the session has. */
const textsIn = Effect.map(factsIn(), (facts) =>
  new Map([
    ["n1", ours.source_type === "user_note" ? ours.text : ""],
    ...facts.flatMap((fact) =>
      fact._tag === "WEB_GROUNDING_CALLED"
        ? fact.hits.map(({ content, url }) => [url, content] as const)
        : []
    )
  ]))

const flat = (text: string) => text.replace(/\s+/g, " ")

const assertBorne = Effect.fnUntraced(function*(made: OutlineAnswer) {
  const texts = yield* textsIn
  const bearings = [
    ...made.modules.flatMap(({ references_from }) => references_from),
    ...made.learning_outcomes_from
  ]
  assert.lengthOf(made.learning_outcomes_from, made.learning_outcomes.length)
  for (const { quote, url } of bearings) {
    assert.include(flat(texts.get(url) ?? ""), flat(quote))
  }
  const { execution_context: _, ...told } = made
  const named = new Set(bearings.map(({ url }) => url))
  for (const { url } of made.references) assert.isTrue(named.has(url), url)
  assert.notMatch(JSON.stringify(told), /evil|gold bars|Wire transfers|987654|system prompt/i)
})

const byRules = inMemory(sandboxProviders.pipe(Layer.provide(sandbox), Layer.orDie))
const failing = () =>
  providers(scripted(new SearchFailed({ provider: "tavily", status: "network_error" })))
const down = inMemory(failing())
const housedDown = useCases.pipe(
  Layer.provideMerge(evidence),
  Layer.provideMerge(Layer.mergeAll(failing(), MemoryEventStore.layer, instance("p1"), limits()))
)

describe("an outline by a model", () => {
  it.live("rests on both kinds of sources, is recorded, and is the same when asked again", () =>
    Effect.gen(function*() {
      yield* housed
      const made = yield* outlined()
      yield* assertBorne(made)
      assert.includeMembers(made.references.map(({ from }) => from), ["internal", "external"])
      assert.isNotEmpty(made.learning_outcomes)
      assert.match(made.outline_notes, /model/)
      assert.isAbove(made.total_duration_hours, 0)
      const { execution_context: before, ...told } = made
      const { execution_context: after, ...again } = yield* outlined()
      assert.deepStrictEqual(again, told)
      assert.deepStrictEqual(after.retrieved_documents, before.retrieved_documents)
      assert.lengthOf(yield* researchIn, 1)
      assert.isUndefined(yield* differenceIn())
    }).pipe(Effect.provide(housedOf("good"))))

  it.live.each(["malicious", "hostile", "wrong", "mediocre", "garbage", "truncated", "empty"])(
    "has nothing without support when the model is %s, and replays the same",
    (name) =>
      Effect.gen(function*() {
        yield* housed
        yield* assertBorne(yield* outlined())
        assert.isUndefined(yield* differenceIn())
      }).pipe(Effect.provide(housedOf(name)))
  )

  it.live("is tried to be turned by the malicious one, in vain", () =>
    Effect.gen(function*() {
      yield* housed
      yield* outlined()
      const [fact] = yield* researchIn
      assert.match(JSON.stringify(fact?.draft.outline), /evil/)
      assert.notMatch(JSON.stringify(fact?.outline), /evil/)
    }).pipe(Effect.provide(housedOf("malicious"))))

  it.live.each(["hostile", "garbage"])(
    "is made by rule when the sources support nothing that a model says: %s",
    (name) =>
      Effect.gen(function*() {
        yield* housed
        const made = yield* outlined()
        assert.deepInclude(made.modules[0]?.references_from[0], { type: "internal", url: "n1" })
        assert.match(made.outline_notes, /by rule/)
      }).pipe(Effect.provide(housedOf(name)))
  )
})

describe("an outline by rule", () => {
  it.live("has a module of each source in its own words, and no outcome that none states", () =>
    Effect.gen(function*() {
      yield* housed
      const made = yield* outlined()
      yield* assertBorne(made)
      assert.strictEqual(
        made.modules[0]?.description,
        `${ownWords} that a tenant in Japan signed.`
      )
      assert.deepStrictEqual(made.learning_outcomes, ["Learners can find that clause."])
      assert.match(made.outline_notes, /by rule/)
      assert.isUndefined(yield* differenceIn())
    }).pipe(Effect.provide(housedDown)))
})

describe("the web step", () => {
  it.live("is left out on demand: nothing is asked, and the outline is recorded", () =>
    Effect.gen(function*() {
      yield* housed
      const made = yield* outlined({ ...input, mode: "skip" })
      assert.deepStrictEqual(made.references.map(({ url }) => url), ["n1"])
      assert.strictEqual(made.execution_context.web_search_results.confidence, 0)
      const tags = (yield* factsIn()).map(({ _tag }) => _tag)
      assert.notInclude(tags, "WEB_GROUNDING_CALL_STARTED")
      assert.include(tags, "WEB_GROUNDING_RESEARCHED")
      assert.isUndefined(yield* differenceIn())
      const found = yield* researched({ ...input, session_id: "s2", mode: "skip" })
      assert.deepStrictEqual([found.result_count, found.confidence_score], [0, 0])
      assert.match(found.search_notes, /left out/)
      assert.isEmpty(yield* factsIn("s2"))
    }).pipe(Effect.provide(housedOf("good"))))

  it.live("has to be answered where it is blocking", () =>
    Effect.gen(function*() {
      const blocking = { ...input, mode: "blocking" }
      const failures = [
        yield* Effect.flip(researched(blocking)),
        yield* Effect.flip(outlined({ ...blocking, session_id: "s2" }))
      ]
      for (const failure of failures) {
        assert.strictEqual(failure._tag, "ResearchFailed")
        assert.match(failure.message, /All tools failed/)
      }
    }).pipe(Effect.provide(down)))

  it.live("is answered by nothing, too", () =>
    Effect.gen(function*() {
      const found = yield* researched({ ...input, mode: "blocking" })
      assert.strictEqual(found.result_count, 0)
    }).pipe(Effect.provide(inMemory(providers(scripted({ hits: [], droppedCount: 0 }))))))
})

describe("the budget of research", () => {
  const ground = (session_id: string) =>
    Effect.flatMap(PublicApi, (api) =>
      api.ground({
        session_id,
        topic: "What does a tram ride in Halvern cost?",
        phase: "mid_chat",
        user_asked_for_facts: true,
        overrides: { max_queries: 1 }
      }, caller))
  const spentIn = (session_id: string) =>
    Effect.map(
      factsIn(session_id),
      (facts) => facts.filter(({ _tag }) => _tag === "WEB_GROUNDING_CALL_STARTED").length
    )

  it.live("is what is left of the session's, and it says so", () =>
    Effect.gen(function*() {
      yield* ground("s")
      const first = yield* researched()
      assert.match(first.search_notes, /The session had 1 of the 3 searches left/)
      assert.strictEqual(yield* spentIn("s"), 2)
      const second = yield* researched({
        ...input,
        request_id: "r2",
        course_title: "Paid leave in Japan"
      })
      assert.match(second.search_notes, /The session has no search left/)
      assert.strictEqual(second.result_count, 0)
      assert.notMatch(second.search_notes, /tools failed/)
      assert.strictEqual(yield* spentIn("s"), 2)
    }).pipe(Effect.provide(byRules)))

  it.live.each([[1, "standard"], [2, "standard"], [3, "premium"]] as const)(
    "of %s is a %s session of its own where none is named, found again by its request",
    ([search_budget, tier]) =>
      Effect.gen(function*() {
        const asked = { request_id: "own", course_title: input.course_title, search_budget }
        const found = yield* researched(asked)
        const facts = yield* factsIn("own")
        assert.strictEqual(yield* spentIn("own"), search_budget)
        const [first] = facts
        assert.strictEqual(
          first?._tag === "WEB_GROUNDING_REQUESTED" ? first.request.tier : "",
          tier
        )
        assert.deepStrictEqual(yield* researched(asked), found)
        assert.lengthOf(yield* factsIn("own"), facts.length)
      }).pipe(Effect.provide(byRules))
  )

  it.live("is not spent again for what the session has answered", () =>
    Effect.gen(function*() {
      const found = yield* researched()
      const again = yield* researched({ ...input, request_id: "r2" })
      assert.strictEqual(again.result_count, found.result_count)
      assert.strictEqual(again.confidence_score, found.confidence_score)
      assert.strictEqual(yield* spentIn("s"), 3)
    }).pipe(Effect.provide(applicationOf("good"))))
})

const searchesIn = Effect.map(
  factsIn(),
  (facts) => facts.filter(({ _tag }) => _tag === "WEB_GROUNDING_CALL_STARTED").length
)

describe("an outline after research", () => {
  it.live("in one session rests on the same results, and replays the same", () =>
    Effect.gen(function*() {
      const found = yield* researched()
      const made = yield* outlined({ ...input, request_id: "r2" })
      yield* assertBorne(made)
      assert.isNotEmpty(made.modules)
      assert.deepStrictEqual(
        made.execution_context.web_search_results.links,
        found.source_links.map(({ url }) => url)
      )
      assert.strictEqual(yield* searchesIn, 3)
      assert.isUndefined(yield* differenceIn())
      const { execution_context: _, ...told } = made
      const { execution_context: __, ...again } = yield* outlined({ ...input, request_id: "r3" })
      assert.deepStrictEqual(again, told)
      assert.strictEqual(yield* searchesIn, 3)
      assert.isUndefined(yield* differenceIn())
    }).pipe(Effect.provide(byRules)))

  it.live("cannot have its request's id", () =>
    Effect.gen(function*() {
      yield* researched()
      assert.strictEqual((yield* Effect.flip(outlined()))._tag, "RequestConflict")
    }).pipe(Effect.provide(byRules)))
})

describe("what is asked", () => {
  it.live.each<readonly [string, unknown]>([
    ["search_budget", 0],
    ["search_budget", 4],
    ["search_budget", 1.5],
    ["min_results", 0],
    ["min_results", 11],
    ["confidence_threshold", 0.29],
    ["confidence_threshold", 1.01],
    ["confidence_threshold", Number.NaN],
    ["mode", "sometimes"],
    ["session_id", "a b"]
  ])("has bounds: %s %s", ([field, value]) =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(researched({ ...input, [field]: value }))
      assert.deepInclude(failure, { _tag: "InvalidInput", field })
    }).pipe(Effect.provide(down)))
})
