/** Where a model's engine tells what it used, whether or not it answers. */
import { Context, Effect } from "effect"
import type { ModelUsage } from "../../domain/session/SessionEvent.ts"

export type ChargeUsage = (usage: ModelUsage) => Effect.Effect<void>

/** One for each step that asks engines; outside of a step nothing is counted. */
export const UsageMeter = Context.Reference<ChargeUsage>(
  "web-grounding/application/ports/UsageMeter",
  { defaultValue: () => () => Effect.void }
)

/** Two requests of one step as one; the later one names the model. */
export const added = (one: ModelUsage | undefined, other: ModelUsage): ModelUsage => {
  if (one === undefined) return other
  const cost = one.cost_micros === undefined && other.cost_micros === undefined
    ? {}
    : { cost_micros: (one.cost_micros ?? 0) + (other.cost_micros ?? 0) }
  return {
    model: other.model,
    prompt_tokens: one.prompt_tokens + other.prompt_tokens,
    completion_tokens: one.completion_tokens + other.completion_tokens,
    requests: one.requests + other.requests,
    ...cost
  }
}
