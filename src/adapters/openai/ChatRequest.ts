/** Task for a model, and the form in which a server of these habits gets it. */
import type { JsonSchema, Schema } from "effect"
import { OpenAiStructuredOutput } from "effect/ai"
import type { ServerHabits } from "./ServerHabits.ts"

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant"
  readonly content: string
}

export interface OutputShape<A> {
  /** Letters, digits, `_` and `-`; at most 64. */
  readonly name: string
  readonly schema: Schema.Codec<A, unknown>
  readonly jsonSchema: JsonSchema.JsonSchema
}

/**
 * Output shape of a struct without optional fields, tuples and records, which OpenAI's schemas
 * express otherwise.
 */
export const shapeOf = <A>(name: string, schema: Schema.Codec<A, unknown>): OutputShape<A> => ({
  name,
  schema,
  jsonSchema: OpenAiStructuredOutput.toCodecOpenAI(schema).jsonSchema
})

export interface ChatTask<A> {
  readonly messages: ReadonlyArray<ChatMessage>
  readonly shape: OutputShape<A>
  /** Tokens the answer may take. */
  readonly tokensMax: number
}

export const bodyOf = <A>(model: string, task: ChatTask<A>, habits: ServerHabits) => ({
  model,
  messages: habits.format === "json_schema" ? task.messages : withSchema(task),
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

/** A server that cannot hold to a schema is told it in words. */
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
