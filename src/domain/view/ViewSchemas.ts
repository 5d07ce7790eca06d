/** Shapes of the views of a pack. */
import { Schema } from "effect"
import { DemotionReason, PackNote, Section, UserQuestion } from "../pack/GroundingPack.ts"
import type { Tier } from "../request/GroundingRequest.ts"

export interface Shown {
  /** 128 random bits as hex, to delimit page text. */
  readonly boundary: string
  /** BCP 47. */
  readonly locale: string
}

/** Facts that a played character may know, without sources or doubts. */
export const RoleplayBackground = Schema.Struct({
  audience: Schema.Literal("roleplay_background"),
  /** Rules, norms, key points; surest first in each. At most 24. */
  facts: Schema.Array(Schema.Struct({ section: Section, text: Schema.String })),
  /** Number of the pack's claims that are left out, disputed ones included. */
  left_out: Schema.Natural,
  notes: Schema.Array(PackNote),
  /** The facts between delimiters for a prompt; empty when there are none. */
  text: Schema.String
})
export type RoleplayBackground = typeof RoleplayBackground.Type

/** Why a claim needs care. */
export const CoachDoubt = Schema.Literals([
  /** On the same matter, but no answer. */
  "beside_question",
  /** The claim's confidence is below what callers may use. */
  "low_confidence",
  "partly_supported",
  /** One site says it, or several with near-duplicate texts, and none is official. */
  "single_source",
  /** A judge was configured and gave no judgement. */
  "unverified_infra"
])
export type CoachDoubt = typeof CoachDoubt.Type

/** From 1, within the view. */
const SourceNumber = Schema.Int

const cited = {
  text: Schema.String,
  /** 0 to 1. */
  confidence: Schema.Finite,
  citations: Schema.Array(Schema.Struct({
    source: SourceNumber,
    /** Verbatim from the source. Empty only for disputed claims. */
    quotes: Schema.Array(Schema.String)
  }))
}

const CoachClaim = Schema.Struct({ section: Section, ...cited, doubts: Schema.Array(CoachDoubt) })

const DisputedClaim = Schema.Struct({ ...cited, reason: Schema.optionalKey(DemotionReason) })

/** Pack for a coach: claims with their sources and doubts, the disputed ones apart. */
export const CoachView = Schema.Struct({
  audience: Schema.Literal("coach"),
  /** Rules, norms, key points; surest first in each. */
  claims: Schema.Array(CoachClaim),
  /** Claims that must not be stated as facts: contradicted, or unsure. */
  disputed: Schema.Array(DisputedClaim),
  /** Rules that one source alone states, and no official one. */
  one_source: Schema.Array(DisputedClaim),
  /** Claims that are true of their sources and answer something else. */
  beside_question: Schema.Array(DisputedClaim),
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
  /** All of it between delimiters for a prompt; empty without claims and questions. */
  text: Schema.String
})
export type CoachView = typeof CoachView.Type

/** The pack's claims, one a line, with the numbers of their sources in brackets. */
const text = Schema.String

/** The pack's claims as Anthropic's `search_result` blocks, which Claude cites natively. */
export const AnthropicView = Schema.Struct({
  audience: Schema.Literal("anthropic"),
  text,
  content: Schema.Array(Schema.Struct({
    type: Schema.Literal("search_result"),
    source: Schema.String,
    title: Schema.String,
    /** The source's quotations, verbatim. */
    content: Schema.Array(Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })),
    citations: Schema.Struct({ enabled: Schema.Literal(true) })
  }))
})
export type AnthropicView = typeof AnthropicView.Type

/** The pack's claims as OpenAI's Responses API returns them after its own search. */
export const OpenAiView = Schema.Struct({
  audience: Schema.Literal("openai"),
  text,
  content: Schema.Array(Schema.Struct({
    type: Schema.Literal("output_text"),
    text,
    annotations: Schema.Array(Schema.Struct({
      type: Schema.Literal("url_citation"),
      /** Offsets of the number in brackets, in UTF-16 code units; `end_index` is exclusive. */
      start_index: Schema.Natural,
      end_index: Schema.Natural,
      url: Schema.String,
      title: Schema.String
    }))
  }))
})
export type OpenAiView = typeof OpenAiView.Type

export const GeminiView = Schema.Struct({
  audience: Schema.Literal("gemini"),
  text,
  groundingMetadata: Schema.Struct({
    groundingChunks: Schema.Array(Schema.Struct({
      web: Schema.Struct({ uri: Schema.String, title: Schema.String })
    })),
    groundingSupports: Schema.Array(Schema.Struct({
      /** Offsets of the claim in `text`, in bytes of UTF-8; `endIndex` is exclusive. */
      segment: Schema.Struct({
        startIndex: Schema.Natural,
        endIndex: Schema.Natural,
        text: Schema.String
      }),
      groundingChunkIndices: Schema.Array(Schema.Natural),
      confidenceScores: Schema.Array(Schema.Finite)
    }))
  })
})
export type GeminiView = typeof GeminiView.Type

export const PackView = Schema.Union([
  RoleplayBackground,
  CoachView,
  AnthropicView,
  OpenAiView,
  GeminiView
])
export type PackView = typeof PackView.Type

/** Audience of a view, or a host of models whose shape it has; a user is shown the pack. */
export const ViewAudience = Schema.Literals([
  "roleplay_background",
  "coach",
  "anthropic",
  "openai",
  "gemini"
])
export type ViewAudience = typeof ViewAudience.Type

export const isOpenTo = (audience: ViewAudience, tier: Tier): boolean =>
  audience !== "coach" || tier === "premium"
