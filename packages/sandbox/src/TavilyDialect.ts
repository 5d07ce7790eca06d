/** Tavily's protocol: JSON both ways, the key in a header. */
import { Effect, Option, Predicate, Result, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import type { SearchDialect } from "./dialect/Dialect.ts"
import * as PlainFault from "./dialect/PlainFault.ts"
import * as SandboxAnswer from "./dialect/SandboxAnswer.ts"
import * as SandboxProtocol from "./dialect/SandboxProtocol.ts"

const decodeBody = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
const decodeQuery = Schema.decodeUnknownOption(Schema.Struct({ query: Schema.String }))

const plain = ({ body, status }: SandboxProtocol.Refusal): PlainFault.PlainAnswer => ({
  status,
  body: JSON.stringify(body)
})

export const TavilyDialect: SearchDialect = {
  provider: "tavily",
  routes: [{ method: "POST", path: "/search" }],
  contentType: "application/json",
  noKey: plain(SandboxProtocol.noKey),
  plainFaults: {},
  errorBody: PlainFault.errorBody,
  asked: Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const body = Option.getOrNull(decodeBody(yield* request.text))
    const { query } = Option.getOrElse(decodeQuery(body), () => ({ query: "" }))
    const { authorization = "", ...headers } = request.headers
    return {
      query,
      path: request.url,
      headers: { ...headers },
      body: Predicate.isObject(body) ? withoutKey(body) : body,
      secret: authorization,
      key: SandboxProtocol.keyOf(authorization),
      parameters: Result.mapError(SandboxProtocol.parametersOf(body), plain)
    }
  }),
  charges: SandboxAnswer.creditsOf,
  render: (answer) => JSON.stringify(answer)
}

/** Body of a request without the key, which older clients send there. */
export const withoutKey = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== "api_key"))
