/** An answer that came as server-sent events though none were asked for, put together again. */
import { Option, Schema } from "effect"

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

export const isStream = (body: string): boolean => /^\s*(?:data|event|id|retry)?:/.test(body)

/**
 * Joins a stream to the shape of a plain answer; none where the stream is of another kind or has no
 * end.
 */
export const joined = (body: string): Option.Option<object> => {
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
