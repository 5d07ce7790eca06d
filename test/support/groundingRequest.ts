/** Requests for tests: a plain one, and the same with what matters changed. */
import type { GroundingRequest } from "../../src/domain/request/GroundingRequest.ts"

export const requestWith = (changes: Partial<GroundingRequest>): GroundingRequest => ({
  session_id: "session-1",
  request_id: "request-1",
  tier: "standard",
  phase: "mid_chat",
  topic: "Daily life",
  locale: "en",
  known_facts: [],
  unknown_required_slots: [],
  user_asked_for_facts: false,
  realism_blocked: false,
  consent_raw_content: false,
  ...changes
})
