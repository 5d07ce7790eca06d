/**
 * `store_first` and its kin: the store is asked, and the web only where it knows too little.
 *
 * The questions are in `test/support/storeQuestions.json`.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as MemoryBreakers from "../../src/adapters/breakers/MemoryBreakers.ts"
import * as CollectEvidence from "../../src/application/evidence/CollectEvidence.ts"
import * as Embedding from "../../src/application/evidence/Embedding.ts"
import { Digest } from "../../src/application/ports/Platform.ts"
import { StoredEvidence, type Wanted } from "../../src/application/ports/StoredEvidence.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { evidenceWith, recallWith, useCases } from "../../src/wiring/layers.ts"
import * as Storage from "../../src/wiring/Storage.ts"
import { webPage } from "../support/evidenceEntries.ts"
import { caller, instance, limits, providers, scripted } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryEvidenceStore from "../support/memory/MemoryEvidenceStore.ts"
import { replays, typesIn } from "../support/recordedSession.ts"
import { EvidenceApi, PublicApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"
import storeQuestions from "../support/storeQuestions.json" with { type: "json" }
import { timePasses } from "../support/testTime.ts"

const found = answerWith([
  hit("https://elsewhere.example/", { content: "The harbour office counts boats each morning." })
])

/** Of those that are searched for, every fourth is replayed. */
const replayedEvery = process.env["WG_TEST_FULL"] === "1" ? 1 : 4

/** What collects pages as the service itself does. */
const keeping = Embedding.layer.pipe(
  Layer.provide(Layer.mergeAll(Engines.local, MemoryBreakers.layer)),
  Layer.merge(Storage.ids),
  Layer.merge(Layer.succeed(Digest, { sha256, canonical }))
)

const over = (provider: ReturnType<typeof scripted>, recalled = recallWith(Engines.local)) =>
  Layer.mergeAll(useCases, evidenceWith(Engines.local), keeping).pipe(
    Layer.provide(recalled),
    Layer.provide(providers(provider)),
    Layer.provideMerge(
      Layer.mergeAll(
        MemoryEventStore.layer,
        MemoryEvidenceStore.layer,
        instance("p1"),
        limits({ entriesMax: 4 })
      )
    )
  )

/** As pages of public bodies: only these count alone for what the law says. */
const collectAll = Effect.forEach(
  storeQuestions,
  ({ text, title }, index) =>
    CollectEvidence.collect(
      webPage(`https://page-${index}.gov.example/`, text, title),
      { ...caller, collector: "test" },
      { official: true }
    ),
  { discard: true }
)

const ask = (session_id: string, topic: string, fields: object = {}, overrides: object = {}) =>
  Effect.flatMap(PublicApi, (api) =>
    api.ground({
      session_id,
      request_id: "r",
      topic,
      phase: "mid_chat",
      user_asked_for_facts: true,
      overrides: { sources: "store_first", max_queries: 1, ...overrides },
      ...fields
    }, caller))

describe("a grounding that asks the store first", () => {
  it.effect("sends no search for 40 questions whose answers were collected", () => {
    const provider = scripted(found)
    return Effect.gen(function*() {
      yield* collectAll
      const searched: Array<string> = []
      for (const [index, { answered }] of storeQuestions.entries()) {
        const { budget, llm_context, mode, reason, status } = yield* ask(`s${index}`, answered)
        if (budget.spent_by_request > 0 || mode !== "grounded") searched.push(`${mode} ${answered}`)
        assert.deepStrictEqual({ reason, status }, {
          reason: "answered_from_store",
          status: undefined
        })
        assert.match(llm_context, /^\[Evidence store\] The web was not searched\./)
        yield* replays(`s${index}`)
      }
      assert.strictEqual(storeQuestions.length, 40)
      assert.deepStrictEqual(searched, [])
      assert.lengthOf(provider.queries, 0)
    }).pipe(Effect.provide(over(provider)))
  })

  it.effect("searches for 40 others, though the store holds their subjects", () => {
    const provider = scripted(found)
    return Effect.gen(function*() {
      yield* collectAll
      const spared: Array<string> = []
      for (const [index, { unanswered }] of storeQuestions.entries()) {
        const { budget } = yield* ask(`s${index}`, unanswered)
        if (budget.spent_by_request === 0) spared.push(unanswered)
        if (index % replayedEvery === 0) yield* replays(`s${index}`)
      }
      assert.deepStrictEqual(spared, [])
      assert.lengthOf(provider.queries, storeQuestions.length)
    }).pipe(Effect.provide(over(provider)))
  })

  it.effect("records what it was judged by, and spends nothing when it answers", () => {
    const provider = scripted(found)
    return Effect.gen(function*() {
      yield* collectAll
      yield* ask("s", "How tall is the Orrin lighthouse?")
      assert.deepStrictEqual(yield* typesIn("s"), [
        "WEB_GROUNDING_REQUESTED",
        "WEB_GROUNDING_DECIDED",
        "WEB_GROUNDING_STORE_ASKED",
        "WEB_GROUNDING_EVIDENCE_READ",
        "WEB_GROUNDING_EVIDENCE_RANKED",
        "WEB_GROUNDING_PACK_CREATED",
        "WEB_GROUNDING_FINISHED"
      ])
      yield* ask("w", "What colour was the Orrin lighthouse painted in 1950?")
      assert.includeMembers([...yield* typesIn("w")], [
        "WEB_GROUNDING_STORE_ASKED",
        "WEB_GROUNDING_CALLED"
      ])
    }).pipe(Effect.provide(over(provider)))
  })

  it.effect("takes the law from no single page but a public body's", () => {
    const provider = scripted(found)
    const told = (host: string) =>
      Effect.flatMap(EvidenceApi, (api) =>
        api.collect({
          material: webPage(
            `https://${host}.example/`,
            "A tenant in Kestrel must give the landlord eight weeks' notice.",
            "Notice in Kestrel"
          )
        }, caller))
    const question = "How much notice must a tenant in Kestrel give the landlord?"
    return Effect.gen(function*() {
      yield* told("one")
      assert.strictEqual((yield* ask("s1", question)).budget.spent_by_request, 1)
      yield* told("two")
      assert.strictEqual((yield* ask("s2", question)).budget.spent_by_request, 0)
    }).pipe(Effect.provide(over(provider)))
  })

  it.effect("searches where time matters and the entries are old", () => {
    const provider = scripted(found)
    return Effect.gen(function*() {
      yield* collectAll
      const question = "How much does a return ticket for the ferry to Marrow Island cost?"
      assert.strictEqual((yield* ask("s1", question)).budget.spent_by_request, 0)
      yield* timePasses("80 hours")
      assert.strictEqual((yield* ask("s2", question)).budget.spent_by_request, 1)
      assert.strictEqual(
        (yield* ask("s3", "How tall is the Orrin lighthouse?")).budget.spent_by_request,
        0
      )
    }).pipe(Effect.provide(over(provider)))
  })

  it.effect("searches where the caller names what the store cannot know", () => {
    const provider = scripted(found)
    const question = "How tall is the Orrin lighthouse?"
    return Effect.gen(function*() {
      yield* collectAll
      const named: ReadonlyArray<object> = [
        { time_range: "week" },
        { include_domains: ["orrin.example"] },
        { exclude_domains: ["orrin.example"] },
        { queries: ["Orrin lighthouse"] }
      ]
      for (const [index, overrides] of named.entries()) {
        const outcome = yield* ask(`s${index}`, question, {}, overrides)
        assert.strictEqual(outcome.budget.spent_by_request, 1, JSON.stringify(overrides))
        assert.notInclude(yield* typesIn(`s${index}`), "WEB_GROUNDING_STORE_ASKED")
      }
      const abroad = yield* ask("abroad", "When is a parking fine due in Japan?")
      assert.strictEqual(abroad.budget.spent_by_request, 1)
    }).pipe(Effect.provide(over(provider)))
  })
})

describe("the sources of a grounding", () => {
  const wantedFor = (sources: string) => {
    const provider = scripted(found)
    const wanted: Array<Wanted> = []
    const listening = Layer.succeed(StoredEvidence, {
      find: (_, asked) => Effect.sync(() => (wanted.push(asked), { kept: [] }))
    })
    return ask("s", "How tall is the Orrin lighthouse?", {}, { sources }).pipe(
      Effect.as({ wanted, provider }),
      Effect.provide(over(provider, listening))
    )
  }

  it.effect("say whether the store is asked, when, and how it ranks", () =>
    Effect.gen(function*() {
      const expected = {
        web: [],
        hybrid: ["hybrid"],
        web_and_store: ["hybrid"],
        store: ["hybrid"],
        // Asked before the web, and again for further entries.
        store_first: ["hybrid", "hybrid"],
        vector_first: ["vector_first", "vector_first"]
      }
      for (const [sources, retrievals] of Object.entries(expected)) {
        const { provider, wanted } = yield* wantedFor(sources)
        assert.deepStrictEqual(wanted.map(({ retrieval }) => retrieval), retrievals, sources)
        assert.lengthOf(provider.queries, sources === "store" ? 0 : 1, sources)
      }
    }))
})
