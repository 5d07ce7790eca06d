/** Reads sources for a course and proposes topics, modules, aims, skills. The domain checks. */
import { Context, type Effect } from "effect"
import type { CourseSubject } from "../../domain/request/GroundingRequest.ts"
import type { SourceText } from "../../domain/research/Fit.ts"
import type { Material, ResearchDraft } from "../../domain/research/OutlineFindings.ts"
import type { EngineFailed, EngineInfo, Rungs } from "./Rungs.ts"

/** A course's subject and the sources about it. */
export interface ResearchTask {
  readonly course: CourseSubject
  /** BCP 47: in which language it is to be told. */
  readonly locale: string
  /** Best first, at most ten; not empty where there are no documents. */
  readonly sources: ReadonlyArray<SourceText>
  /**
   * The house's own, best first, numbered after the sources. An outline is wanted where this is
   * there, and none where it is absent.
   */
  readonly documents?: ReadonlyArray<Material>
  /** Boundary of the boxes that fence page text, made for this request: 128 random bits as hex. */
  readonly boundary: string
}

/**
 * An engine that drafts findings or an outline of a course. A draft names its sources by number.
 */
export interface Researcher<E = EngineFailed> {
  readonly info: EngineInfo
  readonly research: (task: ResearchTask) => Effect.Effect<ResearchDraft, E>
}

/** The researchers of this deployment, preferred first; the last extracts by rule. */
export class Researchers
  extends Context.Service<Researchers, Rungs<Researcher, Researcher<never>>>()(
    "web-grounding/application/ports/Researchers"
  )
{}
