/**
 * Asks a model on a server that speaks OpenAI's chat completions for a checked value. What the
 * server accepts is learnt and remembered. An answer that does not fit is sent back once with the
 * decoder's complaint. Nothing else is tried again: retries belong to the use case.
 */
import { Effect, Option, Redacted, Ref, Result, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { EngineFailed, type EngineInfo } from "../../application/ports/Engines.ts"
import { UsageMeter } from "../../application/ports/Limits.ts"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"
import * as ChatAnswer from "./ChatAnswer.ts"
import * as ChatFault from "./ChatFault.ts"
import { bodyOf, type ChatTask } from "./ChatRequest.ts"
import * as JsonText from "./JsonText.ts"
import * as ServerHabits from "./ServerHabits.ts"

export const engine = "openai"

/**
 * Bytes of an answer after decompression, at most. A thousand tokens are about 4 kB; thinking aloud
 * takes more.
 */
export const bodyBytesMax = 2 * 1024 * 1024
/** Longest complaint that goes back to the model, in UTF-16 code units. */
const complaintCharsMax = 600
/** Longest answer that goes back with the complaint, in UTF-16 code units. */
const answerCharsMax = 8_000

/** US dollars for a million tokens, which is millionths of a dollar for one. */
export interface Prices {
  readonly prompt: number
  readonly completion: number
}

export interface ChatModelOptions {
  /** Address below which `/chat/completions` lies, with or without a trailing slash. */
  readonly baseUrl: string
  /** None: nothing is sent in its place, as local servers want it. */
  readonly apiKey: Option.Option<Redacted.Redacted<string>>
  readonly model: string
  readonly prices: Option.Option<Prices>
}

export interface ChatModel {
  readonly model: string
  /** Interrupting it closes the socket. What it used is charged to the step's meter. */
  readonly ask: <A>(task: ChatTask<A>) => Effect.Effect<A, EngineFailed>
}

/**
 * Engine information that is recorded with a model's answer. `prompt` is the version of its prompt.
 */
export const infoOf = ({ model }: ChatModel, prompt: string): EngineInfo => ({
  engine,
  version: `${prompt} ${model}`,
  upstream: `${engine} ${model}`,
  model
})

const failed = ({ detail, reason }: ChatFault.ChatFault): EngineFailed =>
  new EngineFailed({ engine, reason, detail })

export const make = Effect.fnUntraced(function*(options: ChatModelOptions) {
  const habits = yield* Ref.make(ServerHabits.initial)
  const complete = completing(options, habits)

  const ask = <A>(task: ChatTask<A>): Effect.Effect<A, EngineFailed> =>
    Effect.gen(function*() {
      const said = yield* complete(task)
      const first = valueOf(task, said)
      if (Result.isSuccess(first)) return first.success
      const second = valueOf(task, yield* complete(complained(task, said, first.failure)))
      return Result.isSuccess(second) ? second.success : yield* failed(ChatFault.notFitting)
    }).pipe(Effect.withSpan("ChatModel.ask", { attributes: { shape: task.shape.name } }))

  return { model: options.model, ask } satisfies ChatModel
})

/** The model's words, asked again in another way as long as the server refuses only the way. */
const completing =
  (options: ChatModelOptions, remembered: Ref.Ref<ServerHabits.ServerHabits>) =>
  <A>(task: ChatTask<A>): Effect.Effect<string, EngineFailed> => {
    const from = (
      habits: ServerHabits.ServerHabits,
      lessonsLeft: number
    ): Effect.Effect<string, EngineFailed> =>
      Effect.gen(function*() {
        const { body, retryAfterMs, status } = yield* exchange(
          options,
          bodyOf(options.model, task, habits)
        )
        const text = body._tag === "Whole" ? body.text : ""
        const error = ChatFault.errorOf(text)
        const better = Option.flatMap(
          error,
          (told) => ServerHabits.learnt(habits, status, told)
        )
        if (Option.isSome(better) && lessonsLeft > 0) {
          return yield* from(better.value, lessonsLeft - 1)
        }
        const refused = ChatFault.ofStatus(status, error)
        if (Option.isSome(refused)) {
          return yield* new EngineFailed({
            engine,
            ...refused.value,
            ...Option.match(retryAfterMs, {
              onNone: () => ({}),
              onSome: (retryAfterMs) => ({ retryAfterMs })
            })
          })
        }
        if (body._tag === "TooLarge") return yield* failed(ChatFault.tooLarge)
        if (body._tag === "Cut") return yield* failed(ChatFault.cutOff)
        const answer = ChatAnswer.readAnswer(text)
        yield* charge(options, answer)
        // A guess at what the refusal meant is worth nothing until the server took it.
        if (Result.isSuccess(answer.text)) yield* Ref.set(remembered, habits)
        return Result.isSuccess(answer.text)
          ? answer.text.success
          : yield* failed(answer.text.failure)
      })
    return Effect.flatMap(
      Ref.get(remembered),
      (habits) => from(habits, ServerHabits.lessonsMax)
    )
  }

/** The key joins the request inside `HttpExchange`, which neither traces nor tells what it sent. */
const exchange = ({ apiKey, baseUrl }: ChatModelOptions, body: object) => {
  const request = HttpClientRequest.post(`${baseUrl.replace(/\/+$/, "")}/chat/completions`).pipe(
    HttpClientRequest.setHeaders({
      accept: "application/json",
      "accept-encoding": "gzip, deflate, br",
      "user-agent": "web-grounding"
    }),
    HttpClientRequest.bodyText(JSON.stringify(body), "application/json")
  )
  const key = Option.map(apiKey, (secret) => Redacted.value(secret).trim())
  if (Option.exists(key, (text) => !/^[\x21-\x7e]*$/.test(text))) {
    return failed({ reason: "refused", detail: "invalid_key" })
  }
  const keyed = Option.match(Option.filter(key, (text) => text !== ""), {
    onNone: () => request,
    onSome: (text) => HttpClientRequest.setHeader(request, "authorization", `Bearer ${text}`)
  })
  return HttpExchange.exchange(keyed, bodyBytesMax).pipe(
    Effect.mapError(() => new EngineFailed({ engine, reason: "unreachable" }))
  )
}

/**
 * Reports the use of an answer. Figures that the server left out are absent: neither tokens nor
 * cost count as 0.
 */
const charge = (options: ChatModelOptions, answer: ChatAnswer.ChatAnswer) =>
  Effect.flatMap(UsageMeter, (meter) => {
    const { completionTokens, promptTokens } = answer
    const priced = Option.all({
      prices: options.prices,
      prompt: promptTokens,
      completion: completionTokens
    })
    return meter({
      model: Option.getOrElse(answer.model, () => options.model),
      ...Option.match(promptTokens, {
        onNone: () => ({}),
        onSome: (prompt_tokens) => ({ prompt_tokens })
      }),
      ...Option.match(completionTokens, {
        onNone: () => ({}),
        onSome: (completion_tokens) => ({ completion_tokens })
      }),
      requests: 1,
      ...Option.match(priced, {
        onNone: () => ({}),
        onSome: ({ completion, prices, prompt }) => ({
          cost_micros: Math.ceil(prompt * prices.prompt + completion * prices.completion)
        })
      })
    })
  })

/** The value, or the decoder's complaint. */
const valueOf = <A>({ shape }: ChatTask<A>, said: string): Result.Result<A, string> =>
  Option.match(JsonText.find(said), {
    onNone: () => Result.fail("Expected one JSON object"),
    onSome: (json) =>
      Result.mapError(Schema.decodeUnknownResult(shape.schema)(json), ({ message }) => message)
  })

const complained = <A>(task: ChatTask<A>, said: string, complaint: string): ChatTask<A> => ({
  ...task,
  messages: [
    ...task.messages,
    { role: "assistant", content: said.slice(0, answerCharsMax).toWellFormed() },
    {
      role: "user",
      content: "That does not fit what was asked for: " +
        `${complaint.slice(0, complaintCharsMax).toWellFormed()}\n` +
        "Answer again, with the corrected JSON object only."
    }
  ]
})
