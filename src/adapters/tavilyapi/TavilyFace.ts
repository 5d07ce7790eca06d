/**
 * Tavily-compatible search and extraction, and searches in Perplexity's and Open WebUI's format:
 * existing code changes one base URL.
 */
import { usageBody } from "@web-grounding/dialects/Tavily"
import { Clock, DateTime, Effect, Layer, Option, Predicate } from "effect"
import { HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Access, callerBy, credentialIn, type RemoteCaller } from "../../application/Access.ts"
import { ServiceCalls } from "../../application/operations/ServiceCalls.ts"
import * as WaitingAnswers from "../../infrastructure/http/WaitingAnswers.ts"
import * as Fields from "./Fields.ts"
import * as OtherWires from "./OtherWires.ts"
import * as Refusals from "./Refused.ts"
import { badRequest, internal, Refused, unavailable } from "./Refused.ts"
import * as SearchCall from "./SearchCall.ts"

type Request = HttpServerRequest.HttpServerRequest

const offered = ["/search", "/extract", "/usage"] as const

const elsewhere: Readonly<Record<string, string>> = {
  "/crawl": "Crawling is not offered.",
  "/map": "Maps of sites are not offered.",
  "/research": "Research of Tavily's kind is not offered; see /v1/research.",
  "/logs": "Logs are not served here; see /v1/sessions.",
  "/org-usage": "Usage is not served here.",
  "/feedback": "Feedback is not taken."
}

const perplexityPath = "/perplexity/search"
const webUiPath = "/openwebui/search"
const roots = [...offered, ...Object.keys(elsewhere), perplexityPath, webUiPath]

const rootOf = (url: string): string | undefined => {
  const [path = ""] = url.split(/[?#]/)
  return roots.find((root) => path === root || path.startsWith(`${root}/`))
}

const layer = Layer.effectDiscard(
  Effect.gen(function*() {
    const router = yield* HttpRouter.HttpRouter
    const service = yield* ServiceCalls
    const access = yield* Access
    const answers = yield* WaitingAnswers.make
    const face = (request: Request) =>
      answered(request).pipe(
        Effect.flatMap((json) => written(request, answers, json)),
        Effect.provideService(ServiceCalls, service),
        Effect.provideService(Access, access),
        Effect.catchTag("Refused", (refused) => Effect.succeed(Refusals.answer(refused))),
        Effect.catchDefect((defect) =>
          Effect.as(Effect.logError("a bug", defect), Refusals.answer(internal))
        )
      )
    for (const root of roots) {
      // The wildcard does not match the root itself.
      yield* router.add("*", `/${root.slice(1)}/*`, face)
    }
  })
)

const written = Effect.fnUntraced(
  function*(request: Request, answers: WaitingAnswers.Answers, json: unknown) {
    const answer = yield* answers.open(request)
    yield* answer.write(JSON.stringify(json))
    yield* answer.end
    return answer.response({ contentType: "application/json" })
  }
)

const answered = Effect.fnUntraced(function*(request: Request) {
  const arrivedAtMs = yield* Clock.currentTimeMillis
  const root = rootOf(request.url) ?? ""
  const reason = elsewhere[root]
  if (reason !== undefined) return yield* badRequest(`${root}: ${reason}`)
  const [path = ""] = request.url.split(/[?#]/)
  if (path !== root) return yield* unknownPath
  const authorization = request.headers["authorization"]
  if (root === "/usage") {
    if (request.method !== "GET") return yield* otherMethod("GET")
    return yield* usage(yield* callerOf({ apiKey: undefined, arrivedAtMs, authorization }))
  }
  if (request.method !== "POST") return yield* otherMethod("POST")
  const { apiKey, fields } = yield* Fields.readBody(request)
  const caller = yield* callerOf({ apiKey, arrivedAtMs, authorization })
  const search = (tavilys: Readonly<Record<string, unknown>>) =>
    Effect.flatMap(
      Fields.search.read(tavilys),
      (call) => SearchCall.answer(call, caller, arrivedAtMs)
    )
  if (root === perplexityPath) {
    const { values } = yield* OtherWires.perplexity.read(fields)
    return OtherWires.perplexity.answerOf(yield* search(OtherWires.perplexity.fieldsOf(values)))
  }
  if (root === webUiPath) {
    const { values } = yield* OtherWires.webUi.read(fields)
    return OtherWires.webUi.answerOf(yield* search(OtherWires.webUi.fieldsOf(values)))
  }
  return root === "/search"
    ? yield* search(fields)
    : yield* SearchCall.extractAnswer(yield* Fields.extract.read(fields), caller, arrivedAtMs)
})

const unknownPath = new Refused({ status: 404, error: "Nothing is there." })

/** Credits charged for the tenant's searches this month, whichever token was used. */
const usage = Effect.fnUntraced(function*(caller: RemoteCaller) {
  const { askedBy } = yield* ServiceCalls
  const days = DateTime.getPartUtc(yield* DateTime.now, "day")
  const { total } = yield* Effect.mapError(askedBy(caller).GetUsage({ days }), Refusals.ofFailure)
  return usageBody(total.credits, null, "web-grounding")
})

const otherMethod = (allow: string) =>
  new Refused({ status: 405, error: `Expected ${allow}.`, allow })

const guards: Readonly<Record<number, Refused>> = {
  403: new Refused({ status: 403, error: "Expected no Origin, or one that the operator allows." }),
  404: unknownPath,
  415: new Refused({ status: 415, error: "Expected Content-Type: application/json." }),
  421: new Refused({ status: 421, error: "Expected a Host that this service is known by." })
}

const refused = (
  { url }: Request,
  status: number
): HttpServerResponse.HttpServerResponse | undefined => {
  const guard = rootOf(url) === undefined ? undefined : guards[status]
  return guard === undefined ? undefined : Refusals.answer(guard)
}

// Identifies the caller. The key is read only here and passed on nowhere.

const key = /^[\w.~+/=-]{1,8192}$/

const unauthorized = new Refused({
  status: 401,
  error: "Unauthorized: missing or invalid API key."
})

const presentedBy = ({ apiKey, authorization }: Presented): Option.Option<string> =>
  Option.filter(
    authorization === undefined
      ? Option.liftPredicate(apiKey, Predicate.isString)
      : credentialIn(authorization),
    (credential) => key.test(credential)
  )

/**
 * The header has precedence over the body. Fails with 401 even if the service requires no token:
 * Tavily's clients always send one.
 */
const callerOf = (presented: Presented): Effect.Effect<RemoteCaller, Refused, Access> =>
  Effect.gen(function*() {
    const credential = presentedBy(presented)
    if (Option.isNone(credential)) return yield* unauthorized
    const { identify } = yield* Access
    const identity = yield* Effect.mapError(
      identify(credential),
      (failure) => failure._tag === "Unauthenticated" ? unauthorized : unavailable(failure)
    )
    return { ...callerBy(identity, "tavily"), arrivedAtMs: presented.arrivedAtMs }
  })

export const tavilyFace = {
  layer,
  refused,
  identifies: (url: string) => rootOf(url) !== undefined
}

interface Presented {
  readonly authorization: string | undefined
  /** `api_key` of the body, sent by older clients. */
  readonly apiKey: unknown
  readonly arrivedAtMs: number
}
