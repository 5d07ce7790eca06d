/**
 * A pack as one audience may see it. Derived from the pack alone: no claim is added or reworded.
 */
import type { GroundingPack } from "../pack/GroundingPack.ts"
import * as CoachView from "./CoachView.ts"
import * as RoleplayBackground from "./RoleplayBackground.ts"
import type { PackView, Shown, ViewAudience } from "./ViewSchemas.ts"

export const of = (pack: GroundingPack, audience: ViewAudience, shown: Shown): PackView =>
  audience === "coach" ? CoachView.of(pack, shown) : RoleplayBackground.of(pack, shown)
