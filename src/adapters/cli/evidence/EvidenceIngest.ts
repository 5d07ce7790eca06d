/** Adds files to the evidence store one by one: a failing file stops no other. */
import { clean, cut } from "@web-grounding/language/Sentences"
import { Effect, FileSystem, Path, Result, Schema } from "effect"
import { type DocumentInput, inputOf } from "../../../application/evidence/ReadDocument.ts"
import type { AskedCalls } from "../../../application/operations/Calls.ts"
import { documentBytesMax, DocumentReader } from "../../../application/ports/Embedder.ts"
import type { OutputOf } from "../../../contract/ServiceOperations.ts"
import { asGiven } from "../../../domain/request/GivenFields.ts"
import { nameCharsMax } from "../../../domain/store/Entry.ts"
import { sha256 } from "../../../infrastructure/Digest.ts"
import { becauseOfFile, CommandFailed, failWhen } from "../terminal/Terminal.ts"
import * as EvidenceFlags from "./EvidenceFlags.ts"

export type FileOutcome =
  | (OutputOf<"CollectEvidence"> & {
    readonly file: string
    readonly outcome: "collected"
    /** Value in a date field that is no date; the entry is kept without it. */
    readonly unread_date?: string
  })
  | {
    readonly file: string
    readonly outcome: "skipped"
    readonly reason: SkipReason | "no_node"
  }
  | { readonly file: string; readonly outcome: "failed"; readonly reason: string }

export interface Ingesting {
  /** `input`: of `CollectEvidence`, decoded by the callee. */
  readonly collect: (input: unknown) => ReturnType<AskedCalls["CollectEvidence"]>
  readonly given: Given
  readonly collector?: string
}

/** Fails only if the folder cannot be listed, or a single file is not supported. */
export const ingest = Effect.fn("EvidenceIngest.ingest")(
  function*(place: string, ingesting: Ingesting) {
    const { files, kind, passedOver } = yield* listFiles(place)
    const { id, title } = ingesting.given
    yield* failWhen(
      kind === "folder" && (id !== undefined || title !== undefined),
      `${place} is a folder: --id and --title are of a single file`
    )
    const outcomes = [...passedOver]
    const store = { isDown: false }
    for (const file of files) {
      const taken = store.isDown
        ? [failed(file, "not tried, as the store did not answer")]
        : yield* outcomesOf(file, ingesting, store)
      outcomes.push(...taken)
    }
    const [only] = outcomes
    if (kind === "file" && outcomes.length === 1 && only !== undefined && "reason" in only) {
      return yield* new CommandFailed({ sentence: `${place}: ${reasonText(only.reason)}` })
    }
    return outcomes
  }
)

export const failedCount = (outcomes: ReadonlyArray<FileOutcome>): number =>
  outcomes.filter(({ outcome }) => outcome === "failed").length

const failed = (file: string, reason: string): FileOutcome => ({ file, outcome: "failed", reason })

const outcomesOf = (
  file: string,
  { collect, collector, given }: Ingesting,
  store: { isDown: boolean }
): Effect.Effect<
  ReadonlyArray<FileOutcome>,
  never,
  FileSystem.FileSystem | Path.Path | DocumentReader
> =>
  Effect.gen(function*() {
    const inputs = yield* inputsOf(file, given)
    if (inputs === undefined) {
      return [{ file, outcome: "skipped", reason: "no_node" } satisfies FileOutcome]
    }
    const by = collector === undefined ? {} : { collector }
    return yield* Effect.forEach(inputs, ({ unread_date, ...input }) =>
      Effect.match(collect({ ...input, ...by }), {
        onSuccess: (collected): FileOutcome => ({
          file,
          outcome: "collected",
          ...collected,
          ...asGiven({ unread_date })
        }),
        onFailure: ({ _tag, message }) => {
          store.isDown ||= _tag !== "InvalidInput"
          return failed(file, message)
        }
      }))
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

export const reasonText = (reason: string): string =>
  Object.entries(reasons).find(([name]) => name === reason)?.[1] ?? reason

/** Files of one folder and its subfolders. */
const filesMax = 2_000

/** Everything that is listed, other kinds of files too. */
const entriesMax = 50_000

const foldersDepthMax = 32

/** `link`: a symbolic one, which may leave the folder or form a cycle. */
type SkipReason = "link" | "other_kind" | "dot_folder" | "node_modules" | "too_deep"

interface Listed {
  readonly files: ReadonlyArray<string>
  /** Not read, or not readable. */
  readonly passedOver: ReadonlyArray<FileOutcome>
  readonly kind: "file" | "folder"
}

export const listFiles = Effect.fn("EvidenceFolder.listFiles")(function*(place: string) {
  const { readDirectoryEntries, stat } = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const { endings } = yield* DocumentReader
  const { type } = yield* Effect.mapError(stat(place), becauseOfFile(place))
  if (type !== "Directory") {
    return { files: [place], passedOver: [], kind: "file" } satisfies Listed
  }
  const taken = [...endings, ".json"]
  const files: Array<string> = []
  const passedOver: Array<FileOutcome> = []
  const folders = [{ folder: place, depth: 0 }]
  let looked = 0
  for (const { depth, folder } of folders) {
    const read = yield* Effect.result(readDirectoryEntries(folder))
    if (Result.isFailure(read)) {
      if (depth === 0) return yield* becauseOfFile(place)(read.failure)
      passedOver.push(failed(folder, "this folder may not be read"))
      continue
    }
    looked += read.success.length
    yield* failWhen(
      looked > entriesMax,
      `${place} holds more than ${entriesMax} files and folders; give smaller ones`
    )
    for (const { name, type } of read.success) {
      const file = join(folder, name)
      const isTaken = taken.some((ending) => name.toLowerCase().endsWith(ending))
      const reason = reasonOf(name, type, depth) ??
        (type === "Directory" || isTaken ? undefined : "other_kind")
      if (reason === "other_kind" && name.startsWith(".")) continue
      if (reason !== undefined) passedOver.push({ file, outcome: "skipped", reason })
      else if (type === "Directory") folders.push({ folder: file, depth: depth + 1 })
      else files.push(file)
    }
  }
  yield* failWhen(files.length === 0, `${place} holds no file in ${taken.join(", ")}`)
  yield* failWhen(
    files.length > filesMax,
    `${place} holds ${files.length} files; give folders of at most ${filesMax}`
  )
  return { files: files.toSorted(), passedOver, kind: "folder" } satisfies Listed
})

const reasonOf = (
  name: string,
  type: "SymbolicLink" | FileSystem.File.Type,
  depth: number
): SkipReason | undefined => {
  if (type === "SymbolicLink") return "link"
  if (type !== "Directory") return undefined
  if (name === "node_modules") return "node_modules"
  if (name.startsWith(".")) return "dot_folder"
  return depth + 1 > foldersDepthMax ? "too_deep" : undefined
}

/** Hexadecimal digits of a file's path in its id: 64 bits distinguish files of one name. */
const idDigits = 16

interface Given {
  readonly source_type: "paper" | "user_note"
  /** Id of a single file; by default from each file's name and path. */
  readonly id?: string
  readonly title?: string
  readonly node_id?: string
  readonly node_label?: string
}

const inputsOf = Effect.fn("EvidenceFiles.inputsOf")(
  function*(file: string, given: Given) {
    const { readFile, stat } = yield* FileSystem.FileSystem
    const { size } = yield* Effect.mapError(stat(file), becauseOfFile(file))
    yield* failWhen(
      Number(size) > documentBytesMax,
      `${file}: larger than ${documentBytesMax} bytes`
    )
    const bytes = yield* Effect.mapError(readFile(file), becauseOfFile(file))
    if (file.toLowerCase().endsWith(".json")) return yield* nodesOf(file, bytes)
    const { name, source_id } = yield* namesOf(file)
    const { id = source_id, ...about } = given
    return [yield* inputOf({ name: file, bytes }, { source_id: id, ...about }, name)]
  }
)

/** With a fingerprint of the real path: the same file always has the same id. */
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
  const parsed = yield* EvidenceFlags.parsed(file, new TextDecoder().decode(bytes))
  const nodes: ReadonlyArray<unknown> = Array.isArray(parsed) ? parsed : [parsed]
  if (nodes.length === 0 || !nodes.every((node) => isNode(node))) return undefined
  return nodes.map((node): DocumentInput => ({ material: { source_type: "kg_node", node } }))
})
