/**
 * A course's modules and outcomes from internal documents and the web. Each keeps a verbatim
 * quotation and its source; modules on one thing are joined.
 */
import * as QuotedPassage from "@web-grounding/language/QuotedPassage"
import { terms, words } from "@web-grounding/language/Words"
import { Array, Option, Schema } from "effect"
import * as Fit from "./Fit.ts"
import { heldShare, isSameText, shown, type SourceText } from "./Fit.ts"
import {
  Bearing,
  type InternalDocument,
  type Origin,
  OutlineModule,
  RecommendedModule
} from "./Research.ts"

const outlineModulesMax = 10

const outcomesMax = 8

const titleCharsMax = 80

/** Longest description, outcome or quotation, in UTF-16 code units. */
const sentenceCharsMax = 300

/** A shorter quotation occurs in any text. */
const quoteTermsMin = 3

/** Share of a text's terms that its source must hold; the rest is wording. */
const sharedMin = 0.5

/** Terms that an outcome and its quotation must share. */
const quotedTermsMin = 2

const supportsMax = 6

const Quoted = {
  /** Number of the source, from 1: first the web's, then the internal documents. */
  source: Schema.Int,
  quote: Schema.String
}

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

export const OutlineFindings = Schema.Struct({
  modules: Schema.Array(OutlineModule),
  outcomes: Schema.Array(Outcome)
})

export type OutlineFindings = typeof OutlineFindings.Type

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

/** Supported findings for an outline. `sources` are in the order of their numbers. */
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
    modules: modules.reduce(joining(course_title), []).slice(0, outlineModulesMax),
    outcomes: Array.dedupeWith(outcomes, (one, other) => isSameText(one.text, other.text))
      .slice(0, outcomesMax)
  }
}

/** The source's own words; empty where it lacks them, or where they are prompt injection. */
const quotedIn = ({ text }: Material, quote: string): string => {
  if (terms(quote).length < quoteTermsMin) return ""
  return Option.match(QuotedPassage.locate(text, [{ start: 0, end: text.length }], quote), {
    onNone: () => "",
    onSome: ({ end, start }) => shown(text.slice(start, end), sentenceCharsMax)
  })
}

/** Whether the source holds half of the text's terms, and every number. */
const isBorne = (text: string, held: ReadonlySet<string>): boolean =>
  heldShare(text, held) >= sharedMin &&
  terms(text).every((term) => !/\p{N}/u.test(term) || held.has(term))

const bearingOf = (
  { from: { title, type, url }, quote }: { readonly from: Read; readonly quote: string }
): Bearing => ({ type, title: shown(title, sentenceCharsMax), url, quote })

const joining = (course_title: string) =>
(
  modules: ReadonlyArray<OutlineModule>,
  next: OutlineModule
): ReadonlyArray<OutlineModule> => {
  const index = modules.findIndex((known) => isSameModule(course_title, known, next))
  const known = modules[index]
  if (known === undefined) return [...modules, next]
  const [first, ...others] = known.references_from
  const isNew = ({ quote, url }: Bearing) =>
    !known.references_from.some((one) => one.url === url && one.quote === quote)
  return modules.with(index, {
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

// Checks a researcher's draft: topics and modules of no source, addresses and instructions go.

export const topicsMax = 8

export const modulesMax = 8

/** Most learning objectives, and most skills, of the findings. */
export const aimsMax = 6

const topicCharsMax = 60

const moduleCharsMax = 80

/** Longest description, objective or skill, in UTF-16 code units. */
const findingCharsMax = 240

export const CourseDraft = Schema.Struct({
  key_topics: Schema.Array(Schema.String),
  modules: Schema.Array(Schema.Struct({
    title: Schema.String,
    description: Schema.String,
    /** Number of its source, from 1. */
    source: Schema.Int
  })),
  learning_objectives: Schema.Array(Schema.String),
  skills: Schema.Array(Schema.String)
})

export type CourseDraft = typeof CourseDraft.Type

export const ResearchDraft = Schema.Struct({
  ...CourseDraft.fields,
  outline: Schema.optionalKey(OutlineDraft)
})

export type ResearchDraft = typeof ResearchDraft.Type

/** Findings in the fields that course builders read. */
export const ResearchFindings = Schema.Struct({
  key_topics_found: Schema.Array(Schema.String),
  recommended_modules: Schema.Array(RecommendedModule),
  learning_objectives_found: Schema.Array(Schema.String),
  skillset_recommendations: Schema.Array(Schema.String)
})

export type ResearchFindings = typeof ResearchFindings.Type

export const checkedFindings = (
  draft: CourseDraft,
  sources: ReadonlyArray<SourceText>
): ResearchFindings => {
  const held = sources.map(({ headings, text, title }) =>
    new Set(terms([title, ...headings, text].join("\n")))
  )
  const shareOf = (text: string, index: number) => heldShare(text, held[index] ?? new Set())
  const isBorne = (text: string, shareMin: number): boolean =>
    sources.some((_, index) => shareOf(text, index) >= shareMin)
  const sentencesOf = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
    distinct(texts.map((text) => shown(text, findingCharsMax)))
      .filter((text) => isBorne(text, sharedMin)).slice(0, aimsMax)
  const modules = draft.modules.flatMap(({ description, source, title }) => {
    const index = source - 1
    const name = shown(title, moduleCharsMax)
    const told = shown(description, findingCharsMax)
    const url = sources[index]?.url
    return url === undefined || name === "" || shareOf(name, index) < sharedMin ? [] : [{
      title: name,
      description: shareOf(told, index) < sharedMin ? "" : told,
      source_url: url
    }]
  })
  return {
    key_topics_found: distinct(draft.key_topics.map((topic) => shown(topic, topicCharsMax)))
      .filter((topic) => isBorne(topic, 1)).slice(0, topicsMax),
    recommended_modules: Array.dedupeWith(
      modules,
      (one, other) => isSameText(one.title, other.title)
    ).slice(0, modulesMax),
    learning_objectives_found: sentencesOf(draft.learning_objectives),
    skillset_recommendations: sentencesOf(draft.skills)
  }
}

const distinct = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.dedupeWith(texts.filter((text) => text !== ""), isSameText)
