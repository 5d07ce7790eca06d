/**
 * PostgreSQL inside this process: PGlite, over an in-process stream. Survives the process's death,
 * not a power loss: PGlite never reaches fsync. One statement at a time in our event loop: its own
 * timeouts have no effect.
 */
import { PGlite } from "@electric-sql/pglite"
import { vector } from "@electric-sql/pglite-pgvector"
import { Console, Effect, Layer, Predicate, Schema } from "effect"
import { existsSync, renameSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { Duplex } from "node:stream"
import { setFlagsFromString } from "node:v8"
import { Worker } from "node:worker_threads"
import * as DirectoryLock from "./DirectoryLock.ts"
import * as Pool from "./Pool.ts"
import * as Postgres from "./Postgres.ts"
import * as PrivateDirectory from "./PrivateDirectory.ts"

/** The embedded database did not start. `reason` is half a sentence for the operator. */
export class EmbeddedPostgresFailed
  extends Schema.TaggedError<EmbeddedPostgresFailed>()("EmbeddedPostgresFailed", {
    directory: Schema.String,
    reason: Schema.String,
    cause: Schema.Defect()
  })
{
  override get message(): string {
    return `The embedded database in ${this.directory} did not start: ${this.reason}`
  }
}

/**
 * PGlite's largest function alone, optimised a second time, takes 0.6 s of CPU and 600 MB as soon
 * as the database opens. Without it a scan of many rows takes 1.6 times as long.
 */
const compiledOnce = Effect.sync(() => {
  for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag)
})

/** Shared buffers; the files are also in the page cache. */
const sharedBuffers = "32MB"

const startParams = [...PGlite.defaultStartParams, "-c", `shared_buffers=${sharedBuffers}`]

/** Embedded PostgreSQL with its data in `directory`, which must be exclusive while open. */
export const layer = ({ directory }: { readonly directory: string }) =>
  Layer.effect(
    Postgres.Postgres,
    Effect.gen(function*() {
      yield* DirectoryLock.acquire(directory)
      yield* compiledOnce
      const dataDir = join(directory, "data")
      yield* Effect.mapError(prepare(dataDir), failedIn(directory))
      return yield* open(directory, dataDir)
    })
  )

export const layerMemory = Layer.effect(
  Postgres.Postgres,
  Effect.andThen(compiledOnce, Effect.suspend(() => open("memory", "memory://")))
)

const open = Effect.fnUntraced(function*(directory: string, dataDir: string) {
  const database = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => PGlite.create(dataDir, { extensions: { vector }, startParams }),
      catch: failedIn(directory)
    }),
    (database) => Effect.ignore(Effect.tryPromise(() => database.close()))
  )
  const pool = yield* Pool.acquire({
    max: 1,
    user: "postgres",
    database: "postgres",
    stream: () => new Wire(database),
    // There is one session: a reconnected client would meet the previous one's statements.
    onConnect: (client) => client.query("rollback; deallocate all")
  })
  return Postgres.make(pool)
})

const failedIn = (directory: string) => (cause: unknown) =>
  new EmbeddedPostgresFailed({ directory, reason: reasonOf(cause, directory), cause })

/** ENOSPC and EDQUOT as PGlite (WASI) numbers them, without a message. */
const noSpaceErrnos: ReadonlyArray<unknown> = [51, 19]

/** Checks the disk too: PGlite may report a full one in other words. */
export const reasonOf = (cause: unknown, directory: string): string => {
  const errno = Predicate.hasProperty(cause, "errno") ? cause.errno : undefined
  if (noSpaceErrnos.includes(errno) || PrivateDirectory.isFull(directory)) {
    return `no space left on ${directory}`
  }
  const message = Predicate.hasProperty(cause, "message") ? String(cause.message ?? "") : ""
  return message === "" ? `error ${String(errno ?? "without a reason")}` : message
}

/** Stream used by the driver as its socket. Each batch of messages is executed in one step. */
class Wire extends Duplex {
  readonly #database: PGlite

  constructor(database: PGlite) {
    super()
    this.#database = database
  }

  override _read(): void {}

  override _writev(chunks: Array<{ readonly chunk: Buffer }>, done: Done): void {
    const message = Buffer.concat(chunks.map(({ chunk }) => chunk))
    this.#database.runExclusive(() =>
      this.#database.execProtocolRawStream(message, {
        onRawData: (data) => this.push(Buffer.from(data))
      })
    ).then(() => done(), done)
  }

  connect(): this {
    queueMicrotask(() => this.emit("connect"))
    return this
  }

  readonly setNoDelay = (): this => this
  readonly setKeepAlive = (): this => this
  readonly ref = (): this => this
  readonly unref = (): this => this
}

type Done = (error?: Error | null) => void

// PGlite's initdb blocks its event loop for seconds, so it runs in a worker. Files are made in a
// temporary directory and renamed when complete: an interrupted start leaves no half-made database;
// files of a killed one are removed at the next start.

const Failure = Schema.UndefinedOr(Schema.Struct({
  message: Schema.optionalKey(Schema.String),
  /** File-system error number from PGlite. */
  errno: Schema.optionalKey(Schema.Int)
}))

const extension = import.meta.url.endsWith(".ts") ? "ts" : "js"
const source = new URL(`./FirstStartWorker.${extension}`, import.meta.url)

/**
 * Makes the database in `dataDir` if it is empty, and says so on standard error. The caller holds
 * the lock of the parent directory.
 */
export const prepare = (dataDir: string): Effect.Effect<void, unknown> =>
  Effect.suspend(() => {
    if (existsSync(dataDir)) return Effect.void
    const aside = `${dataDir}.new`
    const remove = Effect.sync(() => rmSync(aside, { recursive: true, force: true }))
    return Console.error(`Preparing ${dirname(dataDir)} (once, some seconds) …`).pipe(
      Effect.andThen(remove),
      Effect.andThen(Effect.onInterrupt(made(aside), () => remove)),
      Effect.andThen(Effect.try({
        try: () => renameSync(aside, dataDir),
        catch: (cause) => cause
      }))
    )
  })

const made = (directory: string): Effect.Effect<void, unknown> =>
  Effect.callback((resume) => {
    const worker = new Worker(source, { workerData: directory })
    worker.once("message", (answer: unknown) => {
      const failure = Schema.decodeUnknownSync(Failure)(answer)
      resume(failure === undefined ? Effect.void : Effect.fail(failure))
    })
    worker.once("error", (cause) => resume(Effect.fail(cause)))
    worker.once("exit", () => resume(Effect.fail({ message: "its preparation ended early" })))
    return Effect.promise(() => worker.terminate())
  })
