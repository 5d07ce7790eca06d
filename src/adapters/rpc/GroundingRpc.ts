/**
 * What callers may ask over RPC. Schemas only: safe to import from a client.
 *
 * Payloads are plain JSON on the wire and are checked by the handlers, so that input which does
 * not fit comes back as `InvalidInput` with its field, not as a defect with the server's text.
 */
import { Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { EventView, SessionPage } from "../../application/EventView.ts"
import { EvidenceFailure } from "../../application/evidence/EvidenceFailure.ts"
import { EvidenceFound } from "../../application/evidence/SearchEvidence.ts"
import { HealthView } from "../../application/HealthView.ts"
import { PublicFailure } from "../../application/PublicFailure.ts"
import { OutlineAnswer } from "../../application/ResearchTopic.ts"
import { Research } from "../../domain/research/Research.ts"
import { GroundingOutcome } from "../../domain/session/GroundingOutcome.ts"
import { PackView } from "../../domain/view/PackView.ts"

/** A fact as it was recorded, then, last, the answer. */
export const GroundProgress = Schema.Union([
  Schema.TaggedStruct("Fact", { event: EventView }),
  Schema.TaggedStruct("Outcome", { outcome: GroundingOutcome })
]).pipe(Schema.toTaggedUnion("_tag"))
export type GroundProgress = typeof GroundProgress.Type

export class GroundingRpc extends RpcGroup.make(
  /** Takes a `GroundingRequest`; asked again with the same `request_id`, answers from the log. */
  Rpc.make("Ground", {
    payload: Schema.Json,
    success: GroundProgress,
    error: PublicFailure,
    stream: true
  }),
  /** Takes `{ session_id, after?, limit? }`. A page of the events, oldest first. */
  Rpc.make("GetSession", {
    payload: Schema.Json,
    success: SessionPage,
    error: PublicFailure
  }),
  /** Takes `{ session_id, request_id }`. */
  Rpc.make("GetPack", {
    payload: Schema.Json,
    success: GroundingOutcome,
    error: PublicFailure
  }),
  /**
   * Takes `{ session_id, request_id, audience }`: `roleplay_background`, or `coach` of a premium
   * request.
   */
  Rpc.make("GetPackView", {
    payload: Schema.Json,
    success: PackView,
    error: PublicFailure
  }),
  /** Takes `{ session_id, request_id, audience }`. */
  Rpc.make("RecordShown", {
    payload: Schema.Json,
    success: Schema.Struct({ recorded: Schema.Boolean }),
    error: PublicFailure
  }),
  /** Takes a `ResearchInput`. Empty, and no failure, when every provider fails. */
  Rpc.make("Research", {
    payload: Schema.Json,
    success: Research,
    error: PublicFailure
  }),
  /** Takes a `ResearchInput`. Without the web, internal knowledge alone is used. */
  Rpc.make("Outline", {
    payload: Schema.Json,
    success: OutlineAnswer,
    error: PublicFailure
  }),
  /** Takes `{ hours }`. How the searches of this deployment went, and what to look after. */
  Rpc.make("GetHealth", {
    payload: Schema.Json,
    success: HealthView,
    error: PublicFailure
  }),
  /** Takes `{ query, filter?, limit? }`. Entries of the evidence store, best first. */
  Rpc.make("SearchEvidence", {
    payload: Schema.Json,
    success: EvidenceFound,
    error: EvidenceFailure
  })
) {}
