/** Cost of models, by the use that a fact recorded. */
import type { Rung } from "./EngineDetail.ts"
import type { SessionEvent } from "./SessionEvent.ts"

const costOf = (rung: Rung | undefined): number => rung?.usage?.cost_micros ?? 0

/**
 * Cost of the models that an event names, in millionths of a US dollar; 0 where none was asked, or
 * its price is not known.
 */
export const modelCostMicros = (event: SessionEvent): number => {
  switch (event._tag) {
    case "WEB_GROUNDING_PACK_CREATED":
      return costOf(event.rung) + costOf(event.judging?.rung)
    case "WEB_GROUNDING_DECIDED":
    case "WEB_GROUNDING_QUERY_PLANNED":
    case "WEB_GROUNDING_EVIDENCE_READ":
    case "WEB_GROUNDING_EVIDENCE_RANKED":
    case "WEB_GROUNDING_RESEARCHED":
      return costOf(event.rung)
    default:
      return 0
  }
}
