/** A file that `evidence ingest` is given, as material for the evidence store. */
import { clean, cut } from "@web-grounding/language/Sentences"
import { Effect, FileSystem, Option, Path, Schema } from "effect"
import { type DocumentInput, inputOf } from "../../../application/evidence/CollectPages.ts"
import { documentBytesMax } from "../../../application/ports/EvidenceStore.ts"
import { nameCharsMax } from "../../../domain/store/Entry.ts"
import { sha256 } from "../../../infrastructure/Digest.ts"
import { becauseOfFile, CommandFailed } from "../terminal/CommandFailed.ts"
import * as EvidenceFlags from "./EvidenceFlags.ts"

/** Hexadecimal digits of a file's place in its id: 64 bits tell files of one name apart. */
const idDigits = 16

export interface Given {
  readonly source_type: "paper" | "user_note"
  /** Id of a single file; otherwise each file is named by its name and place. */
  readonly id?: string
  readonly title?: string
  readonly node_id?: string
  readonly node_label?: string
}

/** Inputs that a file makes; `undefined` for a JSON file without a node of a knowledge graph. */
export const inputsOf = Effect.fn("EvidenceFiles.inputsOf")(
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
