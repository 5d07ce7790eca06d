/** Collects what a model's engine used, whether or not it answered. */
import { Context, Effect } from "effect"
import type { ModelUsage } from "../../domain/session/EngineDetail.ts"

export type ChargeUsage = (usage: ModelUsage) => Effect.Effect<void>

/** The meter of the step that is running; outside of a step nothing is counted. */
export const UsageMeter = Context.Reference<ChargeUsage>(
  "web-grounding/application/ports/UsageMeter",
  { defaultValue: () => () => Effect.void }
)

/** Two requests of one step as one; the later one names the model. Unknown stays unknown. */
export const added = (one: ModelUsage | undefined, other: ModelUsage): ModelUsage => {
  if (one === undefined) return other
  const prompt_tokens = sum(one.prompt_tokens, other.prompt_tokens)
  const completion_tokens = sum(one.completion_tokens, other.completion_tokens)
  const cost_micros = sum(one.cost_micros, other.cost_micros)
  return {
    model: other.model,
    ...(prompt_tokens === undefined ? {} : { prompt_tokens }),
    ...(completion_tokens === undefined ? {} : { completion_tokens }),
    requests: one.requests + other.requests,
    ...(cost_micros === undefined ? {} : { cost_micros })
  }
}

const sum = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other
