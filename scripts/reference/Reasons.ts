/** Reference of the words by which an answer explains itself, made of their tables. */
import * as ReasonCodes from "../../src/domain/need/ReasonCodes.ts"
import * as Words from "./ReasonWords.ts"

const given = {
  search: "for a search",
  no_search: "against a search",
  limit: "by phase and budget"
} as const

const rowsOf = (
  words: Readonly<Record<string, readonly [meaning: string, next: string]>>
): ReadonlyArray<string> => [
  "",
  "| Word | Meaning | What to do |",
  "| --- | --- | --- |",
  ...Object.entries(words).map(([word, [meaning, next]]) =>
    `| \`${word}\` | ${meaning} | ${next} |`
  )
]

/** The whole page of `docs/reference/reasons.md`. */
export const text: string = [
  "# Reason codes",
  "",
  "Every reason code of an answer, and what a caller does about it. How searches and requests end:",
  "[statuses.md](statuses.md); problems over HTTP: [http.md](../http.md). Written by `node scripts/references.ts --write`;",
  "a test compares them.",
  "",
  "## Why a request is searched for, or is not",
  "",
  "`need.reason_codes` of an answer has at least one, the main reason first. Table: `src/domain/need/ReasonCodes.ts`.",
  "",
  "| Code | Given | Meaning | What to do |",
  "| --- | --- | --- | --- |",
  ...ReasonCodes.table.map(({ code, kind, meaning }) =>
    `| \`${code}\` | ${given[kind]} | ${meaning} | ${Words.codes[code]} |`
  ),
  "",
  "## What an answer rests on",
  "",
  "`mode` of the answer.",
  ...rowsOf(Words.modes),
  "",
  "## Whether the quotations support a claim",
  "",
  "`support` of a claim; its `confidence` says how far to rely on it ([answers.md](../answers.md)).",
  ...rowsOf(Words.supports),
  "",
  "## Why a claim is disputed",
  "",
  "`reason` of a claim under `disputed_or_uncertain`. \"Older packs\": their rules checked rephrased claims, which are now",
  "given in their source's words.",
  ...rowsOf(Words.demotions),
  "",
  "## Notes of a pack",
  "",
  "`pack.notes`.",
  ...rowsOf(Words.notes),
  "",
  "## Doubts of the coach's view",
  "",
  "`doubts` of an accepted claim.",
  ...rowsOf(Words.doubts),
  "",
  "## Why an engine gave no answer",
  "",
  "`rungs` of the answer names the engine that answered each step, and under `faults` each one before it that failed.",
  "The next engine takes over, and the last is local, so the request goes on. `detail` is more specific, e.g. `robots`,",
  "`http_404` or `invalid_key`.",
  ...rowsOf(Words.faults),
  ""
].join("\n")
