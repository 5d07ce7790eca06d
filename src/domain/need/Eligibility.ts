/** The question without PII, its consequence, and whether phase and budget allow a search. */
import * as AnswerSlot from "@web-grounding/language/AnswerSlot"
import * as Languages from "@web-grounding/language/Languages"
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import * as QuestionTerms from "@web-grounding/language/QuestionTerms"
import {
  type GroundingRequest,
  questionOf as questionAsAsked,
  wordsOf
} from "../request/GroundingRequest.ts"
import type { ReasonCode, SearchNeed } from "./ReasonCodes.ts"

// Applies phase and budget to the need that the gate proposed. The gate never overrides them.

interface Circumstances {
  readonly request: GroundingRequest
  readonly searchesRemaining: number
  readonly setupGrounded: boolean
}

export const apply = (proposed: SearchNeed, circumstances: Circumstances): SearchNeed => {
  if (!proposed.need_search) return refuse(proposed, proposed.reason_codes)
  if (!isPhaseEligible(circumstances)) return refuse(proposed, ["PHASE_NOT_ELIGIBLE"])
  if (circumstances.searchesRemaining === 0) return refuse(proposed, ["BUDGET_EXHAUSTED"])
  return {
    ...proposed,
    max_queries: Math.min(Math.max(1, proposed.max_queries), circumstances.searchesRemaining)
  }
}

/** A search that the user requested is allowed in either phase. */
export const isPhaseEligible = (
  { request, setupGrounded }: Omit<Circumstances, "searchesRemaining">
): boolean =>
  request.user_asked_for_facts ||
  (request.phase === "session_setup" ? !setupGrounded : request.realism_blocked)

const refuse = (
  proposed: SearchNeed,
  reasons: readonly [ReasonCode, ...ReadonlyArray<ReasonCode>]
): SearchNeed => ({ ...proposed, need_search: false, reason_codes: reasons, max_queries: 0 })

/** Identifier as it was given, unless its words are private; an underscore alone is not. */
export const openIdentifier = (identifier: string): string =>
  QueryPrivacy.isOpen(wordsOf(identifier)) ? identifier : QueryPrivacy.strip(wordsOf(identifier))

/** Question that texts are judged by: without PII, unless nothing else is left. */
export const questionOf = (request: GroundingRequest): string => {
  const asked = questionAsAsked(request)
  return QueryPrivacy.strip(asked) || asked
}

export const isTopicAlone = ({ topic, user_question }: GroundingRequest): boolean =>
  user_question === undefined && !QuestionTerms.isQuestion(topic)

/** Law, health or money is decided. */
export const isAdvised = (need: SearchNeed, request: GroundingRequest): boolean => {
  const question = questionAsAsked(request)
  return need.reason_codes.includes("POLICY_LEGAL") || need.topic === "finance" ||
    Languages.patternsOf(Languages.languageOf(question)).advised.test(question)
}

/** Law, health, money, a number or a date is asked about, which a public body may have settled. */
export const isSettledByBody = (need: SearchNeed, request: GroundingRequest): boolean => {
  const kind = AnswerSlot.kindOf(questionAsAsked(request))
  return kind === "number" || kind === "date" || isAdvised(need, request)
}

/** Also anything that binds a user or costs money: rules, offices, purchases. */
export const isOfConsequence = (need: SearchNeed, request: GroundingRequest): boolean => {
  const question = questionAsAsked(request)
  return isSettledByBody(need, request) ||
    Languages.patternsOf(Languages.languageOf(question)).consequential.test(question)
}
