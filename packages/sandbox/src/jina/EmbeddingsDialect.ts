/** The embeddings protocol that OpenAI and Jina share but for a few fields; the key tells whose. */
import { words } from "@web-grounding/language/Words"
import { Effect, Option, Result, Schema } from "effect"
import {
  type Dialect,
  type JsonAnswer as Answer,
  numbersAt,
  resultsOf
} from "../dialect/Dialect.ts"
import type { PlainAnswer } from "../dialect/PlainFault.ts"
import * as JinaDialects from "./JinaDialects.ts"

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
type Embedding = typeof Embedding.Type
const decodeEmbedding = Schema.decodeUnknownOption(Embedding)

const inputsOf = (input: Embedding["input"]): ReadonlyArray<string> =>
  typeof input === "string" ? [input] : input

const dialect = (
  provider: "jina" | "openai",
  odd: PlainAnswer
): Pick<Dialect<Embedding>, "provider" | "contentType" | "asked" | "render"> => ({
  provider,
  contentType: "application/json",
  asked: Effect.map(JinaDialects.askedInput, (request) => {
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
      usage: { total_tokens: JinaDialects.tokensOf(JSON.stringify(body)) }
    })
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

export const JinaEmbeddingsDialect: Dialect<Embedding> = {
  ...dialect("jina", JinaDialects.refusal(422, "ParamValidationError", "Odd parameter.")),
  noKey: JinaDialects.noKey,
  plainFaults: JinaDialects.plainFaults,
  errorBody: JinaDialects.errorBody
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
    embedding: hashedVector(text, dimensions ?? dimensionsDefault)
  })).toReversed()
})

// A text as a vector without a model: words and runs of letters, hashed onto the dimensions.

const gramLength = 3
/** A shared word says more than a shared run of letters. */
const wordWeight = 2

/**
 * Vector of length 1, the same for the same text on every machine; texts that share words are near.
 */
const hashedVector = (text: string, dimensions: number): ReadonlyArray<number> => {
  const vector = new Float64Array(dimensions)
  const add = (feature: string, weight: number) => {
    const hash = hashOf(feature)
    const place = (hash >>> 1) % dimensions
    vector[place] = (vector[place] ?? 0) + ((hash & 1) === 0 ? weight : -weight)
  }
  // A text without words still has to be somewhere.
  add("", 0.01)
  for (const word of words(text)) {
    add(`word ${word}`, wordWeight)
    const padded = ` ${word} `
    for (let start = 0; start + gramLength <= padded.length; start++) {
      add(padded.slice(start, start + gramLength), 1)
    }
  }
  const length = Math.hypot(...vector)
  return Array.from(vector, (value) => value / length)
}

/** FNV-1a over UTF-16 code units, 32 bits, then mixed so that the low bits depend on all. */
const hashOf = (feature: string): number => {
  let hash = 0x811c9dc5
  for (let place = 0; place < feature.length; place++) {
    hash = Math.imul(hash ^ feature.charCodeAt(place), 0x01000193)
  }
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
}
