/** One question after the other to one model, with what it took. */
import { Clock, Effect, Ref, Result } from "effect"
import { EngineFailed } from "../../src/application/ports/Engines.ts"
import { UsageMeter } from "../../src/application/ports/Limits.ts"

/** One answer, its repair included. */
const askMsMax = 120_000
const nanosInMs = 1_000_000
/** At a time: a real server limits its callers. */
const asksMax = 2

/** What the answers of one task took. */
export interface Cost {
  readonly asked: number
  /** Answers in the form that was asked for, the repaired included. */
  readonly fitting: number
  /** Of the others, each reason with its number. */
  readonly failures: Readonly<Record<string, number>>
  /** Sent, repairs included. */
  readonly requests: number
  /** Of an answer, in milliseconds. */
  readonly medianMs: number
  /** Of all answers, as the server counts them; 0 where it reports none. */
  readonly promptTokens: number
  readonly completionTokens: number
}

export interface Answered<Input, Answer> {
  readonly input: Input
  /** `undefined`: none that fits. */
  readonly answer: Answer | undefined
}

interface Taken {
  readonly ms: number
  readonly requests: number
  readonly promptTokens: number
  readonly completionTokens: number
}

const nothing: Taken = { ms: 0, requests: 0, promptTokens: 0, completionTokens: 0 }

export const all = Effect.fnUntraced(
  function*<Input, Answer>(
    inputs: ReadonlyArray<Input>,
    ask: (input: Input) => Effect.Effect<Answer, EngineFailed>
  ) {
    const answers = yield* Effect.forEach(inputs, (input) => one(input, ask), {
      concurrency: asksMax
    })
    const reasons = Map.groupBy(
      answers.flatMap(({ result }) => Result.isFailure(result) ? [result.failure] : []),
      ({ detail, reason }) => detail === undefined ? reason : `${reason} ${detail}`
    )
    const sum = (of: (taken: Taken) => number) =>
      answers.reduce((total, { taken }) => total + of(taken), 0)
    const cost: Cost = {
      asked: inputs.length,
      fitting: answers.filter(({ result }) => Result.isSuccess(result)).length,
      failures: Object.fromEntries(Array.from(reasons, ([name, list]) => [name, list.length])),
      requests: sum(({ requests }) => requests),
      medianMs: median(answers.map(({ taken }) => taken.ms)),
      promptTokens: sum(({ promptTokens }) => promptTokens),
      completionTokens: sum(({ completionTokens }) => completionTokens)
    }
    return {
      cost,
      answers: answers.map(({ input, result }): Answered<Input, Answer> => ({
        input,
        answer: Result.isSuccess(result) ? result.success : undefined
      }))
    }
  }
)

const one = Effect.fnUntraced(
  function*<Input, Answer>(
    input: Input,
    ask: (input: Input) => Effect.Effect<Answer, EngineFailed>
  ) {
    const taken = yield* Ref.make(nothing)
    const start = yield* Clock.currentTimeNanos
    const result = yield* ask(input).pipe(
      Effect.timeoutOrElse({
        duration: askMsMax,
        orElse: () => Effect.fail(new EngineFailed({ engine: "openai", reason: "timeout" }))
      }),
      Effect.result,
      Effect.provideService(UsageMeter, (usage) =>
        Ref.update(taken, (so) => ({
          ...so,
          requests: so.requests + usage.requests,
          promptTokens: so.promptTokens + (usage.prompt_tokens ?? 0),
          completionTokens: so.completionTokens + (usage.completion_tokens ?? 0)
        })))
    )
    const ms = Number((yield* Clock.currentTimeNanos) - start) / nanosInMs
    return { input, result, taken: { ...yield* Ref.get(taken), ms } }
  }
)

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0
