/** Which entries a search may find: every field of the metadata, compared exactly. */
import { Schema } from "effect"
import { type EntryMetadata, EntryMetadata as Metadata, Instant } from "./Entry.ts"

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
  collected_from: Schema.optionalKey(Instant),
  /** Collected before this instant. */
  collected_until: Schema.optionalKey(Instant)
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
  "chunk_index",
  "total_chunks",
  "embedding_model",
  "embedding_dimensions"
] as const satisfies ReadonlyArray<keyof EntryMetadata>

export const allows = (filter: EntryFilter, metadata: EntryMetadata): boolean =>
  equalFields.every((field) => filter[field] === undefined || filter[field] === metadata[field]) &&
  (filter.collected_from === undefined || filter.collected_from <= metadata.collected_at) &&
  (filter.collected_until === undefined || metadata.collected_at < filter.collected_until)
