/**
 * One page collected by many at once, while others read it.
 *
 * Promise: the store holds all entries of one collecting and none of another, at every moment.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as PostgresEvidenceStore from "../../src/adapters/postgres/PostgresEvidenceStore.ts"
import { EvidenceStore } from "../../src/application/ports/EvidenceStore.ts"
import type { Entry } from "../../src/domain/store/Entry.ts"
import type { Collection } from "../../src/domain/store/Material.ts"
import { collection, longText, webPage } from "../support/evidenceEntries.ts"
import * as Database from "../support/testDatabase.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const roundsCount = full ? 60 : 6
const collectorsCount = 8
const readsMax = 40

type Collect = (tenantId: string, collected: Collection) => Effect.Effect<unknown, unknown>

/** Each collector finds another text, of another length, at the same address. */
const versions = Array.from(
  { length: collectorsCount },
  (_, index) => collection(webPage("https://a.example/", longText(index + 1, `word${index}`)))
)

const printOf = (entries: ReadonlyArray<Entry>) =>
  entries.map(({ id, text_sha256, total_chunks }) => `${id} ${text_sha256} ${total_chunks}`).join()

const prints = new Set(versions.map(({ entries }) => printOf(entries)))

const isOne = (entries: ReadonlyArray<Entry>) => prints.has(printOf(entries))

/** What a reader saw, during and after, that was not one whole collecting. */
const torn = Effect.fn(function*(name: string, collect: Collect) {
  const store = yield* EvidenceStore
  const [first] = versions
  if (first === undefined) return 0
  let faults = 0
  for (let round = 0; round < roundsCount; round++) {
    const tenantId = `${name}-${round}`
    yield* Effect.ignore(collect(tenantId, first))
    const look = Effect.map(store.entriesOf(tenantId, first.key), (entries) => {
      if (!isOne(entries)) faults += 1
    })
    yield* Effect.all([
      Effect.forEach(versions, (version) => Effect.ignore(collect(tenantId, version)), {
        concurrency: "unbounded"
      }),
      Effect.forEach(Array.from({ length: readsMax }), () => look)
    ], { concurrency: "unbounded" })
    yield* look
  }
  return faults
})

const layer = PostgresEvidenceStore.layer.pipe(Layer.provideMerge(Database.layer))

describe("a page that is collected by many at once", () => {
  it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("is whole and of one collecting, at every moment", () =>
      Effect.gen(function*() {
        const { replace } = yield* EvidenceStore
        const faults = yield* torn("sound", (tenantId, { entries, key }) =>
          replace(tenantId, { sources: [key], entries }, () =>
            Effect.void))
        assert.strictEqual(faults, 0)
      }), 300_000)
  })
})
