import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { embeddingWires } from "../../packages/dialects/src/Jina.ts"
import { listening, portOf } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as JinaEmbedder from "../../src/adapters/jina/JinaEmbedder.ts"
import type { Embedder } from "../../src/application/ports/Embedder.ts"
import { oneAnswer } from "../support/oneAnswer.ts"
import { embedderContract } from "./embedderContract.ts"

const jinaAt = (baseUrl: string, key: string, dimensions: number) =>
  JinaEmbedder.make({
    apiKey: Redacted.make(key),
    baseUrl,
    model: "jina-embeddings-v3",
    dimensions
  })
const openAiWith = (model: string) => (origin: string, key: string, dimensions: number) =>
  JinaEmbedder.make({
    engine: "openai",
    apiKey: Redacted.make(key),
    baseUrl: `${origin}/v1`,
    model,
    dimensions
  })
const openAiAt = openAiWith("text-embedding-3-small")

embedderContract({
  name: "JinaEmbedder",
  key: "jina-sandbox-1",
  embedderAt: jinaAt,
  batchTextsMax: embeddingWires.jina.textsMax,
  rows: [
    { fault: "403", reason: "refused", detail: "blocked" },
    { fault: "409", reason: "refused", detail: "budget" },
    { fault: "451", reason: "refused", detail: "blocked" }
  ]
})

embedderContract({
  name: "OpenAiEmbedder",
  key: "openai-sandbox-1",
  embedderAt: openAiAt,
  batchTextsMax: embeddingWires.openai.textsMax,
  rows: [
    { fault: "403", reason: "refused", detail: "forbidden" },
    { fault: "404", reason: "refused", detail: "no_such_model" },
    { fault: "429-plan", reason: "refused", detail: "balance" },
    { fault: "451", reason: "refused", detail: "upstream_4xx" }
  ]
})

describe("what an embeddings server is sent", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    const sentBy = (embedderAt: (baseUrl: string) => Embedder, task: "query" | "passage") =>
      Effect.gen(function*() {
        const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
        yield* forget
        yield* embedderAt(baseUrl).embed(["tram"], task)
        const hit = (yield* hits).recent.at(-1)
        return { path: hit?.path, body: hit?.body }
      })

    it.effect.each(
      [["query", "retrieval.query"], ["passage", "retrieval.passage"]] as const
    )("Jina: %s as %s", ([task, wire]) =>
      Effect.gen(function*() {
        const sent = yield* sentBy(
          (baseUrl) => jinaAt(`${baseUrl}/`, "jina-sandbox-1", 32),
          task
        )
        assert.deepStrictEqual(sent, {
          path: "/v1/embeddings",
          body: {
            model: "jina-embeddings-v3",
            input: ["tram"],
            inputs: 1,
            task: wire,
            dimensions: 32,
            embedding_type: "float",
            truncate: true
          }
        })
      }))

    it.effect("OpenAI: dimensions only to a model that can shorten", () =>
      Effect.gen(function*() {
        const at = (model: string, dimensions: number) => (baseUrl: string) =>
          openAiWith(model)(baseUrl, "openai-sandbox-1", dimensions)
        const body = { input: ["tram"], inputs: 1, encoding_format: "float" }
        assert.deepStrictEqual(yield* sentBy(at("text-embedding-3-large", 32), "query"), {
          path: "/v1/embeddings",
          body: { ...body, model: "text-embedding-3-large", dimensions: 32 }
        })
        assert.deepStrictEqual(yield* sentBy(at("nomic-embed-text", 1_024), "query"), {
          path: "/v1/embeddings",
          body: { ...body, model: "nomic-embed-text" }
        })
      }))

    it.effect("OpenAI: no text longer than the server takes, and no half a character", () =>
      Effect.gen(function*() {
        let sent = ""
        const server = yield* listening((request, response) => {
          request.on("data", (chunk) => void (sent += chunk)).on(
            "end",
            () =>
              response.end(JSON.stringify({
                data: [0, 1].map((index) => ({ index, embedding: [1, 0] }))
              }))
          )
        })
        const { textCharsMax } = embeddingWires.openai
        const texts = ["x".repeat(textCharsMax + 1), "tram \uD83D"]
        yield* openAiAt(`http://127.0.0.1:${portOf(server)}`, "k", 2).embed(texts, "passage")
        assert.deepStrictEqual(JSON.parse(sent).input, ["x".repeat(textCharsMax), "tram \uFFFD"])
      }).pipe(Effect.scoped))

    it.effect.each([
      ["every index is left out", [{ embedding: [1, 0] }, { embedding: [0, 1] }], "vectors"],
      ["0 is left out", [{ embedding: [1, 0] }, { index: 1, embedding: [0, 1] }], "vectors"],
      ["0 is left out, last", [{ index: 1, embedding: [0, 1] }, { embedding: [1, 0] }], "vectors"],
      [
        "one is said twice",
        [{ embedding: [1, 0] }, { index: 0, embedding: [0, 1] }],
        "doubled_vector"
      ]
    ])(
      "OpenAI: a vector stands for its own text where %s",
      ([, data, expected]) =>
        Effect.gen(function*() {
          const { baseUrl, say } = yield* oneAnswer
          yield* say({ body: JSON.stringify({ data }), contentType: "application/json" })
          const asked = openAiAt(baseUrl, "k", 2).embed(["a", "b"], "passage")
          assert.deepStrictEqual(
            yield* Effect.match(asked, {
              onSuccess: (vectors) => vectors.map((vector) => Array.from(vector)),
              onFailure: ({ detail }) => detail
            }),
            expected === "vectors" ? [[1, 0], [0, 1]] : expected
          )
        })
    )

    it.effect("OpenAI: an error that came with 200 is reported as one", () =>
      Effect.gen(function*() {
        const { baseUrl, say } = yield* oneAnswer
        yield* say({ body: "[{\"error\":{\"code\":429}}]", contentType: "application/json" })
        const { detail } = yield* Effect.flip(openAiAt(baseUrl, "k", 2).embed(["a"], "passage"))
        assert.strictEqual(detail, "rate_limited")
      }))
  })

  it("the embedders say whose vectors theirs are", () => {
    const { dimensions, engine, model } = jinaAt("http://127.0.0.1:9", "k", 7)
    assert.deepStrictEqual([engine, model, dimensions], ["jina", "jina-embeddings-v3", 7])
  })
})
