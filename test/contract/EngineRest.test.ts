/**
 * A server that fails again and again, or asks to be left alone, is left alone: by the engine it
 * said it to.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { listening, portOf } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as MemoryBreakers from "../../src/adapters/breakers/MemoryBreakers.ts"
import * as JinaPageReader from "../../src/adapters/jina/JinaPageReader.ts"
import * as JinaReranker from "../../src/adapters/jina/JinaReranker.ts"
import * as ChatModel from "../../src/adapters/openai/ChatModel.ts"
import * as ChatNeedGate from "../../src/adapters/openai/ChatNeedGate.ts"
import * as LocalEngines from "../../src/adapters/rules/LocalEngines.ts"
import { EngineFailed, type EngineInfo } from "../../src/application/ports/Engines.ts"
import * as SearchProvider from "../../src/application/ports/SearchProvider.ts"
import * as RungWalk from "../../src/application/steps/RungWalk.ts"
import { chunksOf } from "../../src/domain/page/Page.ts"
import { pageOf } from "../support/evidencePages.ts"
import { pagesHere } from "../support/pagesHere.ts"
import { requested } from "../support/sessionFacts.ts"

const chunks = chunksOf([pageOf("A tenant must give one month's notice before moving out.")])
const hit = { url: "https://a.example/", content: "A page." }

interface Asked {
  readonly info: EngineInfo
  readonly ask: Effect.Effect<unknown, EngineFailed>
}

/** Engines of a server that answers with this, and how often it was asked. */
const served = Effect.fnUntraced(function*(status: number, headers: Record<string, string>) {
  let asked = 0
  const server = yield* listening((incoming, response) => {
    asked += 1
    incoming.resume()
    response.writeHead(status, { "content-type": "application/json", ...headers }).end("{}")
  })
  const options = { apiKey: Redacted.make("k"), baseUrl: `http://127.0.0.1:${portOf(server)}` }
  const reading = { timeoutMs: 5_000, isHostAllowed: () => true, pages: pagesHere }
  const reader = JinaPageReader.make({ ...options, ...reading })
  const reranker = JinaReranker.make({ ...options, model: "m" })
  const gate = ChatNeedGate.make(
    yield* ChatModel.make({
      ...options,
      apiKey: Option.some(options.apiKey),
      model: "m",
      prices: Option.none()
    })
  )
  const engines: Readonly<Record<string, Asked>> = {
    reader: { info: reader.info, ask: reader.ask(hit) },
    reranker: { info: reranker.info, ask: reranker.ask({ question: "How much notice?", chunks }) },
    model: { info: gate.info, ask: gate.ask(requested().request) }
  }
  return { asked: () => asked, engine: (name: string) => engines[name] ?? assert.fail(name) }
})

/** What a step says of the engine that it asked before the local one. */
const faultOf = ({ ask, info }: Asked, timeoutMs = 5_000) =>
  Effect.map(
    RungWalk.walk(
      { preferred: [{ info, ask: () => Effect.as(ask, []) }], last: LocalEngines.ranker },
      { question: "", chunks: [] },
      { read: () => undefined, time: { leftMs: timeoutMs, timeoutMs: 5_000 } }
    ),
    ({ rung }) => rung.faults[0]
  )
const detailOf = (engine: Asked) => Effect.map(faultOf(engine), (fault) => fault?.detail)

const names = ["reader", "reranker", "model"].map((name) => ({ name }))
const guarded = Effect.provide(MemoryBreakers.layer, { local: true })

describe("an engine whose server asks it to wait", () => {
  it.effect.each(names)(
    "rests until then, and is asked again: $name",
    ({ name }) =>
      Effect.gen(function*() {
        const { asked, engine } = yield* served(429, { "retry-after": "30" })
        assert.strictEqual(yield* detailOf(engine(name)), "rate_limited")
        yield* TestClock.adjust("29 seconds")
        assert.strictEqual(yield* detailOf(engine(name)), "resting")
        assert.strictEqual(asked(), 1)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* detailOf(engine(name)), "rate_limited")
        assert.strictEqual(asked(), 2)
        // The others have limits of their own.
        for (const other of names.filter((one) => one.name !== name)) {
          assert.strictEqual(yield* detailOf(engine(other.name)), "rate_limited")
        }
      }).pipe(guarded, Effect.scoped)
  )

  it.effect("does not rest longer than a quarter of an hour, and not unless it is asked to", () =>
    Effect.gen(function*() {
      const long = yield* served(503, { "retry-after": "999999999" })
      assert.strictEqual(yield* detailOf(long.engine("reader")), "upstream_5xx")
      yield* TestClock.adjust(SearchProvider.restMsMax - 1)
      assert.strictEqual(yield* detailOf(long.engine("reader")), "resting")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* detailOf(long.engine("reader")), "upstream_5xx")

      for (const header of ["", "-5", "soon", "0"]) {
        yield* Effect.gen(function*() {
          const untold = yield* served(429, { "retry-after": header })
          assert.strictEqual(yield* detailOf(untold.engine("reader")), "rate_limited")
          assert.strictEqual(yield* detailOf(untold.engine("reader")), "rate_limited")
          assert.strictEqual(untold.asked(), 2)
        }).pipe(guarded)
      }
    }).pipe(guarded, Effect.scoped))
})

describe("an engine whose server does not work", () => {
  const failures = 5

  it.effect("is left alone for half a minute after five failures in a row", () =>
    Effect.gen(function*() {
      const { asked, engine } = yield* served(503, {})
      const model = engine("model")
      for (let made = 0; made < failures; made++) {
        assert.strictEqual(yield* detailOf(model), "upstream_5xx")
      }
      assert.strictEqual(yield* detailOf(model), "resting")
      assert.strictEqual(asked(), failures)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* detailOf(model), "upstream_5xx")
    }).pipe(guarded, Effect.scoped))

  it.effect("is not blamed for answers that were refused, or for time that it was not given", () =>
    Effect.gen(function*() {
      const hanging: Asked = {
        info: { engine: "slow", version: "1", upstream: "slow" },
        ask: Effect.never
      }
      const timedOut = (timeoutMs: number) =>
        Effect.gen(function*() {
          const fiber = yield* Effect.forkChild(faultOf(hanging, timeoutMs))
          yield* TestClock.adjust(timeoutMs)
          return (yield* Fiber.join(fiber))?.reason
        })
      for (let made = 0; made <= failures; made++) {
        assert.strictEqual(yield* timedOut(1_000), "timeout")
      }
      for (let made = 0; made < failures; made++) {
        assert.strictEqual(yield* timedOut(5_000), "timeout")
      }
      assert.strictEqual((yield* faultOf(hanging))?.detail, "resting")

      const { asked, engine } = yield* served(400, {})
      for (let made = 0; made <= failures; made++) yield* detailOf(engine("model"))
      assert.isAbove(asked(), failures)
      assert.strictEqual(yield* detailOf(engine("model")), "bad_request")
    }).pipe(guarded, Effect.scoped))
})
