/** Answers of servers that speak OpenAI's chat completions: one text, or the fault. */
import { Option, Predicate, Result, Schema } from "effect"
import { fieldAt, jsonOf, listAt, textAt } from "./Dialect.ts"

const Choice = Schema.Struct({
  message: Schema.optionalKey(Schema.Unknown),
  /** Used by servers of older models. */
  text: Schema.optionalKey(Schema.Unknown),
  finish_reason: Schema.optionalKey(Schema.Unknown),
  error: Schema.optionalKey(Schema.Unknown)
})
const Answer = Schema.Struct({
  choices: Schema.NonEmptyArray(Choice),
  model: Schema.optionalKey(Schema.Unknown),
  usage: Schema.optionalKey(Schema.Unknown)
})
type Choice = typeof Choice.Type

const decodeAnswer = Schema.decodeUnknownOption(Answer)
const isCount = Schema.is(Schema.Natural)
/** Some servers report one of the two counts, or no number. */
const countIn = (usage: unknown, name: "completion_tokens" | "prompt_tokens") =>
  Option.liftPredicate(fieldAt(usage, name), isCount)
/** Text part of a content list; reasoning and images are other parts. */
const isTextPart = Schema.is(Schema.Struct({
  type: Schema.optionalKey(Schema.Literals(["text", "output_text"])),
  text: Schema.String
}))

/** Characters of a model's own name that are shown. */
const modelCharsMax = 100

export interface ChatAnswer {
  readonly text: Result.Result<string, ChatFault>
  readonly promptTokens: Option.Option<number>
  readonly completionTokens: Option.Option<number>
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
  const json = isStream ? joined(body) : jsonOf(body)
  if (Option.isNone(json)) return failed(isStream ? toldIn(body, cutOff) : notJson)
  const decoded = firstAnswer(json.value)
  if (Option.isNone(decoded)) return failed(toldIn(body, notJson))
  const { choices, model, usage } = decoded.value
  return {
    text: Result.mapError(
      textOf(choices[0]),
      (fault) => fault === empty ? toldIn(body, fault) : fault
    ),
    promptTokens: countIn(usage, "prompt_tokens"),
    completionTokens: countIn(usage, "completion_tokens"),
    model: typeof model === "string" && model.trim() !== ""
      ? Option.some(model.trim().slice(0, modelCharsMax))
      : Option.none()
  }
}

/** The answer, or the only one in a list or a gateway's envelope. */
const firstAnswer = (value: unknown) =>
  Option.orElse(decodeAnswer(value), () => {
    const inner = Predicate.isObjectOrArray(value) ? Object.values(value) : []
    const [only, ...others] = inner.flatMap((one) => Option.toArray(decodeAnswer(one)))
    return others.length === 0 ? Option.fromUndefinedOr(only) : Option.none()
  })

/** Fault in the body's error field; `otherwise` if it holds none. */
export const toldIn = (body: string, otherwise: ChatFault): ChatFault =>
  Option.match(errorOf(body), { onNone: () => otherwise, onSome: ofError })

/** Empty and unknown finish reasons occur with good answers; only known bad ones fail. */
const textOf = (
  { error, finish_reason, message, text: bare }: Choice
): Result.Result<string, ChatFault> => {
  if (finish_reason === "error" || Option.isSome(saidIn(error, depthMax))) return Result.fail(empty)
  if (textAt(message, "refusal").trim() !== "") return Result.fail(refusal)
  if (finish_reason === "content_filter") return Result.fail(filtered)
  if (finish_reason === "length") return Result.fail(tokensSpent)
  const text = contentOf(fieldAt(message, "content") ?? bare)
  if (text.trim() !== "") return Result.succeed(text)
  if (listAt(message, "tool_calls").length > 0) return Result.fail(onlyTools)
  // Some servers return the answer as an unclosed reasoning block.
  const thought = contentOf(fieldAt(message, "reasoning_content"))
  return thought.trim() === "" ? Result.fail(empty) : Result.succeed(thought)
}

const contentOf = (content: unknown): string => {
  if (Array.isArray(content)) return content.map(contentOf).join("")
  if (typeof content === "string") return content
  if (isTextPart(content)) return content.text
  // Some servers return the requested object already decoded.
  return Predicate.isObject(content) && !("type" in content) ? JSON.stringify(content) : ""
}

// Reassembles server-sent events into one completion: some servers stream unasked.

const eventsMax = 100_000

const Chunk = Schema.Struct({
  choices: Schema.Array(Schema.Struct({
    delta: Schema.optionalKey(Schema.Unknown),
    finish_reason: Schema.optionalKey(Schema.NullOr(Schema.String))
  })),
  model: Schema.optionalKey(Schema.Unknown),
  usage: Schema.optionalKey(Schema.Unknown)
})
const decodeChunk = Schema.decodeUnknownOption(Schema.fromJsonString(Chunk))

const isStreamed = (body: string): boolean => /^\s*(?:data|event|id|retry)?:/.test(body)

const joined = (body: string): Option.Option<object> => {
  const data = dataOf(body)
  const chunks = data.flatMap((text) => Option.toArray(decodeChunk(text)))
  const first = chunks.flatMap(({ choices }) => choices.slice(0, 1))
  const finish = first.flatMap(({ finish_reason }) => finish_reason ?? []).at(-1)
  if (first.length === 0 || (finish === undefined && !data.includes("[DONE]"))) {
    return Option.none()
  }
  const text = (name: "content" | "refusal") =>
    first.map(({ delta }) => contentOf(fieldAt(delta, name))).join("")
  const tools = first.flatMap(({ delta }) => fieldAt(delta, "tool_calls") ?? [])
  return Option.some({
    choices: [{
      message: { content: text("content"), refusal: text("refusal"), tool_calls: tools },
      finish_reason: finish ?? "stop"
    }],
    model: chunks.find(({ model }) => typeof model === "string")?.model,
    usage: chunks.findLast(({ usage }) => usage != null)?.usage
  })
}

const dataOf = (body: string): ReadonlyArray<string> =>
  body.split(/\r?\n/, eventsMax).flatMap((line) =>
    line.startsWith("data:") ? [line.slice(5).trim()] : []
  )

/** The words of a line. */
type Words<Line extends string> = Line extends `${infer Word} ${infer Others}` ?
  Word | Words<Others> :
  Line

export interface ChatFault {
  readonly reason: Words<"malformed refused truncated unreachable">
  readonly detail:
    | Words<"bad_body bad_request content_filter cut_off empty error_in_200 forbidden">
    | Words<"invalid_key length not_found quota_exhausted rate_limited redirect refusal">
    | Words<"too_large tool_calls upstream_4xx upstream_5xx upstream_timeout wrong_shape">
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

export interface ServerError {
  readonly message: string
  readonly code: string
  readonly param: string
}

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return value.some(Predicate.isObjectOrArray) ? "" : value.join(".")
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}

const errorFields = ["error", "errors", "detail"] as const
const listMax = 256
const depthMax = 6

/** Some servers send one with 200, in a list, choice or stream event, or unenclosed. */
export const errorOf = (body: string): Option.Option<ServerError> => {
  const values = isStreamed(body) ? dataOf(body) : [body]
  const read = values.slice(-listMax).flatMap((text) => Option.toArray(jsonOf(text)))
  return errorIn(read, depthMax)
}

const errorIn = (value: unknown, depth: number): Option.Option<ServerError> => {
  if (depth === 0) return Option.none()
  if (Array.isArray(value)) return firstOf(value, (one) => errorIn(one, depth - 1))
  if (!Predicate.isObject(value)) return Option.none()
  return firstOf(errorFields.map((name) => fieldAt(value, name)), (held) => saidIn(held, depthMax))
    .pipe(
      Option.orElse(() => errorIn(fieldAt(value, "choices"), depth - 1)),
      Option.orElse(() => {
        const message = fieldAt(value, "message")
        return shown(message) === "" ? errorIn(message, depth - 1) : fieldsOf(value)
      })
    )
}

const saidIn = (value: unknown, depth: number): Option.Option<ServerError> => {
  if (depth === 0) return Option.none()
  if (Array.isArray(value)) return firstOf(value, (one) => saidIn(one, depth - 1))
  if (shown(value) !== "") return Option.some({ message: shown(value), code: "", param: "" })
  if (!Predicate.isObject(value)) return Option.none()
  return Option.orElse(saidIn(fieldAt(value, "error"), depth - 1), () => fieldsOf(value))
}

const fieldsOf = (error: object): Option.Option<ServerError> => {
  const first = (...names: ReadonlyArray<string>) =>
    names.map((name) => shown(fieldAt(error, name))).find((text) => text !== "") ?? ""
  return Option.some({
    message: first("message", "msg"),
    code: first("code", "status", "type"),
    param: first("param", "loc")
  })
}

const firstOf = (
  values: ReadonlyArray<unknown>,
  told: (value: unknown) => Option.Option<ServerError>
): Option.Option<ServerError> => Option.firstSomeOf(values.slice(0, listMax).map(told))

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

/** Fault of a status; none from 200 to 299, where the body decides. */
export const ofStatus = (
  status: number,
  error: Option.Option<ServerError>
): Option.Option<ChatFault> =>
  status >= 200 && status < 300 ? Option.none() : Option.some(refusedBy(status, error))

const refusedBy = (status: number, error: Option.Option<ServerError>): ChatFault => {
  if (status >= 500) return { reason: "unreachable", detail: "upstream_5xx" }
  if (status === 429) {
    return { reason: "refused", detail: isQuotaSpent(error) ? "quota_exhausted" : "rate_limited" }
  }
  const detail = status >= 300 && status < 400 ? "redirect" : "upstream_4xx"
  return byStatus[status] ?? { reason: "refused", detail }
}

/** Error codes in words, and the HTTP status they correspond to. */
const meantByWord: ReadonlyArray<readonly [RegExp, number]> = [
  [/rate.?limit|too.?many|exhausted|quota/i, 429],
  [/api.?key|authenti/i, 401],
  [/overload|unavailable|timeout|internal|server.?error/i, 503]
]

/** Fault of an error sent with 200: its code is often the intended status. */
export const ofError = (error: ServerError): ChatFault => {
  const status = Number(error.code) ||
    meantByWord.find(([word]) => word.test(error.code))?.[1] || 0
  return status >= 300 && status < 600
    ? refusedBy(status, Option.some(error))
    : { reason: "refused", detail: "error_in_200" }
}

export const isQuotaSpent = (error: Option.Option<ServerError>): boolean =>
  Option.exists(error, ({ code, message }) => /quota|billing|credit/i.test(`${code} ${message}`))
