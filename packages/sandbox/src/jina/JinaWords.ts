/** How Jina refuses, in the form of its error bodies, and what its protocols have in common. */
import { Effect, Option, Predicate, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import type { PlainAnswer, PlainAnswers } from "../dialect/PlainFault.ts"
import * as SandboxKey from "../dialect/SandboxKey.ts"

/** The names and codes are those of its source; the sentences are made up. */
export const refusal = (
  status: number,
  name: string,
  message: string,
  code: number = status * 100
): PlainAnswer => ({
  status,
  body: JSON.stringify({
    data: null,
    code: status,
    name,
    status: code,
    message,
    readableMessage: `${name}: ${message}`
  })
})

export const noKey = refusal(401, "AuthenticationRequiredError", "Invalid API key.", 40103)

export const plainFaults: PlainAnswers = {
  400: refusal(400, "ParamValidationError", "Odd parameter."),
  401: noKey,
  402: refusal(402, "InsufficientBalanceError", "Account balance is not enough.", 40203),
  403: refusal(403, "AbuseAlleviationError", "Access to this domain is blocked."),
  409: refusal(409, "BudgetExceededError", "Token budget exceeded.", 40904),
  413: refusal(413, "TargetFileTooLargeError", "File too large.", 41302),
  422: refusal(422, "ParamValidationError", "Odd parameter."),
  429: refusal(429, "RateLimitTriggeredError", "Per key rate limit exceeded.", 42903),
  451: refusal(451, "SecurityCompromiseError", "Domain blocked after abuse.", 45102),
  500: refusal(500, "TypeError", "Cannot read properties of undefined."),
  503: refusal(503, "ServiceCrashedError", "Service crashed.", 50302)
}

export const errorBody = (error: string): string =>
  refusal(401, "AuthenticationRequiredError", error).body ?? ""

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** The parts of a request that every one of these protocols has. */
export const askedInput = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = Option.getOrNull(decodeJson(yield* request.text))
  const { authorization = "", ...headers } = request.headers
  return {
    path: request.url,
    headers: { ...headers },
    body: Predicate.isObject(body) ? body : {},
    secret: authorization,
    key: keyOf(authorization)
  }
})

const keyOf = SandboxKey.reader("Bearer ", "jina", "openai")

/** Tokens of a text as a provider counts them, roughly: four characters each. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4)
