/** A course's outline from what the house knows and the web says, each part with its origin. */
import { Schema } from "effect"
import { type Research, ResearchInput } from "./Research.ts"

const modulesMax = 10
const outcomesMax = 8
/** Of one module, by how deep the course goes; other words count as in between. */
const hoursByDepth: Readonly<Record<string, number>> = {
  overview: 2,
  introduction: 3,
  conceptual: 4,
  implementation: 6,
  advanced: 8
}
const hoursOtherwise = 4

const Origin = Schema.Literals(["internal", "external"])

const Reference = Schema.Struct({
  from: Origin,
  title: Schema.String,
  /** The document's id where it has no address. */
  url: Schema.String
})

const CourseModule = Schema.Struct({
  title: Schema.String,
  description: Schema.String,
  references_from: Schema.NonEmptyArray(
    Schema.Struct({ type: Origin, title: Schema.String, url: Schema.String })
  )
})
export type CourseModule = typeof CourseModule.Type

export const CourseOutline = Schema.Struct({
  course_title: Schema.String,
  modules: Schema.Array(CourseModule),
  learning_outcomes: Schema.Array(Schema.String),
  total_duration_hours: Schema.Natural,
  references: Schema.Array(Reference)
})
export type CourseOutline = typeof CourseOutline.Type

/** A passage of the house's own documents. */
export const InternalDocument = Schema.Struct({
  title: Schema.String,
  url: Schema.String,
  text: Schema.String
})
export type InternalDocument = typeof InternalDocument.Type

/** Internal knowledge first; the web adds to it, and only where it is usable. */
export const compose = (
  input: ResearchInput,
  documents: ReadonlyArray<InternalDocument>,
  web: Research
): CourseOutline => {
  const isUsable = web.is_usable
  const titles = new Map(web.source_links.map(({ title, url }) => [url, title]))
  const internal = grouped(documents).map(({ title, text, url }): CourseModule => ({
    title,
    description: text,
    references_from: [{ type: "internal", title, url }]
  }))
  const external = (isUsable ? web.recommended_modules : []).map((found): CourseModule => ({
    title: found.title,
    description: found.description,
    references_from: [{
      type: "external",
      title: titles.get(found.source_url) ?? found.title,
      url: found.source_url
    }]
  }))
  const modules = [...internal, ...external].reduce<ReadonlyArray<CourseModule>>(joined, [])
    .slice(0, modulesMax)
  return {
    course_title: input.course_title,
    modules,
    learning_outcomes: outcomesOf(input, modules, isUsable ? web.learning_objectives_found : []),
    total_duration_hours: modules.length *
      (hoursByDepth[input.depth_requirement.toLowerCase()] ?? hoursOtherwise),
    references: [
      ...grouped(documents).map(({ title, url }) => ({ from: "internal" as const, title, url })),
      ...(isUsable ? web.source_links : []).map(({ title, url }) => ({
        from: "external" as const,
        title,
        url
      }))
    ]
  }
}

/** One of each document, with the passage that answered best. */
const grouped = (documents: ReadonlyArray<InternalDocument>): ReadonlyArray<InternalDocument> =>
  documents.filter(({ url }, place) => documents.findIndex((other) => other.url === url) === place)

/** A module that both know stands once, with both its references. */
const joined = (
  modules: ReadonlyArray<CourseModule>,
  next: CourseModule
): ReadonlyArray<CourseModule> => {
  const place = modules.findIndex(({ title }) => title.toLowerCase() === next.title.toLowerCase())
  const known = modules[place]
  if (known === undefined) return [...modules, next]
  return modules.with(place, {
    ...known,
    references_from: [...known.references_from, ...next.references_from]
  })
}

const outcomesOf = (
  { course_title }: ResearchInput,
  modules: ReadonlyArray<CourseModule>,
  found: ReadonlyArray<string>
): ReadonlyArray<string> =>
  [
    ...found,
    ...modules.map(({ title }) => `Explain “${title}” and its place in “${course_title}”.`)
  ]
    .slice(0, outcomesMax)

/** What is known stage by stage: the input, internal documents, the web's results. */
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

export const OutlineAnswer = Schema.Struct({
  ...CourseOutline.fields,
  execution_context: ExecutionContext
})
export type OutlineAnswer = typeof OutlineAnswer.Type
