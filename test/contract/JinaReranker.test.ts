import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { rerankWires } from "../../packages/dialects/src/Jina.ts"
import { listening, portOf } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as JinaReranker from "../../src/adapters/jina/JinaReranker.ts"
import type { Chunk } from "../../src/domain/page/Page.ts"
import { oneAnswer } from "../support/oneAnswer.ts"
import { commonRows, engineTable } from "./engineTable.ts"

const key = "jina-sandbox-1"
const model = "jina-reranker-v2-base-multilingual"

const chunkOf = (text: string, place = 0): Chunk => ({
  page: {
    source_id: `s${place + 1}`,
    url: `https://a.example/${place}`,
    title: "Halvern",
    site: "a.example",
    official: false,
    providers: ["mock"],
    reader: "web",
    text,
    text_sha256: "",
    chunks: [{ start: 0, end: text.length }]
  },
  index: 0,
  start: 0,
  end: text.length,
  text
})
const texts = [
  "The harbour museum opens at ten.",
  "A single tram fare in Halvern is 2.80 crowns.",
  "Trams run every eight minutes."
]
const chunks = texts.map(chunkOf)
const question = "What is the tram fare in Halvern?"

const rankerAt = (baseUrl: string, apiKey = key) =>
  JinaReranker.make({ apiKey: Redacted.make(apiKey), baseUrl, model })

engineTable({
  name: "JinaReranker",
  span: "JinaReranker.score",
  key,
  askAt: (baseUrl, apiKey) => rankerAt(baseUrl, apiKey).ask({ question, chunks })
}, [
  ...commonRows,
  { fault: "403", reason: "refused", detail: "blocked" },
  { fault: "409", reason: "refused", detail: "budget" },
  { fault: "451", reason: "refused", detail: "blocked" },
  { fault: "404", reason: "refused", detail: "upstream_4xx" },
  { fault: "gzip-bomb", reason: "malformed", detail: "too_large" },
  { fault: "empty", reason: "malformed", detail: "bad_body" },
  { fault: "odd-numbers", reason: "malformed", detail: "bad_body" },
  { fault: "doubled-result", reason: "malformed", detail: "bad_body" },
  { fault: "missing-result" }
])

describe("what Jina's reranker is sent", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    const sentBy = (asked: string, passages: ReadonlyArray<Chunk>) =>
      Effect.gen(function*() {
        const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
        yield* forget
        const scores = yield* rankerAt(`${baseUrl}/`).ask({ question: asked, chunks: passages })
        const hit = (yield* hits).recent.at(-1)
        return { scores, path: hit?.path, headers: hit?.headers, body: Object(hit?.body) }
      })

    it.effect("the passages with their title, and no trace of ours among the headers", () =>
      Effect.gen(function*() {
        const { body, headers, path } = yield* sentBy(question, chunks).pipe(
          Effect.withSpan("outer")
        )
        assert.strictEqual(path, "/v1/rerank")
        assert.strictEqual(body.query, question)
        assert.strictEqual(body.model, model)
        assert.strictEqual(body.top_n, 3)
        assert.include(body.documents, `Halvern\n${texts[1]}`)
        assert.deepStrictEqual(
          Object.keys(headers ?? {}).toSorted(),
          [
            "accept",
            "accept-encoding",
            "connection",
            "content-length",
            "content-type",
            "host",
            "user-agent"
          ]
        )
      }))

    it.effect("the question without what is personal, and nothing where nothing is left", () =>
      Effect.gen(function*() {
        const asked = `${question} Write to jane.roe@mail.example`
        assert.notInclude((yield* sentBy(asked, chunks)).body.query, "jane")
        const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
        yield* forget
        const failure = yield* Effect.flip(
          rankerAt(baseUrl).ask({ question: "jane.roe@mail.example", chunks })
        )
        assert.deepStrictEqual([failure.detail, (yield* hits).total], ["nothing_to_ask", 0])
      }))

    it.effect("no more passages than the bound, the best by their words; none is lost", () =>
      Effect.gen(function*() {
        const many = Array.from(
          { length: rerankWires.jina.documentsMax + 50 },
          (_, place) => chunkOf(place === 170 ? texts[1] ?? "" : `Museum hall ${place}.`, place)
        )
        const { body, scores } = yield* sentBy(question, many)
        assert.lengthOf(body.documents, rerankWires.jina.documentsMax)
        assert.lengthOf(scores, many.length)
        assert.isTrue(scores.every(Number.isFinite))
        assert.strictEqual(scores.indexOf(Math.max(...scores)), 170)
      }))

    it.effect("nothing for no passages", () =>
      Effect.gen(function*() {
        const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
        yield* forget
        assert.deepStrictEqual(yield* rankerAt(baseUrl).ask({ question, chunks: [] }), [])
        assert.strictEqual((yield* hits).total, 0)
      }))

    it.effect("half a character of a passage becomes a whole one", () =>
      Effect.gen(function*() {
        const { body, scores } = yield* sentBy(question, [chunkOf("tram \uD83D fare")])
        assert.lengthOf(scores, 1)
        assert.include(body.documents[0], "tram \uFFFD fare")
      }))
  })
})

describe("what Jina's reranker answers", () => {
  const scored = (body: unknown) =>
    Effect.gen(function*() {
      const { baseUrl, say } = yield* oneAnswer
      yield* say({ body: JSON.stringify(body), contentType: "application/json" })
      return yield* Effect.result(rankerAt(baseUrl).ask({ question: "tram", chunks }))
    })
  /** By words: the first that is sent is the best. */
  const first = 1
  const second = 2

  it.live("is assigned to its passage by the index, not by its position", () =>
    Effect.gen(function*() {
      const result = yield* scored({
        results: [
          { index: 2, relevance_score: 0.9 },
          { index: 0, relevance_score: 0.5 },
          { index: 1, relevance_score: 0.5 }
        ]
      })
      assert.strictEqual(result._tag, "Success")
      const scores = result._tag === "Success" ? result.success : []
      assert.deepStrictEqual([scores[first], scores[second], scores[0]], [0.5, 0.5, 0.9])
    }))

  it.live("puts a passage that it leaves out below the others, in the order of its words", () =>
    Effect.gen(function*() {
      const result = yield* scored({ results: [{ index: 2, relevance_score: -3 }] })
      const scores = result._tag === "Success" ? result.success : []
      assert.lengthOf(scores, 3)
      assert.isBelow(scores[first] ?? 0, -3)
      assert.isBelow(scores[second] ?? 0, scores[first] ?? 0)
    }))

  it.live.each([
    { results: [{ index: 3, relevance_score: 1 }] },
    { results: [{ index: -1, relevance_score: 1 }] },
    { results: [{ index: 0.5, relevance_score: 1 }] },
    { results: [{ index: "0", relevance_score: 1 }] },
    { results: [{ index: 0, relevance_score: null }] },
    { results: [{ index: 0, relevance_score: "NaN" }] },
    { results: [{ index: 0, relevance_score: 1e300 }] },
    { results: [{ index: 0 }] },
    { results: [{ index: 0, relevance_score: 1 }, { index: 0, relevance_score: 2 }] },
    { results: [] },
    { results: null },
    {},
    null
  ])("is no answer as %j", (body) =>
    Effect.gen(function*() {
      const result = yield* scored(body)
      const failure = result._tag === "Failure" ? result.failure : undefined
      assert.deepStrictEqual([failure?.reason, failure?.detail], ["malformed", "bad_body"])
    }))
})

describe("a reranker of one's own", () => {
  /** Answers as given, and keeps its requests. */
  const serving = (answerOf: (body: { readonly texts: ReadonlyArray<string> }) => unknown) =>
    Effect.gen(function*() {
      const asked: Array<{ readonly url: string; readonly key: string; readonly body: unknown }> =
        []
      const server = yield* listening((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => {
          const body = JSON.parse(Buffer.concat(chunks).toString())
          asked.push({ url: request.url ?? "", key: request.headers.authorization ?? "", body })
          response.writeHead(200, { "content-type": "application/json" })
            .end(JSON.stringify(answerOf(body)))
        })
      })
      return { asked, baseUrl: `http://127.0.0.1:${portOf(server)}` }
    })

  it.live("is asked in the words of Text Embeddings Inference, 32 texts at once, without a key", () =>
    Effect.gen(function*() {
      const { asked, baseUrl } = yield* serving(({ texts }) =>
        texts.map((text, index) => ({ index, score: text.includes("2.80") ? 0.9 : 0.1 }))
          .toSorted((one, other) => other.score - one.score)
      )
      const many = Array.from(
        { length: 40 },
        (_, place) => chunkOf(place === 20 ? texts[1] ?? "" : `Tram hall ${place}.`, place)
      )
      const own = JinaReranker.make({ baseUrl, engine: "reranker", wire: "tei" })
      const scores = yield* own.ask({ question, chunks: many })
      assert.strictEqual(scores.indexOf(Math.max(...scores)), 20)
      assert.lengthOf(scores, 40)
      assert.deepInclude(asked[0], { url: "/rerank", key: "" })
      const [{ body } = assert.fail()] = asked
      assert.deepStrictEqual(Object.keys(Object(body)), ["query", "texts", "truncate"])
      assert.lengthOf(Object(body).texts, 32)
      assert.strictEqual(own.info.engine, "reranker")
    }))

  it.live("ranks in the sandbox, without a key, in either wire", () =>
    Effect.gen(function*() {
      const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
      for (const wire of ["jina", "tei"] as const) {
        yield* forget
        const own = { baseUrl, engine: "reranker", wire }
        const scores = yield* JinaReranker.make(own).ask({ question, chunks })
        assert.strictEqual(scores.indexOf(Math.max(...scores)), 1)
        assert.deepStrictEqual((yield* hits).by_provider, { [wire]: 1 })
        const refused = yield* JinaReranker.make({ ...own, apiKey: Redacted.make("nobody-1") })
          .ask({ question, chunks }).pipe(Effect.flip)
        assert.strictEqual(refused.detail, "invalid_key")
        const failure = yield* JinaReranker.make(own)
          .ask({ question: `${question} fault:429`, chunks }).pipe(Effect.flip)
        assert.strictEqual(failure.detail, "rate_limited")
      }
    }).pipe(Effect.provide(SandboxServer.layer({ port: 0 }))))

  it.live("is asked in vLLM's words, with a model and a key where they are set", () =>
    Effect.gen(function*() {
      const { asked, baseUrl } = yield* serving(() => ({
        id: "rerank-1",
        model: "bge",
        usage: { total_tokens: 9 },
        results: [2, 0, 1].map((index, rank) => ({
          index,
          document: { text: "t", multi_modal: null },
          relevance_score: 1 - rank / 10
        }))
      }))
      const open = JinaReranker.make({ baseUrl: `${baseUrl}/`, engine: "reranker" })
      assert.lengthOf(yield* open.ask({ question, chunks }), 3)
      const own = { baseUrl, engine: "reranker", model: "bge", apiKey: Redacted.make("key-1") }
      yield* JinaReranker.make(own).ask({ question, chunks })
      assert.deepStrictEqual(asked.map(({ key, url }) => [url, key]), [
        ["/v1/rerank", ""],
        ["/v1/rerank", "Bearer key-1"]
      ])
      assert.deepStrictEqual(
        asked.map(({ body }) => Reflect.get(Object(body), "model")),
        [undefined, "bge"]
      )
    }))

  it.live.each(
    [
      ["jina", {}],
      ["tei", { results: [] }],
      ["tei", [{ index: 0 }]],
      ["tei", [{ index: 0, score: 1 }, { index: 0, score: 2 }]],
      ["tei", [{ index: 99, score: 1 }]],
      ["tei", [{ index: 0, score: 1e9 }]]
    ] as const
  )("in the words of %s fails by its own name: %j", ([wire, told]) =>
    Effect.gen(function*() {
      const { baseUrl } = yield* serving(() => told)
      const own = JinaReranker.make({ baseUrl, engine: "reranker", wire })
      const failure = yield* Effect.flip(own.ask({ question, chunks }))
      assert.deepStrictEqual(
        [failure.engine, failure.reason, failure.detail],
        ["reranker", "malformed", "bad_body"]
      )
    }))
})
