/**
 * A course's modules and outcomes over the house's documents and what the web says. An engine
 * proposes them; the check keeps what it quotes from a source word for word, names that source, and
 * joins modules that treat the same thing.
 */
import * as QuotedPassage from "@web-grounding/language/QuotedPassage"
import { terms, words } from "@web-grounding/language/Words"
import { Array, Option, Schema } from "effect"
import { Bearing, type InternalDocument, type Origin, OutlineModule } from "./CourseOutline.ts"
import * as Fit from "./Fit.ts"
import { heldShare, isSameText, shown } from "./SourceText.ts"

const modulesMax = 10
const outcomesMax = 8
const titleCharsMax = 80
/** Longest description, outcome or quotation, in UTF-16 code units. */
const sentenceCharsMax = 300
/** A shorter quotation stands in any text. */
const quoteTermsMin = 3
/** Share of a text's terms that its source must hold; the rest is wording. */
const sharedMin = 0.5
/** Terms that an outcome and its quotation must share. */
const quotedTermsMin = 2
const supportsMax = 6

const Quoted = {
  /** Number of the source, from 1: first what the web says, then the house's documents. */
  source: Schema.Int,
  quote: Schema.String
}

/** Outline that an engine proposes. */
export const OutlineDraft = Schema.Struct({
  modules: Schema.Array(Schema.Struct({
    title: Schema.String,
    description: Schema.String,
    support: Schema.Array(Schema.Struct(Quoted))
  })),
  outcomes: Schema.Array(Schema.Struct({ text: Schema.String, ...Quoted }))
})
export type OutlineDraft = typeof OutlineDraft.Type

export const emptyDraft: OutlineDraft = { modules: [], outcomes: [] }

const Outcome = Schema.Struct({ text: Schema.String, from: Bearing })

/** Outline that the check left. */
export const OutlineFindings = Schema.Struct({
  modules: Schema.Array(OutlineModule),
  outcomes: Schema.Array(Outcome)
})
export type OutlineFindings = typeof OutlineFindings.Type

/** A source as an outline is checked against it. */
export interface Material {
  readonly type: typeof Origin.Type
  readonly title: string
  readonly url: string
  readonly text: string
}

/** The passages of each document together, the documents in the order of their best one. */
export const materialOf = (documents: ReadonlyArray<InternalDocument>): ReadonlyArray<Material> =>
  Array.dedupeWith(documents, (one, other) => one.url === other.url).map(({ title, url }) => ({
    type: "internal",
    title,
    url,
    text: documents.filter((other) => other.url === url).map(({ text }) => text).join("\n")
  }))

interface Read extends Material {
  readonly held: ReadonlySet<string>
}

/**
 * Findings for an outline that the sources support. `sources` are in the order of their numbers.
 */
export const checkedOutline = (
  course_title: string,
  draft: OutlineDraft,
  sources: ReadonlyArray<Material>
): OutlineFindings => {
  const read = sources.map((source): Read => ({
    ...source,
    held: new Set(terms(`${source.title}\n${source.text}`))
  }))
  const found = ({ quote, source }: { readonly quote: string; readonly source: number }) => {
    const from = read[source - 1]
    const located = from === undefined ? "" : quotedIn(from, quote)
    return from === undefined || located === "" ? [] : [{ from, quote: located }]
  }
  const modules = draft.modules.flatMap(({ description, support, title }) => {
    const name = shown(title, titleCharsMax)
    const borne = support.slice(0, supportsMax).flatMap(found)
      .filter(({ from }) => isBorne(name, from.held))
    const [first, ...others] = borne.map(bearingOf)
    if (name === "" || first === undefined) return []
    const told = shown(description, sentenceCharsMax)
    const isTold = borne.some(({ quote }) => isBorne(told, new Set(terms(quote))))
    return [{
      title: name,
      description: isTold ? told : first.quote,
      references_from: [first, ...others] as const
    }]
  })
  const outcomes = draft.outcomes.flatMap((outcome) => {
    const text = shown(outcome.text, sentenceCharsMax)
    return found(outcome).flatMap(({ from, quote }) => {
      const said = new Set(terms(text))
      const shared = said.intersection(new Set(terms(quote))).size
      return isBorne(text, from.held) && shared >= Math.min(quotedTermsMin, said.size)
        ? [{ text, from: bearingOf({ from, quote }) }]
        : []
    })
  })
  return {
    modules: modules.reduce(joining(course_title), []).slice(0, modulesMax),
    outcomes: Array.dedupeWith(outcomes, (one, other) => isSameText(one.text, other.text))
      .slice(0, outcomesMax)
  }
}

/** The source's own words; empty where it does not have them, or where they try to instruct. */
const quotedIn = ({ text }: Material, quote: string): string => {
  if (terms(quote).length < quoteTermsMin) return ""
  return Option.match(QuotedPassage.locate(text, [{ start: 0, end: text.length }], quote), {
    onNone: () => "",
    onSome: ({ end, start }) => shown(text.slice(start, end), sentenceCharsMax)
  })
}

/** Half of its terms, and every number. */
const isBorne = (text: string, held: ReadonlySet<string>): boolean =>
  heldShare(text, held) >= sharedMin &&
  terms(text).every((term) => !/\p{N}/u.test(term) || held.has(term))

const bearingOf = (
  { from: { title, type, url }, quote }: { readonly from: Read; readonly quote: string }
): Bearing => ({ type, title: shown(title, sentenceCharsMax), url, quote })

/** A module that treats the same thing as an earlier one lends it its references. */
const joining = (course_title: string) =>
(
  modules: ReadonlyArray<OutlineModule>,
  next: OutlineModule
): ReadonlyArray<OutlineModule> => {
  const place = modules.findIndex((known) => isSameModule(course_title, known, next))
  const known = modules[place]
  if (known === undefined) return [...modules, next]
  const [first, ...others] = known.references_from
  const isNew = ({ quote, url }: Bearing) =>
    !known.references_from.some((one) => one.url === url && one.quote === quote)
  return modules.with(place, {
    ...known,
    references_from: [first, ...others, ...next.references_from.filter(isNew)]
  })
}

const isSameModule = (
  course_title: string,
  one: OutlineModule,
  other: OutlineModule
): boolean => {
  const known = new Set(terms(course_title))
  const own = ({ title }: OutlineModule) =>
    [...new Set(terms(title).filter((term) => !known.has(term)))].toSorted().join(" ")
  const told = ({ description, references_from, title }: OutlineModule) =>
    [title, description, ...references_from.map(({ quote }) => quote)].join("\n")
  return words(one.title).join(" ") === words(other.title).join(" ") ||
    own(one) !== "" && own(one) === own(other) ||
    Fit.isSameMatter(course_title, told(one), told(other))
}
