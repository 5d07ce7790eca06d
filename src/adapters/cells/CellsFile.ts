/**
 * The routing table of the cells in a JSON file, read again every two seconds. A file that cannot
 * be used fails the start; later the last good table stays.
 */
import { DateTime, Effect, Layer, Option, Predicate, Ref, Result, Schema } from "effect"
import { readFile, rename, stat, writeFile } from "node:fs/promises"
import { CellRoutes } from "../../application/cells/CellRoutes.ts"
import * as CellTable from "../../domain/cells/CellTable.ts"
import type { CellsFileBroken } from "../../domain/health/SearchHealth.ts"

/** Interval at which the file is looked at. */
const lookEvery = "2 seconds"

/**
 * The file cannot be read or written, is too large or no routing table, or does not name this
 * process's cell.
 */
export class CellsFileUnusable
  extends Schema.TaggedError<CellsFileUnusable>()("CellsFileUnusable", {
    problem: Schema.String
  })
{
  override get message(): string {
    return `CELLS_FILE cannot be used: ${this.problem}`
  }
}

/** The path is not told: it may be a secret's that was put in its place. */
const unreadable = (cause: unknown) =>
  new CellsFileUnusable({
    problem: Predicate.hasProperty(cause, "code") ? String(cause.code) : "it cannot be read"
  })

/** Reads the table. Fails where it lacks the cell `own`. */
export const readTable = Effect.fn("CellsFile.readTable")(function*(path: string, own: string) {
  const { size } = yield* Effect.tryPromise({ try: () => stat(path), catch: unreadable })
  if (size > CellTable.fileBytesMax) {
    return yield* new CellsFileUnusable({
      problem: `it is larger than ${CellTable.fileBytesMax} bytes`
    })
  }
  const text = yield* Effect.tryPromise({ try: () => readFile(path, "utf8"), catch: unreadable })
  const table = CellTable.parse(text)
  if (Result.isFailure(table)) return yield* new CellsFileUnusable({ problem: table.failure })
  return CellTable.addressOf(table.success, own) === undefined
    ? yield* new CellsFileUnusable({ problem: `it names no cell ${own}` })
    : table.success
})

/** Writes the table beside its file and renames it: a reader sees the old one or the new one. */
export const write = (path: string, table: CellTable.CellTable) =>
  Effect.tryPromise({
    try: () =>
      writeFile(`${path}.new`, CellTable.textOf(table)).then(() => rename(`${path}.new`, path)),
    catch: unreadable
  })

/** Routing table of the file, which must name `own`, the cell that this process serves. */
export const layer = (path: string, own: string) =>
  Layer.effect(
    CellRoutes,
    Effect.gen(function*() {
      const table = yield* Ref.make(yield* readTable(path, own))
      const broken = yield* Ref.make(Option.none<CellsFileBroken>())
      const look = Effect.matchEffect(readTable(path, own), {
        onSuccess: (next) => Effect.andThen(Ref.set(table, next), Ref.set(broken, Option.none())),
        onFailure: Effect.fnUntraced(function*({ problem }) {
          const before = yield* Ref.get(broken)
          if (Option.isSome(before) && before.value.problem === problem) return
          const since = DateTime.formatIso(yield* DateTime.now)
          yield* Ref.set(
            broken,
            Option.some({ _tag: "CellsFileBroken", severity: "warning", problem, since })
          )
          yield* Effect.logWarning("the cells' routing table cannot be read; the last one holds", {
            problem
          })
        })
      })
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(lookEvery), look)))
      return CellRoutes.of({ own, table: Ref.get(table), broken: Ref.get(broken) })
    })
  )
