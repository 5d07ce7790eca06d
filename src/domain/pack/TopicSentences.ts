/** Sentences for a topic or scene that asks nothing: what people do or must do. */
import { scriptOf } from "@web-grounding/language/KeySentences"
import { type Passage, type PassageWords, poolOf } from "@web-grounding/language/PassageWords"
import { heldShare } from "@web-grounding/language/QuestionTerms"
import * as QuotedPassage from "@web-grounding/language/QuotedPassage"
import * as Relevance from "@web-grounding/language/Relevance"
import { largest, plainForm } from "@web-grounding/language/Words"
import { Array, Option } from "effect"
import type { Span } from "../page/Page.ts"
import { sectionOf } from "./PackAssembly.ts"

export interface TopicSentence extends Span {
  /** Index in the passages given. */
  readonly passage: number
  readonly text: string
  readonly score: number
}

/** Topic words in a passage with its title, one of them in the title: others meet by chance. */
const passageTermsMin = 3
/** Minimum share of the topic, weighted by rarity, and of the best passage's share. */
const passageShareMin = { words: 0.25, pairs: 0.16, han: 0.14 } as const
const ofBestMin = 0.6
/** Weight of custom, duty or law in a sentence, against the share of the topic that it holds. */
const normWorth = 0.35
const ownWorth = 0.5
/** Sentences of one page at most, so that other pages are used. */
const ofPageMax = 4

/** Selects at most `limit` sentences, best first. */
export const select = (
  topic: string,
  passages: ReadonlyArray<Passage>,
  limit: number
): ReadonlyArray<TopicSentence> => {
  const pool = poolOf(passages)
  const { sought } = Relevance.viewOf(pool, topic)
  const held = pool.passages.map(({ sentences, title }) => {
    const said = new Set([
      ...[...title].map(plainForm),
      ...sentences.flatMap(({ terms }) => terms.map(plainForm))
    ])
    const count = sought.terms.filter((term) => said.has(plainForm(term))).length
    const whole = heldShare(sought, said, plainForm)
    const isTitled = title.size === 0 || sought.terms.some((term) => title.has(term))
    return isTitled && count >= Math.min(passageTermsMin, sought.terms.length) ? whole : 0
  })
  const least = Math.max(passageShareMin[scriptOf(topic)], ofBestMin * largest(held))
  const found = pool.passages.flatMap((read, passage) => {
    const fit = held[passage] ?? 0
    return fit < least ? [] : wholeIn(read).map(({ terms, ...span }) => {
      const said = new Set(terms.map(plainForm))
      const own = heldShare(sought, said, plainForm)
      const isNorm = sectionOf(span.text, []) !== "key_points"
      return { ...span, passage, score: fit + ownWorth * own + (isNorm ? normWorth : 0) }
    })
  }).toSorted((left, right) => right.score - left.score)
  const perPage = new Map<string, number>()
  return found.filter(({ passage }) => {
    const page = passages[passage]?.page ?? ""
    const taken = perPage.get(page) ?? 0
    perPage.set(page, taken + 1)
    return taken < ofPageMax
  }).slice(0, limit)
}

/** Each sentence with the context it needs to be read alone, once. */
const wholeIn = ({ passage, sentences }: PassageWords) => {
  const quotable = QuotedPassage.readable(passage.text, { start: 0, end: passage.text.length })
  const found = sentences.flatMap((sentence) =>
    Option.toArray(QuotedPassage.passageAround(quotable, sentence)).map((span) => ({
      ...span,
      terms: sentence.terms,
      text: passage.text.slice(span.start, span.end)
    }))
  )
  return Array.dedupeWith(found, (one, other) => one.start === other.start)
}
