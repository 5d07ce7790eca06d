/** Vectors of texts by the first embedder of this deployment, or why there are none. */
import { Array as Arr, Context, Effect, Layer, Option } from "effect"
import type { EmbeddingModel } from "../../domain/store/Entry.ts"
import { Embedders, type EmbedTask } from "../ports/Embedder.ts"
import { EngineFailed, faultOf, resting } from "../ports/Engines.ts"
import { EvidenceStore, type Vectors } from "../ports/EvidenceStore.ts"
import { Limits } from "../ports/Limits.ts"
import { Breakers } from "../ports/SearchProvider.ts"

/** Texts of one request to an embedder at most, so that a lost answer costs no more. */
export const batchTextsMax = 64

/** The embedder of this deployment in bounded batches, behind a circuit breaker. */
export class Embedding extends Context.Service<Embedding, {
  /** Model that makes the vectors; `not_configured` or `not_kept` when none does. */
  readonly model: EmbeddingModel | "not_configured" | "not_kept"
  /** One vector for each text, in order; the first batch to fail or time out fails all. */
  readonly embed: (
    texts: ReadonlyArray<string>,
    task: EmbedTask
  ) => Effect.Effect<Vectors, EngineFailed>
}>()("web-grounding/application/evidence/Embedding") {}

export const layer = Layer.effect(
  Embedding,
  Effect.gen(function*() {
    const [embedder] = yield* Embedders
    const { keepsVectors } = yield* EvidenceStore
    const { engineTimeoutMs } = yield* Limits
    if (embedder === undefined || !keepsVectors) {
      return Embedding.of({
        model: keepsVectors ? "not_configured" : "not_kept",
        embed: () => new EngineFailed({ engine: "none", reason: "unreachable" })
      })
    }
    const { guard } = yield* Breakers
    const { dimensions, engine, model } = embedder
    const batch = (texts: ReadonlyArray<string>, task: EmbedTask) =>
      guard(
        embedder.embed(texts, task).pipe(
          Effect.timeoutOrElse({
            duration: engineTimeoutMs,
            orElse: () => new EngineFailed({ engine, reason: "timeout" })
          })
        ),
        {
          key: `${engine} embeddings`,
          faultOf: (failed) => faultOf(failed, true),
          resting: resting(engine)
        }
      )
    return Embedding.of({
      model: { model, dimensions },
      embed: (texts, task) =>
        Effect.forEach(Arr.chunksOf(texts, batchTextsMax), (some) => batch(some, task)).pipe(
          Effect.map((batches) => ({ model: { model, dimensions }, values: batches.flat() })),
          Effect.withSpan("Embedding.embed")
        )
    })
  })
)

export const passageOf = ({ text, title }: { readonly text: string; readonly title: string }) =>
  `${title}\n${text}`

/** Vectors, or none when the embedder is missing or failed: they can be made later. */
export const embedOrNone = (
  { embed, model }: Embedding["Service"],
  texts: ReadonlyArray<string>,
  task: EmbedTask
): Effect.Effect<Option.Option<Vectors>> =>
  typeof model === "string"
    ? Effect.succeedNone
    : embed(texts, task).pipe(
      Effect.map(Option.some),
      Effect.catch(({ detail, engine, reason }) =>
        Effect.as(
          Effect.logWarning("texts got no vectors", { engine, reason, detail }),
          Option.none()
        )
      )
    )
