/** The evidence store in memory, embedded with vectors, and on a server without them. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as PostgresEvidenceStore from "../../src/adapters/postgres/PostgresEvidenceStore.ts"
import { EvidenceStore } from "../../src/application/ports/EvidenceStore.ts"
import * as EmbeddedDatabase from "../support/embeddedDatabase.ts"
import { collection, note } from "../support/evidenceEntries.ts"
import * as MemoryEvidenceStore from "../support/memory/MemoryEvidenceStore.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { evidenceStoreContract } from "./evidenceStoreContract.ts"
import { evidenceTenantsContract } from "./evidenceTenantsContract.ts"

const stores = [
  ["memory", MemoryEvidenceStore.layer, true],
  ["embedded", PostgresEvidenceStore.layer.pipe(Layer.provide(EmbeddedDatabase.layer)), true],
  ["server", PostgresEvidenceStore.layer.pipe(Layer.provide(TestDatabase.layer)), false]
] as const

for (const [name, layer, keepsVectors] of stores) {
  evidenceStoreContract(name, layer, keepsVectors)
  evidenceTenantsContract(name, layer, keepsVectors)
}

it.live("a vector of another length than its model's finds nothing in PostgreSQL", () =>
  Effect.gen(function*() {
    const { byVector, replace } = yield* EvidenceStore
    const model = { model: "small", dimensions: 2 }
    const { entries, key } = collection(note("n", "A note of copper."))
    const vectors = { model, values: [[1, 0]] }
    yield* replace("t", { sources: [key], entries, vectors }, () => Effect.void)
    assert.lengthOf(yield* byVector("t", model, [1, 0], {}, 5), 1)
    assert.deepStrictEqual(yield* byVector("t", model, [1, 0, 0], {}, 5), [])
    const odd = { model: "small", dimensions: 3 }
    assert.deepStrictEqual(yield* byVector("t", odd, [1, 0], {}, 5), [])
  }).pipe(Effect.provide(PostgresEvidenceStore.layer), Effect.provide(EmbeddedDatabase.layer)))
