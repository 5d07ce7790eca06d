/** A course's outline with everything it was made of. */
import { Schema } from "effect"
import { CourseOutline, InternalDocument } from "../domain/research/CourseOutline.ts"
import { ResearchInput } from "../domain/research/ResearchInput.ts"

/** What is known stage by stage: the input, internal documents, the web's results. */
export const ExecutionContext = Schema.Struct({
  user_input: ResearchInput,
  session_id: Schema.String,
  timestamps: Schema.Struct({ started: Schema.String, finished: Schema.String }),
  retrieved_documents: Schema.Struct({
    chunks: Schema.Array(InternalDocument),
    summary: Schema.String
  }),
  web_search_results: Schema.Struct({
    topics: Schema.Array(Schema.String),
    links: Schema.Array(Schema.String),
    confidence: Schema.Finite
  })
})

export const OutlineAnswer = Schema.Struct({
  ...CourseOutline.fields,
  execution_context: ExecutionContext
})
export type OutlineAnswer = typeof OutlineAnswer.Type
