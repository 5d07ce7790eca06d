/**
 * Pages that groundings read become entries of the evidence store, with consent on both sides.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type Engine, EngineFailed, type PageText } from "../../src/application/ports/Engines.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import {
  EvidenceStore,
  EvidenceStoreUnavailable
} from "../../src/application/ports/EvidenceStore.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { evidenceWith, recallWith, useCasesWith } from "../../src/wiring/layers.ts"
import { caller, instance, limits, providers, scripted } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryEvidenceStore from "../support/memory/MemoryEvidenceStore.ts"
import * as MemoryPagesToCollect from "../support/memory/MemoryPagesToCollect.ts"
import { EvidenceApi, PublicApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"
import { timePasses } from "../support/testTime.ts"

const rule = "The reading room of the institute opens at 7:30 and has 64 desks for visitors."
const question = "How many desks has the reading room of the institute?"
const url = "https://library.gov.example/room"
const snippet = "https://blog.example/room"

const found = answerWith([
  hit(url, { official: true, site: "gov.example" }),
  hit(snippet, { content: "A blog on desks of the reading room." })
])

/** Reads one page whole, in these words; of the other there is a snippet only. */
const readerOf = (text: () => string): Engine<"reader"> => ({
  info: { engine: "fixed", version: "1" },
  ask: (wanted) =>
    Effect.suspend(() => {
      if (wanted.url !== url) {
        return Effect.fail(new EngineFailed({ engine: "fixed", reason: "refused" }))
      }
      const page: PageText = {
        reader: "web",
        title: "The reading room",
        text: text(),
        chunks: [{ start: 0, end: text().length }]
      }
      return Effect.succeed(page)
    })
})

const over = (
  provider: ReturnType<typeof scripted>,
  { isOn = true, text = () => rule }: { readonly isOn?: boolean; readonly text?: () => string } = {}
) => {
  const engines = Engines.layer({ reader: [readerOf(text)] })
  return Layer.mergeAll(useCasesWith(engines), evidenceWith(engines)).pipe(
    Layer.provide(recallWith(engines)),
    Layer.provide(providers(provider)),
    Layer.provideMerge(
      Layer.mergeAll(
        MemoryEventStore.layer,
        MemoryEvidenceStore.layer,
        instance("p1"),
        limits({ entriesMax: 4 }),
        MemoryPagesToCollect.layer(isOn)
      )
    )
  )
}

const ask = (session_id: string, fields: object = {}, by = caller) =>
  Effect.flatMap(PublicApi, (api) =>
    api.ground({
      session_id,
      request_id: "r",
      topic: question,
      phase: "mid_chat",
      user_asked_for_facts: true,
      allow_collecting: true,
      ...fields
    }, by))

const gather = Effect.flatMap(EvidenceApi, ({ gather }) => gather(caller))

const textsOf = (query: string) =>
  Effect.gen(function*() {
    const api = yield* EvidenceApi
    const { found } = yield* api.search({ query }, caller)
    return found.map(({ source_url, text }) => [source_url, text])
  })

describe("pages that a grounding read", () => {
  it.effect("are entries afterwards, whole or as their snippet, and spare the next search", () => {
    const provider = scripted(found)
    return Effect.gen(function*() {
      yield* ask("s1")
      assert.deepStrictEqual(yield* textsOf(question), [])
      yield* Effect.yieldNow
      assert.deepStrictEqual(yield* gather, { collected: 2, known: 0, failed: 0 })
      yield* timePasses("5 minutes")
      assert.deepStrictEqual(yield* gather, { collected: 0, known: 0, failed: 0 })
      const entries = yield* textsOf(question)
      assert.sameDeepMembers([...entries], [[url, rule], [snippet, found.hits[1]?.content]])
      const before = provider.queries.length
      const second = yield* ask("s2", { overrides: { sources: "store_first" } })
      assert.strictEqual(second.budget.spent_by_request, 0)
      assert.lengthOf(provider.queries, before)
      assert.include(JSON.stringify(second.pack), "64 desks")
    }).pipe(Effect.provide(over(provider)))
  })

  it.effect("are gathered of every tenant while the service runs", () =>
    Effect.gen(function*() {
      const { gathering, search } = yield* EvidenceApi
      const tenants = ["t", "other"].map((tenantId) => ({ ...caller, tenantId }))
      yield* Effect.forEach(tenants, (by) => ask("s", {}, by))
      yield* Effect.forkChild(gathering)
      yield* timePasses("1 minute")
      for (const by of tenants) {
        assert.isAbove((yield* search({ query: question }, by)).found.length, 0, by.tenantId)
      }
    }).pipe(Effect.provide(over(scripted(found)))))

  it.effect("are promoted from what groundings collected", () =>
    Effect.gen(function*() {
      const api = yield* EvidenceApi
      yield* ask("s")
      yield* timePasses("1 minute")
      yield* gather
      const node = { node_id: "n:room", node_label: "Place", name: "Reading room" }
      const promoted = yield* api.promote({ source_url: url, node }, caller)
      assert.deepInclude(promoted, { source_type: "kg_node", removed: 1 })
    }).pipe(Effect.provide(over(scripted(found)))))

  it.effect("are left alone without the caller's consent, or the operator's", () =>
    Effect.gen(function*() {
      const without = (isOn: boolean, fields: object) =>
        Effect.gen(function*() {
          yield* ask("s", fields)
          yield* timePasses("5 minutes")
          assert.deepStrictEqual(yield* gather, { collected: 0, known: 0, failed: 0 })
        }).pipe(Effect.provide(over(scripted(found), { isOn })))
      yield* without(true, { allow_collecting: false })
      yield* without(true, { consent_raw_content: true, allow_collecting: false })
      yield* without(false, {})
    }))

  it.effect("are in the log by their fingerprints alone", () =>
    Effect.gen(function*() {
      yield* ask("s")
      yield* timePasses("5 minutes")
      yield* gather
      const store = yield* EventStore
      const streams = yield* store.streams("_evidence/t", 10)
      assert.lengthOf(streams, 2)
      for (const { ref } of streams) {
        const { events } = yield* store.read(ref)
        const facts = JSON.stringify(events.map(({ data }) => data))
        assert.notInclude(facts, "desks")
        assert.include(facts, "\"collector\":\"grounding\"")
      }
    }).pipe(Effect.provide(over(scripted(found)))))

  it.effect("are collected anew when they changed, not for each search, nor by a snippet", () => {
    let text = rule
    const provider = scripted(found)
    return Effect.gen(function*() {
      const readAgain = Effect.fnUntraced(function*(session_id: string) {
        yield* ask(session_id)
        yield* timePasses("90 hours")
        return yield* gather
      })
      assert.strictEqual((yield* readAgain("s1")).collected, 2)
      // Old enough for the whole page to be collected again; the snippet is not.
      assert.deepStrictEqual(yield* readAgain("s2"), { collected: 1, known: 1, failed: 0 })
      yield* ask("s3")
      yield* ask("s3", { request_id: "r2", overrides: { exclude_domains: ["x.example"] } })
      yield* timePasses("1 hour")
      assert.strictEqual((yield* gather).known, 1)
      text = rule.replace("64", "70")
      assert.strictEqual((yield* readAgain("s4")).collected, 1)
      const texts = JSON.stringify(yield* textsOf(question))
      assert.include(texts, "70 desks")
      assert.notInclude(texts, "64 desks")
    }).pipe(Effect.provide(over(provider, { text: () => text })))
  })

  it.effect("are not taken from the sandbox", () => {
    const made = {
      ...found,
      hits: found.hits.map((one) => ({ ...one, provider: "mock" as const }))
    }
    return Effect.gen(function*() {
      yield* ask("s")
      yield* timePasses("5 minutes")
      assert.deepStrictEqual(yield* gather, { collected: 0, known: 0, failed: 0 })
    }).pipe(Effect.provide(over({ ...scripted(made), name: "mock" })))
  })

  it.effect("wait while the store is down, even if processes die, and are given up at last", () =>
    Effect.gen(function*() {
      yield* ask("s")
      yield* timePasses("5 minutes")
      const store = yield* EvidenceStore
      const down: EvidenceStore["Service"] = {
        ...store,
        replace: () =>
          Effect.fail(new EvidenceStoreUnavailable({ operation: "change", cause: "down" }))
      }
      const broken = evidenceWith(Engines.local).pipe(
        Layer.provide(Layer.succeed(EvidenceStore, down))
      )
      const failing = Effect.provide(gather, broken, { local: true })
      assert.strictEqual((yield* failing).failed, 2)
      assert.deepStrictEqual(yield* gather, { collected: 0, known: 0, failed: 0 })
      yield* timePasses("5 minutes")
      assert.strictEqual((yield* gather).collected, 2)
    }).pipe(Effect.provide(over(scripted(found)))))
})
