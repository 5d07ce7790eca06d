/**
 * Search health: an admin sees the deployment, others their own tenant, without keys, credits and
 * read models.
 */
import { Schema } from "effect"
import { Alert, CreditUse, Figures, KeyFigures } from "../domain/health/SearchHealth.ts"
import { KeyHealth } from "../domain/search/KeyPool.ts"

export const LagView = Schema.Struct({
  model: Schema.String,
  version: Schema.Int,
  state: Schema.Literals(["running", "rebuilding", "halted", "retired"]),
  /** Position in the log, decimal digits. */
  position: Schema.String,
  /** Events not handled yet, settled or not, counted up to 1,000. */
  events: Schema.Int,
  /** Age of the oldest of them. 0: none. */
  ms: Schema.Int,
  /** Events that could not be handled and were passed. */
  parked: Schema.Int,
  error: Schema.optionalKey(Schema.String)
})

export type LagView = typeof LagView.Type

export const HealthView = Schema.Struct({
  /** ISO 8601 UTC. */
  as_of: Schema.String,
  /** The span of the figures ends at `as_of`; it begins at a full minute. */
  from: Schema.String,
  hours: Schema.Int,
  /** Of the sandbox only where the span has no other searches. */
  figures: Figures,
  /** Figures of each provider and key that was used in the span; a tenant's figures name no key. */
  by_key: Schema.Array(KeyFigures),
  /** Packs made, and reused from other sessions. */
  packs: Schema.Struct({
    made: Schema.Int,
    reused: Schema.Int,
    /** Share of the reused among reused and new packs, 0 to 1; absent when there were neither. */
    reuse_rate: Schema.optionalKey(Schema.Finite)
  }),
  /** State of every key that was ever used. Empty for a tenant. */
  keys: Schema.Array(KeyHealth),
  /** Credits that each key used in this month, by ledger and provider. Absent: never compared. */
  credits: Schema.optionalKey(Schema.Array(CreditUse)),
  /** Rates of the last hour, whatever the span. Most urgent first. */
  alerts: Schema.Array(Alert),
  /** Empty for a tenant. */
  read_models: Schema.Array(LagView)
})

export type HealthView = typeof HealthView.Type
