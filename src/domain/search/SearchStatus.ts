/**
 * How a search attempt, or a whole search, ended: one table. The literals, what older consumers and
 * models are told, and `docs/statuses.md` are made of it or checked against it. A failure is never
 * told as "no results".
 */
import { Schema, Struct } from "effect"

/** A text in each language. */
export interface Told {
  readonly en: string
  readonly ko: string
}

interface Row {
  /** The word for consumers that know only seven: the status itself, or one that has `told`. */
  readonly coarse: string
  /** Whether the search itself worked: hits, or honestly none. */
  readonly isAnswered: boolean
  readonly meaning: string
  /** Next action for the caller, or the operator of its service. */
  readonly next: string
  /** Sentence for the caller's model on what went wrong, under the coarse word. */
  readonly told?: Told
}

/**
 * Statuses of a search with what a model is told of each. Whoever changes `told` raises
 * `textsVersion`.
 */
export const table = {
  success: {
    coarse: "success",
    isAnswered: true,
    meaning: "The provider answered with hits",
    next: "Use the pack"
  },
  no_results: {
    coarse: "no_results",
    isAnswered: true,
    meaning: "The provider answered, and nothing was found or nothing was good enough",
    next: "Answer from existing knowledge, or ask in other words",
    told: { en: "Nothing was found", ko: "검색 결과가 없습니다" }
  },
  api_key_missing: {
    coarse: "api_key_missing",
    isAnswered: false,
    meaning: "The provider needs a key and none is set; it was not asked",
    next: "Set a key of the provider",
    told: { en: "Search is not configured", ko: "검색 서비스가 설정되지 않았습니다" }
  },
  network_error: {
    coarse: "network_error",
    isAnswered: false,
    meaning: "The provider could not be reached, broke off, or failed on its side",
    next: "Ask again later; look at the network when it stays so",
    told: { en: "The search service is down", ko: "검색 서비스에 연결할 수 없습니다" }
  },
  timeout: {
    coarse: "timeout",
    isAnswered: false,
    meaning: "No answer came within the time of the attempt or of the request",
    next: "Ask again, with a longer `deadline_ms` where the answer may wait",
    told: { en: "The search timed out", ko: "검색 시간이 초과되었습니다" }
  },
  rate_limited: {
    coarse: "rate_limited",
    isAnswered: false,
    meaning: "The provider was asked too often with this key or from this address",
    next: "Ask again later; the key rests until then",
    told: { en: "Search is rate limited", ko: "검색 요청 한도를 초과했습니다" }
  },
  unknown_error: {
    coarse: "unknown_error",
    isAnswered: false,
    meaning: "The provider answered with what fits nothing it promises",
    next: "Read the attempt's `detail` in the session's log; report it when it stays so",
    told: { en: "The search failed", ko: "알 수 없는 오류가 발생했습니다" }
  },
  invalid_key: {
    coarse: "api_key_missing",
    isAnswered: false,
    meaning: "The provider does not know the key",
    next: "Replace the key"
  },
  quota_exhausted: {
    coarse: "rate_limited",
    isAnswered: false,
    meaning: "The key has spent what its plan, or our own ceiling for the month, allows",
    next: "Raise the plan or the ceiling, add a key, or wait for the next month"
  },
  bad_request: {
    coarse: "unknown_error",
    isAnswered: false,
    meaning: "The provider refused what was asked of it",
    next: "Ask in other words: the same query is refused again"
  },
  circuit_open: {
    coarse: "network_error",
    isAnswered: false,
    meaning: "The provider failed so often that it was not asked",
    next: "Ask again later: it is tried again by itself"
  }
} as const satisfies Record<string, Row>

export const SearchStatus = Schema.Literals(Struct.keys(table))
export type SearchStatus = typeof SearchStatus.Type

/** Status in seven words, for consumers that know no others. */
export type CoarseStatus = (typeof table)[SearchStatus]["coarse"]

export const coarse = (status: SearchStatus): CoarseStatus => table[status].coarse

export const isAnswered = (status: SearchStatus): boolean => table[status].isAnswered

/** Sentence for a model on why there are no results. */
export const sentencesOf = (status: Exclude<SearchStatus, "success">): Told =>
  table[table[status].coarse].told
