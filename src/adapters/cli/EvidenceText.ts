/** The evidence store's answers as text for the terminal. */
import type { VectorUse } from "../../application/evidence/Embedding.ts"
import type { EvidenceStatus } from "../../application/evidence/EvidenceApi.ts"
import type { EvidenceFound, FoundEntry } from "../../application/evidence/SearchEvidence.ts"
import { select } from "../../domain/pack/KeySentences.ts"
import type { Style } from "./Terminal.ts"
import { indent } from "./Wrapping.ts"

/** Characters of an entry's text that are shown. */
const shownCharsMax = 280

const words: Record<VectorUse, string> = {
  compared: "words and meaning",
  other_model: "words alone: the entries have no vectors of this embedder (see: evidence reembed)",
  failed: "words alone: the embedder did not answer",
  not_configured: "words alone: no embedder is configured",
  not_kept: "words alone: the database lacks the extension vector"
}

export const foundText = (
  query: string,
  { found, vectors }: EvidenceFound,
  style: Style
): string =>
  [
    ...found.flatMap((entry, place) => entryLines(query, entry, place + 1, style)),
    style.faint(`${found.length} found by ${words[vectors]}`)
  ].join("\n")

const entryLines = (
  query: string,
  entry: FoundEntry,
  place: number,
  { columns, faint, strong }: Style
) => {
  const part = entry.total_chunks === 1 ? "" : `, ${entry.chunk_index + 1} of ${entry.total_chunks}`
  return [
    `${String(place).padStart(3)}  ${strong(entry.title)} · ${entry.source_type}${part}`,
    ...indent(excerptOf(query, entry), 5, 5, columns),
    `     ${faint(`${entry.id} · collected ${entry.collected_at} by ${entry.collector}`)}`,
    ""
  ]
}

/** From the sentence on that answers best, if any does. */
const excerptOf = (query: string, { text, title }: FoundEntry): string => {
  const start = select(query, [{ title, text, page: title }], 1)[0]?.start ?? 0
  const rest = text.slice(start).replace(/\s+/g, " ").trim()
  const shown = rest.length > shownCharsMax ? `${rest.slice(0, shownCharsMax).trimEnd()} …` : rest
  return start === 0 ? shown : `… ${shown}`
}

export const statusText = (
  { embedded, embedder, entries, keepsVectors, model, sources }: EvidenceStatus
): string => {
  const total = Object.values(entries).reduce((sum, count) => sum + count, 0)
  const compared = model === undefined ? "none yet" : `${model.model} (${model.dimensions})`
  const made = typeof embedder === "string"
    ? embedder
    : `${embedder.model} (${embedder.dimensions})`
  return [
    `Evidence store: ${total} entries of ${sources} sources`,
    ...Object.entries(entries).map(([type, count]) => `  ${type.padEnd(12)} ${count}`),
    `Vectors        ${keepsVectors ? "kept" : "not kept: the database lacks the extension vector"}`,
    `  compared by  ${compared}, ${embedded} entries`,
    `  embedder     ${made}`
  ].join("\n")
}
