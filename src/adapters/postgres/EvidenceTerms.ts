/**
 * Text as the words that the database searches: the domain's terms, so that Chinese, Japanese and
 * Korean are found by pairs of characters and English by its stems, in a database of any locale.
 */
import { terms } from "@web-grounding/language/Words"
import { questionTermsMax } from "../../application/ports/EvidenceStore.ts"

/** Longer "words" are ids or broken text, and no lexeme of the database. */
const termCharsMax = 100
/** Most places that the database keeps of one lexeme, and the last place it knows. */
const placesMax = 255
const placeMax = 16_383

/** A `tsvector` in its text form, the title's words marked as such. */
export const vectorTextOf = (title: string, text: string): string => {
  const places = new Map<string, Array<string>>()
  const put = (list: ReadonlyArray<string>, from: number, mark: string) =>
    list.forEach((term, index) => {
      if (term.length > termCharsMax) return
      const of = places.get(term) ?? []
      if (of.length < placesMax) of.push(`${Math.min(placeMax, from + index)}${mark}`)
      places.set(term, of)
    })
  const titleTerms = terms(title)
  put(titleTerms, 1, "A")
  put(terms(text), titleTerms.length + 1, "")
  return Array.from(places, ([term, of]) => `${quoted(term)}:${of.join(",")}`).join(" ")
}

/** Different terms of a question as `tsquery` texts of one lexeme each. */
export const queryTextsOf = (question: string): ReadonlyArray<string> =>
  Array.from(new Set(terms(question).filter((term) => term.length <= termCharsMax)))
    .slice(0, questionTermsMax)
    .map(quoted)

const quoted = (term: string): string => `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`

/** A term of the question and how many entries hold it, counted up to `holdersMax`. */
export interface Held {
  readonly query: string
  readonly holders: number
}

/** Entries that a search weighs; a term that more entries hold says little. */
export const holdersMax = 1_000

/**
 * The `tsquery` that finds what is weighed, at most some `holdersMax` entries: any of the rarest
 * terms; or, as all are common, all of them together; or the rarest, as far as is weighed.
 */
export const candidatesOf = (held: ReadonlyArray<Held>): ReadonlyArray<string> => {
  const present = held.filter(({ holders }) => holders > 0)
    .toSorted((left, right) => left.holders - right.holders)
  const rare: Array<string> = []
  let sum = 0
  for (const { holders, query } of present) {
    sum += holders
    if (sum > holdersMax) break
    rare.push(query)
  }
  if (rare.length > 0) return [rare.join(" | ")]
  const [rarest] = present
  if (rarest === undefined) return []
  return [present.map(({ query }) => query).join(" & "), rarest.query]
}

/** How much a term counts: the more, the fewer entries hold it. */
export const weightOf = ({ holders }: Held): number =>
  Math.log(1 + holdersMax / Math.max(1, holders))
