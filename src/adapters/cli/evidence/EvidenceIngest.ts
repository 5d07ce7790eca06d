/** Takes files into the evidence store one by one: what one of them lacks stops no other. */
import { Effect, type FileSystem, type Path } from "effect"
import type { Collected } from "../../../application/evidence/CollectEvidence.ts"
import type { AskedCalls } from "../../../application/operations/Calls.ts"
import type { DocumentReader } from "../../../application/ports/EvidenceStore.ts"
import { CommandFailed } from "../terminal/CommandFailed.ts"
import { type Given, inputsOf } from "./EvidenceFiles.ts"
import { listFiles, type SkipReason } from "./EvidenceFolder.ts"

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

export const reasonText = (reason: string): string =>
  Object.entries(reasons).find(([name]) => name === reason)?.[1] ?? reason
