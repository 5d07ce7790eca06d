/** Evidence store contents and hits as text for the terminal. */
import { select } from "@web-grounding/language/KeySentences"
import { clean } from "@web-grounding/language/Sentences"
import type { EvidenceFound, FoundEntry, VectorUse } from "../../../contract/EvidenceSearch.ts"
import type { OutputOf } from "../../../contract/ServiceOperations.ts"
import { counted } from "../../../domain/session/FactText.ts"
import { indent, type Style } from "../terminal/Terminal.ts"
import { type FileOutcome, reasonText } from "./EvidenceIngest.ts"

const shownCharsMax = 280

const placeWidth = 3

const words: Record<VectorUse, string> = {
  compared: "words and meaning",
  other_model: "words alone: the entries have no vectors of this embedder (see: evidence reembed)",
  failed: "words alone: the embedder did not answer",
  not_configured: "words alone: no embedder is configured",
  not_kept: "words alone: the database lacks the extension vector"
}

export const ingestedText = (outcomes: ReadonlyArray<FileOutcome>): string =>
  outcomes.toSorted((left, right) => places[left.outcome] - places[right.outcome])
    .map(lineOf).join("\n")

const places: Readonly<Record<FileOutcome["outcome"], number>> = {
  collected: 0,
  failed: 1,
  skipped: 2
}

const lineOf = (outcome: FileOutcome): string => {
  if (outcome.outcome !== "collected") {
    return `${outcome.outcome}: ${shownName(outcome.file)}: ${reasonText(outcome.reason)}`
  }
  const {
    asked_url,
    entries,
    removed,
    removed_chars_count,
    source_id,
    source_type,
    truncated,
    unread_date
  } = outcome
  const asides = [
    asked_url === undefined ? "" : `where ${asked_url} leads`,
    truncated === undefined ? "" : "cut: the document goes on",
    unread_date === undefined
      ? ""
      : `kept without its date: "${shownName(unread_date)}" is none such as 2026-03-02`,
    removed_chars_count === undefined
      ? ""
      : `invisible characters taken out: ${removed_chars_count}`
  ].filter((aside) => aside !== "")
  const aside = asides.length === 0 ? "" : ` (${asides.join("; ")})`
  return `${source_type} ${source_id}: ${entries} in, ${removed} out${aside}`
}

/** A file's name may contain terminal escape sequences. */
const shownName = (file: string): string => clean(file).text.replaceAll("\n", " ")

export const foundText = (
  query: string,
  { found, vectors }: EvidenceFound,
  style: Style
): string =>
  [
    ...found.flatMap((entry, place) => entryLines(query, entry, place + 1, style)),
    ...indent(`${found.length} found by ${words[vectors]}`, style.columns).map(style.faint)
  ].join("\n")

const entryLines = (
  query: string,
  entry: FoundEntry,
  place: number,
  { columns, faint, strong }: Style
) => {
  const part = entry.total_chunks === 1 ? "" : `, ${entry.chunk_index + 1} of ${entry.total_chunks}`
  const dates = [
    entry.official === undefined ? "" : "official",
    entry.published_date === undefined ? "" : `published ${entry.published_date.slice(0, 10)}`,
    entry.modified_date === undefined ? "" : `changed ${entry.modified_date.slice(0, 10)}`
  ].filter((fact) => fact !== "")
  const origin = dates.length === 0 ? [] : [dates.join(" · ")]
  return [
    ...indent(
      `${place}  ${entry.title} · ${entry.source_type}${part}`,
      columns,
      Math.max(0, placeWidth - String(place).length),
      placeWidth + 2
    ).map(strong),
    ...indent(excerptOf(query, entry), columns, 5, 5),
    ...indent(`${entry.id} · collected ${entry.collected_at} by ${entry.collector}`, columns, 5, 5)
      .map(faint),
    ...origin.flatMap((line) => indent(line, columns, 5, 5)).map(faint),
    ""
  ]
}

/** Excerpt that begins with the best answering sentence, if any. */
const excerptOf = (query: string, { text, title }: FoundEntry): string => {
  const start = select(query, [{ title, text, page: title }], 1)[0]?.start ?? 0
  const rest = text.slice(start).replace(/\s+/g, " ").trim()
  const shown = rest.length > shownCharsMax ? `${rest.slice(0, shownCharsMax).trimEnd()} …` : rest
  return start === 0 ? shown : `… ${shown}`
}

export const statusText = (
  { embedded, embedder, entries, keepsVectors, model, sources }: OutputOf<"GetEvidenceStatus">
): string => {
  const total = Object.values(entries).reduce((sum, count) => sum + count, 0)
  const compared = model === undefined ? "none yet" : `${model.model} (${model.dimensions})`
  const made = typeof embedder === "string"
    ? embedder
    : `${embedder.model} (${embedder.dimensions})`
  return [
    `Evidence store: ${counted(total, "passage")} of ${counted(sources, "source")}`,
    ...Object.entries(entries).map(([type, count]) => `  ${type.padEnd(12)} ${count}`),
    `Vectors        ${keepsVectors ? "kept" : "not kept: the database lacks the extension vector"}`,
    `  compared by  ${compared}, ${counted(embedded, "vector")}`,
    `  embedder     ${made}`
  ].join("\n")
}
