/**
 * A pack as one audience may see it. Derived from the pack alone: no claim is added or reworded.
 */
import type { GroundingPack } from "../pack/GroundingPack.ts"
import * as CoachView from "./CoachView.ts"
import * as RoleplayBackground from "./RoleplayBackground.ts"
import type { PackView, ViewAudience } from "./ViewSchemas.ts"

/** `boundary`: of the request, 128 random bits as hex. */
export const of = (pack: GroundingPack, audience: ViewAudience, boundary: string): PackView =>
  audience === "coach" ? CoachView.of(pack, boundary) : RoleplayBackground.of(pack, boundary)
