/**
 * A request's outcomes, a word for machines and a sentence for the caller's model.
 * `docs/reference/statuses.md` is checked against it.
 */
import type { OutcomeReason } from "./GroundingOutcome.ts"
import texts from "./OutcomeTexts.json" with { type: "json" }

/** Raised whenever a sentence changes, here or among the statuses. Each outcome records it. */
export const textsVersion = 6

export type Language = "en" | "ko"

/** `en` unless the BCP 47 locale starts with `ko`. */
export const languageOf = (locale: string): Language =>
  locale.toLowerCase().split("-")[0] === "ko" ? "ko" : "en"

/**
 * `{question}` is without PII, `{why}` the status's text, `{failed}` and `{all}` count searches.
 */
interface Row {
  readonly meaning: string
  readonly en: string
  readonly ko: string
  readonly note?: string
}

export const table: Readonly<Record<OutcomeReason, Row>> = texts

export const notesOf = (reason: OutcomeReason): ReadonlyArray<string> =>
  [table[reason].note].filter((note) => note !== undefined)

export interface Blanks {
  readonly question: string
  readonly why?: string
  readonly failed?: number
  readonly all?: number
  /** Age of the answer, in milliseconds. */
  readonly ageMs?: number
}

/** Longest part of the question that is quoted, in UTF-16 code units. */
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
