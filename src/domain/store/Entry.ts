/**
 * Entry of the evidence store: a passage with its source. All kinds, by `source_type`, are in one
 * collection.
 */
import { DateTime, Option, Schema, SchemaTransformation, Struct } from "effect"
import { addressCharsMax, keptText, wholeBetween } from "../request/GroundingRequest.ts"

/** In UTF-16 code units. */
const entryTextCharsMax = 16_000

export const titleCharsMax = 500

export const nameCharsMax = 300

/** Most entries of one source. A longer text is several documents. */
export const chunksMax = 5_000

export const SourceType = Schema.Literals(["kg_node", "web_search", "paper", "user_note"])

export type SourceType = typeof SourceType.Type

const dateCharsMax = 40

const isoOf = (instant: DateTime.DateTime): string => DateTime.formatIso(DateTime.toUtc(instant))

/** ISO 8601 UTC with milliseconds, the one spelling in which instants are compared. */
export const Instant = Schema.String.check(
  Schema.isMaxLength(dateCharsMax),
  Schema.makeFilter((text: string) =>
    Option.exists(DateTime.make(text), (instant) => isoOf(instant) === text)
      ? undefined
      : "Expected an instant such as 2026-03-02T09:00:00.000Z"
  )
)

/** ISO 8601, a date or an instant; compared by its day. */
export const DocumentDate = Schema.String.check(
  Schema.isMaxLength(dateCharsMax),
  Schema.makeFilter((text: string) =>
    /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(text) && Option.isSome(DateTime.make(text))
      ? undefined
      : "Expected a date such as 2026-03-02"
  )
)

const dimensionsMax = 8_192

/** Vectors of one model may be compared with each other and with no others. */
export const EmbeddingModel = Schema.Struct({
  model: keptText(nameCharsMax),
  dimensions: wholeBetween(1, dimensionsMax)
})

export type EmbeddingModel = typeof EmbeddingModel.Type

export const EntryMetadata = Schema.Struct({
  source_type: SourceType,
  /** The node's id, the canonical address or the document's id. */
  source_id: keptText(addressCharsMax),
  /** Always present for `web_search`. */
  source_url: Schema.optionalKey(keptText(addressCharsMax)),
  collected_at: Instant,
  /** Program or person that collected the entry; a pseudonym. */
  collector: keptText(nameCharsMax),
  /** The node of a knowledge graph that the text is, or is about. */
  node_id: Schema.optionalKey(keptText(nameCharsMax)),
  node_label: Schema.optionalKey(keptText(nameCharsMax)),
  title: keptText(titleCharsMax),
  /** Dates that the page or document states, if plausible at collection. */
  published_date: Schema.optionalKey(DocumentDate),
  modified_date: Schema.optionalKey(DocumentDate),
  /** A page that this service fetched itself from a public body's own site. */
  official: Schema.optionalKey(Schema.Literal(true)),
  /** 0-based, among the source's entries. */
  chunk_index: Schema.Natural,
  total_chunks: wholeBetween(1, chunksMax),
  /** Vector that searches compare; both absent when the entry has none. */
  embedding_model: Schema.optionalKey(EmbeddingModel.fields.model),
  embedding_dimensions: Schema.optionalKey(EmbeddingModel.fields.dimensions)
})

export type EntryMetadata = typeof EntryMetadata.Type

export const Entry = Schema.Struct({
  /** `kg:{node_id}`, `web:{url_hash}:{chunk_index}` or `doc:{doc_id}:{chunk_index}`. */
  id: Schema.String,
  ...EntryMetadata.fields,
  text: keptText(entryTextCharsMax),
  /** SHA-256 of `text` as UTF-8, lower-case hex. */
  text_sha256: Schema.String,
  /** UTF-16 code-unit offsets of `text` in the source's text; `end` is exclusive. */
  start: Schema.Natural,
  end: Schema.Natural
})

export type Entry = typeof Entry.Type

/** Source that is collected, replaced and removed as a whole: `kg:…`, `web:…` or `doc:…`. */
export type SourceKey = `${"kg" | "web" | "doc"}:${string}`

/** Key of all entries of one source. `sha256` hashes a text as UTF-8 to lower-case hex. */
export const sourceKeyOf = (
  { source_id, source_type }: Pick<EntryMetadata, "source_id" | "source_type">,
  sha256: (text: string) => string
): SourceKey => {
  switch (source_type) {
    case "kg_node":
      return `kg:${source_id}`
    case "web_search":
      return `web:${sha256(source_id)}`
    case "paper":
    case "user_note":
      return `doc:${source_id}`
  }
}

export const entryIdOf = (key: SourceKey, chunkIndex: number): string =>
  key.startsWith("kg:") ? key : `${key}:${chunkIndex}`

export const sourceKeyOfEntry = (entryId: string): SourceKey => {
  if (entryId.startsWith("kg:")) return `kg:${entryId.slice("kg:".length)}`
  const end = entryId.lastIndexOf(":")
  return entryId.startsWith("web:")
    ? `web:${entryId.slice("web:".length, end)}`
    : `doc:${entryId.slice("doc:".length, end)}`
}

/** Source id in a displayed entry id, else the input. A page's is a hash of its address. */
export const sourceIdOf = (shown: string): string =>
  /^kg:.|^doc:.+:\d+$/u.test(shown)
    ? sourceKeyOfEntry(shown).replace(/^(?:kg|doc):/, "")
    : shown

/** A day, or an instant with its zone; a day begins in UTC. */
const moment = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}.*(?:Z|[+-]\d{2}:\d{2}))?$/

const Moment = Schema.String.check(
  Schema.isMaxLength(dateCharsMax),
  Schema.makeFilter((text: string) =>
    moment.test(text) && Option.isSome(DateTime.make(text))
      ? undefined
      : "Expected a day such as 2026-03-02 or an instant such as 2026-03-02T09:00:00.000Z"
  )
).pipe(
  Schema.decodeTo(
    Instant,
    SchemaTransformation.transform({
      decode: (text) =>
        Option.match(moment.test(text) ? DateTime.make(text) : Option.none(), {
          onNone: () => text,
          onSome: isoOf
        }),
      encode: (instant) => instant
    })
  )
)

const required = [
  ...["source_id", "collected_at", "collector"] as const,
  ...["title", "chunk_index", "total_chunks"] as const
] as const

/** An absent field allows everything; all given ones must hold. */
export const EntryFilter = Schema.Struct({
  ...Struct.mapPick(EntryMetadata.fields, required, Schema.optionalKey),
  source_type: Schema.optionalKey(SourceType),
  /** Collected at this instant or later. */
  collected_from: Schema.optionalKey(Moment),
  /** Collected before this instant. */
  collected_until: Schema.optionalKey(Moment),
  /** Published on this day or later; undated entries are left out. */
  published_from: Schema.optionalKey(DocumentDate),
  /** Published before this day. */
  published_until: Schema.optionalKey(DocumentDate)
})

export type EntryFilter = typeof EntryFilter.Type

/** Fields that are compared for equality, by the name they have in the metadata. */
export const equalFields = Struct.keys(EntryMetadata.fields)

export const allows = (filter: EntryFilter, metadata: EntryMetadata): boolean =>
  equalFields.every((field) => filter[field] === undefined || filter[field] === metadata[field]) &&
  (filter.collected_from === undefined || filter.collected_from <= metadata.collected_at) &&
  (filter.collected_until === undefined || metadata.collected_at < filter.collected_until) &&
  isWithin(filter, metadata.published_date)

const isWithin = (
  { published_from, published_until }: EntryFilter,
  published: string | undefined
): boolean =>
  (published_from === undefined ||
    (published !== undefined && dayOf(published_from) <= dayOf(published))) &&
  (published_until === undefined ||
    (published !== undefined && dayOf(published) < dayOf(published_until)))

export const dayOf = (date: string): string => date.slice(0, "2026-03-02".length)
