/** A server that takes every chat completion, confirms nothing and keeps what it was sent. */
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { listening, portOf } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as ChatModel from "../../src/adapters/openai/ChatModel.ts"

export interface Sent {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
}
const decodeSent = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({
  messages: Schema.Array(Schema.Struct({ role: Schema.String, content: Schema.String })),
  response_format: Schema.Struct({ json_schema: Schema.Struct({ name: Schema.String }) })
})))

const denied = (claim: number) => ({
  claim,
  judgement: "unsupported",
  answering: "beside",
  against: []
})

const answers: Readonly<Record<string, object>> = {
  grounding_claims: { claims: [], questions: [] },
  claim_judgements: { judgements: Array.from({ length: 30 }, (_, claim) => denied(claim)) },
  quote_translations: { translations: [] },
  course_research: { key_topics: [], modules: [], learning_objectives: [], skills: [] },
  search_need: {
    need_search: true,
    reason_codes: ["COMMON_PRACTICE"],
    queries: [],
    topic: "general"
  }
}

export class ModelServer extends Context.Service<ModelServer, {
  readonly model: ChatModel.ChatModel
  /** The last request. */
  readonly sent: () => Sent
  /** Every request's body as it came, oldest first. */
  readonly bodies: () => ReadonlyArray<string>
}>()("web-grounding/test/ModelServer") {}

export const layer = Layer.effect(
  ModelServer,
  Effect.gen(function*() {
    let sent: Sent = { messages: [] }
    const bodies: Array<string> = []
    const http = yield* listening((request, response) => {
      const chunks: Array<Uint8Array> = []
      request.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
        const text = Buffer.concat(chunks).toString()
        bodies.push(text)
        const body = decodeSent(text)
        sent = body
        const content = JSON.stringify(answers[body.response_format.json_schema.name])
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({
          choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }],
          usage: { prompt_tokens: 1, completion_tokens: 1 }
        }))
      })
    })
    const model = yield* ChatModel.make({
      baseUrl: `http://127.0.0.1:${portOf(http)}/v1`,
      apiKey: Option.some(Redacted.make("k")),
      model: "listening",
      prices: Option.none()
    })
    return { model, sent: () => sent, bodies: () => bodies.slice() }
  })
)
