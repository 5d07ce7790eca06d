/**
 * Keeps back the sentences of a private text that only tell, where its question says enough alone.
 *
 * What people write about themselves names others in more ways than any list of patterns knows; a
 * question that stands on its own needs none of it.
 */
import { terms } from "../text/Words.ts"
import { blanked, type Clause, type PrivateText, type Span } from "./PrivateText.ts"
import { isCountry } from "./PublicWords.ts"

/** Terms from which the sentences that ask can be searched for alone. */
const termsMin = 5

/** Spans of the sentences that only tell, but for countries; none where a question needs them. */
export const besideQuestion = (
  text: PrivateText,
  secrets: ReadonlyArray<Span>
): ReadonlyArray<Span> =>
  asksAlone(text, secrets)
    ? text.clauses.filter(({ isOfQuestion }) => !isOfQuestion)
      .flatMap((clause) => betweenCountries(text.raw, clause))
    : []

/** Whether the sentences that ask say enough without the secrets in them. */
const asksAlone = (
  { clauses, raw }: PrivateText,
  secrets: ReadonlyArray<Span>
): boolean => {
  const asking = clauses.filter(({ isOfQuestion }) => isOfQuestion)
  const asked = asking.map((clause) => blanked(raw, clause, secrets)).join(" ")
  return new Set(terms(asked)).size >= termsMin
}

const word = /(?<!\p{L}|\p{Lu}\p{L}* )\p{L}[\p{L}\p{M}'’-]*(?! \p{Lu})/gu

/** A country tells where a rule holds, and nobody from others. */
const betweenCountries = (raw: string, { end, start }: Clause): ReadonlyArray<Span> => {
  const countries = Array.from(raw.slice(start, end).matchAll(word))
    .filter(([name]) => isCountry(name))
    .map((match) => ({ start: start + match.index, end: start + match.index + match[0].length }))
  const starts = [start, ...countries.map((country) => country.end)]
  const ends = [...countries.map((country) => country.start), end]
  return starts.map((from, at) => ({ start: from, end: ends[at] ?? end }))
}
