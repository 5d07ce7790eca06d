/** What a call may say of how much is read, and the evidence that it gets back as data. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  chunkCharsMax,
  chunkCharsMin,
  chunksOfText
} from "../../packages/language/src/passages/Chunking.ts"
import type { Chain } from "../../src/application/ports/Engines.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import {
  askedNotice as asked,
  caller,
  inMemory,
  providers,
  readingBy,
  scripted
} from "../support/grounding.ts"
import { eventsIn } from "../support/recordedSession.ts"
import { PublicApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"

const topics = ["notice", "rent", "repairs", "keys", "deposit", "garden", "heating", "parking"]
const paragraphs = topics.map((topic) =>
  `A tenant must give one month's notice about the ${topic} of the flat, in writing. `.repeat(4)
)
const text = paragraphs.join("\n\n")
/** A control and an invisible character, as an older release may have recorded them. */
const odd = "A tenant\u0007 must give one month's\u200b notice before leaving the flat."

const found = topics.map((topic) =>
  hit(`https://${topic}.example/page`, { site: `${topic}.example`, content: odd })
)

/** As the adapters of pages do. */
const readers = readingBy(({ chunkCharsMin: charsMin = chunkCharsMin }) =>
  Effect.succeed({ reader: "web", text, chunks: chunksOfText(text, [], charsMin) })
)

const grounded = (fields: object = {}) =>
  Effect.flatMap(PublicApi, (api) => api.ground({ ...asked, ...fields }, caller))

const inWorld = (preferred: Chain<"reader">["preferred"] = readers.preferred) =>
  Effect.provide(inMemory(providers(scripted(answerWith(found))), {
    readers: { ...readers, preferred }
  }))

const replayed = Effect.flatMap(PublicApi, (api) => api.replay({ session_id: "s" }, caller))

describe("the limits of a call", () => {
  it.effect("go before the service's own, are recorded, and replay as they were", () =>
    Effect.gen(function*() {
      const overrides = { max_sources: 3, chunk_size: 300, top_k: 2 }
      const { evidence } = yield* grounded({ overrides, consent_raw_content: true })
      assert.lengthOf(evidence?.sources ?? [], 3)
      assert.lengthOf(evidence?.chunks ?? [], 2)
      for (const { end, start } of evidence?.chunks ?? []) {
        assert.isAtMost(end - start, 300 * chunkCharsMax / chunkCharsMin)
      }
      const { read } = yield* EventStore
      const [requested] = (yield* read({ tenant_id: "t", session_id: "s" })).events
      assert.deepInclude(Object(requested?.data).policy, { pages_max: 3, chunks_max: 2 })
      const { difference, not_recomputed } = yield* replayed
      assert.deepStrictEqual([difference, not_recomputed], [undefined, 0])
    }).pipe(inWorld()))

  it.effect("left out are the service's own", () =>
    Effect.gen(function*() {
      const { evidence } = yield* grounded({ consent_raw_content: true })
      assert.lengthOf(evidence?.sources ?? [], 5)
      assert.isAbove(evidence?.chunks.length ?? 0, 2)
      assert.isTrue(evidence?.chunks.some(({ end, start }) => end - start > 450))
    }).pipe(inWorld()))

  it.effect.each(
    [
      ["max_sources", 0],
      ["max_sources", 21],
      ["chunk_size", 199],
      ["chunk_size", 4_001],
      ["top_k", 0],
      ["top_k", 21],
      ["top_k", 1.5]
    ] as const
  )("refuse %s of %s by name", ([name, value]) =>
    Effect.gen(function*() {
      const refused = yield* Effect.flip(grounded({ overrides: { [name]: value } }))
      assert.deepInclude(refused, { _tag: "InvalidInput", field: `overrides.${name}` })
    }).pipe(inWorld()))
})

describe("the evidence of an answer", () => {
  it.effect("names a source for each passage, best first, with its words by consent", () =>
    Effect.gen(function*() {
      const outcome = yield* grounded({ consent_raw_content: true })
      const { chunks = [], sources = [] } = outcome.evidence ?? {}
      assert.isAbove(chunks.length, 0)
      for (const { end, source_index, start, text: words } of chunks) {
        assert.deepInclude(sources[source_index], { reader: "web" })
        assert.strictEqual(words, text.slice(start, end))
      }
      const scores = chunks.map(({ score }) => score)
      assert.deepStrictEqual(yield* grounded({ consent_raw_content: true }), outcome, "told again")
      assert.isTrue(scores.every(Number.isFinite))
    }).pipe(inWorld()))

  it.effect("has offsets without words without consent", () =>
    Effect.gen(function*() {
      const { evidence } = yield* grounded()
      assert.isAbove(evidence?.chunks.length ?? 0, 0)
      assert.isTrue(evidence?.chunks.every((chunk) => !("text" in chunk)))
      const events = yield* eventsIn()
      assert.notInclude(JSON.stringify(events.map(({ data }) => data)), paragraphs[5] ?? "")
      assert.isUndefined((yield* replayed).difference)
    }).pipe(inWorld()))

  it.effect("has a snippet's words without controls, which are once in the log", () =>
    Effect.gen(function*() {
      const { evidence } = yield* grounded()
      const [first] = evidence?.chunks ?? []
      assert.strictEqual(
        first?.text,
        "A tenant must give one month's notice before leaving the flat."
      )
      const events = yield* eventsIn()
      const finished = events.find(({ type }) => type === "WEB_GROUNDING_FINISHED")
      const { outcome } = Object(finished?.data)
      assert.isTrue(outcome.evidence.chunks.every((chunk: object) => !("text" in chunk)))
    }).pipe(inWorld([])))

  it.effect("is absent where nothing was searched", () =>
    Effect.gen(function*() {
      const outcome = yield* grounded({ overrides: { max_queries: 0 } })
      assert.notProperty(outcome, "evidence")
    }).pipe(inWorld()))
})
