/**
 * Finds what several pages name in sentences near the question: probably its answer. Names for who
 * and where, numbers for how many and when, else both. Counts pages, not passages, so that one page
 * cannot agree with itself.
 */
import type { AnswerKind } from "../question/AnswerKind.ts"
import { isStopWord } from "../text/Words.ts"
import type { PassageWords } from "./PassageWords.ts"

const name = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}’'-]*/gu
const number = /(?<![\p{L}\p{N}])[$€£¥₩]?\p{N}+(?:[.,]\p{N}+)*%?/gu
/** Stand in every report. */
const calendar = new RegExp(
  "^(?:january|february|march|april|may|june|july|august|september|october|november|december|" +
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday)$"
)

/** Share of the best page's vote that is left out: other pages are to support it. */
const ownShare = 0.5
/**
 * Least vote that counts as agreement: the best of little must not count as much as the best of
 * much.
 */
const worthLeast = 0.2

export interface Question {
  readonly kind: AnswerKind
  /** The question's own words answer nothing. */
  readonly words: ReadonlySet<string>
}

/** Agreement for each sentence of each passage, 0 to 1: how many pages name its best thing. */
export const agreement = (
  question: Question,
  passages: ReadonlyArray<Pick<PassageWords, "passage" | "sentences">>,
  /** 0 to 1 alike: how much of the question each sentence holds. */
  shares: ReadonlyArray<ReadonlyArray<number>>
): ReadonlyArray<ReadonlyArray<number>> => {
  const named = passages.map(({ sentences }) => sentences.map(({ text }) => things(question, text)))
  const votes = passages.flatMap(({ passage: { page } }, passage) =>
    (named[passage] ?? []).flatMap((found, sentence) =>
      found.map((thing) => ({ thing, page, passage, share: shares[passage]?.[sentence] ?? 0 }))
    )
  )
  const worth = new Map(
    Array.from(Map.groupBy(votes, ({ thing }) => thing), ([thing, cast]) => [thing, worthOf(cast)])
  )
  const best = Math.max(worthLeast, ...worth.values())
  return named.map((sentences) =>
    sentences.map((found) => Math.max(0, ...found.map((thing) => worth.get(thing) ?? 0)) / best)
  )
}

interface Vote {
  readonly page: string
  readonly passage: number
  /** How much of the question the sentence holds that names the thing. */
  readonly share: number
}

/**
 * Weight of a named thing: pages vote with their best sentence's share of the question, squared.
 * One that stands in many passages anyway needs more votes, and the page that says it best is half
 * a vote.
 */
const worthOf = (votes: ReadonlyArray<Vote>): number => {
  const shares = Array.from(
    Map.groupBy(votes, ({ page }) => page).values(),
    (own) => Math.max(...own.map(({ share }) => share * share))
  )
  const sum = shares.reduce((sum, share) => sum + share, 0)
  const holders = new Set(votes.map(({ passage }) => passage)).size
  return (sum - ownShare * Math.max(...shares)) / Math.sqrt(holders + 1)
}

/** Names and numbers of a text that may answer the question, lower-cased. */
export const things = ({ kind, words }: Question, text: string): ReadonlyArray<string> => {
  const names = kind === "number" || kind === "date" ? [] : (text.match(name) ?? [])
  const numbers = kind === "person" || kind === "place" ? [] : (text.match(number) ?? [])
  const all = [...names, ...numbers].map((thing) => thing.toLowerCase().replace(/['’]s$/, ""))
  return all.filter((thing) =>
    thing.length > 1 && !words.has(thing) && !isStopWord(thing) && !calendar.test(thing)
  )
}
