/** Recorded answers of Jina's through every adapter that asks it. The set is not in the repository. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result, Schema } from "effect"
import { join } from "node:path"
import * as JinaEmbedder from "../../src/adapters/jina/JinaEmbedder.ts"
import * as JinaPageReader from "../../src/adapters/jina/JinaPageReader.ts"
import * as JinaReranker from "../../src/adapters/jina/JinaReranker.ts"
import type { EngineFailed } from "../../src/application/ports/Engines.ts"
import { chunksOf } from "../../src/domain/page/Page.ts"
import { pageOf } from "../support/evidencePages.ts"
import { oneAnswer } from "../support/oneAnswer.ts"
import { pagesHere } from "../support/pagesHere.ts"
import { linesOf, recordingsOf } from "../support/recordings.ts"
import { hit } from "../support/sessionFacts.ts"

const { bodyOf, directory, recordings } = recordingsOf("jina")
const cutsPerBody = 20
const types = ["text/html", "text/plain", "image/png", "application/json; charset=utf-16"]

const options = (baseUrl: string) => ({ apiKey: Redacted.make("jina-sandbox-1"), baseUrl })
const twoChunks = chunksOf([
  pageOf("Trams run."),
  pageOf("A tram ride costs 2.80.", { source_id: "s2" })
])
type Name = "reader" | "reranker" | "embedder"
const names: ReadonlyArray<Name> = ["reader", "reranker", "embedder"]
const engines: Readonly<
  Record<Name, (baseUrl: string) => Effect.Effect<unknown, EngineFailed>>
> = {
  reader: (baseUrl) =>
    JinaPageReader.make({
      ...options(baseUrl),
      timeoutMs: 12_000,
      isHostAllowed: () => true,
      pages: pagesHere
    }).ask(hit("https://a.example/")),
  reranker: (baseUrl) =>
    JinaReranker.make({ ...options(baseUrl), model: "jina-reranker-m0" })
      .ask({ question: "tram", chunks: twoChunks }),
  embedder: (baseUrl) =>
    JinaEmbedder.make({ ...options(baseUrl), model: "jina-embeddings-v3", dimensions: 8 })
      .embed(["a", "b"], "query")
}

/** What each means to the engine whose endpoint it is; to the others it is no answer. */
const detailById: Readonly<Record<string, string>> = {
  "err-451-security": "blocked",
  "err-500-typeerror": "upstream_5xx",
  "err-429-ip": "rate_limited",
  "err-403-abuse": "blocked",
  "soft-403-json": "http_403",
  "soft-404-json": "http_404"
}
const rerankings = ["meta-v1-2", "meta-v7-38"]

const Heads = Schema.fromJsonString(Schema.Struct({ id: Schema.String, head: Schema.String }))

describe.skipIf(recordings.length === 0)("recorded answers of Jina's", () => {
  const answers = Effect.gen(function*() {
    const { baseUrl, say } = yield* oneAnswer
    const ask = (name: Name, body: string, status = 200, contentType = "application/json") =>
      Effect.gen(function*() {
        yield* say({ body, status, contentType })
        return yield* Effect.result(engines[name](baseUrl))
      })
    return ask
  })
  it.live.each(recordings)(
    "$id is read for what it is",
    ({ body_file, id, status }) =>
      Effect.gen(function*() {
        const ask = yield* answers
        for (const name of names) {
          const result = yield* ask(name, bodyOf(body_file), status ?? 200)
          const isError = (status ?? 200) >= 400
          const detail = detailById[id]
          if (name === "reranker" && rerankings.includes(id)) {
            assert.strictEqual(result._tag, "Success")
          } else if (Result.isSuccess(result)) {
            assert.fail(`${name} took ${id} for an answer`)
          } else if (isError || (name === "reader" && detail !== undefined)) {
            assert.strictEqual(result.failure.detail, detail)
          } else {
            assert.oneOf(result.failure.detail, ["bad_body", "missing_vector"])
          }
        }
      })
  )

  it.live("scores go to the passages that they were given for", () =>
    Effect.gen(function*() {
      const ask = yield* answers
      const result = yield* ask("reranker", bodyOf("bodies/meta-v7-38.json"))
      // By their words the second passage is sent first, so index 0 is its own.
      const scores = Schema.decodeUnknownSync(Schema.Array(Schema.Finite))(
        Result.isSuccess(result) ? result.success : []
      )
      assert.deepStrictEqual(scores.toSorted(), [0.9337408271911014, 0.9587112551898949])
    }))

  it.live("an answer cut anywhere, under any type, invents nothing", () =>
    Effect.gen(function*() {
      const ask = yield* answers
      let cuts = 0
      for (const { body_file, status } of recordings) {
        const body = bodyOf(body_file)
        for (const name of names) {
          const whole = yield* ask(name, body, status ?? 200)
          for (let n = 0; n <= cutsPerBody; n++) {
            const part = body.slice(0, Math.trunc((body.length * n) / cutsPerBody))
            const cut = yield* ask(name, part, status ?? 200, types[n % types.length])
            cuts += 1
            if (Result.isSuccess(cut) || n === cutsPerBody) assert.deepStrictEqual(cut, whole)
          }
        }
      }
      assert.strictEqual(cuts, recordings.length * names.length * (cutsPerBody + 1))
    }))

  it.live("Markdown as recorded, cut anywhere, keeps its words and no link", () =>
    Effect.gen(function*() {
      const ask = yield* answers
      const heads = linesOf(join(directory, "reader_markdown_heads.jsonl")).map((line) =>
        Schema.decodeUnknownSync(Heads)(line).head
      )
      const bodies = [bodyOf("bodies/camel-hollow-knight.md"), ...heads]
      for (const body of bodies) {
        for (let n = 1; n <= cutsPerBody; n++) {
          const content = body.slice(0, Math.trunc((body.length * n) / cutsPerBody))
          const result = yield* ask("reader", JSON.stringify({ code: 200, data: { content } }))
          if (Result.isFailure(result)) {
            assert.oneOf(result.failure.detail, ["no_text", "captcha"])
            continue
          }
          const { text } = Schema.decodeUnknownSync(Schema.Struct({ text: Schema.String }))(
            result.success
          )
          assert.notMatch(text, /\]\(/)
          const words = text.match(/\p{L}+/gu) ?? []
          assert.isTrue(words.every((word) => content.includes(word)))
        }
      }
    }))
})
