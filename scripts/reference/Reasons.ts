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
  "Every word by which an answer says why it is as it is, and what a caller does about it. Written by",
  "`node scripts/references.ts --write`; a test compares them. How searches end and what came of a request",
  "stands in [statuses.md](statuses.md), problems over HTTP in [http.md](../http.md).",
  "",
  "## Why a request is searched for, or is not",
  "",
  "`need.reason_codes` of an answer holds at least one, the main reason first. The table stands in",
  "`src/domain/need/ReasonCodes.ts`.",
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
  "`support` of a claim; `confidence` beside it says how far to rely on it ([answers.md](../answers.md)).",
  ...rowsOf(Words.supports),
  "",
  "## Why a claim is disputed",
  "",
  "`reason` of a claim under `disputed_or_uncertain`. Older packs are those of rules that checked rephrased",
  "claims; such claims now stand in their source's words.",
  ...rowsOf(Words.demotions),
  "",
  "## Notes of a pack",
  "",
  "`pack.notes`.",
  ...rowsOf(Words.notes),
  "",
  "## Doubts of the coach's view",
  "",
  "`doubts` of a claim that stands.",
  ...rowsOf(Words.doubts),
  "",
  "## Why an engine gave no answer",
  "",
  "`rungs` of the answer names the engine that answered each step, and under `faults` each one before it that",
  "did not. The next engine takes over, and the last is local: the request goes on. `detail` is a finer word,",
  "such as `robots`, `http_404` or `invalid_key`.",
  ...rowsOf(Words.faults),
  ""
].join("\n")
