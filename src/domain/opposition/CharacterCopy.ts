/**
 * Whether a claim copies a sentence of a script without gaps between words, and which part of it.
 *
 * Endings decide there between yes and no (できます, できません), and pairs of characters drop them;
 * so characters are compared one by one, in their order.
 */
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
  const [first, last] = [read[places[0] ?? -1], read[places.at(-1) ?? -1]]
  const isCopy = places.length >= keptCharactersMin && places.length >= keptMin * said.length
  if (!isCopy || first === undefined || last === undefined) return undefined
  const rest = sentence.slice(last.end)
  const end = rest.search(clauseBreak)
  const before = sentence.slice(0, first.start).split(clauseBreak).at(-1) ?? ""
  return sentence.slice(first.start - before.length, end < 0 ? sentence.length : last.end + end)
}

/** Places in `right` of the longest sequence that both hold in order. */
const commonPlaces = (
  left: ReadonlyArray<string>,
  right: ReadonlyArray<string>
): ReadonlyArray<number> => {
  const width = right.length + 1
  const lengths = new Uint16Array((left.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      lengths[row * width + column] = left[row] === right[column]
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const places: Array<number> = []
  let [row, column] = [0, 0]
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) {
      places.push(column)
      row++
      column++
    } else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  }
  return places
}
