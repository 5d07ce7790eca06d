/**
 * Engines of one step in order of preference, the last of which is local and cannot fail.
 *
 * Degrading is walking this list; the rung that answered is recorded as a fact.
 */
import { Schema } from "effect"
import { EngineFault, RungDetail } from "../../domain/session/EngineDetail.ts"
import type { Fault } from "./Breakers.ts"

/** Fallback chain of one step. */
export interface Rungs<Engine, Last extends Engine> {
  /** Tried in order. Empty when nothing but the local engine is configured. */
  readonly preferred: ReadonlyArray<Engine>
  readonly last: Last
}

/** Name and version of an engine; recorded with its answer. */
export interface EngineInfo {
  /** Short name, e.g. `rules`. */
  readonly engine: string
  /** Raised whenever the same input may give another answer. */
  readonly version: string
  /**
   * The server it asks, which is left alone when it fails or wants to be: engines of one name cool
   * down together. Absent: it asks none, or a different one each time.
   */
  readonly upstream?: string
  /** The model it asks, as the settings name it. Absent: it asks none. */
  readonly model?: string
}

/** Why a preferred engine did not answer. */
export class EngineFailed extends Schema.TaggedError<EngineFailed>()("EngineFailed", {
  engine: Schema.String,
  reason: EngineFault,
  /**
   * Finer word, e.g. `robots`, `http_404`, `too_large`: an `EngineDetail`, or in a replay what was
   * recorded. Absent: the reason says all.
   */
  detail: Schema.optionalKey(RungDetail),
  /** How long its server asked not to be asked again, in milliseconds. */
  retryAfterMs: Schema.optionalKey(Schema.Natural),
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** The failure of an engine that was left alone. */
export const resting = (engine: string): EngineFailed =>
  new EngineFailed({ engine, reason: "refused", detail: "resting" })

/**
 * Fault of a failure, by which a breaker counts. `hadTime` tells whether the engine was given as
 * long as it usually may take: a time-out counts only then.
 */
export const faultOf = ({ reason, retryAfterMs }: EngineFailed, hadTime: boolean): Fault => {
  if (retryAfterMs !== undefined && retryAfterMs > 0) return { restMs: retryAfterMs }
  return reason === "unreachable" || reason === "timeout" && hadTime ? "broken" : "none"
}
