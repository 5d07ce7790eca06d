/**
 * Whether the store's entries answer a question, or the web is needed. The web is skipped only
 * where one entry covers the question. The bounds are fitted by `bench/storeFirst.ts`: a wrong
 * "enough" weighs more than a needless search.
 */
import { type PassageWords, poolOf } from "@web-grounding/language/PassageWords"
import * as QuestionTerms from "@web-grounding/language/QuestionTerms"
import { isCommon, questionTerms } from "@web-grounding/language/QuestionTerms"
import { plainForm, terms, words } from "@web-grounding/language/Words"
import { Schema } from "effect"
import type { SearchNeed } from "../need/ReasonCodes.ts"
import type { Page } from "../page/Page.ts"

/** Share of the question in the best entry. All figures are of the same sentence. */
export const StoreKnowledge = Schema.Struct({
  entries: Schema.Natural,
  /** 0 to 1: the question's terms in the sentence; its neighbours and its title count in part. */
  coverage: Schema.Finite,
  /** Names, numbers and counted things of the question that the entry and its title lack. */
  missing_names: Schema.Natural,
  /** Whether the sentence or the one after holds the expected kind of answer. */
  holds_kind: Schema.Boolean,
  /** Different sites, or sources without an address, of the entries that cover the question. */
  sites: Schema.Natural,
  official: Schema.Boolean
})
export type StoreKnowledge = typeof StoreKnowledge.Type

export type KnownPassage = Pick<Page, "title" | "text" | "url" | "site" | "official">

/** Least coverage by script: at most 5 in 100 stores without the answer pass for enough. */
const coverageMin = { words: 0.65, pairs: 0.85, han: 0.5 } as const

/** Names count little: they are required anyway. */
const weights = { common: 0.4, name: 0.1, title: 0.9, neighbour: 0.8, entry: 0.5 } as const

const kanaOrHangul = /[\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u
const han = /\p{Script=Han}/u
const name = /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{L}\p{N}’'-]*|\p{N}[\p{N}.,]*)/gu
/** An answer gives it by its name: "in March". */
const askedUnit = /\b(?:what|which) (?:year|month|day|weekday|week|date|century|decade)s?\b/giu
const countedThing = /\bhow (?:many|much) (\p{L}[\p{L}-]*)/iu
/** Further answers to "when": times of the day, and months that are other words as well. */
const clockTime = /(?<!\d)\d{1,2}:\d{2}(?!\d)|(?<=[\p{Ll}\d.,] )(?:March|May)\b/u
/** Digits of a coverage that are recorded. */
const digits = 4

/** A rule of law needs an official source, or so many others. */
const legalSitesMin = 2

const nothing: Figures = { coverage: 0, missing_names: 0, holds_kind: false }

/** `place` holds the words of a separately named location; an entry must hold them. */
export const measure = (
  question: string,
  entries: ReadonlyArray<KnownPassage>,
  place = ""
): StoreKnowledge => {
  const sought = soughtIn(question, place)
  const measured = sought.terms.length === 0 ?
    [] :
    poolOf(entries.map(({ text, title, url }) => ({ title, text, page: url }))).passages
      .map((read) => figuresOf(sought, read).reduce(better, nothing))
  const covering = entries.filter((_, index) => covers(question, measured[index] ?? nothing))
  const best = measured.reduce(better, nothing)
  return {
    entries: entries.length,
    ...best,
    coverage: Number(best.coverage.toFixed(digits)),
    sites: new Set(covering.map(({ site }) => site)).size,
    official: covering.some(({ official }) => official)
  }
}

/** Whether these figures make the web unnecessary; the question's script decides the bound. */
export const isEnough = (
  question: string,
  knowledge: StoreKnowledge,
  { reason_codes }: Pick<SearchNeed, "reason_codes">
): boolean =>
  covers(question, knowledge) &&
  (!reason_codes.includes("POLICY_LEGAL") || knowledge.official ||
    knowledge.sites >= legalSitesMin)

/** Whether the best entry's figures cover the question, from any source. */
export const covers = (
  question: string,
  { coverage, holds_kind, missing_names }: Figures
): boolean => holds_kind && missing_names === 0 && coverage >= coverageMin[scriptOf(question)]

const scriptOf = (question: string): keyof typeof coverageMin => {
  if (kanaOrHangul.test(question)) return "pairs"
  return han.test(question) ? "han" : "words"
}

type Figures = Pick<StoreKnowledge, "coverage" | "missing_names" | "holds_kind">

const soughtIn = (question: string, place: string) => ({
  terms: [
    ...new Set([...questionTerms(question.replace(askedUnit, " ")), ...terms(place)].map(plainForm))
  ],
  // The first letter of a question is always a capital.
  names: new Set(
    [...terms((question.slice(1).match(name) ?? []).join(" ")), ...terms(place)].map(plainForm)
  ),
  counted: new Set(
    terms(countedThing.exec(question)?.[1] ?? "").filter((term) => !isCommon(term)).map(plainForm)
  ),
  words: new Set(words(question)),
  kind: QuestionTerms.kindOf(question)
})

const figuresOf = (
  sought: ReturnType<typeof soughtIn>,
  entry: PassageWords
): ReadonlyArray<Figures> => {
  const { counted, kind, names, terms: asked, words } = sought
  const all = new Set(entry.terms.map(plainForm))
  const title = new Set([...entry.title].map(plainForm))
  const held = entry.sentences.map(({ terms }) => new Set(terms.map(plainForm)))
  const missing_names = [...names, ...counted].filter((term) => !all.has(term)).length
  const total = asked.reduce((sum, term) => sum + weightOf(term, names), 0)
  return entry.sentences.map((_, place) => {
    const [before, after] = [held[place - 1], held[place + 1]]
    const share = (term: string) => {
      if (held[place]?.has(term) === true) return 1
      if (title.has(term)) return weights.title
      if (before?.has(term) === true || after?.has(term) === true) return weights.neighbour
      return all.has(term) ? weights.entry : 0
    }
    const sum = asked.reduce((sum, term) => sum + weightOf(term, names) * share(term), 0)
    const around = entry.sentences.slice(place, place + 2).map(({ text }) => text).join(" ")
    return {
      coverage: sum / total,
      missing_names,
      holds_kind: QuestionTerms.certaintyOf(kind, around, words) > 0 ||
        (kind === "date" && clockTime.test(around))
    }
  })
}

const weightOf = (term: string, names: ReadonlySet<string>): number =>
  names.has(term) ? weights.name : isCommon(term) ? weights.common : 1

/** The better of two figures. Missing names or a missing kind of answer outweigh any coverage. */
const better = (one: Figures, other: Figures): Figures => {
  const rank = ({ holds_kind, missing_names }: Figures) => (holds_kind ? 1 : 0) - missing_names
  return (rank(one) - rank(other) || one.coverage - other.coverage) >= 0 ? one : other
}
