/**
 * Decides whether a request needs the open web. Knows nothing of budgets: those are the session's.
 */
import { Context, type Effect } from "effect"
import type { SearchNeed } from "../../domain/need/ReasonCodes.ts"
import type { GroundingRequest } from "../../domain/request/GroundingRequest.ts"
import type { EngineFailed, EngineInfo, Rungs } from "./Rungs.ts"

/** An engine that proposes whether and how far to search. */
export interface NeedGate<E = EngineFailed> {
  readonly info: EngineInfo
  /**
   * Proposes the need that the question itself calls for; the domain applies phase and budget
   * afterwards.
   */
  readonly decide: (request: GroundingRequest) => Effect.Effect<SearchNeed, E>
}

/** The gates of this deployment, preferred first. */
export class NeedGates extends Context.Service<NeedGates, Rungs<NeedGate, NeedGate<never>>>()(
  "web-grounding/application/ports/NeedGates"
) {}
