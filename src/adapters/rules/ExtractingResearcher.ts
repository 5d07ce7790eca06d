/** The researcher that needs no model: it copies words, titles and sentences out of the sources. */
import { Effect } from "effect"
import type { Researcher } from "../../application/ports/Engines.ts"
import * as TopicExtraction from "../../domain/research/TopicExtraction.ts"

export const make: Researcher<never> = {
  info: { engine: "rules", version: "researcher-4" },
  research: ({ course: { course_title }, documents, sources }) =>
    Effect.sync(() => {
      const draft = TopicExtraction.draftOf(course_title, sources)
      return documents === undefined
        ? draft
        : {
          ...draft,
          outline: TopicExtraction.outlineOf(course_title, { documents, draft, sources })
        }
    })
}
