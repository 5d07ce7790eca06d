/** Fields of a request shown to a model: no personal data, no page text, no duplicates. */
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import * as Eligibility from "../../domain/need/Eligibility.ts"
import * as PlanRules from "../../domain/plan/PlanRules.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import type { GroundingRequest } from "../../domain/request/GroundingRequest.ts"

/** Most facts shown; the caller lists the newest last. */
const factsMax = 12

/** Fields as JSON, so that a caller's text cannot pose as another field. */
export const requestFields = (request: GroundingRequest) => {
  const strip = QueryPrivacy.strip
  const { known_facts, locale, region, topic, unknown_required_slots, user_question } = request
  const [question, about] = [strip(user_question ?? topic), strip(topic)]
  const facts = known_facts.slice(-factsMax).map(strip).filter((fact) => fact !== "")
  const slots = unknown_required_slots.slice(0, factsMax).map(Eligibility.openIdentifier)
    .filter((slot) => slot !== "")
  return {
    question,
    ...asGiven({
      topic: about === question ? undefined : about,
      region: region && [strip(region.city ?? ""), PlanRules.countryName(region.country, "en")]
        .filter((part) => part !== "").join(", ")
    }),
    locale,
    ...asGiven({
      known_facts: facts.length === 0 ? undefined : facts,
      open_slots: slots.length === 0 ? undefined : slots
    })
  }
}
