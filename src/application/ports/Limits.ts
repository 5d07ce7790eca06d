/** Ceilings and time limits of one grounding, as this deployment sets them. */
import { Context, Effect } from "effect"
import { asGiven } from "../../domain/request/GivenFields.ts"
import type { SitePolicy } from "../../domain/search/SitePolicy.ts"
import type { ModelUsage } from "../../domain/session/EngineDetail.ts"

/** Facts that may wait for a slow reader: more than a grounding records. Later ones are dropped. */
export const waitingFactsMax = 256

/** Limits of every grounding. Durations are milliseconds; lengths are UTF-16 code units. */
export class Limits extends Context.Service<Limits, {
  /** For one attempt at one search provider. Default 10,000. */
  readonly attemptTimeoutMs: number
  /** For one attempt at one preferred engine (gate, planner, writer). Default 8,000. */
  readonly engineTimeoutMs: number
  /** For one attempt at ranking the passages. Default 8,000. */
  readonly rankTimeoutMs: number
  /** For one attempt at reading one page. Default 12,000. */
  readonly readTimeoutMs: number
  /** After an answer with no more hits than this the next provider is asked. Default 2. */
  readonly hitsScarceMax: number
  /** Hits with a lower score of the provider are left out. 0 to 1. Default 0.1. */
  readonly scoreMin: number
  /** Pages read for one request. Default 5. */
  readonly pagesMax: number
  /** Passages given to the writer. Default 6. */
  readonly chunksMax: number
  /** Entries of the evidence store that join the pages of one request. Default 4; 0: none. */
  readonly entriesMax: number
  /** Length of the evidence block. Default 1,400. */
  readonly evidenceCharsMax: number
  /** Domains that may be used. Absent: all. */
  readonly sites?: SitePolicy | undefined
  /** Policies of single tenants, within that one. Absent: none. */
  readonly sitesByTenant?: ReadonlyMap<string, SitePolicy> | undefined
  /** The evidence block names addresses, beyond its characters. Default false. */
  readonly evidenceAddresses: boolean
  /** Lag of the read models above which a process is not ready. Default 300,000; 0: any. */
  readonly readModelLagMsMax: number
}>()("web-grounding/application/ports/Limits") {}

// Adds up what a model's engine used, whether or not it answered.

type ChargeUsage = (usage: ModelUsage) => Effect.Effect<void>

/** The meter of the running step; outside of a step nothing is counted. */
export const UsageMeter = Context.Reference<ChargeUsage>(
  "web-grounding/application/ports/Limits/UsageMeter",
  { defaultValue: () => () => Effect.void }
)

/** Sum of two usages; the later one names the model. Unknown stays unknown. */
export const added = (one: ModelUsage | undefined, other: ModelUsage): ModelUsage => {
  if (one === undefined) return other
  const prompt_tokens = sum(one.prompt_tokens, other.prompt_tokens)
  const completion_tokens = sum(one.completion_tokens, other.completion_tokens)
  const cost_micros = sum(one.cost_micros, other.cost_micros)
  return {
    model: other.model,
    ...asGiven({ prompt_tokens, completion_tokens }),
    requests: one.requests + other.requests,
    ...asGiven({ cost_micros })
  }
}

const sum = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other
