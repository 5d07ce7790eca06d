/**
 * Asks a model on an OpenAI-compatible server for a decoded value. Supported parameters are learnt
 * from refusals. An answer that does not decode is sent back once with the decoder's message;
 * nothing else is retried.
 */
import * as ChatAnswer from "@web-grounding/dialects/ChatAnswer"
import type { ServerError } from "@web-grounding/dialects/ChatAnswer"
import * as WrittenJson from "@web-grounding/dialects/WrittenJson"
import { Effect, type JsonSchema, Option, Redacted, Ref, Result, Schema } from "effect"
import { OpenAiStructuredOutput } from "effect/ai"
import { EngineFailed, type EngineInfo } from "../../application/ports/Engines.ts"
import { UsageMeter } from "../../application/ports/Limits.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import * as JsonPost from "../../infrastructure/JsonPost.ts"

export const engine = "openai"

/** Most bytes of a decompressed answer. A thousand tokens are about 4 kB; reasoning takes more. */
export const bodyBytesMax = 2 * 1024 * 1024
/** Longest decoder message returned to the model, in UTF-16 code units. */
const complaintCharsMax = 1_200
/** Longest answer returned with that message, in UTF-16 code units. */
const answerCharsMax = 8_000

/** US dollars for a million tokens, equal to millionths of a dollar for one. */
interface Prices {
  readonly prompt: number
  readonly completion: number
}

export interface ChatModelOptions {
  /** Base URL of `/chat/completions`, with or without a trailing slash. */
  readonly baseUrl: string
  /** If none, no Authorization header is sent. */
  readonly apiKey: Option.Option<Redacted.Redacted<string>>
  readonly model: string
  readonly prices: Option.Option<Prices>
}

export interface ChatModel {
  readonly model: string
  /** Interruption closes the socket. Usage is charged to the step's meter. */
  readonly ask: <A>(task: ChatTask<A>) => Effect.Effect<A, EngineFailed>
}

/** Engine information recorded with a model's answer. `prompt` is the version of its prompt. */
export const infoOf = ({ model }: ChatModel, prompt: string): EngineInfo => ({
  engine,
  version: `${prompt} ${model}`,
  upstream: `${engine} ${model}`,
  model
})

const failed = ({ detail, reason }: ChatAnswer.ChatFault): EngineFailed =>
  new EngineFailed({ engine, reason, detail })

export const make = Effect.fnUntraced(function*(options: ChatModelOptions) {
  const habits = yield* Ref.make(initial)
  const complete = completing(options, habits)

  const ask = <A>(task: ChatTask<A>): Effect.Effect<A, EngineFailed> =>
    Effect.gen(function*() {
      const said = yield* complete(task)
      const first = valueOf(task, said)
      if (!isAsAsked(task, said)) yield* Ref.update(habits, toldInWords)
      if (Result.isSuccess(first)) return first.success
      const second = valueOf(task, yield* complete(complained(task, said, first.failure)))
      return Result.isSuccess(second) ? second.success : yield* failed(ChatAnswer.notFitting)
    }).pipe(Effect.withSpan("ChatModel.ask", { attributes: { shape: task.shape.name } }))

  return { model: options.model, ask } satisfies ChatModel
})

/** The model's text. Repeats with other parameters while the server refuses only those. */
const completing =
  (options: ChatModelOptions, remembered: Ref.Ref<ServerHabits>) =>
  <A>(task: ChatTask<A>): Effect.Effect<string, EngineFailed> => {
    const from = (
      habits: ServerHabits,
      lessonsLeft: number
    ): Effect.Effect<string, EngineFailed> =>
      Effect.gen(function*() {
        const { broken, retryAfterMs, status, text } = yield* exchange(
          options,
          bodyOf(options.model, task, habits)
        )
        const error = ChatAnswer.errorOf(text)
        const better = Option.flatMap(error, (told) => learnt(habits, status, told))
        if (Option.isSome(better) && lessonsLeft > 0) {
          return yield* from(better.value, lessonsLeft - 1)
        }
        const refused = ChatAnswer.ofStatus(status, error)
        if (Option.isSome(refused)) {
          return yield* new EngineFailed({
            engine,
            ...refused.value,
            ...asGiven({ retryAfterMs })
          })
        }
        if (broken !== undefined) return yield* failed(notWhole[broken])
        const answer = ChatAnswer.readAnswer(text)
        yield* charge(options, answer)
        // Learnt parameters are kept only once the server accepted them.
        if (Result.isSuccess(answer.text)) {
          yield* Ref.update(remembered, ({ holdsToSchema }) => ({ ...habits, holdsToSchema }))
        }
        return Result.isSuccess(answer.text)
          ? answer.text.success
          : yield* failed(answer.text.failure)
      })
    return Effect.flatMap(Ref.get(remembered), (habits) => from(habits, lessonsMax))
  }

const notWhole = { cut_off: ChatAnswer.cutOff, too_large: ChatAnswer.tooLarge }

const exchange = ({ apiKey, baseUrl }: ChatModelOptions, body: object) =>
  JsonPost.send({
    baseUrl,
    path: "/chat/completions",
    body,
    ...asGiven({ apiKey: Option.filter(apiKey, (key) => Redacted.value(key).trim() !== "") })
  }, bodyBytesMax).pipe(Effect.mapError((fault) => new EngineFailed({ engine, ...fault })))

/** Charges an answer's usage. Figures the server omits stay absent: they do not count as 0. */
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
      requests: 1,
      ...asGiven({
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        cost_micros: Option.map(
          priced,
          ({ completion, prices, prompt }) =>
            Math.ceil(prompt * prices.prompt + completion * prices.completion)
        )
      })
    })
  })

/** Last object of the answer that decodes, or every fault the decoder found. */
export const valueOf = <A>({ shape }: ChatTask<A>, said: string): Result.Result<A, string> => {
  const { defaults, jsonSchema, schema } = shape
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  const read = WrittenJson.objectsIn(said).map((json) =>
    Result.mapError(
      decode(WrittenJson.fitted(jsonSchema, defaults, json)),
      ({ message }) => message
    )
  )
  return read.find(Result.isSuccess) ?? read[0] ?? Result.fail("Expected one JSON object")
}

/** Whether an answer follows the schema strictly, as a server that enforces it guarantees. */
const isAsAsked = <A>({ shape }: ChatTask<A>, said: string): boolean =>
  WrittenJson.objectsIn(said).some(Schema.is(Schema.toEncoded(shape.schema)))

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

interface ChatMessage {
  readonly role: "system" | "user" | "assistant"
  readonly content: string
}

/** A task's rules, and what they are about. */
export const prompt = (system: string, user: string): ReadonlyArray<ChatMessage> => [
  { role: "system", content: system },
  { role: "user", content: user }
]

export interface OutputShape<A> {
  /** Letters, digits, `_` and `-`; at most 64. */
  readonly name: string
  readonly schema: Schema.Codec<A, unknown>
  readonly jsonSchema: JsonSchema.JsonSchema
  readonly defaults: WrittenJson.Defaults
}

/** Without optional fields, tuples and records, which OpenAI's schemas express otherwise. */
export const shapeOf = <A>(
  name: string,
  schema: Schema.Codec<A, unknown>,
  defaults: WrittenJson.Defaults = {}
): OutputShape<A> => ({
  name,
  schema,
  defaults,
  jsonSchema: OpenAiStructuredOutput.toCodecOpenAI(schema).jsonSchema
})

export interface ChatTask<A> {
  readonly messages: ReadonlyArray<ChatMessage>
  readonly shape: OutputShape<A>
  readonly tokensMax: number
}

export const bodyOf = <A>(model: string, task: ChatTask<A>, habits: ServerHabits) => ({
  model,
  messages: habits.format === "json_schema" && habits.holdsToSchema
    ? task.messages
    : withSchema(task),
  ...(habits.takesTemperature ? { temperature: 0 } : {}),
  [habits.tokensField]: task.tokensMax,
  ...formatOf(task.shape, habits),
  stream: false
})

const formatOf = <A>({ jsonSchema, name }: OutputShape<A>, { format }: ServerHabits) => {
  if (format === "prompt") return {}
  return format === "json_object"
    ? { response_format: { type: "json_object" } }
    : {
      response_format: {
        type: "json_schema",
        json_schema: { name, schema: jsonSchema, strict: true }
      }
    }
}

/** A server without schema support receives the schema in the prompt. */
const withSchema = <A>({ messages, shape }: ChatTask<A>): ReadonlyArray<ChatMessage> =>
  messages.map((message, place) =>
    place === 0
      ? {
        ...message,
        content: `${message.content}\n\nAnswer with one JSON object and nothing else. It fits ` +
          `this JSON Schema, named ${shape.name}:\n${JSON.stringify(shape.jsonSchema)}`
      }
      : message
  )

// Parameters that a server supports. Many lack `json_schema`, some `json_object` too; newer models
// refuse `max_tokens` and a temperature. Each refusal moves one step on; accepted parameters are
// remembered.

/** Output formats in order of preference; the last uses the prompt alone. */
const formats = ["json_schema", "json_object", "prompt"] as const
type Format = typeof formats[number]

export interface ServerHabits {
  readonly format: Format
  readonly tokensField: "max_tokens" | "max_completion_tokens"
  readonly takesTemperature: boolean
  /**
   * False once an answer broke the schema: the server accepts `json_schema` without enforcing it.
   */
  readonly holdsToSchema: boolean
}

const toldInWords = (habits: ServerHabits): ServerHabits => ({ ...habits, holdsToSchema: false })

export const initial: ServerHabits = {
  format: "json_schema",
  tokensField: "max_tokens",
  takesTemperature: true,
  holdsToSchema: true
}

/** Most refusals in one request: two formats, the token limit's field, the temperature. */
const lessonsMax = 4

/** None if the refusal has another cause or nothing is left to change. */
export const learnt = (
  asked: ServerHabits,
  status: number,
  error: ServerError
): Option.Option<ServerHabits> => {
  if (![400, 404, 415, 422, 500, 501].includes(status)) return Option.none()
  const about = `${error.param} ${error.message}`
  if (ofLength.test(`${error.code} ${about}`)) return Option.none()
  if (/max_tokens/i.test(about) && asked.tokensField === "max_tokens") {
    return Option.some({ ...asked, tokensField: "max_completion_tokens" })
  }
  if (/temperature/i.test(about) && asked.takesTemperature) {
    return Option.some({ ...asked, takesTemperature: false })
  }
  const next = formats[formats.indexOf(asked.format) + 1]
  return next !== undefined && ofFormat.test(about)
    ? Option.some({ ...asked, format: next })
    : Option.none()
}

/** Refused for length: other parameters would not help, though the text may name one. */
const ofLength = new RegExp(
  "context[ _-]?(?:length|window|size)|string_above_max_length|max_?model_?len|too (?:large|long|" +
    "many (?:input |prompt )?tokens)|(?:exceeds?|maximum|at most|more than)[^.]{0,60}tokens|" +
    "reduce (?:the|your)",
  "i"
)
const ofFormat = /response_?format|json_?schema|json_?object|structured.?output|grammar|guided/i
