/** State of each provider's keys, and the credits they used in their month. */
import { DateTime, Schema } from "effect"
import type { KeyPoolEvent } from "../search/KeyPoolEvent.ts"
import { ProviderName, type SearchAttempt } from "../search/SearchStatus.ts"

/**
 * Recorded state of one key. A cooling key is usable again from `until` on, which no event states.
 */
export const KeyHealth = Schema.Struct({
  provider: ProviderName,
  key_slot: Schema.Int,
  state: Schema.Literals(["usable", "cooling", "disabled", "missing"]),
  /** ISO 8601 UTC; of a missing key the first attempt that missed it. */
  since: Schema.String,
  /** End of a cooling key's cool-down, ISO 8601 UTC. */
  until: Schema.optionalKey(Schema.String),
  /**
   * Reason of a disabled or cooling key: `invalid_key` (401), `forbidden` (403), `rate_limited`
   * (429) or `quota_exhausted` (432, 433).
   */
  reason: Schema.optionalKey(Schema.String)
})
export type KeyHealth = typeof KeyHealth.Type

export const ofAttempt = (
  key: KeyHealth | undefined,
  { key_slot = 1, provider, started_at, status }: SearchAttempt
): KeyHealth | undefined => {
  const of = { provider, key_slot, since: started_at }
  if (status === "api_key_missing") {
    return key?.state === "missing" ? key : { ...of, state: "missing" }
  }
  return key === undefined || key.state === "missing" ? { ...of, state: "usable" } : key
}

/** State of one key after a fact about its pool. `key_slot` is the key's number. */
export const ofKeyFact = (
  key: KeyHealth | undefined,
  fact: KeyPoolEvent,
  key_slot: number
): KeyHealth | undefined => {
  const of = { provider: fact.provider, key_slot, since: fact.at }
  switch (fact._tag) {
    case "WEB_GROUNDING_KEYS_LOADED":
      return key?.state === "disabled" ? { ...of, state: "usable" } : key
    case "WEB_GROUNDING_KEY_COOLED_DOWN":
      return { ...of, state: "cooling", until: fact.until, reason: reasonOf(fact) }
    case "WEB_GROUNDING_KEY_DISABLED":
      return { ...of, state: "disabled", reason: fact.reason }
    case "WEB_GROUNDING_KEY_RECOVERED":
      return { ...of, state: "usable" }
  }
}

type Cooled = Extract<KeyPoolEvent, { readonly _tag: "WEB_GROUNDING_KEY_COOLED_DOWN" }>

/**
 * Reason of a cool-down. Among unknown errors only a 403 causes one; older events do not name it.
 */
const reasonOf = ({ detail = "forbidden", status }: Cooled): string =>
  status === "unknown_error" ? detail : status

/** State of the key at a moment: a cool-down that is over counts as usable. */
export const stateAt = (key: KeyHealth, nowMs: number): KeyHealth => {
  const { provider, key_slot, state, until } = key
  if (state !== "cooling" || until === undefined || millis(until) > nowMs) return key
  return { provider, key_slot, state: "usable", since: until }
}

const millis = (iso: string): number => DateTime.makeUnsafe(iso).epochMilliseconds

/** A key's month by our ledger and by the provider's own count. */
export const CreditUse = Schema.Struct({
  provider: ProviderName,
  key_slot: Schema.Int,
  /** `YYYY-MM` in UTC, by the clock of the ledger. */
  month: Schema.String,
  /** Credits in our ledger, read before the provider was asked. */
  counted: Schema.Int,
  /** Credits that the provider counts. */
  reported: Schema.Finite,
  /** Credits that the provider lets the key use; absent where it names no limit. */
  limit: Schema.optionalKey(Schema.Finite),
  /** ISO 8601 UTC. */
  at: Schema.String
})
export type CreditUse = typeof CreditUse.Type

/**
 * Difference between our count of credits and the provider's that is never an alert: searches under
 * way and charges that are settled late explain it.
 */
export const driftCreditsMax = 10
/** Share of the larger count that the two may differ by: a report may be some minutes old. */
const driftShareMax = 0.05

/**
 * Whether ledger and provider differ beyond both bounds: somebody else uses the key, or one of the
 * two counts wrongly.
 */
export const isDrift = ({ counted, reported }: CreditUse): boolean =>
  Math.abs(reported - counted) >
    Math.max(driftCreditsMax, driftShareMax * Math.max(counted, reported))
