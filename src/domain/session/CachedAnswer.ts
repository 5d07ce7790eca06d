/** Part of an answer that is given again to another session, and how it is kept until then. */
import { Schema } from "effect"
import { GroundingOutcome } from "./GroundingOutcome.ts"

const { evidence_block, llm_context, mode, need, pack, plan, rungs } = GroundingOutcome.fields

/**
 * Answer in the cache, whole, so that replay and erasure of the session that gets it need no other
 * stream.
 */
export const CachedAnswer = Schema.Struct({
  mode,
  need,
  plan,
  pack,
  evidence_block,
  llm_context,
  rungs
})
export type CachedAnswer = typeof CachedAnswer.Type

export const CachedPack = Schema.Struct({
  answer: CachedAnswer,
  /**
   * Arrival time of the request that it was made for; ISO 8601. Evidence collected later is newer.
   */
  asked_at: Schema.String,
  /** Time at which the answer was recorded, in milliseconds since the epoch. */
  made_at_ms: Schema.Finite,
  /** Milliseconds since the epoch; from then on it is not given. */
  fresh_until_ms: Schema.Finite,
  /** Stream and event that hold the answer. */
  stream_id: Schema.String,
  event_id: Schema.String
})
export type CachedPack = typeof CachedPack.Type

export const isFresh = ({ fresh_until_ms }: CachedPack, nowMs: number): boolean =>
  nowMs < fresh_until_ms
