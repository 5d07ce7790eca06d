/** Credits that a key used in its month, by our ledger and by the provider's own count. */
import { Schema } from "effect"
import { ProviderName } from "../search/SearchHit.ts"

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
