/** Reads a chat request as the sandbox's models do: its task, and its subject. */
import { Option, Schema } from "effect"

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

/**
 * Task that a chat request sets, told by the fields that the answer is to have, wherever the schema
 * stands.
 */
export const taskOf = (
  { messages, response_format }: ChatRequest
): "gate" | "writer" | "judge" | "researcher" | "translator" => {
  const schema = `${JSON.stringify(response_format ?? {})} ${messages[0].content}`
  if (schema.includes("\"need_search\"")) return "gate"
  if (schema.includes("\"judgements\"")) return "judge"
  if (schema.includes("\"translations\"")) return "translator"
  if (schema.includes("\"key_topics\"")) return "researcher"
  return "writer"
}

/** Whether sources are to be read for an outline too. */
export const isOutlined = ({ messages, response_format }: ChatRequest): boolean =>
  `${JSON.stringify(response_format ?? {})} ${messages[0].content}`.includes("\"outline\"")

const AskedChat = Schema.fromJsonString(Schema.Struct({
  question: Schema.String,
  topic: Schema.optionalKey(Schema.String),
  locale: Schema.String,
  known_facts: Schema.Array(Schema.String),
  open_slots: Schema.Array(Schema.String),
  region: Schema.optionalKey(Schema.String),
  as_asked: Schema.optionalKey(Schema.String)
}))
export type AskedChat = typeof AskedChat.Type
const decodeAsked = Schema.decodeUnknownOption(AskedChat)

const nobody: AskedChat = { question: "", locale: "en", known_facts: [], open_slots: [] }

/** First message of the user, before any complaint. */
const firstOf = ({ messages }: ChatRequest): string =>
  messages.find(({ role }) => role === "user")?.content ?? ""

export const askedOf = (request: ChatRequest): AskedChat =>
  Option.getOrElse(decodeAsked(firstOf(request).split("\n")[0]), () => nobody)

/** Excerpt of the block of web text, as the prompt tells how to read it. */
export interface Excerpt {
  /** The number of its source. */
  readonly source: number
  /** Number of a sentence, `2.3`; empty where excerpts have none. */
  readonly number: string
  readonly text: string
  /** It tries to instruct, and is not to be used. */
  readonly isMarked: boolean
}

/**
 * Lines `[1.2] …`, or `[1]> …` and `[1]+> …` that go on with the same; nothing where there is no
 * block.
 */
export const excerptsOf = (request: ChatRequest): ReadonlyArray<Excerpt> => {
  const [, boundary = "", inside = ""] =
    /^<<([0-9a-f]{16,64})>>[^\n]*\n([^]*?)^<<\/\1>>/m.exec(firstOf(request)) ?? []
  if (boundary === "") return []
  return inside.split("\n").reduce<ReadonlyArray<Excerpt>>((list, line) => {
    const [, number = "", more, mark = "", words = ""] =
      /^\[(\d+(?:\.\d+(?=\] )|(?=\]\+?[>!?])))\](\+)?([>!?])? (.*)$/s.exec(line) ?? []
    if (number === "") return list
    const source = Number.parseInt(number, 10)
    const text = unescaped(words)
    const open = list.at(-1)
    return more === undefined || open === undefined
      ? [...list, { source, number, text, isMarked: mark === "!" }]
      : list.with(-1, { ...open, text: `${open.text}\n${text}` })
  }, [])
}

/** A character of a block that stands there by its number is read as itself. */
const unescaped = (text: string): string =>
  text.replace(
    /\\(?:\\|u\{([0-9a-f]{1,6})\})/g,
    (_, code?: string) =>
      code === undefined ? "\\" : String.fromCodePoint(Number.parseInt(code, 16))
  )

const Course = Schema.fromJsonString(Schema.Struct({ course_title: Schema.String }))
const decodeCourse = Schema.decodeUnknownOption(Course)

/** The title of the course that sources are to be read for. */
export const courseOf = (request: ChatRequest): string =>
  Option.match(decodeCourse(firstOf(request).split("\n")[0]), {
    onNone: () => "",
    onSome: ({ course_title }) => course_title
  })

export interface Judged {
  readonly claim: number
  readonly text: string
  readonly quotes: ReadonlyArray<string>
}

/** Question that the claims to be judged are to answer. */
export const judgedQuestionOf = (request: ChatRequest): string =>
  unescaped(/^\[\?\] (.*)$/m.exec(firstOf(request))?.[1] ?? "")

/**
 * Claims to be judged by their number, each with its quotes. Where quotes are to be translated, the
 * code of the language stands in the claim's place.
 */
export const judgedOf = (request: ChatRequest): ReadonlyArray<Judged> => {
  const lines = firstOf(request).split("\n").flatMap((line) => {
    const [, number = "", mark = "", text = ""] = /^\[(\d+)\]([>=]) (.*)$/s.exec(line) ?? []
    return number === "" ? [] : [{ claim: Number(number), mark, text: unescaped(text) }]
  })
  return lines.filter(({ mark }) => mark === ">").map(({ claim, text }) => ({
    claim,
    text,
    quotes: lines.flatMap((line) =>
      line.claim === claim && line.mark === "=" ? [line.text.replace(origin, "")] : []
    )
  }))
}

/** Site, and what is known of its page, before a quote that is to be judged. */
const origin = /^[\w.-]+(?:, official)?(?:, \d{4}[\d-]*)?: /

/** Whether an answer was sent back with a complaint. */
export const isRepeated = ({ messages }: ChatRequest): boolean =>
  messages.some(({ role }) => role === "assistant")
