/**
 * Facts about the evidence store: who brought what in, and what became of it. They hold
 * fingerprints and no text; the text stands outside the log, where it can be erased.
 */
import { Schema } from "effect"
import { EmbeddingModel, SourceType } from "./Entry.ts"

/** ISO 8601 UTC with milliseconds. */
const At = Schema.String

const of = { source_type: SourceType, source_id: Schema.String }

/** Every entry of the source was replaced by these. */
export const EvidenceCollected = Schema.TaggedStruct("WEB_GROUNDING_EVIDENCE_COLLECTED", {
  ...of,
  source_url: Schema.optionalKey(Schema.String),
  node_id: Schema.optionalKey(Schema.String),
  node_label: Schema.optionalKey(Schema.String),
  collected_at: At,
  collector: Schema.String,
  /** The page that was asked for, where another address answered. */
  asked_url: Schema.optionalKey(Schema.String),
  /** Dates that the document states, where they can be true. */
  published_date: Schema.optionalKey(Schema.String),
  modified_date: Schema.optionalKey(Schema.String),
  /** Fetched by this service from a public body's own site. */
  official: Schema.optionalKey(Schema.Literal(true)),
  /** The document goes on where the text ends. */
  truncated: Schema.optionalKey(Schema.Literal(true)),
  /** Invisible and active characters taken out; absent when there were none. */
  removed_chars_count: Schema.optionalKey(Schema.Natural),
  /** SHA-256 of the source's whole text as UTF-8, lower-case hex. */
  content_sha256: Schema.String,
  total_chunks: Schema.Natural,
  /** Entries that gave way. */
  removed_chunks: Schema.Natural,
  /** Model that made the vectors of the entries; absent when they got none. */
  embedding: Schema.optionalKey(EmbeddingModel)
})

/** The source became a node of the knowledge graph, and its own entries are gone. */
export const EvidencePromoted = Schema.TaggedStruct("WEB_GROUNDING_EVIDENCE_PROMOTED", {
  ...of,
  node_id: Schema.String,
  removed_chunks: Schema.Natural,
  promoted_at: At,
  collector: Schema.String
})

/** The source's entries were taken out. */
export const EvidenceRemoved = Schema.TaggedStruct("WEB_GROUNDING_EVIDENCE_REMOVED", {
  ...of,
  removed_chunks: Schema.Natural,
  removed_at: At,
  collector: Schema.String
})

/** Searches compare the vectors of this model, and of no other, from this event on. */
export const EvidenceReembedded = Schema.TaggedStruct("WEB_GROUNDING_EVIDENCE_REEMBEDDED", {
  from: Schema.optionalKey(EmbeddingModel),
  to: EmbeddingModel,
  /** Entries that have a vector of the model. */
  entries_count: Schema.Natural,
  reembedded_at: At,
  collector: Schema.String
})

export const EvidenceEvent = Schema.Union([
  EvidenceCollected,
  EvidencePromoted,
  EvidenceRemoved,
  EvidenceReembedded
]).pipe(Schema.toTaggedUnion("_tag"))
export type EvidenceEvent = typeof EvidenceEvent.Type
