/**
 * A server of Jina's that asks to be left alone is left alone for so long, by the engine it said it
 * to. Saboteur: the same engines without a rest.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as JinaEmbedder from "../../src/adapters/jina/JinaEmbedder.ts"
import * as JinaPageReader from "../../src/adapters/jina/JinaPageReader.ts"
import * as JinaReranker from "../../src/adapters/jina/JinaReranker.ts"
import * as EngineRest from "../../src/application/EngineRest.ts"
import type { EngineFailed } from "../../src/application/ports/Rungs.ts"
import { chunksOf } from "../../src/domain/page/Page.ts"
import { pageOf } from "../support/evidencePages.ts"
import { listening, portOf } from "../support/webServers.ts"

const chunks = chunksOf([pageOf("A tenant must give one month's notice before moving out.")])
const hit = { url: "https://a.example/", content: "A page." }

/** Engines of a server that answers with this, and how often it was asked. */
const served = Effect.fnUntraced(function*(status: number, headers: Record<string, string>) {
  let asked = 0
  const server = yield* listening((incoming, response) => {
    asked += 1
    incoming.resume()
    response.writeHead(status, { "content-type": "application/json", ...headers }).end("{}")
  })
  const options = { apiKey: Redacted.make("k"), baseUrl: `http://127.0.0.1:${portOf(server)}` }
  const isHostAllowed = () => true
  const reader = JinaPageReader.make({ ...options, timeoutMs: 5_000, isHostAllowed })
  const reranker = JinaReranker.make({ ...options, model: "m" })
  const embedder = JinaEmbedder.make({ ...options, model: "m", dimensions: 8 })
  return { reader, reranker, embedder, asked: () => asked }
})
type Served = Effect.Success<ReturnType<typeof served>>

const detailOf = <A>(ask: Effect.Effect<A, EngineFailed>) =>
  Effect.map(Effect.flip(ask), ({ detail }) => detail)

const engines: Readonly<
  Record<string, (from: Served, rested: boolean) => Effect.Effect<unknown, EngineFailed>>
> = {
  reader: ({ reader }, rested) => (rested ? EngineRest.reader(reader) : reader).read(hit),
  reranker: ({ reranker }, rested) =>
    (rested ? EngineRest.reranker(reranker) : reranker).score("How much notice?", chunks),
  embedder: ({ embedder }, rested) =>
    (rested ? EngineRest.embedder(embedder) : embedder).embed(["A text."], "query")
}

describe("an engine of Jina's that is told to wait", () => {
  it.effect.each(Object.keys(engines).map((name) => ({ name })))(
    "rests until then, and is asked again: $name",
    ({ name }) =>
      Effect.gen(function*() {
        const from = yield* served(429, { "retry-after": "30" })
        const ask = engines[name]?.(from, true) ?? assert.fail(name)
        assert.strictEqual(yield* detailOf(ask), "rate_limited")
        yield* TestClock.adjust("29 seconds")
        assert.strictEqual(yield* detailOf(ask), "resting")
        assert.strictEqual(from.asked(), 1)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* detailOf(ask), "rate_limited")
        assert.strictEqual(from.asked(), 2)
      }).pipe(Effect.scoped)
  )

  it.effect.each(Object.keys(engines).map((name) => ({ name })))(
    "would be asked at once without a rest: $name",
    ({ name }) =>
      Effect.gen(function*() {
        const from = yield* served(429, { "retry-after": "30" })
        const ask = engines[name]?.(from, false) ?? assert.fail(name)
        assert.strictEqual(yield* detailOf(ask), "rate_limited")
        assert.strictEqual(yield* detailOf(ask), "rate_limited")
        assert.strictEqual(from.asked(), 2)
      }).pipe(Effect.scoped)
  )

  it.effect("does not rest longer than a quarter of an hour, and not without being told", () =>
    Effect.gen(function*() {
      const long = yield* served(503, { "retry-after": "999999999" })
      const reader = EngineRest.reader(long.reader)
      assert.strictEqual(yield* detailOf(reader.read(hit)), "upstream_5xx")
      yield* TestClock.adjust(EngineRest.restMsMax - 1)
      assert.strictEqual(yield* detailOf(reader.read(hit)), "resting")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* detailOf(reader.read(hit)), "upstream_5xx")

      for (const header of ["", "-5", "soon", "0"]) {
        const untold = yield* served(429, { "retry-after": header })
        const other = EngineRest.reader(untold.reader)
        assert.strictEqual(yield* detailOf(other.read(hit)), "rate_limited")
        assert.strictEqual(yield* detailOf(other.read(hit)), "rate_limited")
        assert.strictEqual(untold.asked(), 2)
      }
    }).pipe(Effect.scoped))
})
