/** What the sandbox's models make of a chat request: which task it is, and what it is about. */
import { Option, Schema } from "effect"
import { unescaped } from "../../../domain/injection/BoxedText.ts"
import { GroundingRequest } from "../../../domain/request/GroundingRequest.ts"

const Request = Schema.fromJsonString(Schema.Struct({
  model: Schema.NonEmptyString,
  messages: Schema.NonEmptyArray(Schema.Struct({ role: Schema.String, content: Schema.String })),
  temperature: Schema.optionalKey(Schema.Finite),
  max_tokens: Schema.optionalKey(Schema.Natural),
  max_completion_tokens: Schema.optionalKey(Schema.Natural),
  response_format: Schema.optionalKey(Schema.Struct({
    type: Schema.String,
    json_schema: Schema.optionalKey(Schema.Unknown)
  }))
}))
export type ChatRequest = typeof Request.Type

export const decode = Schema.decodeUnknownOption(Request)

/** Told by the fields that the answer is to have, wherever the schema stands. */
export const taskOf = (
  { messages, response_format }: ChatRequest
): "gate" | "planner" | "writer" | "judge" | "researcher" => {
  const schema = `${JSON.stringify(response_format ?? {})} ${messages[0].content}`
  if (schema.includes("\"need_search\"")) return "gate"
  if (schema.includes("\"judgements\"")) return "judge"
  if (schema.includes("\"key_topics\"")) return "researcher"
  return schema.includes("\"queries\"") ? "planner" : "writer"
}

const Asked = Schema.fromJsonString(Schema.Struct({
  question: Schema.String,
  topic: Schema.String,
  locale: Schema.String,
  known_facts: Schema.Array(Schema.String),
  open_slots: Schema.Array(Schema.String),
  region: Schema.optionalKey(Schema.String),
  queries_max: Schema.optionalKey(Schema.Int),
  user_asked_for_facts: Schema.optionalKey(Schema.Boolean)
}))
export type Asked = typeof Asked.Type
const decodeAsked = Schema.decodeUnknownOption(Asked)

const nobody: Asked = { question: "", topic: "", locale: "en", known_facts: [], open_slots: [] }

/** What the first message of the user says, before any complaint. */
const firstOf = ({ messages }: ChatRequest): string =>
  messages.find(({ role }) => role === "user")?.content ?? ""

export const askedOf = (request: ChatRequest): Asked =>
  Option.getOrElse(decodeAsked(firstOf(request).split("\n")[0]), () => nobody)

/** The block of web text with its boundary; none where there is no such block. */
export const blockOf = (request: ChatRequest) => {
  const text = firstOf(request)
  const [, boundary] = /^<<([0-9a-f]{16,64})>>/m.exec(text) ?? []
  return boundary === undefined ? Option.none() : Option.some({ text, boundary })
}

const Course = Schema.fromJsonString(Schema.Struct({ course_title: Schema.String }))
const decodeCourse = Schema.decodeUnknownOption(Course)

/** The title of the course that sources are to be read for. */
export const courseOf = (request: ChatRequest): string =>
  Option.match(decodeCourse(firstOf(request).split("\n")[0]), {
    onNone: () => "",
    onSome: ({ course_title }) => course_title
  })

/** Claims to be judged by their number, each with its quotes. */
export const judgedOf = (request: ChatRequest) => {
  const lines = firstOf(request).split("\n").flatMap((line) => {
    const [, number = "", mark = "", text = ""] = /^\[(\d+)\]([>=]) (.*)$/s.exec(line) ?? []
    return number === "" ? [] : [{ claim: Number(number), mark, text: unescaped(text) }]
  })
  return lines.filter(({ mark }) => mark === ">").map(({ claim, text }) => ({
    claim,
    text,
    quotes: lines.flatMap((line) => line.claim === claim && line.mark === "=" ? [line.text] : [])
  }))
}

/** Whether an answer was sent back with a complaint. */
export const isRepeated = ({ messages }: ChatRequest): boolean =>
  messages.some(({ role }) => role === "assistant")

const decodeGrounding = Schema.decodeUnknownOption(GroundingRequest)

/** The question as the rules read it. */
export const groundingOf = ({ locale, question, user_asked_for_facts }: Asked) =>
  decodeGrounding({
    session_id: "sandbox",
    request_id: "sandbox",
    topic: question === "" ? "?" : question,
    locale,
    user_asked_for_facts: user_asked_for_facts ?? false
  })
