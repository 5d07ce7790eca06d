/** What the caller's model is told when a search brought nothing: the task goes on either way. */
import { type SearchStatus, told } from "./SearchStatus.ts"

/** Raised whenever a text changes, here or in the table of statuses. Each outcome records it. */
export const degradationVersion = 2

export type Language = "en" | "ko"

/** `en` unless the BCP 47 locale starts with `ko`. */
export const languageOf = (locale: string): Language =>
  locale.toLowerCase().split("-")[0] === "ko" ? "ko" : "en"

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
): string => told(status)[language].replace("{query}", () => query)
