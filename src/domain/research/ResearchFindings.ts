/**
 * Findings for a course in its sources. A researcher proposes them, and the check keeps those that
 * the sources support: a topic none of them treats, a module of no source, an address, an
 * instruction do not come through.
 */
import { terms } from "@web-grounding/language/Words"
import { Array, Schema } from "effect"
import { OutlineDraft } from "./OutlineFindings.ts"
import { RecommendedModule } from "./Research.ts"
import { heldShare, isSameText, shown, type SourceText } from "./SourceText.ts"

export const topicsMax = 8
export const modulesMax = 8
/** Most learning objectives, and most skills, of the findings. */
export const aimsMax = 6
const topicCharsMax = 60
const moduleCharsMax = 80
/** Longest description, objective or skill, in UTF-16 code units. */
const sentenceCharsMax = 240

/** Draft that a researcher proposes, in its own words. */
export const CourseDraft = Schema.Struct({
  key_topics: Schema.Array(Schema.String),
  modules: Schema.Array(Schema.Struct({
    title: Schema.String,
    description: Schema.String,
    /** Number of the source that it was found in, from 1. */
    source: Schema.Int
  })),
  learning_objectives: Schema.Array(Schema.String),
  skills: Schema.Array(Schema.String)
})
export type CourseDraft = typeof CourseDraft.Type

export const ResearchDraft = Schema.Struct({
  ...CourseDraft.fields,
  /** Absent where none was asked for. */
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

/** Share of a sentence's terms that one source must hold; the rest is the researcher's wording. */
const sharedMin = 0.5

export const checkedFindings = (
  draft: CourseDraft,
  sources: ReadonlyArray<SourceText>
): ResearchFindings => {
  const held = sources.map(({ headings, text, title }) =>
    new Set(terms([title, ...headings, text].join("\n")))
  )
  const shareOf = (text: string, place: number) => heldShare(text, held[place] ?? new Set())
  const isBorne = (text: string, shareMin: number): boolean =>
    sources.some((_, place) => shareOf(text, place) >= shareMin)
  const sentencesOf = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
    distinct(texts.map((text) => shown(text, sentenceCharsMax)))
      .filter((text) => isBorne(text, sharedMin)).slice(0, aimsMax)
  const modules = draft.modules.flatMap(({ description, source, title }) => {
    const place = source - 1
    const name = shown(title, moduleCharsMax)
    const told = shown(description, sentenceCharsMax)
    const url = sources[place]?.url
    return url === undefined || name === "" || shareOf(name, place) < sharedMin ? [] : [{
      title: name,
      description: shareOf(told, place) < sharedMin ? "" : told,
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
