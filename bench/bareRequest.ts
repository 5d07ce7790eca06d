/** A question on its own as a request: no session, no region, nothing known. */
import type { GroundingRequest } from "../src/domain/request/GroundingRequest.ts"

const topicCharsMax = 2_000

export const bareRequest = (
  question: string,
  { user_asked_for_facts }: Pick<GroundingRequest, "user_asked_for_facts">
): GroundingRequest => ({
  session_id: "bench",
  request_id: "bench",
  tier: "standard",
  phase: "mid_chat",
  topic: question.slice(0, topicCharsMax),
  locale: "en",
  known_facts: [],
  unknown_required_slots: [],
  user_asked_for_facts,
  realism_blocked: false,
  consent_raw_content: false
})
