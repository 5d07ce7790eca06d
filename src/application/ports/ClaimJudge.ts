/** Judges whether quotes support claims. The domain decides what that changes. */
import { Context, type Effect } from "effect"
import type { Judgeable, JudgedClaim } from "../../domain/pack/Judgement.ts"
import type { EngineFailed, EngineInfo, Rungs } from "./Rungs.ts"

/** Claims with their quotations, which a judge reads without the pages. */
export interface JudgingTask {
  /** Claims to judge, at least one, at most two dozen. */
  readonly claims: ReadonlyArray<Judgeable>
  /** Question that the claims are to answer. */
  readonly question: string
  /** Boundary of the boxes that fence page text, made for this request: 128 random bits as hex. */
  readonly boundary: string
}

/**
 * An engine that says whether quotations support a claim and whether the claim answers the
 * question.
 */
export interface ClaimJudge<E = EngineFailed> {
  readonly info: EngineInfo
  /** Claims without a judgement are marked as not judged; places nobody asked about are ignored. */
  readonly judge: (task: JudgingTask) => Effect.Effect<ReadonlyArray<JudgedClaim>, E>
}

/** The judges of this deployment; the last leaves every claim to the checks of code. */
export class ClaimJudges
  extends Context.Service<ClaimJudges, Rungs<ClaimJudge, ClaimJudge<never>>>()(
    "web-grounding/application/ports/ClaimJudges"
  )
{}
