/**
 * One owner for an embedded database's directory, because two would silently lose data.
 *
 * The kernel keeps the lock: an exclusive transaction of SQLite on an empty file. It ends with the
 * process however that dies, cannot be taken from a process that only hangs, and is seen across
 * the containers and mounts of one machine. A record beside it says whom to ask.
 */
import { DateTime, Effect, Option, Predicate, Schema, type Scope } from "effect"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { dirname, join, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"

/** Another process, or this one, has the directory open. */
export class DirectoryHeld extends Schema.TaggedError<DirectoryHeld>()("DirectoryHeld", {
  directory: Schema.String,
  /** 0: the holder has not written its record yet. */
  pid: Schema.Int,
  host: Schema.String
}) {
  override get message(): string {
    return `The data directory ${this.directory} is already open in process ${this.pid} on ` +
      `${this.host}: stop it first, or use another directory.`
  }
}

/** The directory cannot be made, written or locked. */
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

/** Holds the directory until the scope closes, making it if need be. Never waits. */
export const acquire = Effect.fnUntraced(function*(
  directory: string
): Effect.fn.Return<void, DirectoryHeld | DirectoryUnusable, Scope.Scope> {
  const unusable = (cause: unknown) =>
    new DirectoryUnusable({ directory, problem: problemOf(cause) })
  const file = yield* Effect.acquireRelease(
    Effect.try({ try: () => open(directory), catch: unusable }),
    (file) => Effect.sync(() => file.close())
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

/** Level by level: the recursive form never ends below `/proc` (Node 24). */
const makeDirectory = (directory: string): void => {
  if (existsSync(directory)) return
  makeDirectory(dirname(directory))
  mkdirSync(directory)
}

const open = (directory: string): DatabaseSync => {
  makeDirectory(resolve(directory))
  return new DatabaseSync(join(directory, lockFile), { timeout: 0 })
}

/** SQLITE_BUSY, also in its extended forms. */
const isBusy = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "errcode") && Predicate.isNumber(cause.errcode) &&
  (cause.errcode & 0xff) === 5

const Owner = Schema.fromJsonString(
  Schema.Struct({ pid: Schema.Int, host: Schema.String, since: Schema.String })
)

/** Written aside and renamed, so that a reader never finds half a record. */
const writeOwner = (directory: string, since: string): void => {
  const owner = { pid: process.pid, host: hostname(), since }
  const aside = join(directory, `${ownerFile}.${process.pid}`)
  writeFileSync(aside, Schema.encodeSync(Owner)(owner))
  renameSync(aside, join(directory, ownerFile))
}

const held = (directory: string): DirectoryHeld => {
  const owner = Option.flatMap(
    Option.liftThrowable(() => readFileSync(join(directory, ownerFile), "utf8"))(),
    Schema.decodeOption(Owner)
  )
  return new DirectoryHeld({
    directory,
    pid: Option.match(owner, { onNone: () => 0, onSome: ({ pid }) => pid }),
    host: Option.match(owner, { onNone: hostname, onSome: ({ host }) => host })
  })
}

const problemOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "message") ? String(cause.message) : "unknown"
