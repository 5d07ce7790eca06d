/** The question of a request without what is private in it. */
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import {
  type GroundingRequest,
  questionOf as questionAsAsked
} from "../request/GroundingRequest.ts"

/** Question that the pipeline judges texts by: as it left, as long as anything of it did. */
export const questionOf = (request: GroundingRequest): string => {
  const asked = questionAsAsked(request)
  return QueryPrivacy.strip(asked) || asked
}
