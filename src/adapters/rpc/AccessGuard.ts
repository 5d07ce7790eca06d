/** Authenticates every request before its body is read. */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Access, credentialIn, CurrentIdentity } from "../../application/Access.ts"
import * as RetryAfter from "../../infrastructure/RetryAfter.ts"
import type { Refused } from "./RpcHandlers.ts"

/** Probes and documents need no token: they hold no tenant's data. */
export const openPaths: ReadonlySet<string> = new Set([
  "/health",
  "/livez",
  "/startupz",
  "/readyz",
  "/v1/openapi.json",
  "/v1/docs"
])

export interface AccessGuardOptions {
  readonly refused: Refused
  /** Whether the interface of this request authenticates it itself. */
  readonly identifies: (request: HttpServerRequest.HttpServerRequest) => boolean
}

export const make = ({ identifies, refused }: AccessGuardOptions) =>
<E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  E,
  R | HttpServerRequest.HttpServerRequest | Access
> =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const [path = ""] = request.url.split("?")
    if (openPaths.has(path) || identifies(request)) return yield* app
    const { identify } = yield* Access
    const refusal = (status: number, headers: Record<string, string>, because: string) =>
      Effect.succeed(
        HttpServerResponse.setHeaders(
          refused(request, status, because) ?? HttpServerResponse.empty({ status }),
          headers
        )
      )
    return yield* Effect.matchEffect(identify(credentialIn(request.headers["authorization"])), {
      onFailure: (failure) =>
        failure._tag === "Unauthenticated"
          ? refusal(401, { "www-authenticate": "Bearer" }, failure._tag)
          : refusal(503, RetryAfter.header(failure.retry_after_ms), failure._tag),
      onSuccess: (identity) => Effect.provideService(app, CurrentIdentity, identity)
    })
  })
