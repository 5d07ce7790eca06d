/** Lets a researcher read the sources for a course, then lets the domain keep what they bear. */
import { DateTime, Effect } from "effect"
import type { InternalDocument } from "../../domain/research/CourseOutline.ts"
import * as OutlineFindings from "../../domain/research/OutlineFindings.ts"
import * as ResearchFindings from "../../domain/research/ResearchFindings.ts"
import * as ResearchSources from "../../domain/session/ResearchSources.ts"
import { Researched } from "../../domain/session/SessionEvent.ts"
import { Limits } from "../ports/Limits.ts"
import { type Researcher, Researchers } from "../ports/Researcher.ts"
import * as Deadline from "./Deadline.ts"
import * as RungWalk from "./RungWalk.ts"
import type { StepOf } from "./Step.ts"

/** `passages`: of the house's documents, best first; used where an outline is wanted. */
export const researchCourse = Effect.fn("ResearchCourse.researchCourse")(
  function*(
    step: StepOf<"Research">,
    passages: ReadonlyArray<InternalDocument>,
    deadline: Deadline.Deadline
  ) {
    const { course, grounding, isOutlined, sources } = step
    const { boundary, request } = grounding
    const researchers = yield* Researchers
    const { engineTimeoutMs } = yield* Limits
    const documents = OutlineFindings.materialOf(isOutlined ? passages : [])
    const research = <E>(researcher: Researcher<E>) =>
      researcher.research({
        course,
        locale: request.locale,
        sources,
        ...(isOutlined ? { documents } : {}),
        boundary
      })
    const { answer: draft, rung } = yield* RungWalk.walk(
      // Without a text there is nothing to ask a model about.
      sources.length + documents.length === 0 ? { ...researchers, preferred: [] } : researchers,
      research,
      research,
      { leftMs: yield* Deadline.shareMs(deadline, "Research"), timeoutMs: engineTimeoutMs }
    )
    return Researched.make({
      request_id: request.request_id,
      draft,
      findings: ResearchFindings.checked(draft, sources),
      ...(isOutlined
        ? {
          documents: passages,
          outline: OutlineFindings.checked(
            course.course_title,
            draft.outline ?? OutlineFindings.emptyDraft,
            [...sources.map(ResearchSources.asMaterial), ...documents]
          )
        }
        : {}),
      researched_at: DateTime.formatIso(yield* DateTime.now),
      rung
    })
  }
)
