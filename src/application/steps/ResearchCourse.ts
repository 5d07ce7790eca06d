/** Lets a researcher read the sources for a course, then lets the domain keep what they bear. */
import { DateTime, Effect } from "effect"
import * as ResearchFindings from "../../domain/research/ResearchFindings.ts"
import { Researched } from "../../domain/session/SessionEvent.ts"
import { Limits } from "../ports/Limits.ts"
import { type Researcher, Researchers } from "../ports/Researcher.ts"
import * as Deadline from "./Deadline.ts"
import * as RungWalk from "./RungWalk.ts"
import type { StepOf } from "./Step.ts"

export const researchCourse = Effect.fn("ResearchCourse.researchCourse")(
  function*(step: StepOf<"Research">, deadline: Deadline.Deadline) {
    const { course, grounding, sources } = step
    const { boundary, request } = grounding
    const researchers = yield* Researchers
    const { engineTimeoutMs } = yield* Limits
    const research = <E>(researcher: Researcher<E>) =>
      researcher.research({ course, locale: request.locale, sources, boundary })
    const { answer: draft, rung } = yield* RungWalk.walk(
      researchers,
      research,
      research,
      { leftMs: yield* Deadline.shareMs(deadline, "Research"), timeoutMs: engineTimeoutMs }
    )
    return Researched.make({
      request_id: request.request_id,
      draft,
      findings: ResearchFindings.checked(draft, sources),
      researched_at: DateTime.formatIso(yield* DateTime.now),
      rung
    })
  }
)
