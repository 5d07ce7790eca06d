/** The body of a chat completion as we read it: one text, or why there is none. */
import { Option, Result, Schema } from "effect"
import type { EngineDetail, EngineFault } from "../../domain/session/EngineDetail.ts"

const Choice = Schema.Struct({
  message: Schema.optionalKey(Schema.NullOr(Schema.Struct({
    content: Schema.optionalKey(Schema.Unknown),
    refusal: Schema.optionalKey(Schema.Unknown),
    tool_calls: Schema.optionalKey(Schema.Unknown)
  }))),
  finish_reason: Schema.optionalKey(Schema.Unknown)
})
const Answer = Schema.Struct({
  choices: Schema.NonEmptyArray(Choice),
  model: Schema.optionalKey(Schema.Unknown),
  usage: Schema.optionalKey(Schema.Unknown)
})
type Choice = typeof Choice.Type

const decodeAnswer = Schema.decodeUnknownOption(Answer)
const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
/** Each by itself: some servers tell one of the two, or tell it as no number. */
const decodePrompt = Schema.decodeUnknownOption(Schema.Struct({ prompt_tokens: Schema.Natural }))
const decodeCompletion = Schema.decodeUnknownOption(
  Schema.Struct({ completion_tokens: Schema.Natural })
)
/** Some servers send the text in parts. */
const decodeParts = Schema.decodeUnknownOption(Schema.Array(Schema.Struct({ text: Schema.String })))

/** A model's own name is shown no longer than this. */
const modelCharsMax = 100

export interface ChatAnswer {
  readonly text: Result.Result<string, ChatFault>
  /** None where the server does not say. */
  readonly promptTokens: Option.Option<number>
  /** None where the server does not say. */
  readonly completionTokens: Option.Option<number>
  /** Model that the server states; none where it states none. */
  readonly model: Option.Option<string>
}

const failed = (fault: ChatFault): ChatAnswer => ({
  text: Result.fail(fault),
  promptTokens: Option.none(),
  completionTokens: Option.none(),
  model: Option.none()
})

/** Reads the body of an answer with a status from 200 to 299. */
export const readAnswer = (body: string): ChatAnswer => {
  const isStream = isStreamed(body)
  const json = isStream ? joined(body) : decodeJson(body)
  if (Option.isNone(json)) return failed(isStream ? cutOff : notJson)
  const decoded = decodeAnswer(json.value)
  if (Option.isNone(decoded)) {
    return failed(Option.match(errorOf(body), {
      onNone: () => notJson,
      onSome: ofError
    }))
  }
  const { choices, model, usage } = decoded.value
  return {
    text: textOf(choices[0]),
    promptTokens: Option.map(decodePrompt(usage), ({ prompt_tokens }) => prompt_tokens),
    completionTokens: Option.map(
      decodeCompletion(usage),
      ({ completion_tokens }) => completion_tokens
    ),
    model: typeof model === "string" && model.trim() !== ""
      ? Option.some(model.trim().slice(0, modelCharsMax))
      : Option.none()
  }
}

/** Empty and unknown finishes are seen with good answers; only known bad ones count. */
const textOf = ({ finish_reason, message }: Choice): Result.Result<string, ChatFault> => {
  const refused = message?.refusal
  if (typeof refused === "string" && refused.trim() !== "") return Result.fail(refusal)
  if (finish_reason === "content_filter") return Result.fail(filtered)
  if (finish_reason === "length") return Result.fail(tokensSpent)
  const text = contentOf(message?.content)
  if (text.trim() !== "") return Result.succeed(text)
  const tools = message?.tool_calls
  return Result.fail(
    Array.isArray(tools) && tools.length > 0 ? onlyTools : empty
  )
}

const contentOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : Option.match(decodeParts(content), {
      onNone: () => "",
      onSome: (parts) => parts.map(({ text }) => text).join("")
    })

// An answer that came as server-sent events though none were asked for, put together again.

const eventsMax = 100_000

const Delta = Schema.Struct({
  content: Schema.optionalKey(Schema.Unknown),
  refusal: Schema.optionalKey(Schema.Unknown),
  tool_calls: Schema.optionalKey(Schema.Unknown)
})
const Chunk = Schema.Struct({
  choices: Schema.Array(Schema.Struct({
    delta: Schema.optionalKey(Schema.NullOr(Delta)),
    finish_reason: Schema.optionalKey(Schema.NullOr(Schema.String))
  })),
  model: Schema.optionalKey(Schema.Unknown),
  usage: Schema.optionalKey(Schema.Unknown)
})
const decodeChunk = Schema.decodeUnknownOption(Schema.fromJsonString(Chunk))

const isStreamed = (body: string): boolean => /^\s*(?:data|event|id|retry)?:/.test(body)

/**
 * Joins a stream to the shape of a plain answer; none where the stream is of another kind or has no
 * end.
 */
const joined = (body: string): Option.Option<object> => {
  const data = body.split(/\r?\n/, eventsMax).flatMap((line) =>
    line.startsWith("data:") ? [line.slice(5).trim()] : []
  )
  const chunks = data.flatMap((text) => Option.toArray(decodeChunk(text)))
  const first = chunks.flatMap(({ choices }) => choices.slice(0, 1))
  const finish = first.flatMap(({ finish_reason }) => finish_reason ?? []).at(-1)
  if (first.length === 0 || (finish === undefined && !data.includes("[DONE]"))) {
    return Option.none()
  }
  const text = (name: "content" | "refusal") =>
    first.map(({ delta }) => {
      const part = delta?.[name]
      return typeof part === "string" ? part : ""
    }).join("")
  const tools = first.flatMap(({ delta }) => delta?.tool_calls ?? [])
  return Option.some({
    choices: [{
      message: { content: text("content"), refusal: text("refusal"), tool_calls: tools },
      finish_reason: finish ?? "stop"
    }],
    model: chunks.find(({ model }) => typeof model === "string")?.model,
    usage: chunks.findLast(({ usage }) => usage != null)?.usage
  })
}

// Finds the JSON object in what a model wrote: bare, in a fence, or among its words.

const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
)

/** Thoughts that some models write before their answer. */
const thought = /^\s*<think(?:ing)?>[^]*?<\/think(?:ing)?>/i
const fence = /```(?:json|JSON)?[ \t]*\r?\n?([^]*?)```/g
const fencesMax = 8

export const find = (text: string): Option.Option<Readonly<Record<string, unknown>>> => {
  const said = text.replace(thought, "").replace(/^\uFEFF/, "").trim()
  const fenced = Array.from(said.matchAll(fence)).slice(0, fencesMax).map(([, inner = ""]) => inner)
  const outer = said.slice(Math.max(0, said.indexOf("{")), said.lastIndexOf("}") + 1)
  return Option.firstSomeOf([said, ...fenced, outer].map((candidate) => decode(candidate)))
}

// Why a chat completion is no answer, by HTTP status and body alone.

export interface ChatFault {
  readonly reason: EngineFault
  readonly detail: EngineDetail
}

export const refusal: ChatFault = { reason: "refused", detail: "refusal" }
export const filtered: ChatFault = { reason: "refused", detail: "content_filter" }
export const tokensSpent: ChatFault = { reason: "truncated", detail: "length" }
export const cutOff: ChatFault = { reason: "truncated", detail: "cut_off" }
export const tooLarge: ChatFault = { reason: "malformed", detail: "too_large" }
export const notJson: ChatFault = { reason: "malformed", detail: "bad_body" }
export const empty: ChatFault = { reason: "malformed", detail: "empty" }
export const onlyTools: ChatFault = { reason: "malformed", detail: "tool_calls" }
export const notFitting: ChatFault = { reason: "malformed", detail: "wrong_shape" }

/** Fields of a server's error; each absent where it is no such text. */
export interface ServerError {
  readonly message: string
  readonly code: string
  readonly param: string
}

const ErrorField = Schema.Struct({
  message: Schema.optionalKey(Schema.Unknown),
  code: Schema.optionalKey(Schema.Unknown),
  param: Schema.optionalKey(Schema.Unknown)
})
const decodeError = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ error: Schema.Union([ErrorField, Schema.String]) }))
)

const shown = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : ""

/**
 * Error in an answer's body, none where the body holds none. Some servers send one with status 200.
 */
export const errorOf = (body: string): Option.Option<ServerError> =>
  Option.map(decodeError(body), ({ error }) =>
    typeof error === "string"
      ? { message: error, code: "", param: "" }
      : { message: shown(error.message), code: shown(error.code), param: shown(error.param) })

const byStatus: Readonly<Record<number, ChatFault>> = {
  400: { reason: "refused", detail: "bad_request" },
  401: { reason: "refused", detail: "invalid_key" },
  402: { reason: "refused", detail: "quota_exhausted" },
  403: { reason: "refused", detail: "forbidden" },
  404: { reason: "refused", detail: "not_found" },
  408: { reason: "unreachable", detail: "upstream_timeout" },
  413: { reason: "refused", detail: "bad_request" },
  422: { reason: "refused", detail: "bad_request" }
}

/** The fault of a status; none from 200 to 299, where the body decides. */
export const ofStatus = (status: number, error: Option.Option<ServerError>) => {
  if (status >= 200 && status < 300) return Option.none<ChatFault>()
  if (status === 429) return Option.some(limitOf(error))
  const known = byStatus[status]
  if (known !== undefined) return Option.some(known)
  if (status >= 500) {
    return Option.some<ChatFault>({ reason: "unreachable", detail: "upstream_5xx" })
  }
  return status >= 300 && status < 400
    ? Option.some<ChatFault>({ reason: "refused", detail: "redirect" })
    : Option.some<ChatFault>({ reason: "refused", detail: "upstream_4xx" })
}

/** An error that came with 200: its code is often the status that was meant. */
export const ofError = (error: ServerError): ChatFault => {
  const status = Number(error.code)
  const meant = status >= 300 && status < 600
    ? ofStatus(status, Option.some(error))
    : Option.none<ChatFault>()
  return Option.getOrElse(meant, (): ChatFault => ({ reason: "refused", detail: "error_in_200" }))
}

const limitOf = (error: Option.Option<ServerError>): ChatFault =>
  Option.exists(error, ({ code, message }) => /quota|billing|credit/i.test(`${code} ${message}`))
    ? { reason: "refused", detail: "quota_exhausted" }
    : { reason: "refused", detail: "rate_limited" }
