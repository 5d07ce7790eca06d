/** Makes any engine's plan safe to send: private, bounded, without repeats, never empty. */
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import { cutBetweenWords } from "@web-grounding/language/Sentences"
import { words } from "@web-grounding/language/Words"
import { queriesMax, type SearchNeed } from "../need/SearchNeed.ts"
import { standaloneQuestion } from "../need/StandaloneQuestion.ts"
import type { GroundingRequest } from "../request/GroundingRequest.ts"
import * as QueryLeak from "./QueryLeak.ts"
import { queryCharsMax, type QueryPlan } from "./QueryPlan.ts"

const evidenceMax = 12
const evidenceCharsMax = 100
const stopConditionsMax = 6
/** Shared share of words from which two queries are one. */
const likenessMin = 0.9
/** Query of last resort, when question and topic held nothing but personal data. */
const lastResort = "general information"

/**
 * Plan made valid, in its order: between one and `need.max_queries` queries without personal data,
 * no near-duplicates, no stop condition in free text.
 */
export const check = (plan: QueryPlan, request: GroundingRequest, need: SearchNeed): QueryPlan => {
  const planned = request.listing?.queries_as_given === true
    ? plan.queries
    : QueryLeak.withoutLeaks(plan.queries.map(safe), request).filter((query) => query !== "")
  const distinct = planned.filter((query, place) =>
    planned.slice(0, place).every((earlier) => !isLike(earlier, query))
  )
  const count = Math.min(queriesMax, Math.max(1, need.max_queries))
  const [first, ...rest] = distinct.slice(0, count)
  return {
    queries: first === undefined ? [fallback(request)] : [first, ...rest],
    must_have_evidence: plan.must_have_evidence.map((phrase) =>
      cutBetweenWords(safe(phrase), evidenceCharsMax)
    )
      .filter((phrase, place, all) => phrase !== "" && all.indexOf(phrase) === place)
      .slice(0, evidenceMax),
    stop_conditions: plan.stop_conditions.slice(0, stopConditionsMax)
      .filter(({ _tag }) => _tag !== "FREE_TEXT")
  }
}

/** The question, else the topic, without personal data. */
export const fallback = (request: GroundingRequest): string =>
  [standaloneQuestion(request), request.topic].map(safe).find((query) => query !== "") ??
    lastResort

/** Query without personal data and within the bound; empty when nothing is left to search for. */
export const safe = (query: string): string => {
  const stripped = QueryPrivacy.strip(query)
  // Cutting may open what a pattern had seen as closed, so the cut text is read once more.
  const short = QueryPrivacy.strip(cutBetweenWords(stripped, queryCharsMax))
  return /[\p{L}\p{N}]/u.test(short) ? short : ""
}

const isLike = (left: string, right: string): boolean => {
  const [one, other] = [new Set(words(left)), new Set(words(right))]
  const all = one.union(other).size
  return all === 0 ? left === right : one.intersection(other).size / all >= likenessMin
}
