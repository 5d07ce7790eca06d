/** Files that `evidence ingest` is given, as material for the evidence store. */
import { Effect, FileSystem, Path, Result, Schema } from "effect"
import { documentBytesMax, DocumentReader } from "../../application/ports/DocumentReader.ts"
import { becauseOfFile, CommandFailed } from "./CommandFailed.ts"

/** Files of one folder, with those of the folders in it. */
const filesMax = 2_000

export interface Given {
  readonly source_type: "paper" | "user_note"
  /** Of a single file; else each is named by its place in the folder. */
  readonly id?: string
  readonly title?: string
  readonly node_id?: string
  readonly node_label?: string
}

/** One file's material, checked by the service that takes it. */
export interface FileMaterial {
  readonly file: string
  readonly material: unknown
}

/** The file itself, or every file of the folder that is read, in order of name. */
export const listed = Effect.fn("EvidenceFiles.listed")(function*(place: string) {
  const { readDirectory, stat } = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { endings } = yield* DocumentReader
  const { type } = yield* Effect.mapError(stat(place), becauseOfFile(place))
  if (type !== "Directory") return [{ file: place, id: path.basename(place) }]
  const taken = [...endings, ".json"]
  const names = (yield* Effect.mapError(
    readDirectory(place, { recursive: true }),
    becauseOfFile(place)
  ))
    .filter((name) => taken.some((ending) => name.toLowerCase().endsWith(ending)))
    .toSorted()
  if (names.length === 0) {
    return yield* new CommandFailed({ sentence: `${place} holds no file in ${taken.join(", ")}` })
  }
  if (names.length > filesMax) {
    return yield* new CommandFailed({
      sentence: `${place} holds ${names.length} files; give folders of at most ${filesMax}`
    })
  }
  return names.map((name) => ({
    file: path.join(place, name),
    id: name.replaceAll(path.sep, "/")
  }))
})

/** A JSON file holds one node of a knowledge graph or a list of them; any other is one document. */
export const materialsOf = Effect.fn("EvidenceFiles.materialsOf")(
  function*({ file, id }: { readonly file: string; readonly id: string }, given: Given) {
    const { readFile, stat } = yield* FileSystem.FileSystem
    const reader = yield* DocumentReader
    const { size } = yield* Effect.mapError(stat(file), becauseOfFile(file))
    if (Number(size) > documentBytesMax) {
      return yield* new CommandFailed({
        sentence: `${file}: larger than ${documentBytesMax} bytes`
      })
    }
    const bytes = yield* Effect.mapError(readFile(file), becauseOfFile(file))
    if (file.toLowerCase().endsWith(".json")) return yield* nodesOf(file, bytes)
    const { text, title } = yield* reader.read({ name: file, bytes })
    const { id: givenId = id, source_type, title: givenTitle = title ?? id, ...about } = given
    const material = { source_type, source_id: givenId, title: givenTitle, text, ...about }
    return [{ file, material }]
  }
)

const Nodes = Schema.fromJsonString(
  Schema.Union([Schema.Array(Schema.Unknown), Schema.Unknown])
)
const decodeNodes = Schema.decodeUnknownResult(Nodes)

const nodesOf = (file: string, bytes: Uint8Array) => {
  const decoded = decodeNodes(new TextDecoder().decode(bytes))
  if (Result.isFailure(decoded)) {
    return Effect.fail(new CommandFailed({ sentence: `${file}: it is not JSON` }))
  }
  const nodes: ReadonlyArray<unknown> = Array.isArray(decoded.success)
    ? decoded.success
    : [decoded.success]
  return Effect.succeed(
    nodes.map((node): FileMaterial => ({ file, material: { source_type: "kg_node", node } }))
  )
}
