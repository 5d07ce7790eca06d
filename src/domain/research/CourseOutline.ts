/** Outline of a course in the fields that course builders read, each part with its support. */
import { Schema } from "effect"
import { ResearchInput } from "./Research.ts"

export const Origin = Schema.Literals(["internal", "external"])

/** A passage of the house's own documents. */
export const InternalDocument = Schema.Struct({
  title: Schema.String,
  /** The document's id where it has no address. */
  url: Schema.String,
  text: Schema.String
})
export type InternalDocument = typeof InternalDocument.Type

/** Support of a module or an outcome, in the source's own words. */
export const Bearing = Schema.Struct({
  type: Origin,
  title: Schema.String,
  /** The document's id where it has no address. */
  url: Schema.String,
  quote: Schema.String
})
export type Bearing = typeof Bearing.Type

/** A module of an outline, and where the support for it comes from. */
export const OutlineModule = Schema.Struct({
  title: Schema.String,
  description: Schema.String,
  references_from: Schema.NonEmptyArray(Bearing)
})
export type OutlineModule = typeof OutlineModule.Type

/** A source or document that an outline refers to. */
const Reference = Schema.Struct({
  from: Origin,
  title: Schema.String,
  /** The document's id where it has no address. */
  url: Schema.String
})

export const CourseOutline = Schema.Struct({
  course_title: Schema.String,
  modules: Schema.Array(OutlineModule),
  learning_outcomes: Schema.Array(Schema.String),
  /** Support of each outcome, in the same order. */
  learning_outcomes_from: Schema.Array(Bearing),
  /** Hours of reading the supporting sources, and of practice; 0 without modules. */
  total_duration_hours: Schema.Natural,
  /** Each source that supports a module or an outcome, once. */
  references: Schema.Array(Reference),
  /** Note on what made the outline, and what was left out of it. */
  outline_notes: Schema.String
})
export type CourseOutline = typeof CourseOutline.Type

/** Knowledge stage by stage: the input, internal documents, the web's results. */
const ExecutionContext = Schema.Struct({
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

/** An outline, and how it came about. */
export const OutlineAnswer = Schema.Struct({
  ...CourseOutline.fields,
  execution_context: ExecutionContext
})
export type OutlineAnswer = typeof OutlineAnswer.Type
