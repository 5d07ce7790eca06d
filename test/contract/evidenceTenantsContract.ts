/** What an evidence store owes tenants that use the same ids and words. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { EvidenceStore } from "../../src/application/ports/EvidenceStore.ts"
import { collection, note } from "../support/evidenceEntries.ts"

const model = { model: "small", dimensions: 2 }
const others = Array.from({ length: 12 }, (_, n) => `other-${n}`)
const mine = "The fee for a copper roof is 20 crowns."
/** Holds the words asked for more often, so that it fits better. */
const theirs = "Copper roof, copper roof fee, fee of a copper roof."

export const evidenceTenantsContract = (
  name: string,
  layer: Layer.Layer<EvidenceStore, unknown>,
  keepsVectors: boolean
) =>
  it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })(
    `EvidenceStore and its tenants: ${name}`,
    (it) => {
      const put = (tenantId: string, id: string, text: string, vector = [1, 0]) =>
        Effect.gen(function*() {
          const { replace } = yield* EvidenceStore
          const { entries, key } = collection(note(id, text))
          const vectors = { model, values: entries.map(() => vector) }
          yield* replace(tenantId, { sources: [key], entries, vectors }, () => Effect.void)
          return { entries, key }
        })

      it.effect("takes no tenant's source out when another puts one of the same id", () =>
        Effect.gen(function*() {
          const { entriesOf } = yield* EvidenceStore
          const { entries, key } = yield* put("first", "same", mine)
          yield* put("second", "same", theirs)
          assert.deepStrictEqual(
            (yield* entriesOf("first", key)).map(({ id, text }) => [id, text]),
            entries.map(({ id, text }) => [id, text])
          )
        }))

      it.effect("finds the nearest by its vector when it may give only one", () =>
        Effect.gen(function*() {
          const { byVector } = yield* EvidenceStore
          yield* put("near", "far", "Far.", [0, 1])
          yield* put("near", "close", "Close.", [1, 0.1])
          const found = yield* byVector("near", model, [1, 0], {}, 1)
          assert.deepStrictEqual(found.map(({ text }) => text), keepsVectors ? ["Close."] : [])
        }))

      it.effect("keeps a text that holds a word of any length, and finds it by the others", () =>
        Effect.gen(function*() {
          const { byText } = yield* EvidenceStore
          const text = `Copper ${"x".repeat(3_000)} roof, it's 'quoted' \\ here.`
          yield* put("long", "word", text)
          for (const question of ["copper roof", "it's 'quoted' \\"]) {
            const found = yield* byText("long", question, {}, 5)
            assert.deepStrictEqual(found.map(({ id }) => id), ["doc:word:0"])
          }
        }))

      it.effect("finds a tenant's own, however many others hold what fits better", () =>
        Effect.gen(function*() {
          const { byText, byVector } = yield* EvidenceStore
          yield* put("crowded", "own", mine, [0.9, 0.1])
          for (const id of others) yield* put("crowding", id, theirs, [1, 0])
          const found = yield* byText("crowded", "copper roof fee", {}, 1)
          assert.deepStrictEqual(found.map(({ text }) => text), [mine])
          const near = yield* byVector("crowded", model, [1, 0], {}, 1)
          assert.deepStrictEqual(near.map(({ text }) => text), keepsVectors ? [mine] : [])
          assert.deepStrictEqual(yield* byText("nobody", "copper roof fee", {}, 5), [])
        }))
    }
  )
