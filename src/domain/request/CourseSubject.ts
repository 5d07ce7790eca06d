/** What a course is about and for whom: what a researcher reads its sources for. */
import { Effect, Schema } from "effect"
import { keptText } from "../text/KeptText.ts"

/** Of each word that describes the course. In UTF-16 code units. */
const wordCharsMax = 100
/** Leaves room for what the queries add to it. */
const titleCharsMax = 250

const word = (otherwise: string) =>
  keptText(wordCharsMax).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(otherwise))
  )

export const CourseSubject = Schema.Struct({
  course_title: keptText(titleCharsMax),
  /** For whom, e.g. `professionals`. */
  audience_category: word("general"),
  /** How deep, e.g. `implementation`. */
  depth_requirement: word("introduction"),
  /** How it is taught, e.g. `self_paced`. */
  learning_mode: word("self_paced")
})
export type CourseSubject = typeof CourseSubject.Type
