/**
 * Callers of few needs in several sessions of a tenant: one of all makes each pack.
 */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { EngineFailed } from "../../src/application/ports/Engines.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { Limits } from "../../src/application/ports/Limits.ts"
import { type SearchProvider, SearchProviders } from "../../src/application/ports/SearchProvider.ts"
import * as RebuildModels from "../../src/application/projections/RebuildModels.ts"
import { PublicApi } from "../../src/application/PublicApi.ts"
import type { GroundingPack } from "../../src/domain/pack/GroundingPack.ts"
import * as PackSharing from "../../src/domain/session/PackSharing.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { evidenceWith, recallWith, useCasesWith } from "../../src/wiring/layers.ts"
import {
  caller,
  instance,
  limits,
  plain,
  scripted,
  slow,
  tramFares as answer,
  whileTimePasses
} from "../support/grounding.ts"
import * as MemoryCredits from "../support/memory/MemoryCredits.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryEvidenceStore from "../support/memory/MemoryEvidenceStore.ts"
import * as MemoryPackCache from "../support/memory/MemoryPackCache.ts"
import * as MemoryQueryCache from "../support/memory/MemoryQueryCache.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import { replays } from "../support/recordedSession.ts"
import * as Sent from "../support/sent.ts"
import { answerWith, hit, requestOf } from "../support/sessionFacts.ts"
import { timePasses } from "../support/testTime.ts"

/** What all processes share. */
const shared = Layer.mergeAll(
  plain,
  MemoryEventStore.layer,
  MemoryEvidenceStore.layer,
  MemoryQueryCache.layer,
  MemoryCredits.layer({}),
  MemoryPackCache.layer
)

const settings = Layer.effect(Limits, Limits).pipe(
  Layer.provide(limits({ entriesMax: 4 })),
  Layer.merge(MemoryReadModels.layer)
)

const processWith = (engines: typeof Engines.local) =>
(
  id: string,
  provider: SearchProvider,
  ...ofShop: ReadonlyArray<SearchProvider>
) =>
  Layer.mergeAll(useCasesWith(engines), evidenceWith(Engines.local)).pipe(
    Layer.provide(recallWith(Engines.local)),
    Layer.provide(Layer.succeed(SearchProviders, {
      everyone: [[provider]],
      byTenant: new Map(ofShop.map((own) => ["shop", [[own] as const]]))
    })),
    Layer.provide(Layer.merge(instance(id, false), settings))
  )

const processOf = processWith(Engines.local)

const question = "How much is a tram ticket in Halvern?"

const ask = (session_id: string, fields: object = {}, tenantId = "t") =>
  Effect.flatMap(Sent.PublicApi, (api) =>
    api.ground({
      session_id,
      request_id: "r",
      topic: question,
      tier: "premium",
      phase: "mid_chat",
      user_asked_for_facts: true,
      overrides: { max_queries: 1 },
      ...fields
    }, { ...caller, tenantId }))

const isCached = ({ cached }: { readonly cached?: unknown }) => cached !== undefined

const eventsOf = (session_id: string, tenant_id = "t") =>
  Effect.gen(function*() {
    const store = yield* EventStore
    return (yield* store.read({ tenant_id, session_id })).events
  })

describe("the pack cache", () => {
  it.effect("answers no tenant by what another order of its engines found", () => {
    const [tavily, serper] = [scripted(answer), scripted(answer)]
    const asked = (id: string, own: SearchProvider) =>
      Layer.build(processOf(id, tavily, own)).pipe(
        Effect.flatMap((built) =>
          Effect.provideContext(Effect.all([ask(id), ask(id, {}, "shop")]), built)
        ),
        Effect.map((told) => [...told.map(isCached), tavily.queries.length, serper.queries.length])
      )
    return Effect.gen(function*() {
      const own: SearchProvider = { ...serper, name: "serper" }
      assert.deepStrictEqual(yield* asked("p1", own), [false, false, 1, 1])
      assert.deepStrictEqual(yield* asked("p2", own), [true, true, 1, 1])
      assert.deepStrictEqual(yield* asked("p3", tavily), [true, false, 2, 1])
    }).pipe(Effect.scoped, Effect.provide(shared))
  })

  it.effect("answers no request that its own session may not search", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      yield* ask("s1")
      const unasked = yield* ask("s2", { user_asked_for_facts: false })
      assert.strictEqual(unasked.reason, "phase_not_eligible")
      const blocked = yield* ask("s3", { user_asked_for_facts: false, realism_blocked: true })
      assert.isTrue(isCached(blocked))
      assert.notInclude(blocked.need.reason_codes, "USER_ASKED")
    }).pipe(Effect.provide(processOf("p1", provider)), Effect.provide(shared))
  })

  it.effect("answers another session with the same pack, marked with its age", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      const first = yield* ask("s1")
      assert.isFalse(isCached(first))
      yield* timePasses("10 minutes")
      const second = yield* ask("s2")
      assert.deepStrictEqual(second.pack, first.pack)
      assert.strictEqual(second.evidence_block, first.evidence_block)
      assert.match(second.llm_context, /^\[Search finished\] .* 10 minutes ago\./)
      assert.isTrue(second.llm_context.endsWith(second.evidence_block))
      assert.strictEqual(second.cached?.age_ms, 600_000)
      assert.strictEqual(second.budget.spent_by_request, 0)
      assert.lengthOf(provider.queries, 1)
      assert.deepStrictEqual((yield* eventsOf("s2")).map(({ type }) => type), [
        "WEB_GROUNDING_REQUESTED",
        "WEB_GROUNDING_CACHED_PACK_USED",
        "WEB_GROUNDING_FINISHED"
      ])
      // The other session's stream is not needed: its ids are named, its pack is copied here.
      const source = (yield* eventsOf("s1")).at(-1)
      const used = Object((yield* eventsOf("s2"))[1]?.data)
      assert.strictEqual(used.source_event_id, source?.eventId)
      assert.strictEqual(used.source_stream_id, source?.streamId)
      assert.deepStrictEqual(yield* ask("s2"), second)
      yield* replays("s1")
      yield* replays("s2")
      const api = yield* Sent.PublicApi
      const view = yield* api.view(
        { session_id: "s2", request_id: "r", audience: "roleplay_background" },
        caller
      )
      assert.include(view.text, "2.80")
      const { packs } = yield* api.health({ hours: 24 }, "deployment")
      assert.deepStrictEqual(packs, { made: 1, reused: 1, reuse_rate: 0.5 })
    }).pipe(Effect.provide(processOf("p", provider)), Effect.provide(shared))
  })

  it.effect("is as old as the oldest search behind it", () => {
    const provider = scripted(answer)
    const queries = { max_queries: 1, queries: [question] }
    return Effect.gen(function*() {
      yield* ask("s1", { overrides: queries, known_facts: ["The user has a child of five."] })
      yield* timePasses("20 minutes")
      const first = yield* ask("s2", { overrides: queries })
      assert.strictEqual(first.searches[0]?.cached_age_ms, 1_200_000)
      yield* timePasses("1 minute")
      const second = yield* ask("s3", { overrides: queries })
      assert.strictEqual(second.cached?.age_ms, 1_260_000)
      assert.match(second.llm_context, / 21 minutes ago\./)
    }).pipe(Effect.provide(processOf("p", provider)), Effect.provide(shared))
  })

  it.effect("knows a need by its words, not by how they are spaced or capitalised", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      yield* ask("s1")
      const spelt = [question.toUpperCase(), question.replaceAll(" ", "   "), ` ${question}`]
      for (const [index, topic] of spelt.entries()) {
        assert.isTrue(isCached(yield* ask(`same-${index}`, { topic })), topic)
      }
      const others: ReadonlyArray<object> = [
        { topic: "How much is a tram ticket in Halvern today?" },
        { region: { country: "JP" } },
        { locale: "ko" },
        { tier: "standard" },
        { wording: "verbatim" },
        { user_question: "And for a child?" },
        { overrides: { max_queries: 1, exclude_domains: ["a.example"] } }
      ]
      for (const [index, fields] of others.entries()) {
        assert.isFalse(isCached(yield* ask(`other-${index}`, fields)), JSON.stringify(fields))
      }
    }).pipe(Effect.provide(processOf("p", provider)), Effect.provide(shared))
  })

  it.effect("never crosses tenants", () =>
    Effect.gen(function*() {
      yield* ask("s1")
      assert.isFalse(isCached(yield* ask("s1", {}, "another tenant")))
    }).pipe(Effect.provide(processOf("p", scripted(answer))), Effect.provide(shared)))

  it.effect("holds nothing in which personal data took part", () => {
    const provider = scripted(answer)
    const personal: ReadonlyArray<object> = [
      { topic: `${question} Mail me: ada@quokka.example` },
      { topic: `My name is Ada Quokka. ${question}` },
      { user_question: `${question} My phone is +44 7911 123456.` },
      { known_facts: ["The user is pregnant."] },
      { overrides: { max_queries: 1, queries: ["tram ticket for ada@quokka.example"] } }
    ]
    return Effect.gen(function*() {
      for (const [index, fields] of personal.entries()) {
        assert.isFalse(PackSharing.isShareable(requestOf({ topic: question, ...fields })))
        for (const session of ["a", "b"]) {
          const outcome = yield* ask(`${session}-${index}`, fields)
          assert.isFalse(isCached(outcome), JSON.stringify(fields))
        }
        const finished = (yield* eventsOf(`a-${index}`)).at(-1)
        assert.notProperty(Object(finished?.data), "cache")
      }
      assert.isTrue(PackSharing.isShareable(requestOf({ topic: question })))
    }).pipe(Effect.provide(processOf("p", provider)), Effect.provide(shared))
  })

  it.effect("gives a pack within its time: a day, and an hour where time matters", () => {
    const provider = scripted(answer)
    const general = { topic: "How tall is the Orrin lighthouse in Halvern?" }
    const news = { overrides: { max_queries: 1, topic: "news" } }
    const tall = answerWith([
      hit("https://o.example/", { content: "The Orrin lighthouse is 47 metres tall." })
    ])
    const tower = scripted(tall)
    return Effect.gen(function*() {
      const inTower = <A, E>(effect: Effect.Effect<A, E, PublicApi>) =>
        effect.pipe(Effect.provide(processOf("q", tower), { local: true }))
      yield* inTower(ask("g1", general))
      yield* ask("n1", news)
      yield* timePasses("50 minutes")
      assert.isTrue(isCached(yield* ask("n2", news)))
      yield* timePasses("20 minutes")
      assert.isFalse(isCached(yield* ask("n3", news)))
      yield* timePasses("20 hours")
      assert.isTrue(isCached(yield* inTower(ask("g2", general))))
      yield* timePasses("5 hours")
      assert.isFalse(isCached(yield* inTower(ask("g3", general))))
    }).pipe(Effect.provide(processOf("p", provider)), Effect.provide(shared))
  })

  it.effect("gives way to newer evidence that answers, and to no other", () => {
    const collect = (source_id: string, text: string) =>
      Effect.flatMap(Sent.EvidenceApi, (api) =>
        api.collect({
          material: { source_type: "user_note", source_id, title: source_id, text }
        }, caller))
    return Effect.gen(function*() {
      yield* ask("s1")
      yield* timePasses("5 minutes")
      yield* collect("museum", "The museum of Halvern sells a ticket for 12 crowns.")
      assert.isTrue(isCached(yield* ask("s2")))
      yield* collect("tram", "Since today a tram ticket in Halvern costs 3.10 crowns.")
      const third = yield* ask("s3")
      assert.isFalse(isCached(third))
      assert.include(JSON.stringify(third.pack), "3.10")
      // A pack that rests on the store, from where entries may be removed, is not shared.
      assert.isFalse(isCached(yield* ask("s4")))
    }).pipe(Effect.provide(processOf("p", scripted(answer))), Effect.provide(shared))
  })

  it.effect("keeps no pack that claims nothing, is partial or was given itself", () => {
    const empty = scripted(answerWith([]), answer)
    return Effect.gen(function*() {
      yield* ask("s1")
      yield* timePasses("12 minutes")
      assert.isFalse(isCached(yield* ask("s2")))
      yield* ask("s3")
      assert.notProperty(Object((yield* eventsOf("s3")).at(-1)?.data), "cache")
    }).pipe(Effect.provide(processOf("p", empty)), Effect.provide(shared))
  })

  it.effect("keeps no pack that a model's failure made poorer", () => {
    const failed = new EngineFailed({ engine: "model", reason: "unreachable" })
    const writer = { info: { engine: "model", version: "1" }, ask: () => Effect.fail(failed) }
    return Effect.gen(function*() {
      const { pack } = yield* ask("s1")
      assert.include(pack.notes, "llm_failed")
      assert.isFalse(isCached(yield* ask("s2")))
    }).pipe(
      Effect.provide(processWith(Engines.layer({ writer: [writer] }))("p", scripted(answer))),
      Effect.provide(shared)
    )
  })

  it.effect("answers a session that has no search left", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      yield* ask("s1")
      for (const request_id of ["r1", "r2", "r3", "r4"]) {
        yield* ask("s2", {
          request_id,
          topic: `What does tram line ${request_id} cost in Halvern?`
        })
      }
      assert.isTrue(isCached(yield* ask("s2")))
    }).pipe(Effect.provide(processOf("p", provider)), Effect.provide(shared))
  })

  it.effect("is built anew from the log", () => {
    const provider = scripted(answer)
    const process = processOf("p", provider)
    return Effect.gen(function*() {
      yield* Effect.provide(ask("s1"), process, { local: true })
      const lost = yield* Layer.build(Layer.fresh(MemoryPackCache.layer))
      const again = Effect.gen(function*() {
        const { rebuild } = yield* RebuildModels.RebuildModels
        const found = yield* rebuild("t")
        assert.deepInclude(found, { model: "pack_cache", rows: 1, corrected: 1 })
        assert.deepInclude(yield* rebuild("t"), { model: "pack_cache", rows: 1, corrected: 0 })
        assert.isTrue(isCached(yield* Effect.provide(ask("s2"), process, { local: true })))
      }).pipe(
        Effect.provide(RebuildModels.layer([]), { local: true }),
        Effect.provide(Layer.merge(instance("p"), MemoryReadModels.layer))
      )
      yield* Effect.provide(again, lost)
    }).pipe(Effect.scoped, Effect.provide(shared))
  })

  it.effect("never lets what the sandbox made up answer for the web", () => {
    const made: SearchProvider = { ...scripted(answer), name: "mock" }
    return Effect.gen(function*() {
      yield* ask("s1").pipe(Effect.provide(processOf("p1", made), { local: true }))
      const real = ask("s2").pipe(
        Effect.provide(processOf("p2", scripted(answer)), { local: true })
      )
      assert.isFalse(isCached(yield* real))
    }).pipe(Effect.provide(shared))
  })
})

describe("500 callers of 20 needs in ten sessions", () => {
  const asksCount = process.env["WG_TEST_FULL"] === "1" ? 500 : 120

  const needs = Array.from(
    { length: 20 },
    (_, index) => `How much is tram line ${index} in Halvern?`
  )

  const priced = (): SearchProvider & { readonly queries: Array<string> } => {
    const queries: Array<string> = []
    const provider: SearchProvider = {
      name: "tavily",
      keySlot: 1,
      search: ({ query }) =>
        Effect.sync(() => {
          queries.push(query)
          const line = /\d+/.exec(query)?.[0]
          return answerWith(["a", "b"].map((name, index) =>
            hit(`https://${name}-${line}.example/`, {
              content: `Tram line ${line} costs ${line}.80 crowns in Halvern, says ${name}.`,
              rank: index + 1
            })
          ))
        })
    }
    return { ...slow(provider, 500), queries }
  }

  /** Each round asks all needs; each session asks two of them first and all others later. */
  const crowd = (processes: ReadonlyArray<Context.Context<PublicApi>>, tenantId: string) =>
    Effect.forEach(
      Array.from({ length: asksCount }, (_, index) => index),
      (index) => {
        const round = Math.floor(index / needs.length)
        const asked = ask(
          `s${index % 10}`,
          { request_id: `r${index}`, topic: needs[(index + round) % needs.length] },
          tenantId
        )
        const [one, other = one] = processes
        return one === undefined || other === undefined
          ? Effect.die("no process")
          : Effect.provide(asked, round % 2 === 0 ? one : other)
      },
      { concurrency: "unbounded" }
    )

  const twoProcesses = (provider: SearchProvider) =>
    Effect.forEach(["p1", "p2"], (id) => Layer.build(Layer.fresh(processOf(id, provider))))

  const packsMade = (tenantId: string) =>
    Effect.map(
      Effect.forEach(Array.from({ length: 10 }, (_, index) => `s${index}`), (session) =>
        eventsOf(session, tenantId)),
      (events) =>
        events.flat().filter(({ type }) => type === "WEB_GROUNDING_PACK_CREATED").length
    )

  it.effect("cause 20 packs, each tenant its own", () => {
    const provider = priced()
    return Effect.gen(function*() {
      const processes = yield* twoProcesses(provider)
      const both = Effect.all([crowd(processes, "t1"), crowd(processes, "t2")], {
        concurrency: "unbounded"
      })
      const outcomes = (yield* whileTimePasses(both, 30_000)).flat()
      assert.lengthOf(outcomes, 2 * asksCount)
      assert.strictEqual(yield* packsMade("t1"), 20)
      assert.strictEqual(yield* packsMade("t2"), 20)
      assert.lengthOf(provider.queries, 40)
      assert.isTrue(outcomes.every(({ pack }) => pack.confidence > 0))
    }).pipe(Effect.scoped, Effect.provide(shared))
  }, 240_000)
})

describe("a reported page", () => {
  it.effect("is left out of later answers, for which no engine is asked again", () => {
    const provider = scripted(answer)
    const poison = "https://a.example/"
    const sites = ({ pack }: { readonly pack: GroundingPack }) =>
      pack.key_points.flatMap(({ sources }) => sources.map(({ site }) => site))
    return Effect.gen(function*() {
      assert.include(sites(yield* ask("s1")), "a.example")
      const evidence = yield* Sent.EvidenceApi
      const { reported } = yield* evidence.report(
        { source_url: `${poison}?utm_source=mail` },
        caller
      )
      assert.deepStrictEqual(reported, [poison])
      const later = yield* ask("s2")
      assert.notInclude(sites(later), "a.example")
      assert.isFalse(isCached(later))
      assert.lengthOf(provider.queries, 1)
      yield* replays("s2")
      // Another request of the first session is answered anew, too.
      assert.notInclude(sites(yield* ask("s1", { request_id: "r2" })), "a.example")
      assert.include(sites(yield* ask("s3", {}, "other")), "a.example")
      yield* evidence.report({ source_url: poison, withdraw: true }, caller)
      assert.include(sites(yield* ask("s4")), "a.example")
    }).pipe(Effect.provide(processOf("p1", provider)), Effect.provide(shared))
  })

  it.effect("is known to another process after 5 seconds", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      const other = yield* Layer.build(processOf("p2", provider))
      const asked = (session: string) => ask(session).pipe(Effect.provide(other))
      assert.isFalse(isCached(yield* asked("s1")))
      const evidence = yield* Sent.EvidenceApi
      yield* evidence.report({ source_url: "https://a.example/" }, caller)
      yield* timePasses("5 seconds")
      const later = yield* asked("s2")
      assert.isFalse(isCached(later))
      assert.isFalse(JSON.stringify(later.pack).includes("a.example"))
    }).pipe(Effect.provide(processOf("p1", provider)), Effect.provide(shared), Effect.scoped)
  })
})
