/**
 * Rules of a provider's keys: which may be used, and how long a refused one cools down.
 *
 * A key is usable, cooling down, disabled or missing. A rate limit or a spent quota cools it down;
 * an invalid key, or one that is forbidden twice, stays disabled until a process starts with it
 * again. Time and chance are arguments.
 *
 * ```ts
 * import { DateTime } from "effect"
 * import * as KeyPool from "./KeyPool.ts"
 *
 * const at = "2026-01-15T12:00:00.000Z"
 * const limited = KeyPool.afterAttempt(undefined, {
 *   provider: "tavily",
 *   key_slot: 1,
 *   status: "rate_limited",
 *   started_at: at,
 *   duration_ms: 80,
 *   hits_count: 0
 * }, { at, jitter: 0 })
 * const keys = limited === undefined ? [] : [limited]
 * const nowMs = DateTime.makeUnsafe(at).epochMilliseconds
 * KeyPool.usable(keys, [1, 2], nowMs, 0) // => [2]
 * KeyPool.usable(keys, [1, 2], nowMs + KeyPool.coolDownMsMin, 0) // => [1, 2]
 * ```
 */
import { DateTime, Schema } from "effect"
import {
  isAnswered,
  ProviderName,
  type SearchAttempt,
  type SearchDetail,
  type SearchStatus
} from "./SearchStatus.ts"

export const coolDownMsMin = 60_000
/** A longer wait in a rate limit is cut to this. */
const rateLimitMsMax = 15 * 60_000
/** Factor per repeated cool-down of an exhausted key. */
const exhaustedFactor = 5
/** Largest share added to a cool-down, so that keys do not all come back at once. */
const jitterShareMax = 0.1

/** State of one key. A cooling key is usable again from `until` on. */
export const KeyHealth = Schema.Struct({
  provider: ProviderName,
  key_slot: Schema.Int,
  state: Schema.Literals(["usable", "cooling", "disabled", "missing"]),
  /** ISO 8601 UTC; of a missing key the first attempt that missed it. */
  since: Schema.String,
  /** End of a cooling key's cool-down, ISO 8601 UTC. */
  until: Schema.optionalKey(Schema.String),
  /** `invalid_key` (401), `forbidden` (403), `rate_limited` (429), `quota_exhausted` (432, 433). */
  reason: Schema.optionalKey(Schema.String)
})
export type KeyHealth = typeof KeyHealth.Type

/** State of one key as it is stored. No row: the key was never used. */
export const KeyState = Schema.Struct({
  ...KeyHealth.fields,
  /** Cool-downs in a row without a success between them. */
  strikes: Schema.Int
})
export type KeyState = typeof KeyState.Type

/** State of the key at a moment: a cool-down that is over counts as usable. */
export const stateAt = ({ strikes: _, ...key }: KeyState, nowMs: number): KeyHealth => {
  const { provider, key_slot, state, until } = key
  if (state !== "cooling" || until === undefined || millis(until) > nowMs) return key
  return { provider, key_slot, state: "usable", since: until }
}

/** State after a process started with the key. Undefined: unchanged. */
export const afterStart = (key: KeyState | undefined, at: string): KeyState | undefined => {
  if (key?.state !== "disabled") return undefined
  const { key_slot, provider, strikes } = key
  return { provider, key_slot, strikes, state: "usable", since: at }
}

/** State after an attempt with the key. Undefined: unchanged. `jitter`: 0 to 1, drawn. */
export const afterAttempt = (
  key: KeyState | undefined,
  attempt: SearchAttempt,
  { at, jitter }: { readonly at: string; readonly jitter: number }
): KeyState | undefined => {
  const { detail, key_slot = 1, provider, started_at, status } = attempt
  const { state = "missing", strikes = 0, until } = key ?? {}
  const of = { provider, key_slot, strikes }
  const used = state === "missing"
    ? { ...of, state: "usable" as const, since: started_at }
    : undefined
  if (status === "api_key_missing") {
    return key?.state === "missing" ? undefined : { ...of, state: "missing", since: started_at }
  }
  // A call that was in progress when the key began to cool down says nothing new.
  if (state === "disabled" || (until !== undefined && millis(until) > millis(at))) return undefined
  if (isAnswered(status)) {
    return strikes > 0 ? { ...of, state: "usable", since: at, strikes: 0 } : used
  }
  if (!isRefusal(status, detail)) return used
  // Only a 403 after a 403: a network's single one must not disable a key.
  const isForbidden = detail === forbidden && key?.reason === forbidden
  if (status === "invalid_key" || isForbidden) {
    const reason = status === "invalid_key" ? status : forbidden
    return { ...of, state: "disabled", since: at, reason }
  }
  return {
    ...of,
    state: "cooling",
    since: at,
    until: DateTime.formatIso(
      DateTime.makeUnsafe(millis(at) + restMs(attempt, strikes, at, jitter))
    ),
    reason: status === "unknown_error" ? forbidden : status,
    strikes: strikes + 1
  }
}

/** Slots that may be used now, in the order to try them: `turn` spreads the load over them. */
export const usable = (
  keys: ReadonlyArray<KeyState>,
  slots: ReadonlyArray<number>,
  nowMs: number,
  turn: number
): ReadonlyArray<number> => {
  const resting = keys.map((key) => stateAt(key, nowMs))
    .filter(({ state }) => state === "disabled" || state === "cooling")
  const ready = slots.filter((slot) => !resting.some(({ key_slot }) => key_slot === slot))
  const first = ready.length === 0 ? 0 : turn % ready.length
  return [...ready.slice(first), ...ready.slice(0, first)]
}

/** Status of a search for which each of these keys rests or is disabled. */
export const restingStatus = (keys: ReadonlyArray<KeyState>) =>
  keys.every(({ state }) => state === "disabled")
    ? "invalid_key"
    : keys.every(({ reason, state }) => state === "disabled" || reason === "quota_exhausted")
    ? "quota_exhausted"
    : "rate_limited"

/** Detail of an attempt that was not made: our own monthly ceiling of the key is reached. */
export const ownCeiling = "own_ceiling" satisfies SearchDetail
const forbidden = "forbidden" satisfies SearchDetail

/** Whether the provider refused the key, not the query. Our own ceiling is no refusal. */
export const isRefusal = (status: SearchStatus, detail: string | undefined): boolean =>
  detail !== ownCeiling &&
  (status === "invalid_key" || status === "rate_limited" || status === "quota_exhausted" ||
    detail === forbidden)

export const isAboutKey = (status: SearchStatus, detail: string | undefined): boolean =>
  detail === ownCeiling || isRefusal(status, detail)

const restMs = (
  { retry_after_ms = 0, status }: SearchAttempt,
  strikes: number,
  at: string,
  jitter: number
): number => {
  const rest = status === "quota_exhausted"
    ? Math.min(
      Math.max(coolDownMsMin * exhaustedFactor ** strikes, retry_after_ms),
      Math.max(coolDownMsMin, monthTurnMs(at) - millis(at))
    )
    : Math.min(Math.max(coolDownMsMin, retry_after_ms), rateLimitMsMax)
  return Math.round(rest * (1 + jitter * jitterShareMax))
}

const millis = (iso: string): number => DateTime.makeUnsafe(iso).epochMilliseconds

/** Providers count by calendar months in UTC. */
const monthTurnMs = (iso: string): number =>
  DateTime.makeUnsafe(iso).pipe(
    DateTime.startOf("month"),
    DateTime.add({ months: 1 })
  ).epochMilliseconds
