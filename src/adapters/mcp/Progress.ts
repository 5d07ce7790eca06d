/** Each fact that is recorded for a call, told to the client that asked for progress. */
import { type Cause, Effect, Fiber, Queue, Stream } from "effect"
import { McpRequestContext } from "effect/ai/McpSchema"
import { McpServer } from "effect/ai/McpServer"
import type { Report } from "../../application/GroundQuestion.ts"
import { waitingFactsMax } from "../../application/ports/Limits.ts"

/** How long an answer waits for the facts before it. */
const lastFactsMsMax = 1_000

/** Runs `use` with a report. The messages are names of facts, never words of the web. */
export const reporting = Effect.fnUntraced(function*<A, E>(
  use: (report: Report) => Effect.Effect<A, E>
) {
  const { notifications } = yield* McpServer
  const { requestMetadata } = yield* McpRequestContext
  const token: unknown = requestMetadata?.["progressToken"]
  if (typeof token !== "string" && typeof token !== "number") {
    return yield* use(() => Effect.void)
  }
  const facts = yield* Queue.dropping<string, Cause.Done>(waitingFactsMax)
  const telling = yield* Stream.fromQueue(facts).pipe(
    Stream.zipWithIndex,
    Stream.runForEach(([message, index]) =>
      notifications["notifications/progress"]({
        progressToken: token,
        progress: index + 1,
        message
      })
    ),
    Effect.forkScoped
  )
  const answer = yield* use(({ stored }) => Effect.asVoid(Queue.offer(facts, stored.type)))
  yield* Queue.end(facts)
  yield* Effect.timeoutOption(Fiber.await(telling), lastFactsMsMax)
  return answer
}, Effect.scoped)
