/** Plans queries by hand-written rules: the planner that cannot fail. */
import { Effect } from "effect"
import type { QueryPlanner } from "../../application/ports/Engines.ts"
import * as PlanRules from "../../domain/plan/PlanRules.ts"

export const make: QueryPlanner<never> = {
  info: { engine: "rules", version: "planner-6" },
  plan: (request, need, now) =>
    Effect.sync(() => PlanRules.plan(request, need, yearOf(now))).pipe(
      Effect.withSpan("RuleQueryPlanner.plan")
    )
}

/** The request's moment is stored as ISO 8601 UTC, so its year stands in front. */
const yearOf = (iso: string): number => Number(iso.slice(0, 4))
