/** Lets a researcher read the sources for a course, then lets the domain keep what they bear. */
import { DateTime, Effect } from "effect"
import * as OutlineFindings from "../../domain/research/OutlineFindings.ts"
import type { InternalDocument } from "../../domain/research/Research.ts"
import * as ResearchSources from "../../domain/session/ResearchSources.ts"
import { Researched } from "../../domain/session/SessionEvent.ts"
import { EngineFailed, type Researcher, Researchers } from "../ports/Engines.ts"
import { Limits } from "../ports/Limits.ts"
import * as Deadline from "./Deadline.ts"
import * as RungWalk from "./RungWalk.ts"
import type { StepOf } from "./Step.ts"

/**
 * Asks the researchers what a course's sources hold, and checks their findings. `passages` of
 * internal documents, best first, are used where an outline is wanted.
 */
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
    const outlineOf = ({ outline = OutlineFindings.emptyDraft }: OutlineFindings.ResearchDraft) =>
      OutlineFindings.checkedOutline(course.course_title, outline, [
        ...sources.map(ResearchSources.asMaterial),
        ...documents
      ])
    /** A model whose quotes support none of its modules has not answered: the next one reads. */
    const proving = (researcher: Researcher) =>
      Effect.filterOrFail(
        research(researcher),
        (draft) =>
          (draft.outline?.modules ?? []).length === 0 || outlineOf(draft).modules.length > 0,
        () =>
          new EngineFailed({
            engine: researcher.info.engine,
            reason: "refused",
            detail: "nothing_borne_out"
          })
      )
    const { answer: draft, rung } = yield* RungWalk.walk(
      // Without a text there is nothing to ask a model about.
      sources.length + documents.length === 0 ? { ...researchers, preferred: [] } : researchers,
      proving,
      research,
      { leftMs: yield* Deadline.shareMs(deadline, "Research"), timeoutMs: engineTimeoutMs }
    )
    return Researched.make({
      request_id: request.request_id,
      draft,
      findings: OutlineFindings.checkedFindings(draft, sources),
      ...(isOutlined
        ? {
          documents: passages,
          outline: outlineOf(draft)
        }
        : {}),
      researched_at: DateTime.formatIso(yield* DateTime.now),
      rung
    })
  }
)
