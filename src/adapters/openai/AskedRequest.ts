/** Fields of a request shown to a model: no personal data, no page text, no duplicates. */
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import * as Eligibility from "../../domain/need/Eligibility.ts"
import { standaloneQuestion } from "../../domain/need/NeedRules.ts"
import * as PlanRules from "../../domain/plan/PlanRules.ts"
import type { GroundingRequest } from "../../domain/request/GroundingRequest.ts"

/** Most facts shown; the caller lists the newest last. */
const factsMax = 12

/**
 * Fields of a request as JSON for a prompt, so that a caller's text cannot pose as another field.
 */
export const requestFields = (request: GroundingRequest) => {
  const strip = QueryPrivacy.strip
  const { known_facts, locale, region, topic, unknown_required_slots, user_question } = request
  const question = strip(standaloneQuestion(request))
  const [as_asked, about] = [strip(user_question ?? question), strip(topic)]
  return {
    question,
    ...(as_asked === question ? {} : { as_asked }),
    ...(about === question ? {} : { topic: about }),
    ...(region === undefined
      ? {}
      : {
        region: [strip(region.city ?? ""), PlanRules.countryName(region.country, "en")]
          .filter((part) => part !== "").join(", ")
      }),
    locale,
    known_facts: known_facts.slice(-factsMax).map(strip).filter((fact) => fact !== ""),
    open_slots: unknown_required_slots.slice(0, factsMax).map(Eligibility.openIdentifier)
      .filter((slot) => slot !== "")
  }
}
