/** Connects `ServiceRpc` to the service's calls; no rules here. */
import { type Cause, Effect, Queue, Stream } from "effect"
import { HttpMiddleware, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Rpc, RpcGroup } from "effect/rpc"
import { isIP } from "node:net"
import { callerOf, type RemoteCaller } from "../../application/Access.ts"
import * as SessionPages from "../../application/log/SessionPages.ts"
import { ServiceCalls } from "../../application/operations/ServiceCalls.ts"
import { waitingFactsMax } from "../../application/ports/Limits.ts"
import type { GroundProgress } from "../../contract/Operations.ts"
import {
  type PublicFailure,
  versionHeader,
  versionMismatchOf
} from "../../contract/PublicFailure.ts"
import {
  type InputOf,
  type OperationName,
  operationNames
} from "../../contract/ServiceOperations.ts"
import { isLoopback } from "../../infrastructure/http/TrustworthyUrl.ts"
import { ArrivedAt } from "./GroundingRpc.ts"
import { ServiceRpc } from "./ServiceRpc.ts"

type Methods = RpcGroup.Rpcs<typeof ServiceRpc>
type Handlers = { readonly [Method in Methods as Method["_tag"]]: Rpc.ToHandlerFn<Method, never> }

/** Runs a handler for its caller, identified by the server's guard. */
const withCaller = <A, E, R>(
  call: (caller: RemoteCaller) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.gen(function*() {
    const caller = yield* Effect.orDie(callerOf("rpc"))
    const arrivedAtMs = yield* ArrivedAt
    return yield* call(arrivedAtMs === undefined ? caller : { ...caller, arrivedAtMs })
  })

export const layer = ServiceRpc.toLayer(
  Effect.map(ServiceCalls, ({ calls }) => {
    const grounding = (
      input: InputOf<"Ground">,
      queue: Queue.Queue<GroundProgress, PublicFailure | Cause.Done>
    ) =>
      withCaller((caller) =>
        calls.Ground(input, caller, ({ stored }) =>
          Effect.asVoid(
            Queue.offer(queue, { _tag: "Fact", event: SessionPages.viewOf(stored) })
          ))
      ).pipe(
        Effect.flatMap((outcome) => Queue.offer(queue, { _tag: "Outcome", outcome })),
        Effect.andThen(Queue.end(queue)),
        Effect.catch((failure) => Queue.fail(queue, failure))
      )

    const answered = <Name extends OperationName>(name: Name) => (input: InputOf<Name>) =>
      withCaller((caller) => calls[name](input, caller))
    const handlers: unknown = {
      ...Object.fromEntries(operationNames.map((name) => [name, answered(name)])),
      Ground: (input: InputOf<"Ground">) =>
        Stream.callback<GroundProgress, PublicFailure>((queue) => grounding(input, queue), {
          bufferSize: waitingFactsMax,
          strategy: "dropping"
        })
    }
    return handlers as Handlers
  })
)

// Refuses what a web page in a user's browser could send (CSRF, DNS rebinding): a foreign host or
// origin, a body without preflight, malformed paths.

export interface Allowed {
  readonly host: string
  /** Additional host names of the service, in lower case. */
  readonly hosts: ReadonlyArray<string>
  /** Origins of web pages that may call, e.g. `https://tools.example`, in addition to our own. */
  readonly origins: ReadonlyArray<string>
  /** Whether a link from another site may open this address. Default: none. */
  readonly isPage?: (url: string) => boolean
}

const bodyTypes: ReadonlySet<string> = new Set([
  "application/x-ndjson",
  "application/ndjson",
  "application/jsonl",
  "application/json"
])

/** 421, 403, 400 or 415; `undefined`: accepted. */
const refusalOf = (
  allowed: Allowed,
  { headers, method, url }: HttpServerRequest.HttpServerRequest
): number | undefined => {
  if (!isOurs(allowed, headers["host"])) return 421
  const origin = headers["origin"]
  if (origin === undefined) {
    const site = headers["sec-fetch-site"]
    const isForeign = site === "cross-site" || site === "same-site"
    if (isForeign && !isFollowedLink(allowed, { headers, method, url })) return 403
  } else if (!allowed.origins.includes(origin) && !isOwn(origin, headers["host"])) return 403
  // RPC reports it in the frame, as a failure of each call.
  const isMismatched = versionMismatchOf(headers[versionHeader]) !== undefined
  if (isMismatched && !/^\/rpc\/?(?:\?|$)/.test(url)) return 400
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? ""
  return method === "POST" && !bodyTypes.has(type) ? 415 : undefined
}

const isOwn = (origin: string, host: string | undefined): boolean =>
  host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)

/** Whether a user opens a page of this service itself: no other page can read it. */
const isFollowedLink = (
  { isPage }: Allowed,
  { headers, method, url }: Pick<
    HttpServerRequest.HttpServerRequest,
    "headers" | "method" | "url"
  >
): boolean =>
  method === "GET" && headers["sec-fetch-mode"] === "navigate" &&
  headers["sec-fetch-dest"] === "document" && isPage?.(url) === true

/** A host name may be rebound by its owner (DNS rebinding), a bare address may not. */
const isOurs = ({ host, hosts }: Allowed, header: string | undefined): boolean => {
  const named = nameOf(header ?? "")
  if (isLoopback(named) || named === host.toLowerCase()) return true
  return hosts.includes(named) || (isWildcard(host) && isIP(named) !== 0)
}

const nameOf = (header: string): string =>
  header.toLowerCase().replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1")

const isWildcard = (host: string): boolean => host === "0.0.0.0" || host === "::"

const isRouteNotFound = <E>(error: E): boolean =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/** Body of a refusal. `because`: tag of the failure, where a status has several. */
export type Refused = (
  request: HttpServerRequest.HttpServerRequest,
  status: number,
  because?: string
) => HttpServerResponse.HttpServerResponse | undefined

/** Request headers that are read; tracers and Tavily's clients send theirs unasked. */
const readHeaders = [
  "authorization",
  "content-type",
  "idempotency-key",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  versionHeader,
  "b3",
  "traceparent",
  "tracestate",
  "x-client-source",
  "x-project-id"
]

/** Response headers that a page may read, besides those that browsers always expose. */
const shownHeaders = [
  "ignored-fields",
  "mcp-protocol-version",
  "mcp-session-id",
  "retry-after",
  versionHeader,
  "www-authenticate"
]

/** Seconds for which a browser caches a preflight. */
const preflightSeconds = 600

export const make = (allowed: Allowed, refused: Refused = () => undefined) => {
  const checked = checking(allowed, refused)
  if (allowed.origins.length === 0) return checked
  // No credentials: cookies are for our own pages, other pages send a token.
  const cors = HttpMiddleware.cors({
    allowedOrigins: (origin) => allowed.origins.includes(origin),
    allowedMethods: ["GET", "POST", "PUT", "DELETE"],
    allowedHeaders: readHeaders,
    exposedHeaders: shownHeaders,
    maxAge: preflightSeconds
  })
  return <E, R>(app: App<E, R>): App<E, R | HttpServerRequest.HttpServerRequest> =>
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      // A page may also read a refusal. A preflight is checked before it is answered.
      ({ method }) => method === "OPTIONS" ? checked(cors(app)) : cors(checked(app))
    )
}

type App<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const checking =
  (allowed: Allowed, refused: Refused) =>
  <E, R>(app: App<E, R>): App<E, R | HttpServerRequest.HttpServerRequest> =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const status = refusalOf(allowed, request)
      if (status === undefined) {
        // With a malformed escape the router finds no route, not even the wildcard.
        return Effect.catchIf(app, isRouteNotFound, (error) => {
          const response = refused(request, 404)
          return response === undefined ? Effect.fail(error) : Effect.succeed(response)
        })
      }
      return Effect.succeed(refused(request, status) ?? HttpServerResponse.empty({ status }))
    })
