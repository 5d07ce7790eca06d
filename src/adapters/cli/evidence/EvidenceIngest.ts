/** Takes files into the evidence store one by one: what one of them lacks stops no other. */
import { select } from "@web-grounding/language/KeySentences"
import { clean, cut } from "@web-grounding/language/Sentences"
import { Effect, FileSystem, Option, Path, Result, Schema } from "effect"
import type { Collected } from "../../../application/evidence/CollectEvidence.ts"
import { type DocumentInput, inputOf } from "../../../application/evidence/CollectPages.ts"
import type { EvidenceStatus } from "../../../application/EvidenceApi.ts"
import type { AskedCalls } from "../../../application/operations/Calls.ts"
import { documentBytesMax, DocumentReader } from "../../../application/ports/Embedder.ts"
import type { EvidenceFound, FoundEntry, VectorUse } from "../../../contract/EvidenceSearch.ts"
import { nameCharsMax } from "../../../domain/store/Entry.ts"
import { sha256 } from "../../../infrastructure/Digest.ts"
import { becauseOfFile, CommandFailed, indent, type Style } from "../terminal/Terminal.ts"
import * as EvidenceFlags from "./EvidenceFlags.ts"

/** Outcome for a file; a file with several nodes has one for each. */
export type FileOutcome =
  | (Collected & {
    readonly file: string
    readonly outcome: "collected"
    /** Value of the file that stands for a date and is none; the entry is kept without. */
    readonly unread_date?: string
  })
  | {
    readonly file: string
    readonly outcome: "skipped"
    readonly reason: SkipReason | "no_node"
  }
  | { readonly file: string; readonly outcome: "failed"; readonly reason: string }

export interface Ingesting {
  /** `input`: of `CollectEvidence`, which is decoded where it is answered. */
  readonly collect: (input: unknown) => ReturnType<AskedCalls["CollectEvidence"]>
  readonly given: Given
  readonly collector?: string
}

/**
 * Collects a file, or each file of a folder. Fails only when the place cannot be listed, or names a
 * single file that is not taken in.
 */
export const ingest = Effect.fn("EvidenceIngest.ingest")(
  function*(place: string, ingesting: Ingesting) {
    const { files, kind, skipped, unreadable } = yield* listFiles(place)
    const { id, title } = ingesting.given
    if (kind === "folder" && (id !== undefined || title !== undefined)) {
      return yield* new CommandFailed({
        sentence: `${place} is a folder: --id and --title are of a single file`
      })
    }
    const outcomes: Array<FileOutcome> = [
      ...skipped.map((each) => ({ ...each, outcome: "skipped" as const })),
      ...unreadable.map((file) => shown(failed(file, "this folder may not be read")))
    ]
    let isStoreDown = false
    for (const file of files) {
      const taken: ReadonlyArray<Tried> = isStoreDown
        ? [failed(file, notTried)]
        : yield* outcomesOf(file, ingesting)
      isStoreDown ||= taken.some((each) => each.outcome === "failed" && each.isStoreDown === true)
      outcomes.push(...taken.map(shown))
    }
    const [only] = outcomes
    if (kind === "file" && outcomes.length === 1 && only?.outcome !== "collected") {
      return yield* new CommandFailed({ sentence: `${place}: ${reasonText(only?.reason ?? "")}` })
    }
    return outcomes
  }
)

/** Number of files that failed; those that were skipped on purpose are not counted. */
export const failedCount = (outcomes: ReadonlyArray<FileOutcome>): number =>
  outcomes.filter(({ outcome }) => outcome === "failed").length

const notTried = "not tried, as the store did not answer"

type Tried = FileOutcome & { readonly isStoreDown?: boolean }

const failed = (file: string, reason: string, isStoreDown = false): Tried => ({
  file,
  outcome: "failed",
  reason,
  isStoreDown
})

const shown = ({ isStoreDown: _, ...outcome }: Tried): FileOutcome => outcome

const outcomesOf = (
  file: string,
  { collect, collector, given }: Ingesting
): Effect.Effect<
  ReadonlyArray<Tried>,
  never,
  FileSystem.FileSystem | Path.Path | DocumentReader
> =>
  Effect.gen(function*() {
    const inputs = yield* inputsOf(file, given)
    if (inputs === undefined) {
      const skipped: Tried = { file, outcome: "skipped", reason: "no_node" }
      return [skipped]
    }
    const by = collector === undefined ? {} : { collector }
    return yield* Effect.forEach(inputs, ({ unread_date, ...input }) =>
      collect({ ...input, ...by }).pipe(
        Effect.map((collected): Tried => ({
          file,
          outcome: "collected",
          ...collected,
          ...(unread_date === undefined ? {} : { unread_date })
        })),
        Effect.catch(({ _tag, message }) =>
          Effect.succeed(failed(file, message, _tag !== "InvalidInput"))
        )
      ))
  }).pipe(
    Effect.catch(({ message }) =>
      Effect.succeed([failed(file, withoutName(file, message))])
    )
  )

const withoutName = (file: string, message: string): string =>
  message.startsWith(`${file}: `) ? message.slice(file.length + 2) : message

const reasons: Readonly<Record<SkipReason | "no_node", string>> = {
  link: "a link, which is not followed",
  dot_folder: "a folder whose name begins with a dot",
  node_modules: "packages of others",
  too_deep: "too many folders in folders",
  other_kind: "a kind of file that is not read",
  no_node: "JSON, but no node of a knowledge graph"
}

const reasonText = (reason: string): string =>
  Object.entries(reasons).find(([name]) => name === reason)?.[1] ?? reason

// The files that `evidence ingest` takes in: one, or those of a folder and the folders in it.

/** Files of one folder, with those of the folders in it. */
const filesMax = 2_000
/** Everything that is looked at, files of other kinds too. */
const entriesMax = 50_000
const foldersDepthMax = 32

/**
 * `link`: a symbolic one, which may lead out of the folder or back into it. `other_kind`: a file of
 * a kind that is not read; those whose names begin with a dot are not told of.
 */
type SkipReason = "link" | "other_kind" | "dot_folder" | "node_modules" | "too_deep"

interface Skipped {
  readonly file: string
  readonly reason: SkipReason
}

interface Listed {
  /** Files in order of name. */
  readonly files: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<Skipped>
  /** Folders within that may not be read. */
  readonly unreadable: ReadonlyArray<string>
  readonly kind: "file" | "folder"
}

interface Folder {
  readonly place: string
  readonly depth: number
}

export const listFiles = Effect.fn("EvidenceFolder.listFiles")(function*(place: string) {
  const { stat } = yield* FileSystem.FileSystem
  const { endings } = yield* DocumentReader
  const { type } = yield* Effect.mapError(stat(place), becauseOfFile(place))
  if (type !== "Directory") {
    return { files: [place], skipped: [], unreadable: [], kind: "file" } satisfies Listed
  }
  const taken = [...endings, ".json"]
  const files: Array<string> = []
  const skipped: Array<Skipped> = []
  const unreadable: Array<string> = []
  const folders: Array<Folder> = [{ place, depth: 0 }]
  let looked = 0
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const read = yield* Effect.result(entriesOf(folder))
    if (Result.isFailure(read)) {
      if (folder.depth === 0) return yield* read.failure
      unreadable.push(folder.place)
      continue
    }
    const entries = read.success
    looked += entries.length
    if (looked > entriesMax) {
      return yield* new CommandFailed({
        sentence: `${place} holds more than ${entriesMax} files and folders; give smaller ones`
      })
    }
    for (const entry of entries) {
      const reason = reasonOf(entry, folder.depth)
      if (reason !== undefined) skipped.push({ file: entry.place, reason })
      else if (entry.kind === "Directory") {
        folders.push({ place: entry.place, depth: folder.depth + 1 })
      } else if (taken.some((ending) => entry.name.toLowerCase().endsWith(ending))) {
        files.push(entry.place)
      } else if (!entry.name.startsWith(".")) {
        skipped.push({ file: entry.place, reason: "other_kind" })
      }
    }
  }
  if (files.length === 0) {
    return yield* new CommandFailed({ sentence: `${place} holds no file in ${taken.join(", ")}` })
  }
  if (files.length > filesMax) {
    return yield* new CommandFailed({
      sentence: `${place} holds ${files.length} files; give folders of at most ${filesMax}`
    })
  }
  return { files: files.toSorted(), skipped, unreadable, kind: "folder" } satisfies Listed
})

interface Entry {
  readonly name: string
  readonly place: string
  readonly kind: "SymbolicLink" | FileSystem.File.Type
}

const entriesOf = Effect.fnUntraced(function*({ place }: Folder) {
  const { readDirectoryEntries } = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const entries = yield* Effect.mapError(readDirectoryEntries(place), becauseOfFile(place))
  return entries.map(({ name, type }): Entry => ({
    name,
    place: path.join(place, name),
    kind: type
  }))
})

const reasonOf = ({ kind, name }: Entry, depth: number): SkipReason | undefined => {
  if (kind === "SymbolicLink") return "link"
  if (kind !== "Directory") return undefined
  if (name === "node_modules") return "node_modules"
  if (name.startsWith(".")) return "dot_folder"
  return depth + 1 > foldersDepthMax ? "too_deep" : undefined
}

// A file that `evidence ingest` is given, as material for the evidence store.

/** Hexadecimal digits of a file's place in its id: 64 bits tell files of one name apart. */
const idDigits = 16

interface Given {
  readonly source_type: "paper" | "user_note"
  /** Id of a single file; otherwise each file is named by its name and place. */
  readonly id?: string
  readonly title?: string
  readonly node_id?: string
  readonly node_label?: string
}

/** Inputs that a file makes; `undefined` for a JSON file without a node of a knowledge graph. */
const inputsOf = Effect.fn("EvidenceFiles.inputsOf")(
  function*(file: string, given: Given) {
    const { readFile, stat } = yield* FileSystem.FileSystem
    const { size } = yield* Effect.mapError(stat(file), becauseOfFile(file))
    if (Number(size) > documentBytesMax) {
      return yield* new CommandFailed({
        sentence: `${file}: larger than ${documentBytesMax} bytes`
      })
    }
    const bytes = yield* Effect.mapError(readFile(file), becauseOfFile(file))
    if (file.toLowerCase().endsWith(".json")) return yield* nodesOf(file, bytes)
    const { name, source_id } = yield* namesOf(file)
    const { id = source_id, ...about } = given
    return [yield* inputOf({ name: file, bytes }, { source_id: id, ...about }, name)]
  }
)

/**
 * The name and a fingerprint of where it truly is: the same file again has the same id, from
 * whichever folder it is named, and another of its name has another.
 */
const namesOf = Effect.fnUntraced(function*(file: string) {
  const { realPath } = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const place = yield* Effect.mapError(realPath(file), becauseOfFile(file))
  const name = clean(path.basename(place)).text.toWellFormed()
  const mark = `~${sha256(place).slice(0, idDigits)}`
  return { name, source_id: cut(name, nameCharsMax - mark.length) + mark }
})

/** Required fields of a node; the service checks the rest. */
const NodeForm = Schema.Struct({
  node_id: Schema.String,
  node_label: Schema.String,
  name: Schema.String
})
const isNode = Schema.is(NodeForm)

const nodesOf = Effect.fnUntraced(function*(file: string, bytes: Uint8Array) {
  const parsed = EvidenceFlags.parsed(new TextDecoder().decode(bytes))
  if (Option.isNone(parsed)) {
    return yield* new CommandFailed({ sentence: `${file}: it is not JSON` })
  }
  const nodes: ReadonlyArray<unknown> = Array.isArray(parsed.value) ? parsed.value : [parsed.value]
  if (nodes.length === 0 || !nodes.every((node) => isNode(node))) return undefined
  return nodes.map((node): DocumentInput => ({ material: { source_type: "kg_node", node } }))
})

// The evidence store's answers as text for the terminal.

/** Characters of an entry's text that are shown. */
const shownCharsMax = 280
const placeWidth = 3

const words: Record<VectorUse, string> = {
  compared: "words and meaning",
  other_model: "words alone: the entries have no vectors of this embedder (see: evidence reembed)",
  failed: "words alone: the embedder did not answer",
  not_configured: "words alone: no embedder is configured",
  not_kept: "words alone: the database lacks the extension vector"
}

/** Lists the files, one on a line; those that were passed over come last. */
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

/** A file's name may hold what a terminal would obey. */
const shownName = (file: string): string => clean(file).text.replaceAll("\n", " ")

export const foundText = (
  query: string,
  { found, vectors }: EvidenceFound,
  style: Style
): string =>
  [
    ...found.flatMap((entry, place) => entryLines(query, entry, place + 1, style)),
    ...indent(`${found.length} found by ${words[vectors]}`, 0, 2, style.columns).map(style.faint)
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
      Math.max(0, placeWidth - String(place).length),
      placeWidth + 2,
      columns
    ).map(strong),
    ...indent(excerptOf(query, entry), 5, 5, columns),
    ...indent(`${entry.id} · collected ${entry.collected_at} by ${entry.collector}`, 5, 5, columns)
      .map(faint),
    ...origin.flatMap((line) => indent(line, 5, 5, columns)).map(faint),
    ""
  ]
}

/** Excerpt that begins with the sentence that answers best, if any does. */
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
