/** The researcher that needs no model: it copies words, titles and sentences out of the sources. */
import { Effect } from "effect"
import type { Researcher } from "../../application/ports/Researcher.ts"
import * as TopicExtraction from "../../domain/research/TopicExtraction.ts"

export const make: Researcher<never> = {
  info: { engine: "rules", version: "researcher-1" },
  research: ({ course, sources }) =>
    Effect.sync(() => TopicExtraction.draftOf(course.course_title, sources))
}
