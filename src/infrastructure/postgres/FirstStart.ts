/**
 * Prepares the files of an embedded database that does not exist yet.
 *
 * PGlite's initdb holds its event loop for seconds, so it runs in a worker: the process hears a
 * signal meanwhile. The files are made aside and renamed when they are whole. An interrupted start
 * leaves no half-made database, and one that was killed leaves files that the next start removes.
 */
import { Console, Effect, Schema } from "effect"
import { existsSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { Worker } from "node:worker_threads"

/** Answer of the worker: `undefined` when the files are whole, else what failed. */
const Failure = Schema.UndefinedOr(Schema.Struct({
  message: Schema.optionalKey(Schema.String),
  /** Number of a file-system error, as the embedded database gives it. */
  errno: Schema.optionalKey(Schema.Int)
}))

const extension = import.meta.url.endsWith(".ts") ? "ts" : "js"
const source = new URL(`./FirstStartWorker.${extension}`, import.meta.url)

/**
 * Makes the database in `dataDir` when nothing is there, and says so on standard error before it
 * begins. Fails with the worker's failure. The caller holds the lock of the directory above.
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

/** Interruption ends the worker, whatever it is doing. */
const made = (directory: string): Effect.Effect<void, unknown> =>
  Effect.callback((resume) => {
    const worker = new Worker(source, { workerData: directory })
    worker.once("message", (answer: unknown) => {
      const failure = Schema.decodeUnknownSync(Failure)(answer)
      resume(failure === undefined ? Effect.void : Effect.fail(failure))
    })
    worker.once("error", (cause) => resume(Effect.fail(cause)))
    // After an answer this says nothing any more.
    worker.once("exit", () => resume(Effect.fail({ message: "its preparation ended early" })))
    return Effect.promise(() => worker.terminate())
  })
