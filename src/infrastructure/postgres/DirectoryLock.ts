/**
 * Lock on an embedded database's directory: two owners would silently lose data. The kernel holds
 * it, an exclusive SQLite transaction on an empty file: it ends with the process, cannot be taken
 * from one that hangs, and is visible across containers of one machine. A record next to it names
 * the process to call.
 */
import { DateTime, Effect, Option, Predicate, Schema, type Scope } from "effect"
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as PrivateDirectory from "./PrivateDirectory.ts"

const Searched = Schema.Literals(["sandbox", "web"])

const ownerFields = {
  pid: Schema.Int,
  host: Schema.String,
  /** RPC address of the holder, if it serves. */
  url: Schema.optionalKey(Schema.String),
  /** Secret for commands of this machine that may read the directory. Never shown. */
  secret: Schema.optionalKey(Schema.String),
  /** Search providers of the holder, if it serves. Absent in records of earlier releases. */
  searches: Schema.optionalKey(Searched)
}

/** The directory is open in another process, or in this one. */
export class DirectoryHeld extends Schema.TaggedError<DirectoryHeld>()("DirectoryHeld", {
  ...ownerFields,
  directory: Schema.String,
  /** 0: the holder has not written its record yet. */
  pid: Schema.Int
}) {
  override get message(): string {
    return `The data directory ${this.directory} is already open in process ${this.pid} on ` +
      `${this.host}${
        this.searches === undefined ? "" : `, which searches the ${this.searches}`
      }: ` +
      "stop it first, or use another directory: WEB_GROUNDING_DATA_DIR=other."
  }
}

/** The directory cannot be made, written, locked or closed to other users. */
export class DirectoryUnusable
  extends Schema.TaggedError<DirectoryUnusable>()("DirectoryUnusable", {
    directory: Schema.String,
    problem: Schema.String
  })
{
  override get message(): string {
    return `The data directory ${this.directory} cannot be used: ${this.problem}.`
  }
}

/** Creates the directory if needed; never waits. Removes other users' access, with a warning. */
export const acquire = Effect.fnUntraced(function*(
  directory: string
): Effect.fn.Return<void, DirectoryHeld | DirectoryUnusable, Scope.Scope> {
  const unusable = (cause: unknown) =>
    new DirectoryUnusable({ directory, problem: problemOf(cause) })
  yield* keepPrivate(directory)
  const file = yield* Effect.acquireRelease(
    Effect.try({ try: () => open(directory), catch: unusable }),
    (file) => Effect.sync(() => close(file))
  )
  yield* Effect.try({
    try: () => file.exec("begin exclusive"),
    catch: (cause) => isBusy(cause) ? held(directory) : unusable(cause)
  })
  const since = DateTime.formatIso(yield* DateTime.now)
  yield* Effect.acquireRelease(
    Effect.try({ try: () => writeOwner(directory, since), catch: unusable }),
    () => Effect.sync(() => rmSync(join(directory, ownerFile), { force: true }))
  )
})

const lockFile = "lock"
const ownerFile = "owner.json"

/** Whether the embedded store or a file system creates a file of this name in its directory. */
const isOwnFile = (name: string): boolean =>
  /^(?:data(?:\.new)?|lock(?:-journal)?|owner\.json(?:\.\d+)?|payload\.key(?:\.new)?|space|lost\+found)$/
    .test(name)

const keepPrivate = (directory: string) =>
  Effect.gen(function*() {
    const secured = yield* Effect.try({
      try: () => PrivateDirectory.secure(resolve(directory), isOwnFile, process.geteuid?.()),
      catch: (cause) => new DirectoryUnusable({ directory, problem: problemOf(cause) })
    })
    const outcome = yield* Effect.mapError(
      Effect.fromResult(secured),
      (problem) => new DirectoryUnusable({ directory, problem })
    )
    if (outcome !== "repaired") return
    yield* Effect.logWarning(
      `other users could read the data directory ${directory}; its mode is 0700 now`
    )
  })

/** Open lock files. A reference from the scope alone would be garbage collected. */
const opened = new Set<DatabaseSync>()

const open = (directory: string): DatabaseSync => {
  const file = new DatabaseSync(join(directory, lockFile), { timeout: 0 })
  opened.add(file)
  return file
}

const close = (file: DatabaseSync): void => {
  opened.delete(file)
  file.close()
}

const isBusy = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "errcode") && Predicate.isNumber(cause.errcode) &&
  (cause.errcode & 0xff) === 5

const Owner = Schema.fromJsonString(Schema.Struct({ ...ownerFields, since: Schema.String }))

export interface Announced {
  readonly url: string
  readonly secret: string
  readonly searches: typeof Searched.Type
}

/** Commands of the machine call this address instead of opening the directory. */
export const announce = Effect.fnUntraced(function*(directory: string, at: Announced) {
  const since = DateTime.formatIso(yield* DateTime.now)
  yield* Effect.try({
    try: () => writeOwner(directory, since, at),
    catch: (cause) => new DirectoryUnusable({ directory, problem: problemOf(cause) })
  })
})

/** Written to a temporary file and renamed, so that a reader never finds half a record. */
const writeOwner = (directory: string, since: string, at?: Announced): void => {
  const owner = { pid: process.pid, host: hostname(), since, ...at }
  const aside = join(directory, `${ownerFile}.${process.pid}`)
  writeFileSync(aside, Schema.encodeSync(Owner)(owner), { mode: 0o600 })
  renameSync(aside, join(directory, ownerFile))
}

const held = (directory: string): DirectoryHeld => {
  const owner = Option.flatMap(
    Option.liftThrowable(() => readFileSync(join(directory, ownerFile), "utf8"))(),
    Schema.decodeOption(Owner)
  )
  const unknown: typeof Owner.Type = { pid: 0, host: hostname(), since: "" }
  const { host, pid, since: _since, ...at } = Option.getOrElse(owner, () => unknown)
  // Another host's loopback is not this one's.
  return new DirectoryHeld({ directory, pid, host, ...(host === hostname() ? at : {}) })
}

const problemOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "message") ? String(cause.message) : "unknown"
