import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, References, Schema } from "effect"
import { EvidenceApi } from "../../src/application/EvidenceApi.ts"
import { fold } from "../../src/application/log/CommandHandler.ts"
import * as SessionLog from "../../src/application/log/SessionLog.ts"
import { SearchFailed } from "../../src/application/ports/SearchProvider.ts"
import { groundingOf, ResearchInput } from "../../src/domain/research/Research.ts"
import * as NextStep from "../../src/domain/session/NextStep.ts"
import * as Session from "../../src/domain/session/Session.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { applicationOf } from "../support/chat.ts"
import { note, webPage } from "../support/evidenceEntries.ts"
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
import { eventsIn, replays } from "../support/recordedSession.ts"
import * as Sent from "../support/sent.ts"
import { ResearchTopic } from "../support/sent.ts"
import { words } from "../support/words.ts"

const fields = words`
  search_query search_summary key_topics_found recommended_modules source_links
  learning_objectives_found skillset_recommendations confidence_score result_count
  high_quality_result_count tool_used execution_timestamp execution_time_ms fallback_used
  search_notes is_usable is_high_confidence
`

const input = {
  session_id: "s",
  request_id: "r",
  course_title: "Tenant notice in Japan",
  audience_category: "general",
  depth_requirement: "introduction",
  learning_mode: "workshop"
}

const ids = { session_id: "s", request_id: "r" }

const quietly = Effect.provideService(References.MinimumLogLevel, "None")
const research = (given: object = input) =>
  Effect.flatMap(ResearchTopic, (topic) => topic.research(given, caller))
const outline = Effect.flatMap(ResearchTopic, (topic) => topic.outline(input, caller))

/** What the log says of the reading for a course. */
const researchedIn = Effect.gen(function*() {
  const events = yield* eventsIn()
  const facts = yield* Effect.forEach(events, SessionLog.codec.decode)
  return facts.flatMap((fact) => fact._tag === "WEB_GROUNDING_RESEARCHED" ? [fact] : [])
})

const byRules = inMemory(sandboxProviders.pipe(Layer.provide(sandbox), Layer.orDie))
const failing = inMemory(
  providers(scripted(new SearchFailed({ provider: "tavily", status: "network_error" })))
)

describe("research", () => {
  it.live("sends three queries, and answers in exactly its fields", () =>
    Effect.gen(function*() {
      const found = yield* research()
      assert.deepStrictEqual(Object.keys(JSON.parse(JSON.stringify(found))), fields)
      const { plan, searches } = yield* Effect.flatMap(
        Sent.PublicApi,
        (api) => api.pack({ session_id: "s", request_id: "r" }, caller)
      )
      assert.deepStrictEqual(plan?.queries, [
        "Tenant notice in Japan syllabus curriculum",
        "Tenant notice in Japan general course outline",
        "Tenant notice in Japan introduction learning objectives"
      ])
      assert.lengthOf(searches, 3)
      assert.isAbove(found.result_count, 0)
      assert.isAtMost(found.high_quality_result_count, found.result_count)
      assert.strictEqual(found.tool_used, "mock")
      assert.match(found.search_summary, /^Based on \d+ results? from \d+ sites?\./)
      assert.lengthOf(new Set(found.source_links.map(({ url }) => url)), found.source_links.length)
      yield* replays()
    }).pipe(Effect.provide(byRules)))

  it("wants three searches, two results and a confidence of 0.7 unless set otherwise", () => {
    assert.deepInclude(Schema.decodeUnknownSync(ResearchInput)(input), {
      search_budget: 3,
      min_results: 2,
      confidence_threshold: 0.7,
      mode: "enabled"
    })
  })

  it("gives each attempt five seconds unless set otherwise", () => {
    const timeoutOf = (given: object) =>
      groundingOf(
        { ...Schema.decodeUnknownSync(ResearchInput)({ ...input, ...given }), ...ids },
        { purpose: "research", tier: "premium" }
      ).overrides.search_timeout_ms
    assert.strictEqual(timeoutOf({}), 5_000)
    assert.strictEqual(timeoutOf({ timeout_ms: 900 }), 900)
  })

  it.live("is simple extraction at 0.3 where no model wrote", () =>
    Effect.gen(function*() {
      const found = yield* research()
      assert.strictEqual(found.confidence_score, 0.3)
      assert.isTrue(found.is_usable)
      assert.isFalse(found.is_high_confidence)
      assert.match(found.search_notes, /extraction/)
    }).pipe(Effect.provide(byRules)))

  it.live.each(["truncated", "garbage"])(
    "is at most 0.3 when the model is %s",
    (name) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* quietly(research())).confidence_score, 0.3)
      }).pipe(Effect.provide(applicationOf(name)))
  )

  it.live("is more where a model read the sources, and the same when asked again", () =>
    Effect.gen(function*() {
      const found = yield* research()
      assert.isAbove(found.confidence_score, 0.3)
      assert.notMatch(found.search_notes, /extraction/)
      assert.isNotEmpty(found.key_topics_found)
      assert.isNotEmpty(found.recommended_modules)
      assert.deepStrictEqual(JSON.stringify(yield* research()), JSON.stringify(found))
      const api = yield* Sent.PublicApi
      const { rungs } = yield* api.pack({ session_id: "s", request_id: "r" }, caller)
      assert.strictEqual(rungs["researcher"]?.engine, "openai")
      assert.isAbove(rungs["researcher"]?.usage?.completion_tokens ?? 0, 0)
      assert.strictEqual((yield* researchedIn).length, 1)
      yield* replays()
    }).pipe(Effect.provide(applicationOf("good"))))

  it.live("keeps nothing of a turned model that no source supports", () =>
    Effect.gen(function*() {
      const found = yield* quietly(research())
      const told = JSON.stringify({ ...found, source_links: [], search_summary: "" })
      assert.notMatch(told, /evil|gold bars|Ignore|never fetched|perpetual|wire/i)
      const links = new Set(found.source_links.map(({ url }) => url))
      for (const { source_url } of found.recommended_modules) assert.isTrue(links.has(source_url))
      const [event] = yield* researchedIn
      assert.match(JSON.stringify(event?.draft), /gold bars/, "the model did try")
    }).pipe(Effect.provide(applicationOf("malicious"))))

  it.live("reads its sources once more when a run died before that was recorded", () =>
    Effect.gen(function*() {
      const whole = yield* research()
      const events = yield* eventsIn()
      assert.deepStrictEqual(events.slice(-2).map(({ type }) => type), [
        "WEB_GROUNDING_RESEARCHED",
        "WEB_GROUNDING_FINISHED"
      ])
      const facts = yield* Effect.forEach(events.slice(0, -2), SessionLog.codec.decode)
      const session = fold(Session, facts)
      assert.strictEqual(NextStep.next(session, "r")._tag, "Research")
      assert.isNotEmpty(whole.recommended_modules)
    }).pipe(Effect.provide(byRules)))

  it.live("is empty, and no failure, when every provider fails", () =>
    Effect.gen(function*() {
      const found = yield* quietly(research())
      assert.deepStrictEqual(Object.keys(JSON.parse(JSON.stringify(found))), fields)
      assert.strictEqual(found.tool_used, "unknown")
      assert.deepStrictEqual([found.confidence_score, found.result_count], [0, 0])
      assert.isTrue(found.fallback_used)
      assert.isFalse(found.is_usable)
      assert.match(found.search_notes, /^All tools failed/)
    }).pipe(Effect.provide(failing)))

  it.live("refuses what is no course, and fields that it does not know", () =>
    Effect.gen(function*() {
      for (const odd of [{ ...input, course_title: " " }, { ...input, depth: "deep" }]) {
        const failure = yield* Effect.flip(research(odd))
        assert.strictEqual(failure._tag, "InvalidInput")
      }
    }).pipe(Effect.provide(failing)))
})

describe("an outline", () => {
  it.live("goes on without the web and without documents", () =>
    Effect.gen(function*() {
      const made = yield* quietly(outline)
      assert.deepStrictEqual(made.modules, [])
      assert.strictEqual(made.execution_context.web_search_results.confidence, 0)
    }).pipe(Effect.provide(failing)))

  it.live("grows its context stage by stage", () =>
    Effect.gen(function*() {
      const { execution_context, modules, references } = yield* outline
      assert.deepInclude(execution_context.user_input, input)
      assert.strictEqual(execution_context.session_id, "s")
      const { finished, started } = execution_context.timestamps
      assert.isTrue(started <= finished, `${started} ${finished}`)
      assert.deepStrictEqual(execution_context.retrieved_documents.chunks, [])
      assert.isAbove(execution_context.web_search_results.links.length, 0)
      assert.isAbove(modules.length, 0)
      assert.isNotEmpty(references)
      assert.isTrue(references.every(({ from }) => from === "external"))
    }).pipe(Effect.provide(byRules)))
})

const housed = useCases.pipe(
  Layer.provideMerge(evidence),
  Layer.provideMerge(Layer.mergeAll(
    providers(scripted(new SearchFailed({ provider: "tavily", status: "network_error" }))),
    MemoryEventStore.layer,
    instance("p1"),
    limits()
  ))
)

describe("the house's own documents", () => {
  it.live("make the outline when the web fails; pages kept from the web do not", () =>
    Effect.gen(function*() {
      const { collect } = yield* Sent.EvidenceApi
      yield* collect(
        { material: note("n1", "Notice that a tenant gives in Japan", "Our guide") },
        caller
      )
      yield* collect({ material: webPage("https://a.example/n", "Tenant notice in Japan") }, caller)
      const made = yield* quietly(outline)
      assert.deepStrictEqual(made.references, [{ from: "internal", title: "Our guide", url: "n1" }])
      assert.strictEqual(made.modules[0]?.references_from[0].type, "internal")
      assert.lengthOf(made.execution_context.retrieved_documents.chunks, 1)
    }).pipe(Effect.provide(housed)))

  it.live("are asked for before the web", () => {
    const asked: Array<string> = []
    const store = Layer.effect(
      EvidenceApi,
      Effect.map(EvidenceApi, (api) => ({
        ...api,
        SearchEvidence: (...given: Parameters<typeof api.SearchEvidence>) => {
          asked.push("house")
          return api.SearchEvidence(...given)
        }
      }))
    ).pipe(Layer.provide(evidence))
    const { name, search } = scripted({ hits: [], droppedCount: 0 })
    const web = providers({
      name,
      search: (request) => {
        asked.push("web")
        return search(request)
      }
    })
    return Effect.gen(function*() {
      yield* quietly(outline)
      assert.deepStrictEqual([...new Set(asked)], ["house", "web"])
      assert.isBelow(asked.lastIndexOf("house"), asked.indexOf("web"))
    }).pipe(Effect.provide(useCases.pipe(
      Layer.provideMerge(store),
      Layer.provideMerge(Layer.mergeAll(web, MemoryEventStore.layer, instance("p1"), limits()))
    )))
  })

  it.live("are found behind any number of pages, and stay away when they treat another subject", () =>
    Effect.gen(function*() {
      const { collect } = yield* Sent.EvidenceApi
      yield* collect({ material: note("n1", "Tenants give notice in Japan.", "Our guide") }, caller)
      yield* collect({ material: note("n2", "How to descale a kettle.", "Kettles") }, caller)
      yield* Effect.forEach(
        Array.from({ length: 15 }, (_, place) => `https://a.example/${place}`),
        (url) => collect({ material: webPage(url, "Tenant notice in Japan") }, caller)
      )
      const made = yield* quietly(outline)
      assert.deepStrictEqual(made.references.map(({ url }) => url), ["n1"])
    }).pipe(Effect.provide(housed)))
})
