/** Problem documents (RFC 9457) for callers without our client: the same form for every failure. */
import { Option, Schema } from "effect"
import type { AccessFailure } from "../../contract/AccessInput.ts"
import type { ErasureFailure } from "../../contract/Erasure.ts"
import type {
  EvidenceFailure,
  PublicFailure,
  ReceiptFailure,
  ResearchFailure
} from "../../contract/PublicFailure.ts"

export const contentType = "application/problem+json"

export const typePrefix = "urn:web-grounding:problem:"
const requestPrefix = "urn:web-grounding:request:"

/** Every kind of problem. The last part of `type` is its key. */
export const kinds = {
  "invalid-input": { status: 400, title: "The input does not fit the contract" },
  "version-mismatch": { status: 400, title: "Not the version of the contract" },
  "malformed-body": { status: 400, title: "The body is not JSON that can be read" },
  "malformed-request": { status: 400, title: "Not a request that can be read" },
  "unauthenticated": { status: 401, title: "No token that is accepted" },
  "scope-missing": { status: 403, title: "The token does not allow it" },
  "origin-refused": { status: 403, title: "Web pages of this origin may not call" },
  "unknown-path": { status: 404, title: "Nothing is there" },
  "session-not-found": { status: 404, title: "No such session is recorded" },
  "pack-not-found": { status: 404, title: "No finished answer is recorded" },
  "token-not-found": { status: 404, title: "No such token is recorded" },
  "evidence-not-found": { status: 404, title: "Nothing of this source is in the store" },
  "method-not-allowed": { status: 405, title: "Not with this method" },
  "not-acceptable": { status: 406, title: "No answer in a form that the caller takes" },
  "request-timeout": { status: 408, title: "The request was too slow to arrive" },
  "request-conflict": { status: 409, title: "The request id belongs to another question" },
  "request-in-progress": { status: 409, title: "Another caller is at the same request" },
  "receipt-unavailable": { status: 409, title: "No receipt can be made of the answer now" },
  "session-erased": { status: 410, title: "The session's content was erased" },
  "body-too-large": { status: 413, title: "The body is too large" },
  "unsupported-media-type": { status: 415, title: "Not a body of JSON" },
  "wrong-host": { status: 421, title: "Not the name of this service" },
  "session-held": { status: 423, title: "The session is under legal hold" },
  "overloaded": { status: 429, title: "Too many calls run already" },
  "limit-reached": { status: 429, title: "The tenant has used up what it is granted" },
  "head-too-large": { status: 431, title: "The address and headers are too large" },
  "internal-failure": { status: 500, title: "The service failed" },
  "erasure-not-allowed": { status: 501, title: "This deployment's login may not erase" },
  "vectors-unavailable": { status: 501, title: "This deployment makes or keeps no vectors" },
  "embedder-failed": { status: 502, title: "The embedder failed" },
  "research-failed": { status: 502, title: "The web step of a research failed" },
  "page-unreadable": { status: 502, title: "The page could not be read" },
  "too-many-connections": { status: 503, title: "Too many connections are open" },
  "store-unavailable": { status: 503, title: "The event log is not available" },
  "issuer-unavailable": { status: 503, title: "The token cannot be checked now" },
  "interrupted": { status: 503, title: "The service is ending" }
} as const

export type Kind = keyof typeof kinds

/** An error in the input. */
export const InputError = Schema.Struct({
  /** Keys joined by dots, e.g. `region.country`; empty for the input as a whole. */
  field: Schema.String,
  problem: Schema.String
})
export type InputError = typeof InputError.Type

const text = Schema.optionalKey(Schema.String)

/** Fields of a failure beside its message. */
const memberFields = {
  /** Milliseconds until asking again may help; also in whole seconds as `Retry-After`. */
  retry_after_ms: Schema.optionalKey(Schema.Int),
  /** Id to repeat the request under: what was done is not repeated. */
  request_id: text,
  session_id: text,
  erased_at: text,
  /** Reference of the matter that a session is held for. */
  matter: text,
  may_have_searched: Schema.optionalKey(Schema.Boolean),
  source_type: text,
  source_id: text,
  url: text,
  reason: text,
  token_id: text,
  /** Limit of the tenant that was reached. */
  limit: text,
  /** The version of the contract on either side. */
  service: text,
  caller: text,
  /** Scope that the token would need. */
  scope: text,
  engine: text
}

export const Problem = Schema.Struct({
  type: Schema.String,
  title: Schema.String,
  status: Schema.Int,
  detail: Schema.String,
  /** `urn:web-grounding:request:` and the request's id. Absent without a request. */
  instance: text,
  /** Everything that is wrong with the input. */
  errors: Schema.optionalKey(Schema.Array(InputError)),
  ...memberFields
}).annotate({ identifier: "Problem" })
export type Problem = typeof Problem.Type

/** A call that is answered with a problem. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  problem: Problem,
  /** Headers beside those that follow from the problem. */
  headers: Schema.Record(Schema.String, Schema.String)
}) {}

type Members = Partial<Omit<Problem, "type" | "title" | "status" | "detail" | "instance">>

export const make = (kind: Kind, detail: string, members: Members = {}): Problem => ({
  type: `${typePrefix}${kind}`,
  ...kinds[kind],
  detail,
  ...(members.request_id === undefined
    ? {}
    : { instance: `${requestPrefix}${encodeURIComponent(members.request_id.toWellFormed())}` }),
  ...members
})

export const refusedBy = (
  kind: Kind,
  detail: string,
  { headers = {}, ...members }: Members & { readonly headers?: Record<string, string> } = {}
): Refused => new Refused({ problem: make(kind, detail, members), headers })

export const invalid = (errors: ReadonlyArray<InputError>): Problem =>
  make("invalid-input", errors.map(sentenceOf).join("; "), { errors })

const sentenceOf = ({ field, problem }: InputError): string =>
  field === "" ? problem : `${field}: ${problem}`

export type Failure =
  | PublicFailure
  | ResearchFailure
  | EvidenceFailure
  | AccessFailure
  | ReceiptFailure
  | ErasureFailure

/** Problem document of a failed call. What the failure does not say is not said here either. */
export const problemOf = (failure: Failure): Problem => {
  if (failure._tag === "InvalidInput") {
    const { field, problem, request_id } = failure
    const errors = [{ field, problem }]
    return make("invalid-input", failure.message, {
      errors,
      ...(request_id === undefined ? {} : { request_id })
    })
  }
  return make(kindOf(failure), failure.message, membersOf(failure))
}

type Other = Exclude<Failure, { readonly _tag: "InvalidInput" }>

const kindOf = (failure: Other): Kind => {
  switch (failure._tag) {
    case "RequestConflict":
      return "request-conflict"
    case "RequestInProgress":
      return "request-in-progress"
    case "SessionNotFound":
      return "session-not-found"
    case "PackNotFound":
      return "pack-not-found"
    case "SessionErased":
      return "session-erased"
    case "SessionHeld":
      return "session-held"
    case "ErasureNotAllowed":
      return "erasure-not-allowed"
    case "StoreUnavailable":
      return "store-unavailable"
    case "Overloaded":
      return "overloaded"
    case "Interrupted":
      return "interrupted"
    case "VersionMismatch":
      return "version-mismatch"
    case "LimitReached":
      return "limit-reached"
    case "Forbidden":
      return "scope-missing"
    case "TokenNotFound":
      return "token-not-found"
    case "InternalFailure":
      return "internal-failure"
    case "EvidenceNotFound":
      return "evidence-not-found"
    case "VectorsUnavailable":
      return failure.reason === "failed" ? "embedder-failed" : "vectors-unavailable"
    case "ResearchFailed":
      return "research-failed"
    case "PageUnreadable":
      return "page-unreadable"
    case "ReceiptUnavailable":
      return "receipt-unavailable"
  }
}

const membersOf = (failure: Other): Members =>
  Option.getOrElse(Schema.decodeUnknownOption(Schema.Struct(memberFields))(failure), () => ({}))

const msInSecond = 1_000

/** Headers that follow from a problem. */
export const headersOf = ({ retry_after_ms }: Problem): Readonly<Record<string, string>> =>
  retry_after_ms === undefined
    ? {}
    : { "retry-after": String(Math.ceil(retry_after_ms / msInSecond)) }
