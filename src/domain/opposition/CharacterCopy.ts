/**
 * Whether a claim copies a sentence of a script without gaps between words, and which part of it.
 *
 * Endings decide there between yes and no (できます, できません), and pairs of characters drop them;
 * so characters are compared one by one, in their order.
 */
import { commonPlaces } from "../text/CommonSequence.ts"
import { tokens } from "../text/QuoteTokens.ts"

const eastern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
/** Share of a text's letters from which on it is compared so. */
const easternMin = 0.25
/** Share of the claim's characters that stand in the sentence in their order. */
const keptMin = 0.65
const keptCharactersMin = 4
/** Of one sentence; a longer one is no sentence. */
const charactersMax = 400
const clauseBreak = /[、，,；;。．.!！?？\n]/u

export const isEastern = (text: string): boolean =>
  (text.match(eastern) ?? []).length > easternMin * (text.match(/\p{L}/gu)?.length ?? 0)

/** The stretch of the sentence that the claim copies, to the end of its clause. */
export const original = (claim: string, sentence: string): string | undefined => {
  const [said, read] = [tokens(claim), tokens(sentence)]
  if (Math.max(said.length, read.length) > charactersMax) return undefined
  const places = commonPlaces(said.map(({ word }) => word), read.map(({ word }) => word))
    .map(([, place]) => place)
  const [first, last] = [read[places[0] ?? -1], read[places.at(-1) ?? -1]]
  const isCopy = places.length >= keptCharactersMin && places.length >= keptMin * said.length
  if (!isCopy || first === undefined || last === undefined) return undefined
  const rest = sentence.slice(last.end)
  const end = rest.search(clauseBreak)
  const before = sentence.slice(0, first.start).split(clauseBreak).at(-1) ?? ""
  return sentence.slice(first.start - before.length, end < 0 ? sentence.length : last.end + end)
}
