/** Proposes claims with quotes from ranked passages. What it proposes is checked by the domain. */
import { Context, type Effect } from "effect"
import type { SearchNeed } from "../../domain/need/ReasonCodes.ts"
import type { PackDraft } from "../../domain/pack/GroundingPack.ts"
import type { Chunk } from "../../domain/page/Page.ts"
import type { GroundingRequest } from "../../domain/request/GroundingRequest.ts"
import type { EngineFailed, EngineInfo, Rungs } from "./Rungs.ts"

/** Request, need and passages from which a pack is drafted. */
export interface WritingTask {
  readonly request: GroundingRequest
  readonly need: SearchNeed
  /** Best first, at most a dozen. May be empty. */
  readonly chunks: ReadonlyArray<Chunk>
  /** Boundary of the boxes that fence page text, made for this request: 128 random bits as hex. */
  readonly boundary: string
}

/** An engine that drafts claims. A draft names its sources by id and holds no address. */
export interface PackWriter<E = EngineFailed> {
  readonly info: EngineInfo
  readonly write: (task: WritingTask) => Effect.Effect<PackDraft, E>
}

/** The writers of this deployment, preferred first; the last only quotes. */
export class PackWriters
  extends Context.Service<PackWriters, Rungs<PackWriter, PackWriter<never>>>()(
    "web-grounding/application/ports/PackWriters"
  )
{}
