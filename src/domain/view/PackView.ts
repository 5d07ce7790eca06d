/**
 * A pack as one audience may see it. Derived from the pack alone: no claim is added or reworded.
 */
import type { GroundingPack } from "../pack/GroundingPack.ts"
import * as CoachView from "./CoachView.ts"
import * as RoleplayBackground from "./RoleplayBackground.ts"
import type { PackView, Shown, ViewAudience } from "./ViewSchemas.ts"

/** View of each audience; a new audience does not compile without one. */
const views: Readonly<Record<ViewAudience, (pack: GroundingPack, shown: Shown) => PackView>> = {
  coach: CoachView.coachView,
  roleplay_background: RoleplayBackground.roleplayBackground
}

export const viewOf = (pack: GroundingPack, audience: ViewAudience, shown: Shown): PackView =>
  views[audience](pack, shown)
