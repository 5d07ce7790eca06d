/** Converts entries to rows of the evidence store and back. */
import { terms } from "@web-grounding/language/Words"
import { Effect, Schema } from "effect"
import { questionTermsMax } from "../../application/ports/EvidenceStore.ts"
import { Entry, sourceKeyOfEntry } from "../../domain/store/Entry.ts"

const decodeEntry = Schema.decodeUnknownEffect(Entry)

/** An absent field is null in its row. */
export const toEntries = (rows: ReadonlyArray<object>) =>
  Effect.forEach(
    rows,
    (row) =>
      decodeEntry(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
  )

export const toRecord = (
  { embedding_dimensions: _, embedding_model: __, end, id, start, ...entry }: Entry
) => ({
  ...entry,
  entry_id: id,
  source_key: sourceKeyOfEntry(id),
  text_start: start,
  text_end: end,
  terms: vectorTextOf(entry.title, entry.text)
})

// Lexemes are the domain's terms: Chinese, Japanese and Korean are found by character pairs,
// English by stems, in any database locale.

const termCharsMax = 100
/** Most positions stored for one lexeme, and the largest position: limits of `tsvector`. */
const placesMax = 255
const placeMax = 16_383

/** A `tsvector` literal, the title's words with a weight label of their own. */
const vectorTextOf = (title: string, text: string): string => {
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

/** Different terms of a question, as `tsquery` texts of one lexeme each. */
export const queryTextsOf = (question: string): ReadonlyArray<string> =>
  Array.from(new Set(terms(question).filter((term) => term.length <= termCharsMax)))
    .slice(0, questionTermsMax)
    .map(quoted)

const quoted = (term: string): string => `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`

export interface Held {
  readonly query: string
  readonly holders: number
}

/** Most entries ranked in a search; a term in more entries is too common to select by. */
export const holdersMax = 1_000

/**
 * The `tsquery` of candidates: any of the rarest terms that fit; if all are common, all together.
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

export const weightOf = ({ holders }: Held): number =>
  Math.log(1 + holdersMax / Math.max(1, holders))
