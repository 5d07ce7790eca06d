/**
 * Table of the outcomes of a request, in one word and in one sentence. The word is for machines,
 * the sentence begins the context of the caller's model. `docs/statuses.md` is checked against it.
 */
import type { OutcomeReason } from "./GroundingOutcome.ts"

/** Raised whenever a sentence changes, here or among the statuses. Each outcome records it. */
export const textsVersion = 5

export type Language = "en" | "ko"

/** `en` unless the BCP 47 locale starts with `ko`. */
export const languageOf = (locale: string): Language =>
  locale.toLowerCase().split("-")[0] === "ko" ? "ko" : "en"

/**
 * `{question}` is the user's question without personal data, `{why}` what the status table says of
 * the failed search, `{failed}` and `{all}` numbers of searches, `{age}` how old the results are.
 */
interface Row {
  readonly meaning: string
  readonly en: string
  readonly ko: string
}

const unconfirmed = {
  en: "Answer from existing knowledge.",
  ko: "기존 지식을 바탕으로 답변하세요."
}
const cite = {
  en: "Cite by [number]; what the sources do not say stays unknown.",
  ko: "[번호]로 인용하고, 출처에 없는 내용은 모르는 것으로 두세요."
}

export const table = {
  answered: {
    meaning: "Claims stand on sources that were found for it",
    en: `[Search finished] Sources were found for "{question}". ${cite.en}`,
    ko: `[검색 완료] '{question}'에 대한 출처를 찾았습니다. ${cite.ko}`
  },
  answered_from_cache: {
    meaning: "As `answered`; every search was answered by the cache",
    en: `[Search finished] Sources were found for "{question}" {age} ago. ${cite.en}`,
    ko: `[검색 완료] '{question}'에 대해 {age} 전에 찾은 출처입니다. ${cite.ko}`
  },
  answered_before: {
    meaning: "The same need was answered before; its pack is given again, and nothing was spent",
    en: `[Search finished] "{question}" was answered before; this is that answer. ${cite.en}`,
    ko: `[검색 완료] '{question}'에 대해 앞서 찾은 답을 다시 제공합니다. ${cite.ko}`
  },
  answered_from_store: {
    meaning: "Claims stand on the evidence store alone; the web was not searched",
    en: "[Evidence store] The web was not searched. Collected sources speak of " +
      `"{question}". ${cite.en}`,
    ko: "[증거 저장소] 웹을 검색하지 않았습니다. '{question}'에 대해 수집된 출처입니다. " + cite.ko
  },
  answered_in_part: {
    meaning: "Claims stand, and some search failed: there may be more to find",
    en: `[Search incomplete] Sources were found for "{question}", but {failed} of {all} searches ` +
      `failed ({why}): there may be more. ${cite.en}`,
    ko: "[검색 일부 실패] '{question}'에 대한 출처를 찾았으나 검색 {all}건 중 {failed}건이 " +
      `실패했습니다 (사유: {why}). 더 많은 내용이 있을 수 있습니다. ${cite.ko}`
  },
  answered_from_old_results: {
    meaning: "Every provider failed; claims stand on results of an earlier search",
    en: "[Web search unavailable] {why}. What follows was found {age} ago for " +
      `"{question}" and may be outdated: say so. ${cite.en}`,
    ko: "[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: {why}). '{question}'에 " +
      `대해 {age} 전에 찾은 내용이므로 오래되었을 수 있음을 알리세요. ${cite.ko}`
  },
  listed: {
    meaning: "Hits or page texts alone were wanted: they were handed out, and no pack was written",
    en: "[Search finished] Results for \"{question}\" were listed and not checked. " +
      unconfirmed.en,
    ko: "[검색 완료] '{question}'에 대한 결과를 나열했을 뿐 확인하지 않았습니다. " + unconfirmed.ko
  },
  sources_disagree: {
    meaning: "Sources answer, and contradict each other; nothing stands",
    en: "[Search finished] Sources contradict each other about \"{question}\". Tell both sides " +
      "and decide for neither. Cite by [number].",
    ko: "[검색 완료] '{question}'에 대해 출처들이 서로 모순됩니다. 어느 한쪽으로 단정하지 말고 " +
      "양쪽을 모두 알리세요. [번호]로 인용하세요."
  },
  question_not_answered: {
    meaning: "Pages were read, and none of them answers",
    en: "[Search finished] Pages were read, and none answers \"{question}\": what follows is " +
      `background and no answer. ${unconfirmed.en} Say that no source confirms it.`,
    ko:
      "[검색 완료] 출처를 읽었으나 '{question}'에 답하는 내용은 없습니다. 아래는 배경일 뿐 답이 " +
      `아닙니다. ${unconfirmed.ko} 확인한 출처가 없음을 알리세요.`
  },
  not_answered_in_part: {
    meaning: "As `question_not_answered` or `nothing_found`, and some search failed besides",
    en:
      "[Search incomplete] Nothing that answers \"{question}\" was found, and {failed} of {all} " +
      `searches failed ({why}). ${unconfirmed.en} Say that the search was not complete.`,
    ko: "[검색 일부 실패] '{question}'에 답하는 내용을 찾지 못했고, 검색 {all}건 중 {failed}건은 " +
      `실패했습니다 (사유: {why}). ${unconfirmed.ko} 검색이 완전하지 않았음을 알리세요.`
  },
  nothing_found: {
    meaning: "The search worked and found nothing",
    en: `[Search finished] Nothing was found for "{question}". ${unconfirmed.en}`,
    ko: `[검색 완료] '{question}'에 대한 검색 결과가 없습니다. ${unconfirmed.ko}`
  },
  nothing_stored: {
    meaning: "The evidence store alone was asked, and holds nothing on it",
    en: `[Search finished] The evidence store holds nothing on "{question}". ${unconfirmed.en}`,
    ko: `[검색 완료] 증거 저장소에 '{question}'에 대한 자료가 없습니다. ${unconfirmed.ko}`
  },
  search_failed: {
    meaning: "Every search failed, and nothing older was kept",
    en: "[Web search unavailable] {why}, so nobody looked for \"{question}\". Use the knowledge " +
      "base and the conversation.",
    ko:
      "[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: {why}). '{question}'은(는) " +
      "확인하지 못했습니다. 기존 지식 그래프와 대화 맥락만을 바탕으로 답변하세요."
  },
  known_enough: {
    meaning: "Not searched: the known facts answer it",
    en: "[Not searched] The known facts of the conversation answer \"{question}\": use them.",
    ko:
      "[검색하지 않음] '{question}'은(는) 이미 알려진 사실로 답할 수 있습니다. 그 사실을 사용하세요."
  },
  nothing_to_look_up: {
    meaning: "Not searched: nothing that can be looked up is asked",
    en: "[Not searched] \"{question}\" needs no fact from the web. Answer it as it stands.",
    ko: "[검색하지 않음] '{question}'에는 웹에서 확인할 사실이 없습니다. 그대로 답변하세요."
  },
  refers_to_nothing: {
    meaning: "Not searched: the question points at something that was not said",
    en: "[Not searched] \"{question}\" points at something that was not said. Ask what is meant " +
      "before you answer.",
    ko:
      "[검색하지 않음] '{question}'이(가) 무엇을 가리키는지 알 수 없습니다. 답변하기 전에 무엇을 뜻하는지 " +
      "물어보세요."
  },
  budget_exhausted: {
    meaning: "Not searched: the session has no search left, or the caller granted none",
    en: "[Not searched] No search is left, so nobody looked for \"{question}\". " +
      `${unconfirmed.en} Say that it was not looked up.`,
    ko: "[검색하지 않음] 남은 검색 횟수가 없어 '{question}'을(를) 찾아보지 않았습니다. " +
      `${unconfirmed.ko} 확인하지 않았음을 알리세요.`
  },
  phase_not_eligible: {
    meaning: "Not searched: the phase of the session does not allow it",
    en: "[Not searched] This phase of the session allows no search, so nobody looked for " +
      `"{question}". ${unconfirmed.en} Say that it was not looked up.`,
    ko: "[검색하지 않음] 현재 세션 단계에서는 검색이 허용되지 않아 '{question}'을(를) 찾아보지 " +
      `않았습니다. ${unconfirmed.ko} 확인하지 않았음을 알리세요.`
  }
} as const satisfies Record<OutcomeReason, Row>

export interface Blanks {
  readonly question: string
  readonly why?: string
  readonly failed?: number
  readonly all?: number
  /** Age of the answer, in milliseconds. */
  readonly ageMs?: number
}

/** Longest stretch of the question that is quoted, in UTF-16 code units. */
const questionShownCharsMax = 200

/** Sentence for a model, on one line, ready to begin a prompt. */
export const sentenceOf = (
  reason: OutcomeReason,
  { ageMs, all, failed, question, why }: Blanks,
  language: Language
): string => {
  const filled: Readonly<Record<string, string>> = {
    question: shown(question),
    why: why ?? "",
    failed: String(failed ?? 0),
    all: String(all ?? 0),
    age: ageOf(ageMs ?? 0, language)
  }
  return table[reason][language].replace(/\{(\w+)\}/g, (_, name: string) => filled[name] ?? "")
}

/** Question on one line, and cut where it is long. */
const shown = (question: string): string => {
  const line = question.replace(/\s+/g, " ").trim()
  return line.length <= questionShownCharsMax
    ? line
    : `${line.slice(0, questionShownCharsMax).replace(/[\ud800-\udbff]$/, "")}…`
}

const units = [
  { ms: 86_400_000, en: "day", ko: "일" },
  { ms: 3_600_000, en: "hour", ko: "시간" },
  { ms: 60_000, en: "minute", ko: "분" }
] as const

const ageOf = (ageMs: number, language: Language): string => {
  const unit = units.find(({ ms }) => ageMs >= ms) ?? units[2]
  const count = Math.max(1, Math.floor(ageMs / unit.ms))
  return language === "ko" ? `${count}${unit.ko}` : `${count} ${unit.en}${count === 1 ? "" : "s"}`
}
