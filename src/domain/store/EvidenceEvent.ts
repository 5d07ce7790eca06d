/** Facts about the evidence store. */
import { Equal, Result, Schema } from "effect"
import { EmbeddingModel, SourceType } from "./Entry.ts"

// They hold digests and no text: texts are kept outside the log, where they can be erased.

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
  /** The requested page, where another address answered. */
  asked_url: Schema.optionalKey(Schema.String),
  /** Dates that the document states, if plausible. */
  published_date: Schema.optionalKey(Schema.String),
  modified_date: Schema.optionalKey(Schema.String),
  /** Fetched by this service from a public body's own site. */
  official: Schema.optionalKey(Schema.Literal(true)),
  /** The document goes on where the text ends. */
  truncated: Schema.optionalKey(Schema.Literal(true)),
  /** Invisible and active characters that were removed; absent when there were none. */
  removed_chars_count: Schema.optionalKey(Schema.Natural),
  /** SHA-256 of the source's whole text as UTF-8, lower-case hex. */
  content_sha256: Schema.String,
  total_chunks: Schema.Natural,
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
  entries_count: Schema.Natural,
  reembedded_at: At,
  collector: Schema.String
})

/** An admin calls the page false or hostile: no later answer uses it. */
export const PageReported = Schema.TaggedStruct("WEB_GROUNDING_PAGE_REPORTED", {
  /** Canonical. */
  source_url: Schema.String,
  reported_at: At,
  collector: Schema.String
})

export const ReportWithdrawn = Schema.TaggedStruct("WEB_GROUNDING_PAGE_REPORT_WITHDRAWN", {
  source_url: Schema.String,
  withdrawn_at: At,
  collector: Schema.String
})

export const EvidenceEvent = Schema.Union([
  EvidenceCollected,
  EvidencePromoted,
  EvidenceRemoved,
  EvidenceReembedded,
  PageReported,
  ReportWithdrawn
]).pipe(Schema.toTaggedUnion("_tag"))

export type EvidenceEvent = typeof EvidenceEvent.Type

/** Most reported pages of a tenant: each request records them. */
export const reportedMax = 200

// Decides the record of a source, of a tenant's vectors or its reported pages. Commands are the
// facts themselves: the store decides the outcome.

export interface EvidenceRecord {
  readonly last: EvidenceEvent | undefined
  /** Canonical addresses, the latest last. */
  readonly reported: ReadonlyArray<string>
}

export const initial: EvidenceRecord = { last: undefined, reported: [] }

export const decide = (
  fact: EvidenceEvent,
  { last, reported }: EvidenceRecord
): Result.Result<ReadonlyArray<EvidenceEvent>> => {
  if (!isReport(fact)) return Result.succeed(isSame(fact, last) ? [] : [fact])
  const isKnown = reported.includes(fact.source_url)
  const isNew = isKnown === (fact._tag === "WEB_GROUNDING_PAGE_REPORT_WITHDRAWN")
  return Result.succeed(isNew ? [fact] : [])
}

export const evolve = ({ reported }: EvidenceRecord, event: EvidenceEvent): EvidenceRecord => {
  if (!isReport(event)) return { last: event, reported }
  const others = reported.filter((one) => one !== event.source_url)
  const isReported = event._tag === "WEB_GROUNDING_PAGE_REPORTED"
  return { last: event, reported: isReported ? [...others, event.source_url] : others }
}

const isReport = EvidenceEvent.isAnyOf([
  "WEB_GROUNDING_PAGE_REPORTED",
  "WEB_GROUNDING_PAGE_REPORT_WITHDRAWN"
])

/** Whether the fact was reported before. What it replaced is gone by the second time. */
const isSame = (fact: EvidenceEvent, last: EvidenceEvent | undefined): boolean =>
  last !== undefined &&
  Equal.equals({ ...fact, removed_chunks: 0 }, { ...last, removed_chunks: 0 })
