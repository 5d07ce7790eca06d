/**
 * Weighted candidate answers of a text: a date for "when", a number for "how many", else names.
 * Candidates near the question's words weigh most.
 */
import * as QuestionTerms from "../question/QuestionTerms.ts"
import { questionTerms } from "../question/QuestionTerms.ts"
import { quantities, type Quantity } from "../text/Quantities.ts"
import { sentenceTexts } from "../text/Sentences.ts"
import { nameTerms, terms } from "../text/Words.ts"

export type SlotKind = QuestionTerms.AnswerKind

/** Answers by spelling, with weights that sum to 1. Empty if the text offers none. */
export type Answers = ReadonlyMap<string, number>

/** More would hardly differ in weight. */
const answersMax = 10
/** Weight of an answer without a word of the question near it. */
const baseWeight = 0.3
/** Weight factor of a word that is no name: it seldom answers. */
const commonWeight = 0.25
const commonCharsMin = 4

/** Nouns that ask for a number, and the words next to one in an answer. */
const measures: ReadonlyArray<readonly [asked: RegExp, beside: RegExp]> = [
  [/\bpopulation\b|人口|인구/iu, /\b(?:population|people|persons|inhabitants|residents)\b|人|명/iu],
  [/\b(?:length|how long)\b/iu, /\b(?:km|kilomet\w+|miles?|met(?:er|re)s?|minutes?|long)\b/iu],
  [/\b(?:height|elevation|altitude|how (?:tall|high))\b/iu, /\b(?:m|met\w+|feet|ft|high|tall)\b/iu],
  [/\b(?:area|how (?:big|large))\b/iu, /\b(?:square|km2|sq|acres?|hectares?|area)\b|[²]/iu],
  [
    /(?<![\p{L}-])(?:income|price|cost|salary|fee|rent|how much)(?![\p{L}-])/iu,
    /[$€£¥₩]|\b(?:yen|won|dollars?)\b/iu
  ],
  [/\b(?:percent\w*|share|rate|proportion)\b/iu, /%|\bper ?cent\b/iu],
  [/\b(?:size|weight|capacity|speed|distance|number|depth|width|age)\b/iu, /\p{N}/u]
]
const besideWeight = 1.5

const datePhrase = /\b(?:date|year|day) (?:of|was|is|did)\b|\bin (?:which|what) year\b/iu

/** Yes-or-no questions: "Can I deduct the cost?" */
const yesOrNo = /^(?:can|may|must|do|does|did|is|are|was|were|will|would|should|has|have)\b/iu

export const kindOf = (question: string): SlotKind => {
  const kind = QuestionTerms.kindOf(question)
  if (kind !== "other") return kind
  if (datePhrase.test(question)) return "date"
  if (yesOrNo.test(question)) return "other"
  return measures.some(([asked]) => asked.test(question)) ? "number" : "other"
}

export const answersIn = (question: string, text: string): Answers => {
  const asked = new Set(questionTerms(question))
  const kind = kindOf(question)
  const table = new Map<string, number>()
  for (const sentence of sentenceTexts(text)) {
    const touched = touch(asked, sentence)
    for (const [answer, weight] of offered(kind, { question, asked, sentence, touched })) {
      table.set(answer, (table.get(answer) ?? 0) + weight)
    }
  }
  const best = Array.from(table).toSorted(([, left], [, right]) => right - left)
    .slice(0, answersMax)
  const total = best.reduce((sum, [, weight]) => sum + weight, 0)
  return new Map(best.map(([answer, weight]) => [answer, weight / total]))
}

/** 0 to 1: share of weight that two texts put on the same answers. */
export const agreement = (left: Answers, right: Answers): number =>
  Array.from(left).reduce(
    (sum, [answer, weight]) => sum + Math.sqrt(weight * (right.get(answer) ?? 0)),
    0
  )

interface Look {
  readonly question: string
  readonly asked: ReadonlySet<string>
  readonly sentence: string
  readonly touched: number
}

const offered = (kind: SlotKind, look: Look): ReadonlyArray<readonly [string, number]> => {
  if (kind === "number" || kind === "date") return numbers(kind, look)
  const { asked, sentence, touched } = look
  const names = nameTerms(sentence).filter((name) => !asked.has(name))
    .map((name) => [name, baseWeight + touched] as const)
  if (kind !== "other") return names
  const common = terms(sentence)
    .filter((term) => term.length >= commonCharsMin && !asked.has(term))
    .map((term) => [term, commonWeight * (baseWeight + touched)] as const)
  return [...names, ...common]
}

const numbers = (
  kind: "number" | "date",
  { asked, question, sentence }: Look
): ReadonlyArray<readonly [string, number]> => {
  const beside = measures.find(([measure]) => measure.test(question))?.[1]
  return quantities(sentence, "evidence")
    .filter((quantity) => kind === "date" ? quantity.kind !== "number" : quantity.kind === "number")
    .map((quantity) => {
      const bonus = beside?.test(quantity.near) === true ? besideWeight : 0
      return [spelled(quantity), baseWeight + bonus + touch(asked, quantity.near)] as const
    })
}

const spelled = ({ kind, value }: Quantity): string => `${kind} ${value}`

const touch = (asked: ReadonlySet<string>, text: string): number =>
  asked.intersection(new Set(terms(text))).size
