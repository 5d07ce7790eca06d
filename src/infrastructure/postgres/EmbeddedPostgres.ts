/**
 * PostgreSQL inside this process: PGlite, spoken to by the same driver over an in-process stream.
 *
 * Survives the process's death, not a power loss: PGlite never reaches fsync. It runs in our event
 * loop, one statement at a time, so its own timeouts have no effect.
 */
import { PGlite } from "@electric-sql/pglite"
import { vector } from "@electric-sql/pglite-pgvector"
import { Effect, Layer, Predicate, Schema } from "effect"
import { join } from "node:path"
import { Duplex } from "node:stream"
import { setFlagsFromString } from "node:v8"
import * as DirectoryLock from "./DirectoryLock.ts"
import * as FirstStart from "./FirstStart.ts"
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
 * Keeps V8 from compiling PGlite a second time for speed: its largest function alone takes 0.6 s of
 * a processor and 600 MB, as soon as the database opens. Statements take as long without; a scan of
 * many rows takes 1.6 times as long.
 */
const compiledOnce = Effect.sync(() => {
  for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag)
})

/** Pages that the database keeps in memory of its own; files lie in the system's memory as well. */
const sharedBuffers = "32MB"

const startParams = [...PGlite.defaultStartParams, "-c", `shared_buffers=${sharedBuffers}`]

/** Embedded PostgreSQL with its data in `directory`, which it alone may use while it is open. */
export const layer = ({ directory }: { readonly directory: string }) =>
  Layer.effect(
    Postgres.Postgres,
    Effect.gen(function*() {
      yield* DirectoryLock.acquire(directory)
      yield* compiledOnce
      const dataDir = join(directory, "data")
      yield* FirstStart.prepare(dataDir).pipe(
        Effect.mapError((cause) =>
          new EmbeddedPostgresFailed({ directory, reason: reasonOf(cause, directory), cause })
        )
      )
      return yield* open(directory, dataDir)
    })
  )

/** Embedded PostgreSQL in memory, forgotten with the scope. */
export const layerMemory = Layer.effect(
  Postgres.Postgres,
  Effect.andThen(compiledOnce, Effect.suspend(() => open("memory", "memory://")))
)

const open = Effect.fnUntraced(function*(directory: string, dataDir: string) {
  const database = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => PGlite.create(dataDir, { extensions: { vector }, startParams }),
      catch: (cause) =>
        new EmbeddedPostgresFailed({ directory, reason: reasonOf(cause, directory), cause })
    }),
    (database) => Effect.ignore(Effect.tryPromise(() => database.close()))
  )
  const pool = yield* Pool.acquire({
    max: 1,
    user: "postgres",
    database: "postgres",
    stream: () => new Wire(database),
    // A reconnected client would meet the statements of the one before: there is one session.
    onConnect: (client) => client.query("rollback; deallocate all")
  })
  return Postgres.make(pool)
})

/** ENOSPC and EDQUOT as the embedded database numbers them (WASI), without a message. */
const noSpaceErrnos: ReadonlyArray<unknown> = [51, 19]

/**
 * Reason of a failed start, for the operator. It asks the disk as well: the embedded database may
 * fail of a full one in other words.
 */
export const reasonOf = (cause: unknown, directory: string): string => {
  const errno = Predicate.hasProperty(cause, "errno") ? cause.errno : undefined
  if (noSpaceErrnos.includes(errno) || PrivateDirectory.isFull(directory)) {
    return `no space left on ${directory}`
  }
  const message = Predicate.hasProperty(cause, "message") ? String(cause.message ?? "") : ""
  return message === "" ? `error ${String(errno ?? "without a reason")}` : message
}

/**
 * Stream that the driver takes for a socket. Each batch of messages it writes is executed in one
 * go.
 */
class Wire extends Duplex {
  readonly #database: PGlite

  constructor(database: PGlite) {
    super()
    this.#database = database
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#execute(chunk, done)
  }

  override _writev(chunks: Array<{ readonly chunk: Buffer }>, done: Done): void {
    this.#execute(Buffer.concat(chunks.map(({ chunk }) => chunk)), done)
  }

  #execute(message: Uint8Array, done: Done): void {
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

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}

type Done = (error?: Error | null) => void
