/** Lets an engine rest for as long as its server asked, instead of asking it at the next page. */
import { Clock, Effect } from "effect"
import type { Embedder } from "./ports/Embedder.ts"
import type { PageReader } from "./ports/PageReader.ts"
import type { Reranker } from "./ports/Reranker.ts"
import { EngineFailed } from "./ports/Rungs.ts"

/** Longest rest, even if a server asks for more: its limits may change meanwhile. As with keys. */
export const restMsMax = 15 * 60_000

type Rest = <A>(ask: Effect.Effect<A, EngineFailed>) => Effect.Effect<A, EngineFailed>

/** A rest of its own: a server has limits for each of its engines. */
const make = (engine: string): Rest => {
  let untilMs = 0
  return (ask) =>
    Effect.gen(function*() {
      if ((yield* Clock.currentTimeMillis) < untilMs) {
        return yield* new EngineFailed({ engine, reason: "refused", detail: "resting" })
      }
      return yield* Effect.tapError(ask, ({ retryAfterMs = 0 }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          untilMs = Math.max(untilMs, now + Math.min(retryAfterMs, restMsMax))
        }))
    })
}

/** While it rests, it fails with `refused` and the detail `resting`, and nothing is sent. */
export const reader = (engine: PageReader): PageReader => {
  const rested = make(engine.info.engine)
  return { ...engine, read: (hit) => rested(engine.read(hit)) }
}

/** As `reader`. */
export const reranker = (engine: Reranker): Reranker => {
  const rested = make(engine.info.engine)
  return { ...engine, score: (question, chunks) => rested(engine.score(question, chunks)) }
}

/** As `reader`. */
export const embedder = (engine: Embedder): Embedder => {
  const rested = make(engine.engine)
  return { ...engine, embed: (texts, task) => rested(engine.embed(texts, task)) }
}
