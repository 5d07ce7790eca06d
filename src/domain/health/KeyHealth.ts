/** What is known of each provider's keys: how they stand, and what they used in their month. */
import { DateTime, Schema } from "effect"
import type { KeyPoolEvent } from "../search/KeyPoolEvent.ts"
import { ProviderName, type SearchAttempt } from "../search/SearchHit.ts"

/** As recorded; a cooling key is usable again from `until` on, which needs no fact. */
export const KeyHealth = Schema.Struct({
  provider: ProviderName,
  key_slot: Schema.Int,
  state: Schema.Literals(["usable", "cooling", "disabled", "missing"]),
  /** ISO 8601 UTC; of a missing key the first attempt that missed it. */
  since: Schema.String,
  /** Of a cooling key, ISO 8601 UTC. */
  until: Schema.optionalKey(Schema.String),
  /**
   * Of a disabled or cooling key, why: `invalid_key` (401), `forbidden` (403), `rate_limited`
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

/** `key_slot`: which of the keys that the fact is about. */
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

/** Of unknown errors only a 403 sends a key to rest; older facts do not name it. */
const reasonOf = ({ detail = "forbidden", status }: Cooled): string =>
  status === "unknown_error" ? detail : status

/** As it stands at a moment: a rest that is over is told as such. */
export const at = (key: KeyHealth, nowMs: number): KeyHealth => {
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
  /** By our ledger, looked at before the provider was asked. */
  counted: Schema.Int,
  /** By the provider. */
  reported: Schema.Finite,
  /** What the provider lets the key use; absent where it names none. */
  limit: Schema.optionalKey(Schema.Finite),
  /** ISO 8601 UTC. */
  at: Schema.String
})
export type CreditUse = typeof CreditUse.Type

/** Searches under way, and charges that are settled late, come to no more than this. */
export const driftCreditsMax = 10
/** Of the larger count: a report that is some minutes old may be this far behind. */
const driftShareMax = 0.05

/** Beyond both bounds: somebody else uses the key, or one of the two counts wrongly. */
export const isDrift = ({ counted, reported }: CreditUse): boolean =>
  Math.abs(reported - counted) >
    Math.max(driftCreditsMax, driftShareMax * Math.max(counted, reported))
