/**
 * Tells the processes of a service that uses several cores who they are, and links each to the
 * process that started it.
 */
import { Config, Deferred, Effect, FiberSet, Option } from "effect"
import cluster from "node:cluster"
import { askedFrom, type ProcessText, type Told } from "./ProcessMessages.ts"

/** Name in the environment under which a process finds its number. */
export const numberName = "WG_PROCESS"

/** Says whether another process started this one as one of several of a service. */
export const isOneOfSeveral: boolean = cluster.isWorker

/** Number of this process among those of its service, from 1. */
export const ownNumber: Effect.Effect<number> = isOneOfSeveral
  ? Effect.orDie(Config.Int(numberName))
  : Effect.succeed(1)

/** Milliseconds that the texts of all processes are waited for: longer than they are gathered. */
const textsWaitMs = 5_000

const tell = (message: typeof Told.Type): Effect.Effect<void> =>
  Effect.sync(() => {
    // Nobody is there to be told once the link has ended, and the process ends then, too.
    if (process.connected) process.send?.(message, () => {})
  })

/** Tells that this process serves at the address. */
export const tellServing = (address: string): Effect.Effect<void> =>
  tell({ _tag: "Serving", address })

/**
 * Answers the process that started this one until the scope closes. Gives the effect that gathers
 * the text of every process of the service; without an answer in 5 s it is this one's alone.
 */
export const linked = Effect.fnUntraced(function*(text: Effect.Effect<string>) {
  const number = yield* ownNumber
  const run = yield* FiberSet.makeRuntime<never>()
  const waiting = new Map<number, Deferred.Deferred<ReadonlyArray<typeof ProcessText.Type>>>()
  let asked = 0

  const answer = (message: unknown): void =>
    Option.match(askedFrom(message), {
      onNone: () => {},
      onSome: (question) => {
        switch (question._tag) {
          case "AreYouAlive":
            run(tell({ _tag: "Alive" }))
            return
          case "TextWanted":
            run(Effect.flatMap(text, (text) => tell({ _tag: "Text", round: question.round, text })))
            return
          case "Texts": {
            const done = waiting.get(question.id)
            if (done !== undefined) run(Deferred.succeed(done, question.texts))
          }
        }
      }
    })
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("message", answer)),
    () => Effect.sync(() => process.off("message", answer))
  )

  return Effect.suspend(() => {
    const id = asked += 1
    const done = Deferred.makeUnsafe<ReadonlyArray<typeof ProcessText.Type>>()
    waiting.set(id, done)
    return Effect.andThen(tell({ _tag: "TextsWanted", id }), Deferred.await(done)).pipe(
      Effect.timeoutOrElse({
        duration: textsWaitMs,
        orElse: () => Effect.map(text, (text) => [{ number, text }])
      }),
      Effect.ensuring(Effect.sync(() => waiting.delete(id)))
    )
  })
})
