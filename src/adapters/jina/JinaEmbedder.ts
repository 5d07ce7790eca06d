/** Embedders: Jina's, or any OpenAI-compatible server. Texts in, vectors by index out. */
import * as Jina from "@web-grounding/dialects/Jina"
import { cut } from "@web-grounding/language/Sentences"
import { Array, Effect, Option, Result } from "effect"
import { type Embedder, type EmbedTask, unfit } from "../../application/ports/Embedder.ts"
import { EngineFailed } from "../../application/ports/Engines.ts"
import * as Ranking from "../../domain/retrieval/Ranking.ts"
import * as JinaClient from "./JinaClient.ts"

/** 64 vectors of 8,192 numbers in decimal. */
const bodyBytesMax = 16 * 1024 * 1024
const concurrentBatchesMax = 2

export interface JinaEmbedderOptions extends JinaClient.JinaOptions {
  readonly model: string
  /** Dimensions requested of the model: its first ones, if it has more. */
  readonly dimensions: number
  /** Protocol and name of the engine. Default: Jina's. */
  readonly engine?: keyof typeof Jina.embeddingWires
}

export const make = (
  { dimensions, engine = JinaClient.engine, model, ...options }: JinaEmbedderOptions
): Embedder => {
  const { faultIn, faultOf, fieldsOf, path, textCharsMax, textsMax } = Jina.embeddingWires[engine]
  const batch = Effect.fnUntraced(function*(texts: ReadonlyArray<string>, task: EmbedTask) {
    const input = texts.map((text) => cut(text, textCharsMax).toWellFormed())
    const body = yield* JinaClient.askJina(options, {
      path,
      body: fieldsOf({ model, input, task, dimensions }),
      bodyBytesMax,
      faultOf
    })
    const vectors = Jina.vectorsIn(body)
    if (Option.isNone(vectors)) return yield* JinaClient.failed(faultIn(body))
    const placed = Ranking.inTextOrder(vectors.value, texts.length, dimensions)
    return Result.isSuccess(placed)
      ? placed.success
      : yield* JinaClient.failed({ reason: "malformed", detail: placed.failure })
  })
  return {
    engine,
    model,
    dimensions,
    embed: Effect.fn("Embedder.embed")(
      function*(texts, task) {
        const fault = unfit(texts)
        if (Option.isSome(fault)) {
          return yield* JinaClient.failed({ reason: "refused", detail: fault.value })
        }
        const batches = Array.chunksOf(texts, textsMax)
        const vectors = yield* Effect.forEach(batches, (part) => batch(part, task), {
          concurrency: concurrentBatchesMax
        })
        return vectors.flat()
      },
      Effect.mapError(({ _tag, ...failure }) => new EngineFailed({ ...failure, engine }))
    )
  }
}
