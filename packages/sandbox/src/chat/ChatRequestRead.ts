/** Parses a chat request for the sandbox's models: its task, and its subject. */
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

/** Task of a chat request, recognised by the required fields of the answer. */
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

/** Whether the sources are also for an outline. */
export const isOutlined = ({ messages, response_format }: ChatRequest): boolean =>
  `${JSON.stringify(response_format ?? {})} ${messages[0].content}`.includes("\"outline\"")

const AskedChat = Schema.fromJsonString(Schema.Struct({
  question: Schema.String,
  topic: Schema.optionalKey(Schema.String),
  locale: Schema.String,
  known_facts: Schema.optionalKey(Schema.Array(Schema.String)),
  open_slots: Schema.optionalKey(Schema.Array(Schema.String)),
  region: Schema.optionalKey(Schema.String)
}))
export type AskedChat = typeof AskedChat.Type
const decodeAsked = Schema.decodeUnknownOption(AskedChat)

const nothing: AskedChat = { question: "", locale: "en" }

const firstOf = ({ messages }: ChatRequest): string =>
  messages.find(({ role }) => role === "user")?.content ?? ""

export const askedOf = (request: ChatRequest): AskedChat =>
  Option.getOrElse(decodeAsked(firstOf(request).split("\n")[0]), () => nothing)

export interface Excerpt {
  readonly source: number
  /** Number of a sentence, `2.3`; empty if excerpts have none. */
  readonly number: string
  readonly text: string
  /** A prompt injection, which must not be used. */
  readonly isMarked: boolean
}

/** Lines `[1.2] …`, or `[1]> …` with continuations `[1]+> …`; empty without a block. */
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

/** Decodes a block's escaped characters. */
const unescaped = (text: string): string =>
  text.replace(
    /\\(?:\\|u\{([0-9a-f]{1,6})\})/g,
    (_, code?: string) =>
      code === undefined ? "\\" : String.fromCodePoint(Number.parseInt(code, 16))
  )

const Course = Schema.fromJsonString(Schema.Struct({ course_title: Schema.String }))
const decodeCourse = Schema.decodeUnknownOption(Course)

export const courseOf = (request: ChatRequest): string =>
  Option.getOrUndefined(decodeCourse(firstOf(request).split("\n")[0]))?.course_title ?? ""

export interface Judged {
  readonly claim: number
  readonly text: string
  readonly quotes: ReadonlyArray<string>
}

export const judgedQuestionOf = (request: ChatRequest): string =>
  unescaped(/^\[\?\] (.*)$/m.exec(firstOf(request))?.[1] ?? "")

/** By number, with quotes. For a translation, the language's code replaces the claim. */
export const judgedOf = (request: ChatRequest): ReadonlyArray<Judged> => {
  const lines = firstOf(request).split("\n").flatMap((line) => {
    const [, number = "", mark = "", text = ""] = /^\[(\d+)\]([>=]) (.*)$/s.exec(line) ?? []
    return number === "" ? [] : [{ claim: Number(number), mark, text: unescaped(text) }]
  })
  return Array.from(Map.groupBy(lines, ({ claim }) => claim), ([claim, own]) => {
    const quotes = own.flatMap(({ mark, text }) => mark === "=" ? [text.replace(origin, "")] : [])
    const told = own.find(({ mark }) => mark === ">")?.text
    return { claim, text: told ?? quotes[0] ?? "", quotes }
  })
}

/** Site and metadata of the page, before a quote to judge. */
const origin = /^[\w.-]+(?:, official)?(?:, \d{4}[\d-]*)?: /

export const isRepeated = ({ messages }: ChatRequest): boolean =>
  messages.some(({ role }) => role === "assistant")
