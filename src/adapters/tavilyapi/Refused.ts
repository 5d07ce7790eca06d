/** A refused call, with status and body known to Tavily's clients. */
import { Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { PublicFailure, StoreUnavailable } from "../../contract/PublicFailure.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import type { SearchStatus } from "../../domain/search/SearchStatus.ts"
import { always } from "../../infrastructure/http/WaitingAnswers.ts"
import * as RetryAfter from "../../infrastructure/RetryAfter.ts"

/** Tavily's own statuses, and standard HTTP ones. 432: the plan is exhausted. */
const Status = Schema.Literals(
  [400, 401, 403, 404, 405, 413, 415, 421, 429, 432, 500, 502, 503, 504]
)
type Status = typeof Status.Type

/** Our own fields next to the message. */
const Told = Schema.Struct({
  session_id: Schema.optionalKey(Schema.String),
  request_id: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.String)
})

export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  status: Status,
  /** One sentence; begins with the field of the body it is about. */
  error: Schema.String,
  /** Milliseconds until a retry may help. */
  retry_after_ms: Schema.optionalKey(Schema.Int),
  allow: Schema.optionalKey(Schema.String),
  told: Schema.optionalKey(Told)
}) {}

export const badRequest = (error: string): Refused => new Refused({ status: 400, error })

/** Milliseconds before a retry if nothing else is known. */
const retryAfterMsDefault = 60_000
interface SearchFailure {
  readonly httpStatus: Status
  readonly error: string
}

const unreachable = {
  httpStatus: 502,
  error: "No search provider could be reached, or answered as it should."
} as const

/** Refusals by search status, when every provider failed and no stale result was cached. */
const bySearchStatus = {
  rate_limited: {
    httpStatus: 429,
    error: "Every search provider is asked too often; ask again later."
  },
  quota_exhausted: {
    httpStatus: 432,
    error: "The plans or the ceilings of all search keys are spent."
  },
  bad_request: { httpStatus: 400, error: "query: No search provider takes it; use other words." },
  timeout: { httpStatus: 504, error: "No search provider answered in time." },
  network_error: unreachable,
  circuit_open: unreachable,
  unknown_error: unreachable,
  api_key_missing: {
    httpStatus: 500,
    error: "This service has no key of a search provider; its operator can set one."
  },
  invalid_key: {
    httpStatus: 500,
    error: "The search providers refuse the keys of this service; its operator can replace them."
  }
} as const satisfies Record<Exclude<SearchStatus, "success" | "no_results">, SearchFailure>

/** `retryAfterMs` is the shortest time a provider stated. */
export const ofSearch = (
  status: Exclude<SearchStatus, "success" | "no_results">,
  told: typeof Told.Type,
  retryAfterMs: number | undefined
): Refused => {
  const { error, httpStatus } = bySearchStatus[status]
  return new Refused({
    status: httpStatus,
    error,
    told: { ...told, status },
    ...(httpStatus === 429 ? { retry_after_ms: retryAfterMs ?? retryAfterMsDefault } : {})
  })
}

/** The use case's field names and values are not the caller's and are not repeated. */
export const ofFailure = (failure: PublicFailure): Refused => {
  switch (failure._tag) {
    case "InvalidInput":
      return badRequest("The request does not fit what this service takes.")
    case "Overloaded":
      return new Refused({
        status: 429,
        error: "The service is busy; ask again later.",
        retry_after_ms: failure.retry_after_ms
      })
    case "RequestInProgress":
      return new Refused({ status: 504, error: "No answer came in time." })
    case "StoreUnavailable":
      return unavailable(failure)
    case "Forbidden":
      return new Refused({ status: 403, error: `${failure.message}.` })
    case "VersionMismatch":
      return badRequest(`${failure.message}.`)
    case "LimitReached":
      return new Refused({
        // A limit that lasts is an exhausted plan.
        status: passingLimits.has(failure.limit) ? 429 : 432,
        error: `${failure.message}.`,
        retry_after_ms: failure.retry_after_ms
      })
    case "Interrupted":
      return new Refused({
        status: 503,
        error: "The service is ending; ask again.",
        retry_after_ms: failure.retry_after_ms
      })
    case "RequestConflict":
    case "SessionNotFound":
    case "PackNotFound":
    case "SessionErased":
    case "InternalFailure":
      return internal
  }
}

const passingLimits: ReadonlySet<string> = new Set(["concurrency", "requests_per_minute"])

export const unavailable = ({ retry_after_ms }: Pick<StoreUnavailable, "retry_after_ms">) =>
  new Refused({
    status: 503,
    error: "The service's log is not available; ask again later.",
    retry_after_ms
  })

export const internal = new Refused({ status: 500, error: "Internal Server Error" })

export const answer = (
  { allow, error, retry_after_ms, status, told }: Refused
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    JSON.stringify({ detail: { error }, ...asGiven({ web_grounding: told }) }),
    {
      status,
      contentType: "application/json",
      headers: {
        ...always,
        ...asGiven({ allow }),
        ...(retry_after_ms === undefined ? {} : RetryAfter.header(retry_after_ms))
      }
    }
  )
