/**
 * Starts the processes of a service that uses several cores, and keeps them: they share its port,
 * one that ends is replaced, and one that answers no more is killed and replaced. They end with the
 * scope, each in its own order.
 *
 * This process answers no call and opens no database. When it is killed, the others end with it.
 */
import { Deferred, Effect, FiberSet, Option, Schema } from "effect"
import cluster, { type Worker } from "node:cluster"
import { type Asked, type ProcessText, toldFrom } from "./ProcessMessages.ts"
import { numberName } from "./ServiceProcess.ts"

/** A process ended before it served. It has said why. */
export class ProcessNotStarted extends Schema.TaggedError<ProcessNotStarted>()(
  "ProcessNotStarted",
  { number: Schema.Int, ended: Schema.String }
) {
  override get message(): string {
    return `Process ${this.number} of the service ended with ${this.ended} before it served`
  }
}

export interface ProcessesOptions {
  readonly count: number
  /** Milliseconds that a process has to end once it is told to; then it is killed. */
  readonly endMsMax: number
  /** Milliseconds without a sign of life after which a process is killed. */
  readonly silenceMsMax: number
}

/** Milliseconds between two questions whether a process is alive. */
const askMs = 2_000
const replaceAfter = "1 second"
/**
 * Milliseconds in which texts of metrics are gathered: longer than a scrape of one process waits
 * for a database that does not answer.
 */
const gatherWaitMs = 4_000

interface Round {
  readonly texts: Array<typeof ProcessText.Type>
  readonly expected: number
  readonly done: Deferred.Deferred<void>
}

/** Starts them all. Gives the address of the service once each of them serves. */
export const started = Effect.fnUntraced(function*(options: ProcessesOptions) {
  const serving = new Map<number, Worker>()
  const rounds = new Map<number, Round>()
  let roundsBegun = 0
  const run = yield* FiberSet.makeRuntime<never>()

  const ask = (worker: Worker, message: typeof Asked.Type): void => {
    if (worker.isConnected()) worker.send(message, () => {})
  }

  /** Answers a process that wants the texts of all, with those that came in time. */
  const gather = Effect.fnUntraced(function*(asker: Worker, id: number) {
    const round = roundsBegun += 1
    const done = yield* Deferred.make<void>()
    const gathered: Round = { texts: [], expected: serving.size, done }
    rounds.set(round, gathered)
    for (const worker of serving.values()) ask(worker, { _tag: "TextWanted", round })
    yield* Effect.timeoutOption(Deferred.await(done), gatherWaitMs)
    rounds.delete(round)
    const texts = gathered.texts.toSorted((left, right) => left.number - right.number)
    ask(asker, { _tag: "Texts", id, texts })
  })

  const keep = (number: number, firstServing: Deferred.Deferred<string, ProcessNotStarted>) => {
    /** One process of that number, from its start to its end. */
    const life = Effect.gen(function*() {
      const worker = yield* Effect.acquireRelease(
        Effect.sync(() => cluster.fork({ [numberName]: String(number) })),
        (worker) => ending(worker, options.endMsMax)
      )
      let unanswered = 0
      worker.on("message", (message: unknown) => {
        Option.map(toldFrom(message), (told) => {
          switch (told._tag) {
            case "Serving":
              serving.set(number, worker)
              run(Deferred.succeed(firstServing, told.address))
              return
            case "Alive":
              unanswered = 0
              return
            case "TextsWanted":
              run(gather(worker, told.id))
              return
            case "Text": {
              const round = rounds.get(told.round)
              if (round === undefined) return
              round.texts.push({ number, text: told.text })
              if (round.texts.length === round.expected) {
                run(Deferred.succeed(round.done, undefined))
              }
            }
          }
        })
      })
      const watch = Effect.gen(function*() {
        yield* Effect.sleep(askMs)
        // Questions count, not time: a machine that slept wakes everybody at once.
        if (!serving.has(number) || unanswered * askMs < options.silenceMsMax) {
          unanswered += 1
          return ask(worker, { _tag: "AreYouAlive" })
        }
        yield* Effect.logError("a process answers no more and is killed", { process: number })
        worker.process.kill("SIGKILL")
      })
      const ended = yield* Effect.raceFirst(endOf(worker), Effect.forever(watch))
      serving.delete(number)
      return ended
    }).pipe(Effect.scoped)

    return Effect.flatMap(life, (ended) =>
      Effect.flatMap(
        Deferred.fail(firstServing, new ProcessNotStarted({ number, ended })),
        (hasNeverServed) =>
          hasNeverServed
            ? Effect.never
            : Effect.logWarning("a process of the service ended and is replaced", {
              process: number,
              ended
            }).pipe(Effect.andThen(Effect.sleep(replaceAfter)))
      )).pipe(Effect.forever)
  }

  const numbers = Array.from({ length: options.count }, (_, index) => index + 1)
  const places = yield* Effect.forEach(numbers, (number) =>
    Effect.map(
      Deferred.make<string, ProcessNotStarted>(),
      (firstServing) => ({ number, firstServing })
    ))
  // One fiber for all: the scope ends its fibers one after the other.
  yield* Effect.forEach(places, ({ firstServing, number }) => keep(number, firstServing), {
    concurrency: "unbounded",
    discard: true
  }).pipe(Effect.forkScoped)
  const addresses = places.map(({ firstServing }) => Deferred.await(firstServing))
  const [address = ""] = yield* Effect.all(addresses, { concurrency: "unbounded" })
  return address
})

/** How the process ended: `exit code 1`, or the name of a signal. */
const endOf = (worker: Worker) =>
  Effect.callback<string>((resume) => {
    const end = (code: number | null, signal: string | null) =>
      resume(Effect.succeed(signal ?? `exit code ${code}`))
    worker.once("exit", end)
    return Effect.sync(() => worker.off("exit", end))
  })

/** Tells a process to end and waits for it, at most so long. */
const ending = (worker: Worker, endMsMax: number) =>
  Effect.suspend(() => {
    if (worker.isDead()) return Effect.void
    worker.process.kill("SIGTERM")
    return endOf(worker).pipe(
      Effect.timeoutOption(endMsMax),
      Effect.tap((ended) =>
        Effect.sync(() => {
          if (Option.isNone(ended)) worker.process.kill("SIGKILL")
        })
      )
    )
  })
