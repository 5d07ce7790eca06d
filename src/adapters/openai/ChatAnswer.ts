/** The body of a chat completion as we read it: one text, or why there is none. */
import { Option, Result, Schema } from "effect"
import * as ChatFault from "./ChatFault.ts"
import * as ChatStream from "./ChatStream.ts"

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
  readonly text: Result.Result<string, ChatFault.ChatFault>
  /** None where the server does not say. */
  readonly promptTokens: Option.Option<number>
  /** None where the server does not say. */
  readonly completionTokens: Option.Option<number>
  /** Model that the server states; none where it states none. */
  readonly model: Option.Option<string>
}

const failed = (fault: ChatFault.ChatFault): ChatAnswer => ({
  text: Result.fail(fault),
  promptTokens: Option.none(),
  completionTokens: Option.none(),
  model: Option.none()
})

/** Reads the body of an answer with a status from 200 to 299. */
export const readAnswer = (body: string): ChatAnswer => {
  const isStream = ChatStream.isStream(body)
  const json = isStream ? ChatStream.joined(body) : decodeJson(body)
  if (Option.isNone(json)) return failed(isStream ? ChatFault.cutOff : ChatFault.notJson)
  const decoded = decodeAnswer(json.value)
  if (Option.isNone(decoded)) {
    return failed(Option.match(ChatFault.errorOf(body), {
      onNone: () => ChatFault.notJson,
      onSome: ChatFault.ofError
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
const textOf = ({ finish_reason, message }: Choice): Result.Result<string, ChatFault.ChatFault> => {
  const refused = message?.refusal
  if (typeof refused === "string" && refused.trim() !== "") return Result.fail(ChatFault.refusal)
  if (finish_reason === "content_filter") return Result.fail(ChatFault.filtered)
  if (finish_reason === "length") return Result.fail(ChatFault.tokensSpent)
  const text = contentOf(message?.content)
  if (text.trim() !== "") return Result.succeed(text)
  const tools = message?.tool_calls
  return Result.fail(
    Array.isArray(tools) && tools.length > 0 ? ChatFault.onlyTools : ChatFault.empty
  )
}

const contentOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : Option.match(decodeParts(content), {
      onNone: () => "",
      onSome: (parts) => parts.map(({ text }) => text).join("")
    })
