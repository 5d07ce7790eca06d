/** The sandbox's endpoints: who asks, what is to go wrong, and only then what the pages say. */
import { ByteSize, Effect, Option, Ref, Result } from "effect"
import { HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Answer, Asked, Dialect } from "./dialect/Dialect.ts"
import * as Fault from "./dialect/Fault.ts"
import * as FaultAnswer from "./dialect/FaultAnswer.ts"
import * as HitLedger from "./dialect/HitLedger.ts"
import * as SandboxAnswer from "./dialect/SandboxAnswer.ts"
import * as SandboxProtocol from "./dialect/SandboxProtocol.ts"
import type { Ranking } from "./dialect/SandboxRanking.ts"
import type { RecordedAnswer, RecordedBodies } from "./RecordedBodies.ts"
import { TavilyDialect } from "./TavilyDialect.ts"

/** A batch of texts to embed takes the most. */
const requestBodyMax = ByteSize.mebibytes(4)
const planLimitCredits = 1_000

export interface SandboxState {
  readonly ledger: HitLedger.HitLedger
  readonly ranking: Ranking
  readonly recorded: Option.Option<RecordedBodies>
  /** A fault's word that every search meets; empty: none. */
  readonly standing: Ref.Ref<string>
}

/** Answer of a healthy server to what was asked of it. */
export type Honestly<P> = (parameters: P) => Effect.Effect<Answer>

export const endpoint = <P>(state: SandboxState, dialect: Dialect<P>, honestly: Honestly<P>) =>
  Effect.gen(function*() {
    const asked = yield* dialect.asked
    const { key, parameters, query } = asked
    yield* state.ledger.record(hitOf(asked, dialect.provider))
    if (Option.isNone(key)) return FaultAnswer.responseOf(dialect.noKey)
    const honest = Result.isFailure(parameters)
      ? Result.fail(parameters.failure)
      : Result.succeed(yield* honestly(parameters.success))
    const fault = yield* faultOf(state, asked, key.value)
    if (Option.isSome(fault)) {
      return yield* FaultAnswer.respond(fault.value, {
        ...dialect,
        query,
        answer: Result.getOrElse(honest, () => ({})),
        render: (answer) => dialect.render(answer, asked),
        secret: asked.secret
      })
    }
    const replayed = yield* Option.match(state.recorded, {
      onNone: () => Effect.succeedNone,
      onSome: (recorded) => recorded.answer(query, dialect.provider)
    })
    if (Option.isSome(replayed)) return replay(replayed.value, dialect.contentType)
    if (Result.isFailure(honest)) return FaultAnswer.responseOf(honest.failure)
    if (dialect.charges !== undefined && Result.isSuccess(parameters)) {
      yield* state.ledger.charge(dialect.charges(parameters.success, honest.success))
    }
    return HttpServerResponse.text(dialect.render(honest.success, asked), {
      contentType: dialect.contentType
    })
  }).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, requestBodyMax))

export const search = (state: SandboxState, dialect: Dialect) =>
  endpoint(state, dialect, (parameters) =>
    SandboxAnswer.answer(
      state.ranking,
      Fault.withoutDirectives(parameters.query),
      parameters
    ))

/** Counts of one plan shared by all keys. Asking is free. */
export const usage = (state: SandboxState) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const secret = request.headers.authorization ?? ""
    const key = SandboxProtocol.keyOf(secret)
    if (Option.isNone(key)) return FaultAnswer.responseOf(TavilyDialect.noKey)
    const { credits } = yield* state.ledger.hits
    const used = { search_usage: credits, extract_usage: 0, crawl_usage: 0, map_usage: 0 }
    const answer: Answer = {
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
    }
    const fault = yield* faultOf(state, { headers: { ...request.headers }, query: "" }, key.value)
    const render = (said: Answer) => JSON.stringify(said)
    return Option.isNone(fault)
      ? HttpServerResponse.jsonUnsafe(answer)
      : yield* FaultAnswer.respond(fault.value, {
        ...TavilyDialect,
        query: "",
        answer,
        render,
        secret
      })
  })

const hitOf = <P>(asked: Asked<P>, provider: string): HitLedger.Hit => {
  const { body, headers, path, query, secret } = asked
  return {
    provider,
    path,
    query,
    key: secret === "" ? "" : HitLedger.keyHash(secret.replace(/^Bearer /, "")),
    intent: headers["x-sandbox-intent"] ?? "",
    headers: Object.fromEntries(
      Object.entries(headers).filter(([, value]) => secret === "" || value !== secret)
    ),
    body
  }
}

/** The header speaks first, then the key, then the query, then what was set for all. */
const faultOf = Effect.fnUntraced(function*(
  { ledger, standing }: SandboxState,
  { headers, query }: Pick<Asked, "headers" | "query">,
  key: string
) {
  const fault = Fault.inWord(headers["x-sandbox-fault"] ?? "").pipe(
    Option.orElse(() => Fault.inKey(key)),
    Option.orElse(() => Fault.inText(query))
  )
  const found = Option.isSome(fault) ? fault : Fault.inWord(yield* Ref.get(standing))
  if (Option.isNone(found)) return found
  const metBefore = yield* ledger.meet(found.value.word)
  return Option.filter(found, ({ times }) => times === undefined || metBefore < times)
})

const replay = ({ body, headers, status }: RecordedAnswer, contentType: string) =>
  HttpServerResponse.uint8Array(body, {
    status,
    headers,
    contentType: headers["content-type"] ?? contentType
  })
