/** Who may be shown a view of a pack, and to whom each view is open. */
import { Schema } from "effect"
import type { Tier } from "../request/GroundingRequest.ts"

/** Who is shown a view; a user is shown the pack. */
export const ViewAudience = Schema.Literals(["roleplay_background", "coach"])
export type ViewAudience = typeof ViewAudience.Type

/** A standard session is not coached. */
export const isOpenTo = (audience: ViewAudience, tier: Tier): boolean =>
  audience !== "coach" || tier === "premium"
