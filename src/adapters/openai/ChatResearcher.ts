/** A model that reads sources for a course. It names them by number; the domain checks the rest. */
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import { Effect, Schema } from "effect"
import type { Researcher, ResearchTask } from "../../application/ports/Engines.ts"
import type { CourseSubject } from "../../domain/request/GroundingRequest.ts"
import type { SourceText } from "../../domain/research/Fit.ts"
import {
  CourseDraft,
  emptyDraft,
  type Material,
  OutlineDraft
} from "../../domain/research/OutlineFindings.ts"
import * as EvidenceBlock from "../../domain/view/EvidenceBlock.ts"
import { type ChatModel, infoOf } from "./ChatModel.ts"
import { type OutputShape, shapeOf } from "./ChatRequest.ts"
import * as OutlinerPrompt from "./prompts/OutlinerPrompt.ts"
import * as ResearcherPrompt from "./prompts/ResearcherPrompt.ts"

/** A reader of both kinds of sources says more. */
const tokensMax = 4_000
/** Longest block of web text, in UTF-16 code units. */
const evidenceCharsMax = 24_000
/**
 * Longest text of one source, in UTF-16 code units: a page that was kept whole must leave room for
 * the others.
 */
const sourceCharsMax = 2_000
/** A number that no source has. */
const unknownSource = 0

const shape = shapeOf("course_research", CourseDraft)
const outlinedShape = shapeOf(
  "course_outline",
  Schema.Struct({ ...CourseDraft.fields, outline: OutlineDraft })
)

const nothing: CourseDraft = { key_topics: [], modules: [], learning_objectives: [], skills: [] }

export const make = (model: ChatModel): Researcher => ({
  info: infoOf(model, `${ResearcherPrompt.version}+${OutlinerPrompt.version}`),
  research: Effect.fn("ChatResearcher.research")(
    function*({ boundary, course, documents, locale, sources }: ResearchTask) {
      const block = EvidenceBlock.build({
        // The block is cut at its end: the house's own documents are few, and stand first.
        excerpts: [...(documents ?? []).map(asExcerpt), ...sources.map(ofWeb)],
        boundary,
        charsMax: evidenceCharsMax
      })
      if (block.text === "") {
        return documents === undefined ? nothing : { ...nothing, outline: emptyDraft }
      }
      const asking = <A>(system: string, shape: OutputShape<A>) =>
        model.ask({
          messages: [
            { role: "system", content: system },
            { role: "user", content: `${askedOf(course, locale)}\n\n${block.text}` }
          ],
          shape,
          tokensMax
        })
      // The block numbers what it shows; the draft, all that was given.
      const given = [...sources.map(({ url }) => url), ...(documents ?? []).map(internalId)]
      const places = block.source_ids.map((id) => given.indexOf(id) + 1)
      const numbered = <A extends { readonly source: number }>(named: A): A => ({
        ...named,
        source: places[named.source - 1] ?? unknownSource
      })
      if (documents === undefined) {
        const proposed = yield* asking(ResearcherPrompt.text, shape)
        return { ...proposed, modules: proposed.modules.map(numbered) }
      }
      const { outline, ...proposed } = yield* asking(
        `${ResearcherPrompt.text}\n\n${OutlinerPrompt.text}`,
        outlinedShape
      )
      return {
        ...proposed,
        modules: proposed.modules.map(numbered),
        outline: {
          modules: outline.modules.map((module) => ({
            ...module,
            support: module.support.map(numbered)
          })),
          outcomes: outline.outcomes.map(numbered)
        }
      }
    }
  )
})

const ofWeb = ({ text, ...source }: SourceText) => ({
  page: { ...source, source_id: source.url },
  text: text.slice(0, sourceCharsMax)
})

/** The same page may be in the house and on the web: two sources with two numbers. */
const internalId = ({ url }: Material): string => `internal:${url}`

const asExcerpt = (document: Material) => ({
  page: {
    title: document.title,
    url: document.url,
    site: "internal",
    official: false,
    source_id: internalId(document)
  },
  text: document.text.slice(0, sourceCharsMax)
})

/** Fields of the course as JSON, so that no text of a caller can pose as another field. */
const askedOf = (course: CourseSubject, locale: string): string => {
  const { audience_category, course_title, depth_requirement, learning_mode } = course
  const strip = QueryPrivacy.strip
  return JSON.stringify({
    course_title: strip(course_title),
    audience_category: strip(audience_category),
    depth_requirement: strip(depth_requirement),
    learning_mode: strip(learning_mode),
    locale
  })
}
