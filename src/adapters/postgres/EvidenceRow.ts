/** Rows of the evidence store to and from entries. */
import { Effect, Schema } from "effect"
import { Entry, sourceKeyOfEntry } from "../../domain/store/Entry.ts"
import { vectorTextOf } from "./EvidenceTerms.ts"

export interface EvidenceRow {
  readonly entry_id: string
  readonly source_type: string
  readonly source_id: string
  readonly source_url: string | null
  readonly collected_at: string
  readonly collector: string
  readonly node_id: string | null
  readonly node_label: string | null
  readonly title: string
  readonly published_date: string | null
  readonly modified_date: string | null
  readonly official: boolean | null
  readonly chunk_index: number
  readonly total_chunks: number
  readonly text_start: number
  readonly text_end: number
  readonly text: string
  readonly text_sha256: string
  readonly embedding_model: string | null
  readonly embedding_dimensions: number | null
}

const decodeEntry = Schema.decodeUnknownEffect(Entry)

const toEntry = ({ entry_id, text_end, text_start, ...row }: EvidenceRow) =>
  decodeEntry(withoutNulls({ ...row, id: entry_id, start: text_start, end: text_end }))

export const toEntries = (rows: ReadonlyArray<EvidenceRow>) => Effect.forEach(rows, toEntry)

const withoutNulls = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

/** Record of an entry for `jsonb_to_recordset`, in the columns' names. */
export const toRecord = (
  { embedding_dimensions: _, embedding_model: __, end, id, start, ...entry }: Entry
) => ({
  ...entry,
  entry_id: id,
  source_key: sourceKeyOfEntry(id),
  text_start: start,
  text_end: end,
  terms: vectorTextOf(entry.title, entry.text)
})
