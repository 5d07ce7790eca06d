/** Orders passages by how well they answer the question. */
import { Context, type Effect } from "effect"
import type { Chunk } from "../../domain/page/Page.ts"
import type { EngineFailed, EngineInfo, Rungs } from "./Rungs.ts"

/** An engine that scores passages against a question. Scores of two engines are never compared. */
export interface Reranker<E = EngineFailed> {
  readonly info: EngineInfo
  /** Scores each chunk, in the order given: one finite number each, higher is better. */
  readonly score: (
    question: string,
    chunks: ReadonlyArray<Chunk>
  ) => Effect.Effect<ReadonlyArray<number>, E>
}

/** The rankers of this deployment, preferred first. */
export class Rerankers extends Context.Service<Rerankers, Rungs<Reranker, Reranker<never>>>()(
  "web-grounding/application/ports/Rerankers"
) {}
