/** The Grounding Pack: claims, each supported by a quote that was found in fetched text. */
import { Schema } from "effect"
import { SourceClass } from "../search/SearchStatus.ts"

/** A verbatim quote: `text === source.slice(start, end)`. */
export const Quote = Schema.Struct({
  text: Schema.String,
  /** UTF-16 code-unit index into the source's text. */
  start: Schema.Natural,
  /** Exclusive. */
  end: Schema.Natural,
  /** `exact`: the writer's words; `normalised`: found up to white space, quotes and width. */
  match: Schema.Literals(["exact", "normalised"])
})
export type Quote = typeof Quote.Type

export const CitedSource = Schema.Struct({
  source_id: Schema.String,
  /** Number in the whole answer, from 1. Absent before the answer and in older packs. */
  n: Schema.optionalKey(Schema.Int),
  url: Schema.String,
  title: Schema.String,
  site: Schema.String,
  official: Schema.Boolean,
  /** Absent where the source has no class, and in older packs. */
  source_class: Schema.optionalKey(SourceClass),
  /** From 1: sources of a claim with one number are one origin. Absent in older packs. */
  origin: Schema.optionalKey(Schema.Int),
  published_date: Schema.optionalKey(Schema.String),
  /** Modification date that the page states, if plausible. ISO 8601. */
  modified_date: Schema.optionalKey(Schema.String),
  /** SHA-256 of the text that the offsets index, lower-case hex. */
  text_sha256: Schema.String,
  /** Empty only under `disputed_or_uncertain`. */
  quotes: Schema.Array(Quote)
})
export type CitedSource = typeof CitedSource.Type

/** Whether the quotes support the claim, apart from whether they were found. */
export const Support = Schema.Literals([
  "supported",
  "partly",
  "unsupported",
  "contradicted",
  "no_check_needed"
])
export type Support = typeof Support.Type

/** Why a claim is listed under `disputed_or_uncertain`. */
export const DemotionReason = Schema.Literals([
  "quote_not_found",
  "unknown_source",
  "no_citation",
  "number_not_in_quote",
  "date_not_in_quote",
  "name_not_in_quote",
  "negation_mismatch",
  /** A copy with a word's opposite, a bound turned round, or two parties exchanged. */
  "opposite_of_quote",
  "not_in_quote",
  /** The quotation holds the words, but asks, doubts or supposes them. */
  "not_asserted",
  /** The claim is in another script than its quotations, and nothing has compared them. */
  "not_comparable",
  "contradicted_by_other_source",
  /** The claim is of an earlier time: a newer source has another figure, or reports its end. */
  "overtaken_by_newer_source",
  "needs_official_or_second_source",
  "flagged_source",
  /** True of its source, but no answer to the question. */
  "beside_question",
  /** Too unsure to be used as a fact; shown only where nothing surer is left. */
  "low_confidence",
  "judged_unsupported",
  "judged_contradicted"
])
export type DemotionReason = typeof DemotionReason.Type

/** `verbatim`: the source's words; `judged`: a model's, which a judge found entailed. */
export const ClaimWording = Schema.Literals(["verbatim", "judged"])
export type ClaimWording = typeof ClaimWording.Type

/** A statement with the quotations that were found for it in fetched text. */
export const Claim = Schema.Struct({
  text: Schema.String,
  /** Absent in older packs, and where nothing was found to quote. */
  wording: Schema.optionalKey(ClaimWording),
  /** BCP 47, by script and common words. Absent in older packs. */
  language: Schema.optionalKey(Schema.String),
  sources: Schema.Array(CitedSource),
  /** 0 to 1. */
  confidence: Schema.Finite,
  support: Support,
  /** Date of the newest source that supports the claim, when one states it; ISO 8601. */
  as_of: Schema.optionalKey(Schema.String),
  /** A judge was configured and gave no judgement: only the checks of code apply. */
  unverified_infra: Schema.optionalKey(Schema.Literal(true)),
  /** Background: on the same matter but no answer, with a confidence below the usable minimum. */
  beside_question: Schema.optionalKey(Schema.Literal(true)),
  /** Number of independent origins. Absent in older packs. */
  origins: Schema.optionalKey(Schema.Int),
  primary: Schema.optionalKey(Schema.Literal(true)),
  /** Site that each of its sources credits, none of whose pages was read. */
  credited_to: Schema.optionalKey(Schema.String),
  /** Texts of contradicting claims of the pack. Absent in older packs. */
  against: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Present exactly under `disputed_or_uncertain`. */
  reason: Schema.optionalKey(DemotionReason)
})
export type Claim = typeof Claim.Type

export const UserQuestion = Schema.Struct({ q: Schema.String, why: Schema.String })
export type UserQuestion = typeof UserQuestion.Type

export const Section = Schema.Literals([
  "key_points",
  "norms_and_expectations",
  "constraints_and_rules"
])
export type Section = typeof Section.Type

export const PackNote = Schema.Literals([
  /** "Based on sources", never legal advice. */
  "based_on_sources_not_legal_advice",
  /** Law, health or money is decided: a professional may know what the sources do not. */
  "consider_professional_advice",
  /** Written by the local engine: sentences are quoted, not composed. */
  "extractive",
  /** The LLM failed and the local engine took over. */
  "llm_failed",
  /** A judge was configured and gave no judgement: no surer than without a model. */
  "judge_failed",
  /** A source holds text that looks like instructions. */
  "suspicious_source",
  /** The newest source is too old for a time-sensitive question. */
  "may_be_outdated",
  /** Sites seem to answer differently, or speak of different things of one name. */
  "sources_may_disagree",
  /** A claim is in its source's language, which is not that of the request's locale. */
  "in_other_language",
  /** The claims together are likelier to hold the answer than the best of them alone. */
  "surer_together",
  /** Hits or pages of sites that the policy forbids were left out. */
  "sites_left_out",
  /** Pages were read, and no quotation seems to answer the question. */
  "question_not_answered"
])
export type PackNote = typeof PackNote.Type

/** Checked claims by section, their sources, and how far they can be relied on. */
export const GroundingPack = Schema.Struct({
  key_points: Schema.Array(Claim),
  norms_and_expectations: Schema.Array(Claim),
  constraints_and_rules: Schema.Array(Claim),
  disputed_or_uncertain: Schema.Array(Claim),
  what_to_ask_user: Schema.Array(UserQuestion),
  /** 0 to 1; exactly 0 without claims. ≥ 0.7 high, 0.3–0.7 usable, below not usable. */
  confidence: Schema.Finite,
  as_of: Schema.optionalKey(Schema.String),
  notes: Schema.Array(PackNote)
})
export type GroundingPack = typeof GroundingPack.Type

/** Every section of a pack. */
export const sections = [...Section.literals, "disputed_or_uncertain"] as const

export const allClaims = (pack: GroundingPack): ReadonlyArray<Claim> =>
  sections.flatMap((section) => pack[section])

export const mapClaims = (pack: GroundingPack, change: (claim: Claim) => Claim): GroundingPack => ({
  ...pack,
  key_points: pack.key_points.map(change),
  norms_and_expectations: pack.norms_and_expectations.map(change),
  constraints_and_rules: pack.constraints_and_rules.map(change),
  disputed_or_uncertain: pack.disputed_or_uncertain.map(change)
})

const shownSections = ["constraints_and_rules", "norms_and_expectations", "key_points"] as const

/** Claims outside `disputed_or_uncertain`, in the order in which they are shown. */
export const standing = (pack: GroundingPack) =>
  shownSections.flatMap((section) => pack[section].map((claim) => ({ section, claim })))

export const emptyPack: GroundingPack = {
  key_points: [],
  norms_and_expectations: [],
  constraints_and_rules: [],
  disputed_or_uncertain: [],
  what_to_ask_user: [],
  confidence: 0,
  notes: []
}

/** A writer's claim: it names sources by id and quotes them, and never states an address. */
export const DraftClaim = Schema.Struct({
  section: Section,
  text: Schema.String,
  citations: Schema.Array(Schema.Struct({ source_id: Schema.String, quote: Schema.String })),
  beside_question: Schema.optionalKey(Schema.Literal(true))
})
export type DraftClaim = typeof DraftClaim.Type

/** Whether an accepted claim answers the question, and is no background. */
export const isAnswer = ({ beside_question }: Pick<Claim, "beside_question">): boolean =>
  beside_question === undefined

export const PackDraft = Schema.Struct({
  claims: Schema.Array(DraftClaim),
  what_to_ask_user: Schema.Array(UserQuestion)
})
export type PackDraft = typeof PackDraft.Type
