/** The contract of every embedder. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import { type Embedder, textsMax } from "../../src/application/ports/Embedder.ts"
import type { Vector } from "../../src/domain/retrieval/Ranking.ts"
import { oneAnswer } from "../support/oneAnswer.ts"
import { commonRows, type EngineRow, engineTable } from "./engineTable.ts"

export interface EmbedderUnderTest {
  readonly name: string
  readonly key: string
  /** Origin of the server; the adapter adds its path. */
  readonly embedderAt: (origin: string, key: string, dimensions: number) => Embedder
  readonly batchTextsMax: number
  /** Rows that this provider reports in its own way. */
  readonly rows: ReadonlyArray<EngineRow>
}

const dimensions = 64

const cosine = (left: Vector, right: Vector): number =>
  left.reduce((sum, value, place) => sum + value * (right[place] ?? 0), 0) /
  (Math.hypot(...left) * Math.hypot(...right))

export const embedderContract = (subject: EmbedderUnderTest): void => {
  const { batchTextsMax, embedderAt, key, name } = subject
  const own = subject.rows.map(({ fault }) => fault)

  engineTable({
    name,
    span: "Embedder.embed",
    key,
    askAt: (baseUrl, apiKey) => embedderAt(baseUrl, apiKey, dimensions).embed(["a", "b"], "query")
  }, [
    ...commonRows.filter(({ fault }) => !own.includes(fault)),
    { fault: "empty", reason: "malformed", detail: "missing_vector" },
    { fault: "missing-result", reason: "malformed", detail: "missing_vector" },
    { fault: "doubled-result", reason: "malformed", detail: "doubled_vector" },
    { fault: "odd-numbers", reason: "malformed", detail: "bad_body" },
    { fault: "short-vectors", reason: "malformed", detail: "bad_vector" },
    { fault: "zero-vectors", reason: "malformed", detail: "bad_vector" },
    ...subject.rows
  ])

  describe(`${name} as an embedder`, () => {
    layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
      const fresh = Effect.gen(function*() {
        const server = yield* SandboxServer.SandboxServer
        yield* server.forget
        return server
      })

      it.effect("answers one vector a text, in order over many batches, each as if alone", () =>
        Effect.gen(function*() {
          const { baseUrl, hits } = yield* fresh
          const embedder = embedderAt(baseUrl, key, dimensions)
          const texts = Array.from({ length: batchTextsMax * 2 + 1 }, (_, n) => `text number ${n}`)
          const vectors = yield* embedder.embed(texts, "passage")
          assert.strictEqual((yield* hits).total, 3)
          assert.lengthOf(vectors, texts.length)
          for (const place of [0, 1, batchTextsMax - 1, batchTextsMax, texts.length - 1]) {
            const [alone] = yield* embedder.embed([texts[place] ?? ""], "passage")
            assert.deepStrictEqual(vectors[place], alone)
          }
          assert.isTrue(vectors.every(({ length }) => length === embedder.dimensions))
        }))

      it.effect("puts texts with the same words near each other", () =>
        Effect.gen(function*() {
          const { baseUrl } = yield* fresh
          const [asked = [], near = [], far = []] = yield* embedderAt(baseUrl, key, 256).embed(
            ["tram fare in Halvern", "the fare of a tram in Halvern", "museum opening hours"],
            "passage"
          )
          assert.isAbove(cosine(asked, near), cosine(asked, far) + 0.3)
        }))

      it.effect("sends nothing for no texts, for a blank one and for too many", () =>
        Effect.gen(function*() {
          const { baseUrl, hits } = yield* fresh
          const { embed } = embedderAt(baseUrl, key, dimensions)
          assert.deepStrictEqual(yield* embed([], "query"), [])
          const blank = yield* Effect.flip(embed(["a", " \n"], "query"))
          assert.deepStrictEqual([blank.reason, blank.detail], ["refused", "blank_text"])
          const many = yield* Effect.flip(
            embed(Array.from({ length: textsMax + 1 }, () => "a"), "query")
          )
          assert.deepStrictEqual([many.reason, many.detail], ["refused", "too_many_texts"])
          assert.strictEqual((yield* hits).total, 0)
        }))

      it.effect("one batch that fails fails the call: nothing is filled in", () =>
        Effect.gen(function*() {
          const { baseUrl, setFault } = yield* fresh
          yield* setFault("missing-resultx1")
          const texts = Array.from({ length: batchTextsMax * 2 }, (_, n) => `text ${n}`)
          const failure = yield* Effect.flip(
            embedderAt(baseUrl, key, dimensions).embed(texts, "passage")
          ).pipe(Effect.ensuring(setFault("")))
          assert.strictEqual(failure.detail, "missing_vector")
        }))

      it.effect("half a character and a text of any length are sent as they can be", () =>
        Effect.gen(function*() {
          const { baseUrl } = yield* fresh
          const vectors = yield* embedderAt(baseUrl, key, dimensions).embed(
            ["tram \uD83D", "x".repeat(200_000)],
            "passage"
          )
          assert.lengthOf(vectors, 2)
        }))
    })

    it.live.each([
      { data: [{ index: 0, embedding: [1, 2, 3] }] },
      { data: [{ index: 0, embedding: ["1", "2"] }] },
      { data: [{ index: 0, embedding: "AAAAAAAAAAA=" }] },
      { data: [{ index: 0, embedding: [1, 1e999] }] },
      { data: [{ index: 1, embedding: [1, 2] }] },
      { data: [{ index: 0.5, embedding: [1, 2] }] },
      { data: [{ embedding: [1, 2, 3] }] },
      { data: [] },
      { data: null },
      {}
    ])("takes no %j for an answer", (body) =>
      Effect.gen(function*() {
        const { baseUrl, say } = yield* oneAnswer
        const text = JSON.stringify(body).replaceAll("null]", "1e999]")
        yield* say({ body: text, contentType: "application/json" })
        const failure = yield* Effect.flip(embedderAt(baseUrl, key, 2).embed(["a"], "query"))
        assert.strictEqual(failure.reason, "malformed")
      }))
  })
}
