/** Jina's embeddings as an `Embedder`: batches of texts in, vectors by index out. */
import * as Jina from "@web-grounding/dialects/Jina"
import { cut } from "@web-grounding/language/Sentences"
import { Array, Effect, Option, Result } from "effect"
import { type Embedder, type EmbedTask, unfit } from "../../application/ports/Embedder.ts"
import * as Ranking from "../../domain/retrieval/Ranking.ts"
import * as JinaClient from "./JinaClient.ts"

/** Texts in one request, each bounded by `textCharsMax`. */
export const batchTextsMax = 64
/** Longest text sent, in UTF-16 code units; Jina itself cuts at 8,192 tokens. */
const textCharsMax = 16_000
/** 64 vectors of 8,192 numbers in decimal. */
const bodyBytesMax = 16 * 1024 * 1024
const concurrentBatchesMax = 2

export interface JinaEmbedderOptions extends JinaClient.JinaOptions {
  readonly model: string
  /** Dimensions requested of the model: its first ones, if it has more. */
  readonly dimensions: number
}

export const make = (options: JinaEmbedderOptions): Embedder => {
  const { dimensions, model } = options
  const batch = (texts: ReadonlyArray<string>, task: EmbedTask) =>
    Effect.flatMap(
      JinaClient.askJina(options, {
        path: Jina.embeddingsPath,
        body: Jina.embeddingFields({
          model,
          input: texts.map((text) => cut(text, textCharsMax).toWellFormed()),
          task,
          dimensions
        }),
        bodyBytesMax
      }),
      (body) => vectorsOf(body, texts.length, dimensions)
    )
  return {
    engine: JinaClient.engine,
    model,
    dimensions,
    embed: Effect.fn("JinaEmbedder.embed")(function*(texts, task) {
      const fault = unfit(texts)
      if (Option.isSome(fault)) {
        return yield* JinaClient.failed({ reason: "refused", detail: fault.value })
      }
      const batches = Array.chunksOf(texts, batchTextsMax)
      const vectors = yield* Effect.forEach(batches, (part) => batch(part, task), {
        concurrency: concurrentBatchesMax
      })
      return vectors.flat()
    })
  }
}

const vectorsOf = (body: string, textsCount: number, dimensions: number) => {
  const placed = Option.match(Jina.embeddedOf(body), {
    onNone: () => Result.fail(JinaClient.badBody.detail),
    onSome: ({ data }) => Ranking.inTextOrder(data, textsCount, dimensions)
  })
  return Effect.mapError(
    Effect.fromResult(placed),
    (detail) => JinaClient.failed({ reason: "malformed", detail })
  )
}
