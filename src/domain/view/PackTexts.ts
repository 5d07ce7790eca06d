/** Notes of a pack, and why its claims are uncertain, in words for a person. */
import type { DemotionReason, PackNote } from "../pack/GroundingPack.ts"

export const noteTexts: Readonly<Record<PackNote, string>> = {
  based_on_sources_not_legal_advice: "Based on sources; not legal advice.",
  consider_professional_advice: "A professional may know what the sources do not.",
  extractive: "Written without a language model: every claim is a sentence of its source.",
  llm_failed: "The language model failed; the local engine wrote this pack.",
  suspicious_source: "A source contains text that looks like instructions; it was not followed.",
  may_be_outdated: "The newest source may be too old for this question.",
  in_other_language: "Some claims are in the language of their sources.",
  sources_may_disagree: "Sources seem to answer differently, or to speak of different things.",
  question_not_answered: "No sentence that was read seems to answer the question."
}

/** Why a claim is disputed or uncertain, in words that follow the claim. */
export const reasonTexts: Readonly<Record<DemotionReason, string>> = {
  quote_not_found: "its quote is not in the source",
  unknown_source: "it names a source that was not read",
  no_citation: "it cites nothing",
  number_not_in_quote: "a number is not in the quote",
  date_not_in_quote: "a date is not in the quote",
  name_not_in_quote: "a name is not in the quote",
  negation_mismatch: "the quote says the opposite",
  opposite_of_quote: "it turns a word, a bound or the parties of the quote round",
  not_in_quote: "the quote does not say it",
  not_asserted: "the quote asks, doubts or supposes it",
  not_comparable: "its quote is in another script, and nobody compared the two",
  contradicted_by_other_source: "another source says otherwise",
  overtaken_by_newer_source: "earlier: a newer source says otherwise",
  needs_official_or_second_source: "neither an official source nor a second one says it",
  beside_question: "beside the question",
  flagged_source: "its source contains text that looks like instructions",
  judged_unsupported: "a model found that the quotes do not say it",
  judged_contradicted: "a model found that the quotes say otherwise"
}
