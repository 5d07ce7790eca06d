/**
 * The failures a caller may see: its own mistakes, an id nobody knows, overload, the log being
 * down.
 */
import { Schema } from "effect"
import { RequestConflict } from "../domain/request/GroundingRequest.ts"

/** Input that does not fit the contract; nothing was recorded. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  /** Keys joined by dots, e.g. `region.country`; empty for the input as a whole. */
  field: Schema.String,
  problem: Schema.String,
  /** Id of the request that failed; made up by the client when the caller named none. */
  request_id: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    return this.field === "" ? this.problem : `${this.field}: ${this.problem}`
  }
}

/** Another caller is at the same request, and this one's time is up. Ask again later. */
export class RequestInProgress
  extends Schema.TaggedError<RequestInProgress>()("RequestInProgress", {
    request_id: Schema.String,
    retry_after_ms: Schema.Int
  })
{
  override get message(): string {
    return `Request ${this.request_id} is in progress; ask again in ${this.retry_after_ms} ms`
  }
}

/** Nothing is recorded under this session id. */
export class SessionNotFound extends Schema.TaggedError<SessionNotFound>()("SessionNotFound", {
  session_id: Schema.String
}) {
  override get message(): string {
    return `No session ${this.session_id} is recorded`
  }
}

/** No finished answer is recorded for this request. */
export class PackNotFound extends Schema.TaggedError<PackNotFound>()("PackNotFound", {
  session_id: Schema.String,
  request_id: Schema.String
}) {
  override get message(): string {
    return `No pack of request ${this.request_id} is recorded in session ${this.session_id}`
  }
}

/** The session's content was erased; only its hash chain remains. */
export class SessionErased extends Schema.TaggedError<SessionErased>()("SessionErased", {
  session_id: Schema.String,
  /** ISO 8601 UTC. */
  erased_at: Schema.optionalKey(Schema.String),
  /** Id of the request that failed; made up by the client when the caller named none. */
  request_id: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    const at = this.erased_at === undefined ? "" : ` at ${this.erased_at}`
    return `The content of session ${this.session_id} was erased${at}`
  }
}

/**
 * The event log cannot be reached. What was recorded stays: the same `request_id` goes on from
 * there and pays for no search twice.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  retry_after_ms: Schema.Int,
  /** Id to repeat the request under. Absent for calls that belong to no request. */
  request_id: Schema.optionalKey(Schema.String),
  /** Whether a search may have been sent for the request. */
  may_have_searched: Schema.Boolean
}) {
  override get message(): string {
    if (this.request_id === undefined) return "The event log is not available"
    const searched = this.may_have_searched ? "a search may have been sent" : "nothing was searched"
    return `The event log is not available; ${searched}. Ask again with the request id ` +
      `${this.request_id}: what was done is not repeated`
  }
}

/** Too many calls run already; nothing was done for this one. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {
  retry_after_ms: Schema.Int,
  /** Id of the request that failed; made up by the client when the caller named none. */
  request_id: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    return `The service is busy; ask again in ${this.retry_after_ms} ms`
  }
}

/** The tenant has used up what it is granted; nothing was done. */
export class LimitReached extends Schema.TaggedError<LimitReached>()("LimitReached", {
  limit: Schema.Literals([
    "concurrency",
    "requests_per_minute",
    "searches_per_day",
    "searches_per_month",
    "cost_per_day",
    "cost_per_month"
  ]),
  /** A day at most, also where the limit lasts longer. */
  retry_after_ms: Schema.Int
}) {
  override get message(): string {
    return `The tenant's limit is reached: ${this.limit.replaceAll("_", " ")}`
  }
}

/**
 * Version of the contract between callers and service. The first number is raised when a field or a
 * path is removed or changes its meaning; the second when something is added.
 */
export const contractVersion = "1.0"

/** Sent by either side, in lower case as headers are compared. */
export const versionHeader = "web-grounding-version"

const majorOf = (version: string): string | undefined =>
  /^(\d{1,4})\.\d{1,4}$/.exec(version.trim())?.[1]

/** Caller and service are of releases that do not understand each other; nothing was done. */
export class VersionMismatch extends Schema.TaggedError<VersionMismatch>()("VersionMismatch", {
  /** Version of the contract that the service speaks. */
  service: Schema.String,
  /** Version that the caller stated, at most 20 characters of it. */
  caller: Schema.String
}) {
  override get message(): string {
    return `The service speaks version ${this.service} of its contract, the caller ${this.caller}: ` +
      "update the older of the two"
  }
}

/**
 * The mismatch of a caller's contract version with this service's; `undefined` when they fit. A
 * caller that states none is taken to be of today.
 */
export const versionMismatchOf = (version: string | undefined): VersionMismatch | undefined =>
  version === undefined || majorOf(version) === majorOf(contractVersion)
    ? undefined
    : new VersionMismatch({
      service: contractVersion,
      caller: version.slice(0, callerCharsMax)
    })

const callerCharsMax = 20

/** The process ends. What was done is recorded: the same `request_id` goes on from there. */
export class Interrupted extends Schema.TaggedError<Interrupted>()("Interrupted", {
  request_id: Schema.String,
  retry_after_ms: Schema.Int
}) {
  override get message(): string {
    return `The service is ending; ask again for request ${this.request_id} in ` +
      `${this.retry_after_ms} ms, at another replica if there is one`
  }
}

/** The credential of the call does not allow it; nothing was done. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", {
  /** Scope that the credential would need. */
  scope: Schema.String
}) {
  override get message(): string {
    return `Expected a token with the scope ${this.scope}`
  }
}

/** A bug of ours. What it was stands in the log of the service, not here. */
export class InternalFailure extends Schema.TaggedError<InternalFailure>()("InternalFailure", {
  /** Id of the request that failed; made up by the client when the caller named none. */
  request_id: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    return "The service failed; its log says why"
  }
}

export { RequestConflict }

/** Failures that any call may end with. */
export const callFailures = [
  InvalidInput,
  StoreUnavailable,
  Overloaded,
  Forbidden,
  LimitReached,
  VersionMismatch,
  InternalFailure
] as const

/** Why any call may fail, whatever it asks. */
export type CallFailure = (typeof callFailures)[number]["Type"]

export const PublicFailure = Schema.Union([
  ...callFailures,
  RequestConflict,
  RequestInProgress,
  SessionNotFound,
  PackNotFound,
  SessionErased,
  Interrupted
])
export type PublicFailure = typeof PublicFailure.Type

/**
 * No search of a research whose web step is `blocking` was answered. It is recorded: the same
 * `request_id` fails again, another one searches again.
 */
export class ResearchFailed extends Schema.TaggedError<ResearchFailed>()("ResearchFailed", {
  /** How the searches went. */
  notes: Schema.String,
  request_id: Schema.String
}) {
  override get message(): string {
    return `The web step failed: ${this.notes}`
  }
}

export const ResearchFailure = Schema.Union([...PublicFailure.members, ResearchFailed])
export type ResearchFailure = typeof ResearchFailure.Type

/** Nothing of this source is in the store. */
export class EvidenceNotFound extends Schema.TaggedError<EvidenceNotFound>()("EvidenceNotFound", {
  source_type: Schema.String,
  source_id: Schema.String
}) {
  override get message(): string {
    return `Nothing of ${this.source_type} ${this.source_id} is in the evidence store`
  }
}

/** Vectors cannot be made or kept here. */
export class VectorsUnavailable
  extends Schema.TaggedError<VectorsUnavailable>()("VectorsUnavailable", {
    reason: Schema.Literals(["not_configured", "not_kept", "failed"]),
    /** Name of the embedder that failed. */
    engine: Schema.optionalKey(Schema.String),
    detail: Schema.optionalKey(Schema.String)
  })
{
  override get message(): string {
    switch (this.reason) {
      case "not_configured":
        return "No embedder is configured: entries are found by their words"
      case "not_kept":
        return "The database lacks the extension vector: entries are found by their words"
      case "failed":
        return `The embedder ${this.engine ?? ""} failed (${this.detail ?? "unknown"}); ` +
          "what is done is kept, so ask again"
    }
  }
}

/** No reader of this deployment could read the page; nothing was changed. */
export class PageUnreadable extends Schema.TaggedError<PageUnreadable>()("PageUnreadable", {
  url: Schema.String,
  /** Reason of the reader that was asked last; `not_configured` when there is none. */
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason === "not_configured"
      ? "No page reader is configured"
      : `The page ${this.url} could not be read: ${this.reason}`
  }
}

/** No receipt can be made of the answer now. */
export class ReceiptUnavailable
  extends Schema.TaggedError<ReceiptUnavailable>()("ReceiptUnavailable", {
    /**
     * - `no_key`: no key signs anchors and receipts here.
     * - `not_anchored`: no anchor covers the answer yet; the next one will.
     * - `anchor_unsound`: the log is not as its anchor says.
     * - `no_such_claim`: the answer has fewer claims.
     */
    reason: Schema.Literals(["no_key", "not_anchored", "anchor_unsound", "no_such_claim"])
  })
{
  override get message(): string {
    switch (this.reason) {
      case "no_key":
        return "No key signs receipts: set ANCHOR_KEY or ANCHOR_KEY_FILE to an Ed25519 key " +
          "(openssl genpkey -algorithm ed25519)"
      case "not_anchored":
        return "No anchor covers the answer yet: run anchors make, or wait for the next one"
      case "anchor_unsound":
        return "The log is not as its anchor says: see verify --all"
      case "no_such_claim":
        return "The answer has no claim of this number"
    }
  }
}

export const ReceiptFailure = Schema.Union([
  ...callFailures,
  PackNotFound,
  SessionErased,
  ReceiptUnavailable
])
export type ReceiptFailure = typeof ReceiptFailure.Type

export const EvidenceFailure = Schema.Union([
  ...callFailures,
  EvidenceNotFound,
  VectorsUnavailable,
  PageUnreadable
])
export type EvidenceFailure = typeof EvidenceFailure.Type
