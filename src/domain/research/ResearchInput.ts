/** What is asked about a course's subject, and the three queries that it becomes. */
import { Effect, Schema } from "effect"
import { CourseSubject } from "../request/CourseSubject.ts"
import { GroundingRequest } from "../request/GroundingRequest.ts"
import { newId } from "../request/NewId.ts"

const { locale, region } = GroundingRequest.fields

/** How long each attempt at a provider may take, in milliseconds. */
const timeoutMs = { default: 5_000, minimum: 250, maximum: 30_000 }

export const ResearchInput = Schema.Struct({
  session_id: newId,
  /** Asked again with the same one, it is answered from the log. Default: made up. */
  request_id: Schema.optionalKey(newId),
  ...CourseSubject.fields,
  locale,
  region,
  timeout_ms: Schema.Int.check(
    Schema.isBetween({ minimum: timeoutMs.minimum, maximum: timeoutMs.maximum })
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed(timeoutMs.default)))
})
export type ResearchInput = typeof ResearchInput.Type

/** Queries that one research may send. */
export const searchBudget = 3
/** Reading, ranking and writing, beside the searches. In milliseconds. */
const afterSearchMs = 30_000

/** In this order: what is taught, to whom, and to what end. */
export const queriesOf = (
  { audience_category, course_title, depth_requirement }: ResearchInput
): ReadonlyArray<string> =>
  [
    `${course_title} syllabus curriculum`,
    `${course_title} ${spoken(audience_category)} course outline`,
    `${course_title} ${spoken(depth_requirement)} learning objectives`
  ].slice(0, searchBudget)

const spoken = (word: string): string => word.replaceAll(/[_-]+/g, " ")

/** Milliseconds from arrival to answer. `timeout_ms`: of each attempt at a provider. */
export const deadlineMsOf = (timeout_ms = timeoutMs.default): number =>
  searchBudget * timeout_ms + afterSearchMs

/** The research as a grounding: asked for, with its queries fixed and a budget that holds them. */
export const groundingOf = (input: ResearchInput) => ({
  session_id: input.session_id,
  ...(input.request_id === undefined ? {} : { request_id: input.request_id }),
  tier: "premium",
  phase: "mid_chat",
  topic: `${input.course_title}: syllabus, course outline and learning objectives`,
  user_asked_for_facts: true,
  locale: input.locale,
  ...(input.region === undefined ? {} : { region: input.region }),
  course: {
    course_title: input.course_title,
    audience_category: input.audience_category,
    depth_requirement: input.depth_requirement,
    learning_mode: input.learning_mode
  },
  deadline_ms: deadlineMsOf(input.timeout_ms),
  overrides: {
    queries: queriesOf(input),
    max_queries: searchBudget,
    search_timeout_ms: input.timeout_ms
  }
})
