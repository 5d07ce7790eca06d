/** The sandbox's models by name: variations of one answer's form, and wrong answers. */
import { ByteSize, Effect, Option } from "effect"
import { HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HitLedger from "../dialect/HitLedger.ts"
import * as ChatRequestRead from "./ChatRequestRead.ts"
import {
  askedOf,
  type ChatRequest,
  courseOf,
  excerptsOf,
  isOutlined,
  isRepeated,
  type Judged,
  judgedOf,
  judgedQuestionOf,
  taskOf
} from "./ChatRequestRead.ts"
import * as MaliciousModel from "./MaliciousModel.ts"
import * as WrittenAnswers from "./WrittenAnswers.ts"

/** Longer than any engine's timeout. */
const slowMs = 120_000
/** Prompt tokens reported by the model `long-prompt`: more than any grounding sends. */
const promptTokensMax = 16_000

type Script = (
  request: ChatRequest,
  secret: string
) => Effect.Effect<HttpServerResponse.HttpServerResponse>

interface Said {
  /** Parts, as some servers send a text. */
  readonly content: string | null | ReadonlyArray<object>
  readonly refusal?: string
  readonly finish?: string | null
}

const tokensOf = (text: string): number => Math.ceil(text.length / 4)

const bodyOf = (request: ChatRequest, { content, finish = "stop", refusal }: Said) => {
  const prompt = tokensOf(request.messages.map((message) => message.content).join("\n"))
  const text = typeof content === "string" ? content : JSON.stringify(content)
  const completion = tokensOf(content === null ? refusal ?? "" : text)
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

const refusalOf = (
  status: number,
  message: string,
  { code = null, param = null }: {
    readonly code?: string | null
    readonly param?: string | null
  } = {}
) => json({ error: { message, type: "invalid_request_error", param, code } }, status)

/** Answer of the model `good`, which most others return in another form. */
const honest = (request: ChatRequest): string => JSON.stringify(answer(request, "good"))

const said = (say: (request: ChatRequest) => Said): Script => (request) =>
  json(bodyOf(request, say(request)))
const saying = (say: (request: ChatRequest) => string): Script =>
  said((request) => ({ content: say(request) }))

// A written answer for a request of the set, else that of a careful model without the product's
// rules.

/** Number of no source. */
const nowhere = 0

export const answer = (request: ChatRequest, kind: WrittenAnswers.Kind): object => {
  switch (taskOf(request)) {
    case "gate":
      return need(request, kind)
    case "writer":
      return claims(request, kind)
    case "judge":
      return kind === "hostile" ? MaliciousModel.answer(request) : judgements(request, kind)
    case "translator":
      return kind === "hostile" ? MaliciousModel.answer(request) : translations(request, kind)
    case "researcher":
      return findings(request, kind)
  }
}

const writtenFor = (request: ChatRequest): WrittenAnswers.Written | undefined => {
  const { question, topic } = askedOf(request)
  return WrittenAnswers.requestOf(question, topic)
}

const need = (request: ChatRequest, kind: WrittenAnswers.Kind) => {
  const asked = writtenFor(request)
  const written = asked?.gate[kind]
  if (written === undefined) return WrittenAnswers.need
  return {
    need_search: written.queries > 0,
    reason_codes: written.reasons,
    queries: asked?.plan?.[kind].queries.slice(0, written.queries - 1) ?? [],
    topic: written.topic ?? "general"
  }
}

/** Finds each quote in what was sent; a claim without a found quote is omitted. */
const claims = (request: ChatRequest, kind: WrittenAnswers.Kind) => {
  const written = writtenFor(request)
  const sentences = excerptsOf(request)
  if (written === undefined) return WrittenAnswers.claims(sentences)
  const found = (quote: string) => WrittenAnswers.numbersOf(quote, sentences)
  return {
    claims: written.claims.filter(({ by }) => by.includes(kind)).flatMap((claim) => {
      const from = claim.invented === true ? claim.quotes : claim.quotes.flatMap(found)
      return from.length === 0 ? [] : [{ from, section: claim.section, text: claim.text }]
    })
  }
}

const judgements = (request: ChatRequest, kind: keyof typeof verdicts) => {
  const question = judgedQuestionOf(request)
  return {
    judgements: judgedOf(request).map((judged) => ({
      claim: judged.claim,
      ...verdicts[kind](verdictOn(question, judged)),
      against: []
    }))
  }
}

const translations = (request: ChatRequest, kind: WrittenAnswers.Kind) => ({
  translations: judgedOf(request).flatMap(({ claim, quotes, text: language }) => {
    const text = WrittenAnswers.translationOf(quotes, language, kind)
    return text === undefined ? [] : [{ number: claim, text }]
  })
})

const verdictOn = (question: string, judged: Judged): Verdict =>
  WrittenAnswers.claimOf(question, judged.text, judged.quotes) ?? WrittenAnswers.verdict(judged)

/** A reader's verdict in the words of a judge of each kind. */
const verdicts = {
  good: ({ answering, judgement }: Verdict): Verdict => ({ judgement, answering }),
  mediocre: ({ judgement }: Verdict): Verdict => ({
    judgement: judgement === "partly" ? "supported" : judgement,
    answering: "answers"
  }),
  wrong: ({ answering, judgement }: Verdict): Verdict => ({
    judgement: judgement === "supported" ? "unsupported" : "supported",
    answering: answering === "answers" ? "beside" : "answers"
  })
}

const findings = (request: ChatRequest, kind: WrittenAnswers.Kind) => {
  const excerpts = excerptsOf(request).filter(({ isMarked }) => !isMarked)
  const title = courseOf(request)
  const written: WrittenAnswers.WrittenFindings | undefined = WrittenAnswers.courseOf(title)
    ?.answers[kind]
  if (written === undefined) {
    const said = WrittenAnswers.findings(title, excerpts)
    return isOutlined(request) ? { ...said, outline: WrittenAnswers.outline(excerpts) } : said
  }
  const sourceOf = (words: string) =>
    excerpts.find(({ text }) => WrittenAnswers.flat(text).includes(WrittenAnswers.flat(words)))
      ?.source
  const { outcomes, ...said } = written
  const modules = written.modules.flatMap(({ description, excerpt, title }) => {
    const source = excerpt === "" ? nowhere : sourceOf(excerpt)
    return source === undefined ? [] : [{ title, description, source, quote: excerpt }]
  })
  const findings = { ...said, modules: modules.map(({ quote: _, ...module }) => module) }
  if (!isOutlined(request)) return findings
  return {
    ...findings,
    outline: {
      modules: modules.map(({ description, quote, source, title }) => ({
        title,
        description,
        support: [{ source, quote }]
      })),
      outcomes: outcomes.flatMap(({ excerpt, text }) => {
        const source = excerpt === "" ? nowhere : sourceOf(excerpt)
        return source === undefined ? [] : [{ text, source, quote: excerpt }]
      })
    }
  }
}

const good = saying(honest)

/** Accepts the request only without unknown fields. */
const refusing = (
  isRefused: (request: ChatRequest) => boolean,
  message: string,
  param: string
): Script =>
(request, secret) => isRefused(request) ? refusalOf(400, message, { param }) : good(request, secret)

/** Knows only the old field, and names it when a prompt is too long. */
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

const notFound: Script = () => refusalOf(404, "The model does not exist.")

const scripts: Readonly<Record<string, Script>> = {
  good,
  mediocre: saying((request) => JSON.stringify(answer(request, "mediocre"))),
  wrong: saying((request) => JSON.stringify(answer(request, "wrong"))),
  hostile: saying((request) => JSON.stringify(answer(request, "hostile"))),
  fences: saying((request) => `Here you are:\n\`\`\`json\n${honest(request)}\n\`\`\`\nDone.`),
  thinking: saying((request) => `<think>{"a": 1}, or not?</think>\nSure. ${honest(request)} OK?`),
  "thinking-aloud": saying((request) =>
    `They want {"need_search": …}, or {maybe} not.\n</think>\n${honest(request)}\nSo {it} is.`
  ),
  parts: said((request) => ({
    content: [
      { type: "thinking", thinking: [{ type: "text", text: "{\"a\": 1}?" }] },
      { type: "text", text: honest(request) }
    ]
  })),
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
  "error-in-choice": (request) => {
    const { choices: [choice], ...rest } = bodyOf(request, { content: "", finish: "error" })
    return json({ ...rest, choices: [{ ...choice, error: { message: "Slow down.", code: 429 } }] })
  },
  "error-in-list": () =>
    json([{ error: { message: "Check your plan and billing.", code: 429 } }], 429),
  "object-only-in-list": (request, secret) =>
    request.response_format?.type === "json_schema"
      ? json([{ error: { message: "json_schema is not supported.", code: 400 } }], 400)
      : good(request, secret),
  "not-found": notFound,
  limited: () => refusalOf(429, "Rate limit reached for requests."),
  broken: () => refusalOf(500, "The server had an error."),
  echo: (_, secret) => refusalOf(401, `Incorrect API key provided: ${secret}`),
  slow: (request, secret) => Effect.andThen(Effect.sleep(slowMs), good(request, secret))
}

const scriptsByName = new Map(Object.entries(scripts))
export const names: ReadonlyArray<string> = Object.keys(scripts)

// OpenAI's chat completions as played by the sandbox. The requested model selects the behaviour.

const requestBodyMax = ByteSize.kibibytes(256)

export const complete = (ledger: HitLedger.HitLedger) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { authorization = "", ...headers } = request.headers
    const secret = authorization.replace(/^Bearer /, "")
    const asked = ChatRequestRead.decode(yield* request.text)
    yield* ledger.record({
      provider: "openai",
      path: request.url,
      query: "",
      key: secret === "" ? "" : HitLedger.keyHash(secret),
      headers: { ...headers },
      body: Option.getOrNull(asked)
    })
    if (Option.isNone(asked)) return yield* refusalOf(400, "Invalid body.")
    const script = scriptsByName.get(asked.value.model) ?? notFound
    return yield* script(asked.value, secret)
  }).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, requestBodyMax))

type Verdict = Pick<WrittenAnswers.WrittenClaim, "answering" | "judgement">
