/** The sandbox's models by name: each says the same in another way, or says something else. */
import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { type ChatRequest, isRepeated, judgedOf, taskOf } from "./ChatRequestRead.ts"
import * as MaliciousModel from "./MaliciousModel.ts"
import * as PlayedModel from "./PlayedModel.ts"

/** Longer than any engine is given. */
const slowMs = 120_000
/** Prompt tokens that the model `long-prompt` reports: more than any grounding sends. */
const promptTokensMax = 16_000

export type Script = (
  request: ChatRequest,
  secret: string
) => Effect.Effect<HttpServerResponse.HttpServerResponse>

interface Said {
  readonly content: string | null
  readonly refusal?: string
  readonly finish?: string | null
}

const tokensOf = (text: string): number => Math.ceil(text.length / 4)

const bodyOf = (request: ChatRequest, { content, finish = "stop", refusal }: Said) => {
  const prompt = tokensOf(request.messages.map((message) => message.content).join("\n"))
  const completion = tokensOf(content ?? refusal ?? "")
  return {
    id: "chatcmpl-sandbox",
    object: "chat.completion",
    created: 0,
    model: request.model,
    choices: [{
      index: 0,
      message: { role: "assistant", content, refusal: refusal ?? null },
      finish_reason: finish
    }],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion
    }
  }
}

const json = (body: object, status = 200) =>
  Effect.succeed(HttpServerResponse.jsonUnsafe(body, { status }))

/** Error in the form of OpenAI's servers and those like them. */
export const refusalOf = (
  status: number,
  message: string,
  { code = null, param = null }: {
    readonly code?: string | null
    readonly param?: string | null
  } = {}
) => json({ error: { message, type: "invalid_request_error", param, code } }, status)

/** Answer of the model `good`, which most of the others give in another way. */
const honest = (request: ChatRequest): string => JSON.stringify(PlayedModel.answer(request, "good"))

const said = (say: (request: ChatRequest) => Said): Script => (request) =>
  json(bodyOf(request, say(request)))
const saying = (say: (request: ChatRequest) => string): Script =>
  said((request) => ({ content: say(request) }))

const good = saying(honest)

/** Takes the request only without what it does not know. */
const refusing = (
  isRefused: (request: ChatRequest) => boolean,
  message: string,
  param: string
): Script =>
(request, secret) => isRefused(request) ? refusalOf(400, message, { param }) : good(request, secret)

/** Knows the old field alone, and names it when a prompt is too long for it. */
const longPrompt: Script = (request, secret) => {
  const tokens = tokensOf(request.messages.map(({ content }) => content).join(""))
  if (tokens > promptTokensMax) {
    return refusalOf(
      400,
      `This model's maximum context length is ${promptTokensMax} tokens. However, you requested ` +
        `${tokens} tokens in the messages. Please reduce the length of the messages or max_tokens.`,
      { code: "context_length_exceeded", param: "messages" }
    )
  }
  return request.max_completion_tokens === undefined
    ? good(request, secret)
    : refusalOf(400, "Unrecognized request argument supplied: max_completion_tokens")
}

const counting = (usage: (usage: object) => object | null): Script => (request) => {
  const body = bodyOf(request, { content: honest(request) })
  return json({ ...body, usage: usage(body.usage) })
}

const stream: Script = (request) => {
  const { choices, ...rest } = bodyOf(request, { content: null })
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${
      JSON.stringify({
        ...rest,
        object: "chat.completion.chunk",
        usage: finish_reason === null ? null : rest.usage,
        choices: [{ index: choices[0]?.index, delta, finish_reason }]
      })
    }\n\n`
  const parts = honest(request).match(/[^]{1,40}/g) ?? []
  const events = [...parts.map((content) => chunk({ content }, null)), chunk({}, "stop")]
  return Effect.succeed(HttpServerResponse.text(`${events.join("")}data: [DONE]\n\n`, {
    contentType: "text/event-stream"
  }))
}

const scripts: Readonly<Record<string, Script>> = {
  good,
  mediocre: saying((request) => JSON.stringify(PlayedModel.answer(request, "mediocre"))),
  wrong: saying((request) => JSON.stringify(PlayedModel.answer(request, "wrong"))),
  hostile: saying((request) => JSON.stringify(PlayedModel.answer(request, "hostile"))),
  fences: saying((request) => `Here you are:\n\`\`\`json\n${honest(request)}\n\`\`\`\nDone.`),
  thinking: saying((request) => `<think>{"a": 1}, or not?</think>\nSure. ${honest(request)} OK?`),
  stream,
  repaired: saying((request) => isRepeated(request) ? honest(request) : "{\"answer\": 42}"),
  "object-only": refusing(
    ({ response_format }) => response_format?.type === "json_schema",
    "This model does not support response_format json_schema.",
    "response_format"
  ),
  "words-only": refusing(
    ({ response_format }) => response_format !== undefined,
    "Unknown field: response_format",
    "response_format"
  ),
  "new-fields": refusing(
    ({ max_tokens, temperature }) => max_tokens !== undefined || temperature !== undefined,
    "Unsupported parameter: 'max_tokens' or 'temperature' is not supported with this model.",
    "max_tokens"
  ),
  "long-prompt": longPrompt,
  uncounted: counting(() => null),
  "half-counted": counting((usage) => ({ ...usage, completion_tokens: undefined })),
  truncated: said((request) => {
    const whole = honest(request)
    return { content: whole.slice(0, Math.trunc(whole.length / 2)), finish: "length" }
  }),
  refusing: said(() => ({ content: null, refusal: "I cannot help with that." })),
  filtered: said(() => ({ content: "", finish: "content_filter" })),
  empty: said(() => ({ content: "" })),
  garbage: saying(() => "Certainly! {not json: [ , \u0000 42"),
  "wrong-shape": saying(() => "{\"need_search\": \"perhaps\", \"queries\": 7, \"claims\": {}}"),
  "always-yes": saying((request) =>
    taskOf(request) === "judge" ? JSON.stringify(MaliciousModel.answer(request)) : honest(request)
  ),
  "always-no": saying((request) =>
    taskOf(request) === "judge"
      ? JSON.stringify({
        judgements: judgedOf(request).map(({ claim }) => ({
          claim,
          judgement: "unsupported",
          answering: "beside",
          against: []
        }))
      })
      : honest(request)
  ),
  malicious: saying((request) => JSON.stringify(MaliciousModel.answer(request))),
  "error-in-200": () => json({ error: { message: "Provider returned error", code: 502 } }),
  "not-found": () => refusalOf(404, "The model does not exist."),
  limited: () => refusalOf(429, "Rate limit reached for requests."),
  broken: () => refusalOf(500, "The server had an error."),
  echo: (_, secret) => refusalOf(401, `Incorrect API key provided: ${secret}`),
  slow: (request, secret) => Effect.andThen(Effect.sleep(slowMs), good(request, secret))
}

export const names: ReadonlyArray<string> = Object.keys(scripts)

export const scriptNamed = (name: string): Option.Option<Script> =>
  Object.hasOwn(scripts, name) ? Option.fromUndefinedOr(scripts[name]) : Option.none()
