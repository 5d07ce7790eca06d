/**
 * How a search attempt, or a whole search, ended: one table. The literals, what older consumers and
 * models are told, and `docs/statuses.md` are made of it or checked against it. A failure is never
 * told as "no results".
 */
import { Schema, Struct } from "effect"

/** A text in each language; `{query}` stands for what was searched for. */
interface Told {
  readonly en: string
  readonly ko: string
}

interface Row {
  /** The word for consumers that know only seven: the status itself, or one that has `told`. */
  readonly coarse: string
  /** Whether the search itself worked: hits, or honestly none. */
  readonly isAnswered: boolean
  readonly meaning: string
  /** What the caller, or the operator of its service, should do next. */
  readonly next: string
  /** What the caller's model is told in place of results, under the coarse word. */
  readonly told?: Told
}

const unavailable = (en: string, ko: string): Told => ({
  en: `[Web search unavailable] ${en}`,
  ko: `[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: ${ko}). ` +
    "기존 지식 그래프와 대화 맥락만을 바탕으로 답변하세요."
})

/** Whoever changes `told` raises `degradationVersion`. */
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
    told: {
      en: "[Search finished] Nothing was found for \"{query}\". Answer from existing knowledge.",
      ko: "[검색 완료] '{query}'에 대한 검색 결과가 없습니다. 기존 지식을 바탕으로 답변하세요."
    }
  },
  api_key_missing: {
    coarse: "api_key_missing",
    isAnswered: false,
    meaning: "The provider needs a key and none is set; it was not asked",
    next: "Set a key of the provider",
    told: unavailable(
      "Search is not configured. Use the knowledge base and the conversation.",
      "검색 서비스가 설정되지 않았습니다"
    )
  },
  network_error: {
    coarse: "network_error",
    isAnswered: false,
    meaning: "The provider could not be reached, broke off, or failed on its side",
    next: "Ask again later; look at the network when it stays so",
    told: unavailable(
      "The search service is down. Use the knowledge base and the conversation.",
      "검색 서비스에 연결할 수 없습니다"
    )
  },
  timeout: {
    coarse: "timeout",
    isAnswered: false,
    meaning: "No answer came within the time of the attempt or of the request",
    next: "Ask again, with a longer `deadline_ms` where the answer may wait",
    told: unavailable(
      "The search timed out. Use the knowledge base and the conversation.",
      "검색 시간이 초과되었습니다"
    )
  },
  rate_limited: {
    coarse: "rate_limited",
    isAnswered: false,
    meaning: "The provider was asked too often with this key or from this address",
    next: "Ask again later; the key rests until then",
    told: unavailable(
      "Search is rate limited. Use the knowledge base and the conversation.",
      "검색 요청 한도를 초과했습니다"
    )
  },
  unknown_error: {
    coarse: "unknown_error",
    isAnswered: false,
    meaning: "The provider answered with what fits nothing it promises",
    next: "Read the attempt's `detail` in the session's log; report it when it stays so",
    told: unavailable(
      "The search failed. Use the knowledge base and the conversation.",
      "알 수 없는 오류가 발생했습니다"
    )
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

/** The seven words of consumers that know no others. */
export type CoarseStatus = (typeof table)[SearchStatus]["coarse"]

export const coarse = (status: SearchStatus): CoarseStatus => table[status].coarse

export const isAnswered = (status: SearchStatus): boolean => table[status].isAnswered

/** What a model is told in place of results, where there are none. */
export const told = (status: Exclude<SearchStatus, "success">): Told =>
  table[table[status].coarse].told
