/**
 * What is collected is recorded, found and moved, on every store.
 *
 * Promise: an entry is in the store if and only if the log says that its source was collected.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import * as PostgresEvidenceStore from "../../src/adapters/postgres/PostgresEvidenceStore.ts"
import * as Embedding from "../../src/application/evidence/Embedding.ts"
import * as ReportedPages from "../../src/application/evidence/ReportedPages.ts"
import * as EvidenceApi from "../../src/application/EvidenceApi.ts"
import { type Embedder, Embedders } from "../../src/application/ports/Embedder.ts"
import { EngineFailed } from "../../src/application/ports/Engines.ts"
import {
  EventStore,
  EventStoreUnavailable,
  logStart
} from "../../src/application/ports/EventStore.ts"
import { EvidenceStore } from "../../src/application/ports/EvidenceStore.ts"
import { Digest, Sites } from "../../src/application/ports/Platform.ts"
import type { EvidenceFailure } from "../../src/contract/PublicFailure.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import * as RegistrableDomain from "../../src/infrastructure/RegistrableDomain.ts"
import { ids } from "../../src/wiring/Storage.ts"
import * as EmbeddedDatabase from "../support/embeddedDatabase.ts"
import { longText } from "../support/evidenceEntries.ts"
import { engines, limits, unguarded } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryEvidenceStore from "../support/memory/MemoryEvidenceStore.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import * as Sent from "../support/sent.ts"
import * as TestDatabase from "../support/testDatabase.ts"

const caller = { tenantId: "t", actor: "test" }

/** Counts letters: a text is near another that has the same ones. */
const embedder = (model: string, letters: string, isDown = () => false): Embedder => ({
  engine: "letters",
  model,
  dimensions: letters.length + 1,
  embed: (texts) =>
    Effect.suspend(() =>
      isDown()
        ? Effect.fail(new EngineFailed({ engine: "letters", reason: "unreachable" }))
        : Effect.succeed(texts.map((text) => [
          1,
          ...Array.from(letters, (letter) => text.toLowerCase().split(letter).length - 1)
        ]))
    )
})

/** One process over shared stores. */
const apiWith = (...embedders: ReadonlyArray<Embedder>) =>
  EvidenceApi.layer.pipe(
    Layer.provide(Layer.merge(Embedding.layer, ReportedPages.layer)),
    Layer.provide(Layer.succeed(Embedders, embedders)),
    Layer.provide(Layer.mergeAll(
      ids,
      limits(),
      unguarded,
      Layer.succeed(Digest, { sha256, canonical }),
      Layer.succeed(Sites, { siteOf: RegistrableDomain.registrableDomain }),
      engines({})
    ))
  )

const withApi = <A, E, R>(
  use: (api: ReturnType<typeof Sent.sentEvidence>) => Effect.Effect<A, E, R>,
  ...embedders: ReadonlyArray<Embedder>
) =>
  Effect.flatMap(Sent.EvidenceApi, use).pipe(Effect.provide(apiWith(...embedders), { local: true }))

const page = (source_url: string, text: string) => ({
  material: { source_type: "web_search", source_url, title: "Copper", text }
})

const typesIn = Effect.fnUntraced(function*(tenantId: string) {
  const { all } = yield* EventStore
  const events = yield* Stream.runCollect(all(logStart))
  const streams = yield* Effect.flatMap(
    EventStore,
    (store) => store.streams(`_evidence/${tenantId}`, 100)
  )
  const own = new Set(streams.map(({ streamId }) => streamId))
  return events.filter(({ streamId }) => own.has(streamId))
})

const suite = (
  name: string,
  stores: Layer.Layer<EventStore | EvidenceStore, unknown>,
  keepsVectors: boolean
) =>
  it.layer(stores, { timeout: "60 seconds", excludeTestServices: true })(
    `evidence, ${name}`,
    (it) => {
      it.effect("is collected, replaced, promoted and removed, and the log says who did it", () =>
        withApi(Effect.fnUntraced(function*(api) {
          const url = "https://a.example/copper"
          const first = yield* api.collect(page(url, longText(4, "copper")), caller)
          const again = yield* api.collect(
            { ...page(`${url}?utm_source=x`, "Copper conducts."), collector: "expander" },
            caller
          )
          assert.deepInclude(again, { source_id: url, entries: 1, removed: first.entries })
          const node = { node_id: "m:copper", node_label: "Metal", name: "Copper" }
          const promoted = yield* api.promote({ source_url: url, node }, caller)
          assert.deepInclude(promoted, { source_type: "kg_node", entries: 1, removed: 1 })
          const { found } = yield* api.search({ query: "copper" }, caller)
          assert.deepStrictEqual(found.map(({ id }) => id), ["kg:m:copper"])
          assert.strictEqual(found[0]?.source_url, url)
          yield* api.remove({ source_type: "kg_node", source_id: "m:copper" }, caller)
          assert.lengthOf((yield* api.search({ query: "copper" }, caller)).found, 0)
          const events = yield* typesIn("t")
          assert.sameMembers(events.map(({ type }) => type), [
            "WEB_GROUNDING_EVIDENCE_COLLECTED",
            "WEB_GROUNDING_EVIDENCE_COLLECTED",
            "WEB_GROUNDING_EVIDENCE_PROMOTED",
            "WEB_GROUNDING_EVIDENCE_COLLECTED",
            "WEB_GROUNDING_EVIDENCE_REMOVED"
          ])
          const text = JSON.stringify(events.map(({ data }) => data))
          assert.include(text, "expander")
          assert.include(text, sha256("Copper conducts."))
          assert.notInclude(text, "conducts")
          assert.isTrue(events.every(({ metadata }) => metadata.actor === "test"))
        })))

      it.effect("is refused with the field at fault, and nothing is changed", () =>
        withApi(Effect.fnUntraced(function*(api) {
          const fieldOf = <A>(
            effect: Effect.Effect<A, EvidenceFailure>
          ): Effect.Effect<string, A> =>
            Effect.map(
              Effect.flip(effect),
              (failure) => failure._tag === "InvalidInput" ? failure.field : failure._tag
            )
          const fields = [
            yield* fieldOf(api.collect(page("file:///etc/passwd", "x"), caller)),
            yield* fieldOf(api.collect(page("https://a.example/", " "), caller)),
            yield* fieldOf(api.collect({ material: { source_type: "kg_node", node: {} } }, caller)),
            yield* fieldOf(api.collect({ material: { source_type: "blog" } }, caller)),
            yield* fieldOf(api.search({ query: "x", filter: { colour: "red" } }, caller)),
            yield* fieldOf(api.search({ query: "x", limit: 51 }, caller)),
            yield* fieldOf(
              api.promote({
                source_url: "https://none.example/",
                node: { node_id: "n", node_label: "L", name: "N" }
              }, caller)
            ),
            yield* fieldOf(api.remove({ source_type: "paper", source_id: "none" }, caller)),
            yield* fieldOf(api.collectPage({ source_url: "https://a.example/" }, caller))
          ]
          assert.deepStrictEqual(fields, [
            "source_url",
            "material.text",
            "material.node.node_id",
            "material",
            "filter.colour",
            "limit",
            "EvidenceNotFound",
            "EvidenceNotFound",
            "PageUnreadable"
          ])
          const { sources } = yield* api.status({ ...caller, tenantId: "nobody" })
          assert.strictEqual(sources, 0)
        })))

      it.effect("is not there when the log cannot say so", () =>
        Effect.gen(function*() {
          const tenant = { ...caller, tenantId: "unlogged" }
          const store = yield* EventStore
          const refusing = Layer.succeed(EventStore, {
            ...store,
            append: () =>
              Effect.fail(new EventStoreUnavailable({ operation: "append", cause: "down" }))
          })
          const collecting = withApi((api) =>
            api.collect(page("https://a.example/", "Copper."), tenant)
          )
          const failed = yield* Effect.flip(
            collecting.pipe(Effect.provide(refusing, { local: true }))
          )
          assert.strictEqual(failed._tag, "StoreUnavailable")
          const { counts } = yield* EvidenceStore
          assert.strictEqual((yield* counts("unlogged")).sources, 0)
          yield* collecting
          assert.strictEqual((yield* counts("unlogged")).sources, 1)
        }))

      it.effect("is filtered by any spelling of an address, and by days", () =>
        withApi(Effect.fnUntraced(function*(api) {
          const tenant = { ...caller, tenantId: "spelt" }
          yield* api.collect(page("https://a.example/spelt", "Osmium."), tenant)
          const count = (filter: object) =>
            Effect.map(api.search({ query: "osmium", filter }, tenant), ({ found }) => found.length)
          const spelt = "https://A.example:443/spelt?utm_source=x#y"
          assert.strictEqual(yield* count({ source_url: spelt }), 1)
          assert.strictEqual(yield* count({ source_type: "web_search", source_id: spelt }), 1)
          assert.strictEqual(yield* count({ collected_from: "1970-01-01" }), 1)
          assert.strictEqual(yield* count({ collected_until: "1970-01-01" }), 0)
          assert.strictEqual(yield* count({ collected_from: "1970-01-01T09:00:00+09:00" }), 1)
          const refused = yield* Effect.flip(count({ collected_from: "last week" }))
          assert.deepInclude(refused, { field: "filter.collected_from" })
          assert.match(refused.message, /a day such as 2026-03-02 or an instant such as/)
          assert.deepInclude(yield* Effect.flip(count({ source_url: "a.example" })), {
            field: "filter.source_url"
          })
        })))

      it.effect("is of one tenant, whatever another asks", () =>
        withApi(Effect.fnUntraced(function*(api) {
          const mine = { ...caller, tenantId: "mine" }
          yield* api.collect(page("https://a.example/mine", "Rhodium."), mine)
          const other = { ...caller, tenantId: "other" }
          assert.lengthOf((yield* api.search({ query: "rhodium" }, mine)).found, 1)
          assert.lengthOf((yield* api.search({ query: "rhodium" }, other)).found, 0)
          const gone = yield* Effect.flip(
            api.remove({ source_type: "web_search", source_id: "https://a.example/mine" }, other)
          )
          assert.strictEqual(gone._tag, "EvidenceNotFound")
          assert.lengthOf((yield* api.search({ query: "rhodium" }, mine)).found, 1)
        })))

      it.effect("is found by words alone, and says so, where vectors are not", () =>
        Effect.gen(function*() {
          const tenant = { ...caller, tenantId: "plain" }
          const ask = (api: ReturnType<typeof Sent.sentEvidence>) =>
            Effect.gen(function*() {
              yield* api.collect(page("https://a.example/", "Copper conducts."), tenant)
              const { vectors } = yield* api.search({ query: "copper" }, tenant)
              const refused = yield* Effect.flip(api.reembed({}, tenant))
              return [vectors, refused._tag === "VectorsUnavailable" ? refused.reason : ""]
            })
          const without = keepsVectors ? "not_configured" : "not_kept"
          assert.deepStrictEqual(yield* withApi(ask), [without, without])
        }))

      if (!keepsVectors) return

      it.effect("by meaning first puts what is near before what shares the words", () =>
        Effect.gen(function*() {
          const tenant = { ...caller, tenantId: "first" }
          const of = embedder("letters", "xz")
          const found = (retrieval: string) =>
            withApi((api) =>
              Effect.gen(function*() {
                const answer = yield* api.search({ query: "copper zz xxxx", retrieval }, tenant)
                assert.strictEqual(answer.vectors, "compared")
                return answer.found.map(({ title }) => title)
              }), of)
          const put = (title: string, text: string) => {
            const { material } = page(`https://${title}.example/`, text)
            return withApi((api) => api.collect({ material: { ...material, title } }, tenant), of)
          }
          yield* put("words", "Copper zz zzz zzzz.")
          yield* put("near", "xx x xxx.")
          assert.deepStrictEqual(yield* found("hybrid"), ["words", "near"])
          assert.deepStrictEqual(yield* found("vector_first"), ["near", "words"])
        }))

      it.effect("moves to another embedder, and no search mixes the two", () =>
        Effect.gen(function*() {
          const tenant = { ...caller, tenantId: "moving" }
          let isDown = false
          const old = embedder("old", "ab")
          const next = embedder("next", "xyz", () => isDown)
          const modelIn = (of: Embedder) =>
            withApi((api) => api.search({ query: "copper" }, tenant), of).pipe(
              Effect.map(({ model, vectors }) => model?.model ?? vectors)
            )
          const put = (of: Embedder, name: string) =>
            withApi(
              (api) => api.collect(page(`https://${name}.example/`, `Copper ${name}.`), tenant),
              of
            )
          for (let index = 0; index < 66; index++) yield* put(old, `p${index}`)
          assert.strictEqual(yield* modelIn(old), "old")
          assert.strictEqual(yield* modelIn(next), "other_model")
          yield* put(next, "new")
          isDown = true
          const bare = yield* put(next, "bare")
          assert.notProperty(bare, "embedding")
          const failed = yield* Effect.flip(withApi((api) => api.reembed({}, tenant), next))
          assert.deepInclude(failed, { _tag: "VectorsUnavailable", reason: "failed" })
          assert.strictEqual(yield* modelIn(old), "old")
          isDown = false
          const done = yield* withApi((api) => api.reembed({}, tenant), next)
          assert.deepInclude(done, { embedded: 67, entries: 68 })
          assert.strictEqual(yield* modelIn(old), "other_model")
          assert.strictEqual(yield* modelIn(next), "next")
          const again = yield* withApi((api) => api.reembed({}, tenant), next)
          assert.deepInclude(again, { embedded: 0, entries: 68 })
          const moves = (yield* typesIn("moving")).filter(({ type }) =>
            type === "WEB_GROUNDING_EVIDENCE_REEMBEDDED"
          )
          assert.lengthOf(moves, 1)
        }))
    }
  )

const postgres = Layer.mergeAll(PlainEventStore.layer, PostgresEvidenceStore.layer)

suite("in memory", Layer.mergeAll(MemoryEventStore.layer, MemoryEvidenceStore.layer), true)
suite("embedded", postgres.pipe(Layer.provide(EmbeddedDatabase.layer)), true)
suite("on a server", postgres.pipe(Layer.provide(TestDatabase.layer)), false)
