/** Our steps in the form the offline quality harness asks for, one export a measure. */
import * as NeedRules from "../../src/domain/need/NeedRules.ts"
import { decideNeedSearch as decideText } from "../../src/domain/need/NeedScore.ts"
import * as PlanRules from "../../src/domain/plan/PlanRules.ts"
import type { GroundingRequest } from "../../src/domain/session/GroundingRequest.ts"

export { extract } from "./pageQuality.ts"
export {
  chunk,
  conflict,
  keyPoints,
  locateQuote,
  rerank,
  sentences,
  verifyClaim
} from "./textQuality.ts"

/** A bare question as a request: no session, no region, nothing known. */
const requestOf = (question: string): GroundingRequest => ({
  session_id: "bench",
  request_id: "bench",
  tier: "standard",
  phase: "mid_chat",
  topic: question.slice(0, 2_000),
  locale: "en",
  known_facts: [],
  unknown_required_slots: [],
  user_asked_for_facts: false,
  realism_blocked: false,
  consent_raw_content: false
})

export const decideNeedSearch = decideText

export const planQueries = (question: string): ReadonlyArray<string> => {
  const request = requestOf(question)
  return PlanRules.plan(request, NeedRules.decide(request).search, 2026).queries
}
