/** The sandbox's endpoints: who asks, what is to go wrong, and only then what the pages say. */
import { ByteSize, Effect, Option, Predicate, Ref, Result, Schema } from "effect"
import { HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Fault from "./Fault.ts"
import * as FaultAnswer from "./FaultAnswer.ts"
import * as HitLedger from "./HitLedger.ts"
import type { RecordedAnswer, RecordedBodies } from "./RecordedBodies.ts"
import * as SandboxAnswer from "./SandboxAnswer.ts"
import * as SandboxProtocol from "./SandboxProtocol.ts"
import type { Ranking } from "./SandboxRanking.ts"

const requestBodyMax = ByteSize.kibibytes(64)
const planLimitCredits = 1_000

export interface SandboxState {
  readonly ledger: HitLedger.HitLedger
  readonly ranking: Ranking
  readonly recorded: Option.Option<RecordedBodies>
  /** A fault's word that every search meets; empty: none. */
  readonly standing: Ref.Ref<string>
}

const decodeBody = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
const decodeQuery = Schema.decodeUnknownOption(Schema.Struct({ query: Schema.String }))

export const search = (state: SandboxState) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const body = Option.getOrNull(decodeBody(yield* request.text))
    const { query } = Option.getOrElse(decodeQuery(body), () => ({ query: "" }))
    const key = SandboxProtocol.keyOf(request.headers.authorization)
    yield* state.ledger.record(hitOf(request, query, body))
    if (Option.isNone(key)) return refuse(SandboxProtocol.noKey)
    const honest = yield* honestly(state, body)
    const fault = yield* faultOf(state, request, key.value, query)
    if (Option.isSome(fault)) {
      return yield* FaultAnswer.respond(fault.value, {
        query,
        body: Result.match(honest, { onFailure: () => "{}", onSuccess: (read) => read.body }),
        authorization: request.headers.authorization ?? ""
      })
    }
    const replayed = yield* Option.match(state.recorded, {
      onNone: () => Effect.succeedNone,
      onSome: (recorded) => recorded.answer(query)
    })
    if (Option.isSome(replayed)) return replay(replayed.value)
    if (Result.isFailure(honest)) return refuse(honest.failure)
    yield* state.ledger.charge(honest.success.credits)
    return HttpServerResponse.text(honest.success.body, { contentType: "application/json" })
  }).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, requestBodyMax))

/** Counts of one plan shared by all keys. Asking is free. */
export const usage = (state: SandboxState) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (Option.isNone(SandboxProtocol.keyOf(request.headers.authorization))) {
      return refuse(SandboxProtocol.noKey)
    }
    const { credits } = yield* state.ledger.hits
    const used = { search_usage: credits, extract_usage: 0, crawl_usage: 0, map_usage: 0 }
    return HttpServerResponse.jsonUnsafe({
      key: { usage: credits, limit: planLimitCredits, ...used, research_usage: 0 },
      account: {
        current_plan: "Sandbox",
        plan_usage: credits,
        plan_limit: planLimitCredits,
        paygo_usage: 0,
        paygo_limit: 0,
        ...used,
        research_usage: 0
      }
    })
  })

const hitOf = (
  request: HttpServerRequest.HttpServerRequest,
  query: string,
  body: unknown
): HitLedger.Hit => {
  const { authorization = "", ...headers } = request.headers
  return {
    path: request.url,
    query,
    key: authorization === "" ? "" : HitLedger.keyHash(authorization.replace(/^Bearer /, "")),
    intent: headers["x-sandbox-intent"] ?? "",
    headers: { ...headers },
    body: Predicate.isObject(body) ? withoutKey(body) : body
  }
}

/** Older clients send the key here. */
const withoutKey = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== "api_key"))

const honestly = Effect.fnUntraced(function*({ ranking }: SandboxState, body: unknown) {
  const parameters = SandboxProtocol.parametersOf(body)
  if (Result.isFailure(parameters)) return Result.fail(parameters.failure)
  const words = Fault.withoutDirectives(parameters.success.query)
  const answer = yield* SandboxAnswer.answer(ranking, words, parameters.success)
  return Result.succeed({
    body: JSON.stringify(answer),
    credits: SandboxAnswer.creditsOf(parameters.success)
  })
})

/** The header speaks first, then the key, then the query, then what was set for all. */
const faultOf = Effect.fnUntraced(function*(
  { ledger, standing }: SandboxState,
  request: HttpServerRequest.HttpServerRequest,
  key: string,
  query: string
) {
  const fault = Fault.inWord(request.headers["x-sandbox-fault"] ?? "").pipe(
    Option.orElse(() => Fault.inKey(key)),
    Option.orElse(() => Fault.inText(query))
  )
  const found = Option.isSome(fault) ? fault : Fault.inWord(yield* Ref.get(standing))
  if (Option.isNone(found)) return found
  const metBefore = yield* ledger.meet(found.value.word)
  return Option.filter(found, ({ times }) => times === undefined || metBefore < times)
})

const refuse = ({ body, status }: SandboxProtocol.Refusal) =>
  HttpServerResponse.jsonUnsafe(body, { status })

const replay = ({ body, headers, status }: RecordedAnswer) =>
  HttpServerResponse.uint8Array(body, {
    status,
    headers,
    contentType: headers["content-type"] ?? "application/json"
  })
