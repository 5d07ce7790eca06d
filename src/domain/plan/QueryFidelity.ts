/**
 * Whether a query still asks what the user asked, and a model's plan made to begin with that.
 *
 * No rewriting has beaten the user's own wording in measurement; others may only add to it.
 */
import * as Languages from "@web-grounding/language/Languages"
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import { nameTerms, terms, words } from "@web-grounding/language/Words"
import { standaloneQuestion } from "../need/StandaloneQuestion.ts"
import type { GroundingRequest } from "../request/GroundingRequest.ts"
import * as PlanRules from "./PlanRules.ts"
import type { QueryPlan } from "./QueryPlan.ts"

/**
 * Whether the query holds every name and number of the question, and a negation where there was
 * one.
 */
export const keepsTerms = (question: string, query: string): boolean => {
  const asked = new Set([...terms(query), ...words(query)])
  const numbers = words(question).filter((word) => /^\p{N}/u.test(word))
  return [...nameTerms(question), ...numbers].every((term) => asked.has(term)) &&
    (!Languages.isNegated(question) || Languages.isNegated(query))
}

/**
 * Queries that keep the question's meaning, the user's own wording first. Only where the question
 * leans on what was said before does the plan's best query take its place.
 */
export const faithfulPlan = (plan: QueryPlan, request: GroundingRequest): QueryPlan => {
  const question = QueryPrivacy.strip(standaloneQuestion(request))
  const own = PlanRules.wordingOf(request)
  const kept = plan.queries.filter((query) => keepsTerms(question, query))
  const [best, ...others] = kept
  return {
    ...plan,
    queries: best === undefined || !isLeaning(request) ? [own, ...kept] : [best, own, ...others]
  }
}

const isLeaning = (request: GroundingRequest): boolean =>
  request.user_question !== undefined &&
  standaloneQuestion(request) !== request.user_question.trim()
