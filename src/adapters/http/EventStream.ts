/** An answer that goes on: begun with its first frame, so that an early failure has a status. */
import { Deferred, Effect, Schedule, Scope } from "effect"
import type { HttpServerResponse } from "effect/http"
import { InternalFailure, type PublicFailure } from "../../contract/PublicFailure.ts"
import type { Answer } from "../../infrastructure/http/WaitingAnswers.ts"
import * as Problem from "./Problem.ts"
import * as Progress from "./Progress.ts"

/** Milliseconds after which the answer begins even without a frame. */
const openMsMax = 1_000
/** Intermediaries end what is silent for longer. */
const heartbeatEvery = "10 seconds"
/** Milliseconds after which a caller whose connection broke should ask again. */
const retryMs = 1_000

export const contentType = "text/event-stream"

/**
 * Streams a run's frames as the answer. Fails, and no stream begins, where the run failed before
 * its first frame.
 */
export const answer = Effect.fnUntraced(function*<E extends PublicFailure, R>(
  { end, response, write }: Answer,
  run: (write: Progress.Write) => Effect.Effect<void, E, R>,
  headers: Readonly<Record<string, string>>
): Effect.fn.Return<HttpServerResponse.HttpServerResponse, E, R | Scope.Scope> {
  const scope = yield* Scope.Scope
  const opened = yield* Deferred.make<void, E>()
  const open = Effect.asVoid(Deferred.succeed(opened, undefined))
  const written: Progress.Write = (frame) => Effect.andThen(write(frame), open)

  yield* write(`retry: ${retryMs}\n\n`)
  const failed = (failure: PublicFailure) =>
    write(Progress.frameOf("failed", Problem.problemOf(failure)))
  yield* run(written).pipe(
    Effect.catch((failure) =>
      Effect.flatMap(
        Deferred.fail(opened, failure),
        (isFirst) => isFirst ? Effect.void : failed(failure)
      )
    ),
    Effect.catchDefect((defect) =>
      Effect.andThen(Effect.logError("a bug", defect), failed(new InternalFailure()))
    ),
    Effect.ensuring(Effect.andThen(open, end)),
    Effect.forkIn(scope)
  )
  yield* Effect.timeoutOption(Deferred.await(opened), openMsMax)
  yield* open
  yield* Deferred.await(opened)
  yield* Effect.forkIn(
    Effect.delay(Effect.repeat(write(": \n\n"), Schedule.spaced(heartbeatEvery)), heartbeatEvery),
    scope
  )
  return response({ contentType, headers })
})
