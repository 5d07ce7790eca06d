/** The files that `evidence ingest` takes in: one, or those of a folder and the folders in it. */
import { Effect, FileSystem, Path, Result } from "effect"
import { DocumentReader } from "../../../application/ports/EvidenceStore.ts"
import { becauseOfFile, CommandFailed } from "../terminal/CommandFailed.ts"

/** Files of one folder, with those of the folders in it. */
const filesMax = 2_000
/** Everything that is looked at, files of other kinds too. */
const entriesMax = 50_000
const foldersDepthMax = 32

/**
 * `link`: a symbolic one, which may lead out of the folder or back into it. `other_kind`: a file of
 * a kind that is not read; those whose names begin with a dot are not told of.
 */
export type SkipReason = "link" | "other_kind" | "dot_folder" | "node_modules" | "too_deep"

export interface Skipped {
  readonly file: string
  readonly reason: SkipReason
}

export interface Listed {
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
