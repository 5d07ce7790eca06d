/**
 * `GET /metrics`, and the middleware that times every request. Tokens need the scope `metrics`: the
 * figures are of the whole process.
 */
import { Cause, Effect, type Exit, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CurrentIdentity } from "../../application/Access.ts"
import { Admission } from "../../application/Admission.ts"
import * as SampledGauges from "./Meters.ts"
import type { Meters } from "./Meters.ts"
import { methodOf } from "./MetricTable.ts"
import { timed } from "./ObservedGrounding.ts"

export const path = "/metrics"

const contentType = "text/plain; version=0.0.4; charset=utf-8"

/** Time within which two scrapes get the same text. */
const cachedFor = "1 second"

const layer = (meters: Meters) =>
  Layer.effectDiscard(
    Effect.gen(function*() {
      SampledGauges.admission(meters, yield* Admission)
      const text = yield* Effect.cachedWithTTL(meters.text, cachedFor)
      const router = yield* HttpRouter.HttpRouter
      yield* router.add(
        "GET",
        path,
        Effect.gen(function*() {
          const identity = yield* CurrentIdentity
          if (identity?.scopes.has("metrics") !== true) {
            return HttpServerResponse.empty({ status: 403 })
          }
          return HttpServerResponse.text(yield* text, { contentType })
        })
      )
    })
  )

/** The metrics page for the server. */
export const metricsFace = (meters: Meters) => ({ layer: layer(meters) })

type App<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Counts and times every request. `routeOf`: the template of its path, empty without one. */
export const measureRequests = (
  meters: Meters,
  routeOf: (method: string, path: string) => string
) =>
<E, R>(app: App<E, R>): App<E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, url }) => {
    const http_route = routeOf(method, url.split("?")[0] ?? "")
    return app.pipe(
      timed((seconds, exit) =>
        meters.update("http_server_request_duration_seconds", {
          http_request_method: methodOf(method),
          http_route,
          http_response_status_code: statusOf(exit)
        }, seconds)
      ),
      // The router sets its own pattern first.
      Effect.ensuring(Effect.annotateCurrentSpan("http.route", http_route))
    )
  })

/** Status of the response; empty if the caller disconnected. 404 for a path without a route. */
const statusOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (exit._tag === "Failure") {
    return Cause.hasInterruptsOnly(exit.cause) ? "" : String(notFound)
  }
  return HttpServerResponse.isHttpServerResponse(exit.value) ? String(exit.value.status) : ""
}

const notFound = 404
