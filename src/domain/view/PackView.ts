/**
 * A pack as one audience may see it. Derived from the pack alone: no claim is added or reworded.
 */
import { Schema } from "effect"
import type { GroundingPack } from "../pack/GroundingPack.ts"
import type { Tier } from "../session/GroundingRequest.ts"
import * as CoachView from "./CoachView.ts"
import * as RoleplayBackground from "./RoleplayBackground.ts"

/** Who is shown a view; a user is shown the pack. */
export const ViewAudience = Schema.Literals(["roleplay_background", "coach"])
export type ViewAudience = typeof ViewAudience.Type

export const PackView = Schema.Union([
  RoleplayBackground.RoleplayBackground,
  CoachView.CoachView
])
export type PackView = typeof PackView.Type

/** `boundary`: of the request, 128 random bits as hex. */
export const of = (pack: GroundingPack, audience: ViewAudience, boundary: string): PackView =>
  audience === "coach" ? CoachView.of(pack, boundary) : RoleplayBackground.of(pack, boundary)

/** A standard session is not coached. */
export const isOpenTo = (audience: ViewAudience, tier: Tier): boolean =>
  audience !== "coach" || tier === "premium"
