/** Turns texts into vectors, so that texts which mean the same are found near each other. */
import { Context, type Effect, Option } from "effect"
import type { Vector } from "../../domain/retrieval/Ranking.ts"
import type { EngineFailed } from "./Rungs.ts"

/** Most texts of one call. */
export const textsMax = 4_096

/**
 * Use of the vector: a query and the passages it is compared with are embedded differently, where
 * the model offers it.
 */
export type EmbedTask = "query" | "passage"

/** An embedding model of one provider. */
export interface Embedder {
  /** Short name of the engine, such as `jina` or `openai`. */
  readonly engine: string
  /**
   * Model name that the provider uses. Vectors of two models, or two dimensions, are never
   * compared.
   */
  readonly model: string
  /** Numbers in each vector, 1 to `dimensionsMax`. */
  readonly dimensions: number
  /**
   * Makes one vector for each text, in the order given; no texts make no vectors. At most
   * `textsMax` texts, none blank, else `refused`; a text longer than the model reads is cut there.
   * All or nothing: a text that the answer leaves out fails it (`malformed`, `missing_vector`) and
   * is never filled in. The whole call may be repeated; the caller bounds the wait.
   */
  readonly embed: (
    texts: ReadonlyArray<string>,
    task: EmbedTask
  ) => Effect.Effect<ReadonlyArray<Vector>, EngineFailed>
}

/**
 * The embedders of this deployment. The first embeds what is stored and what is looked for; empty
 * where none is configured, and then texts are found by their words alone.
 */
export class Embedders extends Context.Service<Embedders, ReadonlyArray<Embedder>>()(
  "web-grounding/application/ports/Embedders"
) {}

/** Why such texts cannot be embedded, as the detail of `refused`; none when they can. */
export const unfit = (
  texts: ReadonlyArray<string>
): Option.Option<"too_many_texts" | "blank_text"> => {
  if (texts.length > textsMax) return Option.some("too_many_texts")
  return texts.some((text) => text.trim() === "") ? Option.some("blank_text") : Option.none()
}
