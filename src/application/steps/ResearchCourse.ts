/** A researcher reads the sources for a course; the domain checks what they support. */
import { DateTime, Effect, Equal } from "effect"
import * as OutlineFindings from "../../domain/research/OutlineFindings.ts"
import type { ResearchDraft } from "../../domain/research/OutlineFindings.ts"
import * as ResearchSources from "../../domain/session/ResearchSources.ts"
import { tellFact } from "../../domain/session/Session.ts"
import { Researched } from "../../domain/session/SessionEvent.ts"
import { Engines, lastOf } from "../ports/Engines.ts"
import { Limits } from "../ports/Limits.ts"
import * as Deadline from "./Deadline.ts"
import * as RungWalk from "./RungWalk.ts"
import type { ComputedStep, Given, StepOf } from "./Step.ts"

const compute = Effect.fn("ResearchCourse.compute")(
  function*(step: StepOf<"Research">, { deadline, documents: passages }: Given) {
    const { course, grounding, isOutlined, sources } = step
    const { boundary, request } = grounding
    const { researcher } = yield* Engines
    const { engineTimeoutMs } = yield* Limits
    const documents = OutlineFindings.materialOf(isOutlined ? passages : [])
    const outlineOf = ({ outline = OutlineFindings.emptyDraft }: ResearchDraft) =>
      OutlineFindings.checkedOutline(course.course_title, outline, [
        ...sources.map(ResearchSources.asMaterial),
        ...documents
      ])
    const { answer: draft, rung } = yield* RungWalk.walk(
      // Without a text there is nothing to ask a model about.
      sources.length + documents.length === 0 ? lastOf(researcher) : researcher,
      {
        course,
        locale: request.locale,
        sources,
        ...(isOutlined ? { documents } : {}),
        boundary
      },
      {
        read: (draft) => draft,
        isAnswer: (draft) =>
          (draft.outline?.modules ?? []).length === 0 || outlineOf(draft).modules.length > 0,
        time: { leftMs: yield* Deadline.shareMs(deadline, "Research"), timeoutMs: engineTimeoutMs }
      }
    )
    return tellFact(Researched.make({
      request_id: request.request_id,
      draft,
      findings: OutlineFindings.checkedFindings(draft, sources),
      ...(isOutlined ? { documents: passages, outline: outlineOf(draft) } : {}),
      researched_at: DateTime.formatIso(yield* DateTime.now),
      rung
    }))
  }
)

const emptyDraft = { key_topics: [], modules: [], learning_objectives: [], skills: [] }

export const research: ComputedStep<"Research"> = {
  engines: ["researcher"],
  compute,
  isAsked: () => true,
  factOf: ({ researched }) => researched,
  answerTo: ({ sources }, recorded) =>
    Equal.equals(sources, ResearchSources.sourceTexts(recorded)) ? recorded.researched : undefined,
  empty: ({ grounding, isOutlined }, { at, rung }) =>
    tellFact(Researched.make({
      request_id: grounding.request.request_id,
      draft: emptyDraft,
      findings: OutlineFindings.checkedFindings(emptyDraft, []),
      ...(isOutlined ? { documents: [], outline: { modules: [], outcomes: [] } } : {}),
      researched_at: at,
      rung
    }))
}
