/** How long a request may still take. Travels as an instant, is handed on as milliseconds left. */
import { Clock, Effect } from "effect"

export interface Deadline {
  /** Milliseconds since the epoch, by this process's clock. */
  readonly atMs: number
}

/** Nothing is started that has less time than this. */
export const startMsMin = 200

export const after = (durationMs: number): Effect.Effect<Deadline> =>
  Effect.map(Clock.currentTimeMillis, (nowMs) => ({ atMs: nowMs + durationMs }))

/** Never negative. */
export const leftMs = ({ atMs }: Deadline): Effect.Effect<number> =>
  Effect.map(Clock.currentTimeMillis, (nowMs) => Math.max(0, atMs - nowMs))
