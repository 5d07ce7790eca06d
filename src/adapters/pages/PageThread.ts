/**
 * One worker that reads pages, behind effects. Whoever interrupts a reading has to stop the worker:
 * it is not to be reused while it may still be busy.
 *
 * The worker gets no environment and no output: a page's parser needs no key, and says nothing.
 */
import { Effect, Schema } from "effect"
import { type ResourceLimits, Worker } from "node:worker_threads"
import { ExtractionFailed } from "./ExtractedPage.ts"
import { PageAnswer } from "./PageAnswer.ts"
import type { PageDocument } from "./PageDocument.ts"

/** The heap of one worker; what it keeps outside of the heap has a bound of its own. */
const resourceLimits: ResourceLimits = {
  maxOldGenerationSizeMb: 192,
  maxYoungGenerationSizeMb: 32,
  stackSizeMb: 4
}
/** Buffers outside of the heap, as of the streams in a PDF. */
const outsideBytesMax = 192 * 1_048_576
const memoryCheckMs = 50

/** The sources are run as they are; what was built from them stands beside this file as well. */
const source = new URL(
  import.meta.url.endsWith(".ts") ? "./PageWorker.ts" : "./PageWorker.js",
  import.meta.url
)

export type PageThread = Worker

export const start: Effect.Effect<PageThread> = Effect.sync(() => {
  const worker = new Worker(source, {
    env: {},
    execArgv: [],
    resourceLimits,
    stdout: true,
    stderr: true
  })
  worker.stdout.resume()
  worker.stderr.resume()
  // An error without a listener would end the process; who reads a page has listeners of his own.
  worker.on("error", () => {})
  // An idle worker does not keep the process alive.
  worker.unref()
  return worker
})

/** Ends it wherever it is, even in the middle of a page. */
export const stop = (worker: PageThread): Effect.Effect<void> =>
  Effect.promise(() => worker.terminate()).pipe(Effect.asVoid)

export const isAlive = (worker: PageThread): boolean => worker.threadId >= 0

/** One document at a time. Fails with `out_of_memory` or `crashed` when the worker is lost. */
export const read = (
  worker: PageThread,
  document: PageDocument
): Effect.Effect<PageAnswer, ExtractionFailed> =>
  Effect.raceFirst(answerOf(worker, document), memoryWatch(worker))

const decode = Schema.decodeUnknownOption(PageAnswer)

const answerOf = (worker: PageThread, document: PageDocument) =>
  nextMessage(worker, () => worker.postMessage(document)).pipe(
    Effect.flatMap((message) => Effect.fromOption(decode(message))),
    Effect.catchTag("NoSuchElementError", () => new ExtractionFailed({ reason: "crashed" }))
  )

/** A new worker says once that it has loaded; to be waited for before its first page. */
export const loaded = (worker: PageThread): Effect.Effect<void, ExtractionFailed> =>
  Effect.asVoid(nextMessage(worker, () => {}))

const nextMessage = (worker: PageThread, begin: () => void) =>
  Effect.callback<unknown, ExtractionFailed>((resume) => {
    const settle = (answer: Effect.Effect<unknown, ExtractionFailed>) => {
      forget()
      resume(answer)
    }
    const fail = (reason: ExtractionFailed["reason"]) =>
      settle(Effect.fail(new ExtractionFailed({ reason })))
    const onMessage = (message: unknown) => settle(Effect.succeed(message))
    const onError = (error: unknown) => fail(isOutOfMemory(error) ? "out_of_memory" : "crashed")
    const onExit = () => fail("crashed")
    const forget = () => worker.off("message", onMessage).off("error", onError).off("exit", onExit)
    worker.on("message", onMessage).on("error", onError).on("exit", onExit)
    worker.ref()
    begin()
    return Effect.sync(forget)
  })

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

/** The limits of a worker do not count buffers, so that they are looked at from here. */
const memoryWatch = (worker: PageThread): Effect.Effect<never, ExtractionFailed> =>
  Effect.sleep(memoryCheckMs).pipe(
    Effect.andThen(Effect.tryPromise(() => worker.getHeapStatistics())),
    // A worker that has just ended has no statistics; its end is told by its events.
    Effect.map(({ external_memory }) => external_memory),
    Effect.orElseSucceed(() => 0),
    Effect.flatMap((bytes) =>
      bytes > outsideBytesMax
        ? Effect.fail(new ExtractionFailed({ reason: "out_of_memory" }))
        : Effect.void
    ),
    Effect.forever
  )
