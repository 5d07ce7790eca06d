/** What the caller's model is told when a search brought nothing: the task goes on either way. */
import { coarse, type CoarseStatus, type SearchStatus } from "./SearchStatus.ts"

/** Raised whenever a text or an action changes. */
export const degradationVersion = 2

export type Language = "en" | "ko"

/** `en` unless the BCP 47 locale starts with `ko`. */
export const languageOf = (locale: string): Language =>
  locale.toLowerCase().split("-")[0] === "ko" ? "ko" : "en"

interface Advice {
  readonly en: string
  readonly ko: string
}

const unavailable = (en: string, ko: string): Advice => ({
  en: `[Web search unavailable] ${en}`,
  ko: `[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: ${ko}). ` +
    "기존 지식 그래프와 대화 맥락만을 바탕으로 답변하세요."
})

const adviceByStatus: Record<Exclude<CoarseStatus, "success">, (query: string) => Advice> = {
  no_results: (query) => ({
    en: `[Search finished] Nothing was found for "${query}". Answer from existing knowledge.`,
    ko: `[검색 완료] '${query}'에 대한 검색 결과가 없습니다. 기존 지식을 바탕으로 답변하세요.`
  }),
  api_key_missing: () =>
    unavailable(
      "Search is not configured. Use the knowledge base and the conversation.",
      "검색 서비스가 설정되지 않았습니다"
    ),
  network_error: () =>
    unavailable(
      "The search service is down. Use the knowledge base and the conversation.",
      "검색 서비스에 연결할 수 없습니다"
    ),
  timeout: () =>
    unavailable(
      "The search timed out. Use the knowledge base and the conversation.",
      "검색 시간이 초과되었습니다"
    ),
  rate_limited: () =>
    unavailable(
      "Search is rate limited. Use the knowledge base and the conversation.",
      "검색 요청 한도를 초과했습니다"
    ),
  unknown_error: () =>
    unavailable(
      "The search failed. Use the knowledge base and the conversation.",
      "알 수 없는 오류가 발생했습니다"
    )
}

/** As `advice`, where the evidence store alone was asked and holds nothing on the question. */
export const nothingStored = (question: string, language: Language): string =>
  ({
    en: `[Search finished] The evidence store holds nothing on "${question}". ` +
      "Answer from existing knowledge.",
    ko: `[검색 완료] 증거 저장소에 '${question}'에 대한 자료가 없습니다. ` +
      "기존 지식을 바탕으로 답변하세요."
  })[language]

/** Ready to be put into a prompt. `query` is our own words, never a page's. */
export const advice = (
  status: Exclude<SearchStatus, "success">,
  query: string,
  language: Language
): string => {
  const word = coarse(status)
  return word === "success" ? "" : adviceByStatus[word](query)[language]
}
