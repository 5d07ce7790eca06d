/** Which entries a search may find: every field of the metadata, compared exactly. */
import { DateTime, Option, Schema, SchemaTransformation } from "effect"
import { DocumentDate, type EntryMetadata, EntryMetadata as Metadata, Instant } from "./Entry.ts"

const {
  chunk_index,
  collected_at,
  collector,
  source_id,
  source_type,
  title,
  total_chunks,
  ...optional
} = Metadata.fields

/** A day, or an instant with its zone; a day begins in UTC. */
const moment = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}.*(?:Z|[+-]\d{2}:\d{2}))?$/

const Moment = Schema.String.check(
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
          onSome: (instant) => DateTime.formatIso(DateTime.toUtc(instant))
        }),
      encode: (instant) => instant
    })
  )
)

/** A field that is left out allows everything; all that are given must hold. */
export const EntryFilter = Schema.Struct({
  ...optional,
  source_type: Schema.optionalKey(source_type),
  source_id: Schema.optionalKey(source_id),
  collected_at: Schema.optionalKey(collected_at),
  collector: Schema.optionalKey(collector),
  title: Schema.optionalKey(title),
  chunk_index: Schema.optionalKey(chunk_index),
  total_chunks: Schema.optionalKey(total_chunks),
  /** Collected at this instant or later. */
  collected_from: Schema.optionalKey(Moment),
  /** Collected before this instant. */
  collected_until: Schema.optionalKey(Moment),
  /** Published on this day or later; what has no date is left out. */
  published_from: Schema.optionalKey(DocumentDate),
  /** Published before this day. */
  published_until: Schema.optionalKey(DocumentDate)
})
export type EntryFilter = typeof EntryFilter.Type

/** Fields that are compared for equality, by the name they have in the metadata. */
export const equalFields = [
  "source_type",
  "source_id",
  "source_url",
  "collected_at",
  "collector",
  "node_id",
  "node_label",
  "title",
  "published_date",
  "modified_date",
  "official",
  "chunk_index",
  "total_chunks",
  "embedding_model",
  "embedding_dimensions"
] as const satisfies ReadonlyArray<keyof EntryMetadata>

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

/** Of an ISO 8601 date or instant. */
export const dayOf = (date: string): string => date.slice(0, "2026-03-02".length)
