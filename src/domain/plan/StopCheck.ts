/** Whether what was found already suffices, so that the remaining queries are spared. */
import type { SearchHit } from "../search/SearchHit.ts"
import { type QueryPlan, StopCondition } from "./QueryPlan.ts"

/** All machine-checkable conditions hold, and there is at least one. Free text decides nothing. */
export const isSatisfied = (plan: QueryPlan, hits: ReadonlyArray<SearchHit>): boolean => {
  const verdicts = plan.stop_conditions.map((condition) => verdict(condition, hits))
    .filter((holds) => holds !== undefined)
  return verdicts.length > 0 && verdicts.every((holds) => holds)
}

const verdict = (
  condition: StopCondition,
  hits: ReadonlyArray<SearchHit>
): boolean | undefined =>
  StopCondition.match(condition, {
    // Agreement is judged on claims later; here it means enough independent voices to judge by.
    N_REPUTABLE_SOURCES_AGREE: ({ count }) => new Set(hits.map(({ site }) => site)).size >= count,
    OFFICIAL_SOURCE_FOUND: () => hits.some(({ official }) => official),
    ENOUGH_RESULTS: ({ count }) => new Set(hits.map(({ url }) => url)).size >= count,
    FREE_TEXT: () => undefined
  })
