/** Shapes of the views of a pack: background for a played role, and the material of a coach. */
import { Schema } from "effect"
import { DemotionReason, PackNote, Section, UserQuestion } from "../pack/GroundingPack.ts"
import type { Tier } from "../request/GroundingRequest.ts"

/** Fields that a view takes from its request. */
export interface Shown {
  /** 128 random bits as hex, to fence what pages say. */
  readonly boundary: string
  /** BCP 47. */
  readonly locale: string
}

/** Facts that a played character may know, without sources or doubts. */
export const RoleplayBackground = Schema.Struct({
  audience: Schema.Literal("roleplay_background"),
  /** Rules, norms, key points; surest first in each. At most 24. */
  facts: Schema.Array(Schema.Struct({ section: Section, text: Schema.String })),
  /** How many claims of the pack are not told, the disputed ones among them. */
  left_out: Schema.Natural,
  notes: Schema.Array(PackNote),
  /** The facts boxed for a prompt; empty when there are none. */
  text: Schema.String
})
export type RoleplayBackground = typeof RoleplayBackground.Type

/** Why a standing claim is to be told with care. */
export const CoachDoubt = Schema.Literals([
  /** It speaks of the same matter and is no answer. */
  "beside_question",
  /** The claim's confidence is below what callers may use. */
  "low_confidence",
  /** The quotes support the claim in part. */
  "partly_supported",
  /** One site says it, or several with near-duplicate texts, and none is official. */
  "single_source",
  /** A judge was to be asked and gave no judgement. */
  "unverified_infra"
])
export type CoachDoubt = typeof CoachDoubt.Type

/** Number of a source in the view, from 1. */
const SourceNumber = Schema.Int

const cited = {
  text: Schema.String,
  /** 0 to 1. */
  confidence: Schema.Finite,
  citations: Schema.Array(Schema.Struct({
    source: SourceNumber,
    /** Word for word from the source. Empty only of disputed claims. */
    quotes: Schema.Array(Schema.String)
  }))
}

/** A claim with its sources, and what speaks against relying on it. */
const CoachClaim = Schema.Struct({ section: Section, ...cited, doubts: Schema.Array(CoachDoubt) })

/** A claim that was demoted, and for which reason. */
const DisputedClaim = Schema.Struct({ ...cited, reason: Schema.optionalKey(DemotionReason) })

/** Pack for a coach: claims with their sources and doubts, the disputed ones apart. */
export const CoachView = Schema.Struct({
  audience: Schema.Literal("coach"),
  /** Rules, norms, key points; surest first in each. */
  claims: Schema.Array(CoachClaim),
  /** Claims that must not be told as facts. */
  disputed: Schema.Array(DisputedClaim),
  sources: Schema.Array(Schema.Struct({
    number: SourceNumber,
    title: Schema.String,
    site: Schema.String,
    url: Schema.String,
    official: Schema.Boolean,
    published_date: Schema.optionalKey(Schema.String),
    modified_date: Schema.optionalKey(Schema.String)
  })),
  what_to_ask_user: Schema.Array(UserQuestion),
  /** Confidence of the pack, 0 to 1. */
  confidence: Schema.Finite,
  as_of: Schema.optionalKey(Schema.String),
  notes: Schema.Array(PackNote),
  /** All of it boxed for a prompt; empty when nothing is claimed and nothing is to be asked. */
  text: Schema.String
})
export type CoachView = typeof CoachView.Type

export const PackView = Schema.Union([RoleplayBackground, CoachView])
export type PackView = typeof PackView.Type

/** Audience of a view; a user is shown the pack. */
export const ViewAudience = Schema.Literals(["roleplay_background", "coach"])
export type ViewAudience = typeof ViewAudience.Type

/**
 * Whether a session of the tier may see the audience's view. The coach's view needs the premium
 * tier.
 */
export const isOpenTo = (audience: ViewAudience, tier: Tier): boolean =>
  audience !== "coach" || tier === "premium"
