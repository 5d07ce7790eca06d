/** A refused call, with status and body known to Tavily's clients. */
import { Data } from "effect"
import { HttpServerResponse } from "effect/http"
import type { PublicFailure, StoreUnavailable } from "../../contract/PublicFailure.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import type { SearchStatus } from "../../domain/search/SearchStatus.ts"
import { always } from "../../infrastructure/http/WaitingAnswers.ts"
import * as RetryAfter from "../../infrastructure/RetryAfter.ts"

/** Tavily's own statuses, and standard HTTP ones. 432: the plan is exhausted. */
type Status = 400 | 401 | 403 | 404 | 405 | 413 | 415 | 421 | 429 | 432 | 500 | 502 | 503 | 504

/** Our own fields next to the message. */
interface Told {
  readonly session_id: string
  readonly request_id: string
  readonly status?: string
}

export class Refused extends Data.TaggedError("Refused")<{
  readonly status: Status
  /** One sentence; begins with the field of the body it is about. */
  readonly error: string
  /** Milliseconds until a retry may help. */
  readonly retry_after_ms?: number | undefined
  readonly allow?: string
  readonly told?: Told
}> {}

export const badRequest = (error: string): Refused => new Refused({ status: 400, error })

/** Milliseconds before a retry if nothing else is known. */
const retryAfterMsDefault = 60_000

type Refusal = Pick<Refused, "error" | "status">

const unreachable = {
  status: 502,
  error: "No search provider could be reached, or answered as it should."
} as const

/** Refusals by search status, when every provider failed and no stale result was cached. */
const bySearchStatus = {
  rate_limited: {
    status: 429,
    error: "Every search provider is asked too often; ask again later."
  },
  quota_exhausted: {
    status: 432,
    error: "The plans or the ceilings of all search keys are spent."
  },
  bad_request: { status: 400, error: "query: No search provider takes it; use other words." },
  timeout: { status: 504, error: "No search provider answered in time." },
  network_error: unreachable,
  circuit_open: unreachable,
  unknown_error: unreachable,
  api_key_missing: {
    status: 500,
    error: "This service has no key of a search provider; its operator can set one."
  },
  invalid_key: {
    status: 500,
    error: "The search providers refuse the keys of this service; its operator can replace them."
  }
} as const satisfies Record<Exclude<SearchStatus, "success" | "no_results">, Refusal>

/** `retryAfterMs` is the shortest time a provider stated. */
export const ofSearch = (
  status: keyof typeof bySearchStatus,
  told: Told,
  retryAfterMs: number = retryAfterMsDefault
): Refused => {
  const refusal = bySearchStatus[status]
  return new Refused({
    ...refusal,
    told: { ...told, status },
    ...(refusal.status === 429 ? { retry_after_ms: retryAfterMs } : {})
  })
}

export const internal = new Refused({ status: 500, error: "Internal Server Error" })

export const unavailable = (failure: Pick<StoreUnavailable, "retry_after_ms">): Refused =>
  waiting(failure, {
    status: 503,
    error: "The service's log is not available; ask again later."
  })

/** The use case's field names and values are not the caller's and are not repeated. */
export const ofFailure = (failure: PublicFailure): Refused => {
  const error = `${failure.message}.`
  switch (failure._tag) {
    case "InvalidInput":
      return badRequest("The request does not fit what this service takes.")
    case "VersionMismatch":
      return badRequest(error)
    case "Forbidden":
      return new Refused({ status: 403, error })
    case "RequestInProgress":
      return new Refused({ status: 504, error: "No answer came in time." })
    case "StoreUnavailable":
      return unavailable(failure)
    case "Overloaded":
      return waiting(failure, { status: 429, error: "The service is busy; ask again later." })
    case "Interrupted":
      return waiting(failure, { status: 503, error: "The service is ending; ask again." })
    case "LimitReached":
      // A limit that lasts is an exhausted plan.
      return waiting(failure, { status: passingLimits.has(failure.limit) ? 429 : 432, error })
    case "RequestConflict":
    case "SessionNotFound":
    case "PackNotFound":
    case "SessionErased":
    case "InternalFailure":
      return internal
  }
}

const waiting = (
  { retry_after_ms }: Pick<StoreUnavailable, "retry_after_ms">,
  refusal: Refusal
): Refused => new Refused({ ...refusal, retry_after_ms })

const passingLimits: ReadonlySet<string> = new Set(["concurrency", "requests_per_minute"])

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
