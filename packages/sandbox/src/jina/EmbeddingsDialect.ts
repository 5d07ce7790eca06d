/** The embeddings protocol that OpenAI and Jina share but for a few fields; the key tells whose. */
import { Effect, Option, Result, Schema } from "effect"
import { type Answer, type Dialect, numbersAt, resultsOf } from "../dialect/Dialect.ts"
import type { PlainAnswer } from "../dialect/PlainFault.ts"
import * as HashedVector from "./HashedVector.ts"
import * as JinaWords from "./JinaWords.ts"

const dimensionsDefault = 1_024
const dimensionsMost = 4_096
const inputsMost = 2_048
/** Kept of a request in the ledger: how it began. */
const inputsShown = 8
const inputCharsShown = 200

const given = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const Embedding = Schema.Struct({
  model: Schema.NonEmptyString,
  input: Schema.Union([
    Schema.NonEmptyString,
    Schema.NonEmptyArray(Schema.NonEmptyString).check(Schema.isMaxLength(inputsMost))
  ]),
  dimensions: given(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: dimensionsMost }))),
  encoding_format: given(Schema.Literals(["float", "base64"])),
  embedding_type: given(Schema.Literals(["float", "base64"])),
  task: given(Schema.Literals([
    "retrieval.query",
    "retrieval.passage",
    "text-matching",
    "classification",
    "separation"
  ]))
})
export type Embedding = typeof Embedding.Type
const decodeEmbedding = Schema.decodeUnknownOption(Embedding)

const inputsOf = (input: Embedding["input"]): ReadonlyArray<string> =>
  typeof input === "string" ? [input] : input

const dialect = (
  provider: "jina" | "openai",
  odd: PlainAnswer
): Pick<Dialect<Embedding>, "provider" | "contentType" | "asked" | "render"> => ({
  provider,
  contentType: "application/json",
  asked: Effect.map(JinaWords.askedInput, (request) => {
    const decoded = decodeEmbedding(request.body)
    const inputs = Option.match(decoded, {
      onNone: () => [],
      onSome: ({ input }) => inputsOf(input)
    })
    return {
      ...request,
      query: inputs[0] ?? "",
      body: {
        ...request.body,
        input: inputs.slice(0, inputsShown).map((text) => text.slice(0, inputCharsShown)),
        inputs: inputs.length
      },
      parameters: Result.fromOption(decoded, () => odd)
    }
  }),
  render: (answer, { body, parameters }) =>
    JSON.stringify({
      object: "list",
      model: Reflect.get(Object(body), "model"),
      data: Array.isArray(answer.results)
        ? resultsOf(answer).map((result) => encoded(result, parameters))
        : answer.results,
      usage: { total_tokens: JinaWords.tokensOf(JSON.stringify(body)) }
    })
})

export const JinaEmbeddingsDialect: Dialect<Embedding> = {
  ...dialect("jina", JinaWords.refusal(422, "ParamValidationError", "Odd parameter.")),
  noKey: JinaWords.noKey,
  plainFaults: JinaWords.plainFaults,
  errorBody: JinaWords.errorBody
}

const openAiErrorBody = (message: string): string =>
  JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } })
const openAiRefusal = (status: number, code: string, message: string): PlainAnswer => ({
  status,
  body: JSON.stringify({ error: { message, type: code, param: null, code } })
})
const badKey = openAiRefusal(401, "invalid_api_key", "Incorrect API key provided.")

export const OpenAiEmbeddingsDialect: Dialect<Embedding> = {
  ...dialect("openai", { status: 400, body: openAiErrorBody("Odd parameter.") }),
  noKey: badKey,
  plainFaults: {
    401: badKey,
    404: openAiRefusal(404, "model_not_found", "The model does not exist."),
    429: openAiRefusal(429, "rate_limit_exceeded", "Rate limit reached."),
    "429-plan": openAiRefusal(429, "insufficient_quota", "You exceeded your current quota.")
  },
  errorBody: openAiErrorBody
}

/** Vectors of the input, in reverse order on purpose: a caller must go by the index. */
export const embed = ({ dimensions, input }: Embedding): Answer => ({
  results: inputsOf(input).map((text, index) => ({
    object: "embedding",
    index,
    embedding: HashedVector.hashedVector(text, dimensions ?? dimensionsDefault)
  })).toReversed()
})

/** Vectors as 32-bit floats, least significant byte first, where base64 is asked for. */
const encoded = (result: unknown, parameters: Result.Result<Embedding, PlainAnswer>): unknown => {
  const isBase64 = Result.isSuccess(parameters) &&
    (parameters.success.encoding_format ?? parameters.success.embedding_type) === "base64"
  return isBase64
    ? {
      ...Object(result),
      embedding: Buffer.from(Float32Array.from(numbersAt(result, "embedding")).buffer)
        .toString("base64")
    }
    : result
}
