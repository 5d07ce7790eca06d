/**
 * Reasons for and against a search. Literals, hints for models and `docs/reference/reasons.md`
 * derive from this table or are checked against it.
 */
import { Schema } from "effect"
import { SearchDepth, SearchTopic, wholeBetween } from "../request/GroundingRequest.ts"

/**
 * - `search`: a gate's reason for a search.
 * - `no_search`: a gate's reason against one.
 * - `limit`: of phase and budget, whatever the gate proposed.
 */
type ReasonKind = "search" | "no_search" | "limit"

interface Reason {
  readonly code: string
  readonly kind: ReasonKind
  readonly meaning: string
  readonly hint?: string
}

/** Of two equally strong reasons for a search, the earlier row is given first. */
export const table = [
  {
    code: "USER_ASKED",
    kind: "search",
    meaning: "The user asked for facts or sources"
  },
  {
    code: "POLICY_LEGAL",
    kind: "search",
    meaning: "The answer is a law, a rule, a right or a duty",
    hint: "laws, rules, rights, visas, taxes"
  },
  {
    code: "CULTURE_NORMS",
    kind: "search",
    meaning: "The answer depends on customs and manners of a place"
  },
  {
    code: "TIME_SENSITIVE",
    kind: "search",
    meaning: "The answer changes with time"
  },
  {
    code: "NICHE_ENTITY",
    kind: "search",
    meaning: "The question names something that few people know"
  },
  {
    code: "COMMON_PRACTICE",
    kind: "search",
    meaning: "The question asks how something is usually done; also given when no other reason fits"
  },
  {
    code: "KNOWN_ENOUGH",
    kind: "no_search",
    meaning: "The known facts of the request, or the store, answer it"
  },
  {
    code: "PERSONAL_OR_CREATIVE",
    kind: "no_search",
    meaning: "Nothing that can be looked up is asked"
  },
  {
    code: "REFERS_TO_NOTHING",
    kind: "no_search",
    meaning:
      "The question points at something that nothing in the request names; the user is asked",
    hint: "it points at what nothing here names"
  },
  {
    code: "BUDGET_EXHAUSTED",
    kind: "limit",
    meaning: "The session has no search left, or the caller granted none"
  },
  {
    code: "PHASE_NOT_ELIGIBLE",
    kind: "limit",
    meaning: "The set-up has been answered, and the turn neither asks for facts nor is blocked"
  }
] as const satisfies ReadonlyArray<Reason>

type Row = (typeof table)[number]

export type SearchReason = Extract<Row, { kind: "search" }>["code"]

export const all = table.map(({ code }) => code)
export const forSearch = table.flatMap((row) => row.kind === "search" ? [row.code] : [])
export const againstSearch = table.flatMap((row) => row.kind === "no_search" ? [row.code] : [])

// The need-search gate's answer: whether the request needs the web, why, and within which bounds.

export const queriesMax = 3
const sourcesPerQueryMax = 10

export const ReasonCode = Schema.Literals(all)
export type ReasonCode = typeof ReasonCode.Type

export const SearchNeed = Schema.Struct({
  need_search: Schema.Boolean,
  /** Reason codes, the main one first. Never empty. */
  reason_codes: Schema.NonEmptyArray(ReasonCode),
  /** 0 exactly when `need_search` is false. */
  max_queries: wholeBetween(0, queriesMax),
  max_sources_per_query: wholeBetween(1, sourcesPerQueryMax),
  search_depth: SearchDepth,
  topic: SearchTopic
})
export type SearchNeed = typeof SearchNeed.Type
