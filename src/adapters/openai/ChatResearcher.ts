/** A model that reads sources for a course. It names them by number; the domain checks the rest. */
import { Effect } from "effect"
import type { Researcher, ResearchTask } from "../../application/ports/Researcher.ts"
import * as QueryPrivacy from "../../domain/privacy/QueryPrivacy.ts"
import type { CourseSubject } from "../../domain/request/GroundingRequest.ts"
import { ResearchDraft } from "../../domain/research/ResearchFindings.ts"
import * as EvidenceBlock from "../../domain/view/EvidenceBlock.ts"
import { type ChatModel, infoOf } from "./ChatModel.ts"
import { shapeOf } from "./ChatRequest.ts"
import * as ResearcherPrompt from "./prompts/ResearcherPrompt.ts"

const tokensMax = 3_000
/** Of the block of web text, in UTF-16 code units. */
const evidenceCharsMax = 24_000
/** Of one source: a page that was kept whole must leave room for the others. */
const sourceCharsMax = 2_000
/** A number that no source has. */
const unknownSource = 0

const shape = shapeOf("course_research", ResearchDraft)

const nothing: ResearchDraft = { key_topics: [], modules: [], learning_objectives: [], skills: [] }

export const make = (model: ChatModel): Researcher => ({
  info: infoOf(model, ResearcherPrompt.version),
  research: Effect.fn("ChatResearcher.research")(
    function*({ boundary, course, locale, sources }: ResearchTask) {
      const block = EvidenceBlock.build({
        excerpts: sources.map(({ text, ...source }) => ({
          page: { ...source, source_id: source.url },
          text: text.slice(0, sourceCharsMax)
        })),
        boundary,
        charsMax: evidenceCharsMax
      })
      if (block.text === "") return nothing
      const proposed = yield* model.ask({
        messages: [
          { role: "system", content: ResearcherPrompt.text },
          { role: "user", content: `${askedOf(course, locale)}\n\n${block.text}` }
        ],
        shape,
        tokensMax
      })
      // The block numbers what it shows; the draft, all that was given.
      const places = block.source_ids.map((id) => sources.findIndex(({ url }) => url === id) + 1)
      return {
        ...proposed,
        modules: proposed.modules.map((module) => ({
          ...module,
          source: places[module.source - 1] ?? unknownSource
        }))
      }
    }
  )
})

/** As JSON, so that no text of a caller can pose as another field. */
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
