/** HTTP problem of each public failure. */
import type { ErasureFailure } from "./Erasure.ts"
import type { AccessFailure } from "./Input.ts"
import type { EvidenceFailure, ReceiptFailure, ResearchFailure } from "./PublicFailure.ts"

/** The last part of `type` is its key. */
export const problemKinds = {
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
  "request-in-progress": { status: 409, title: "The deadline passed without an answer" },
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

export type ProblemKind = keyof typeof problemKinds

/** Failure of any operation; not derived from their table, which the client does without. */
export type AnyFailure =
  | ResearchFailure
  | EvidenceFailure
  | ReceiptFailure
  | ErasureFailure
  | AccessFailure

const kindByTag = {
  InvalidInput: "invalid-input",
  VersionMismatch: "version-mismatch",
  Forbidden: "scope-missing",
  SessionNotFound: "session-not-found",
  PackNotFound: "pack-not-found",
  TokenNotFound: "token-not-found",
  EvidenceNotFound: "evidence-not-found",
  RequestConflict: "request-conflict",
  RequestInProgress: "request-in-progress",
  ReceiptUnavailable: "receipt-unavailable",
  SessionErased: "session-erased",
  SessionHeld: "session-held",
  ErasureNotAllowed: "erasure-not-allowed",
  Overloaded: "overloaded",
  LimitReached: "limit-reached",
  StoreUnavailable: "store-unavailable",
  Interrupted: "interrupted",
  InternalFailure: "internal-failure",
  ResearchFailed: "research-failed",
  PageUnreadable: "page-unreadable",
  VectorsUnavailable: "vectors-unavailable"
} as const satisfies Readonly<Record<AnyFailure["_tag"], ProblemKind>>

export const kindOf = (failure: AnyFailure): ProblemKind =>
  failure._tag === "VectorsUnavailable" && failure.reason === "failed"
    ? "embedder-failed"
    : kindByTag[failure._tag]

const isTag = (tag: string): tag is AnyFailure["_tag"] => Object.hasOwn(kindByTag, tag)

export const kindsOfTag = (tag: string): ReadonlyArray<ProblemKind> => {
  if (!isTag(tag)) return []
  return tag === "VectorsUnavailable"
    ? [kindByTag[tag], "embedder-failed"]
    : [kindByTag[tag]]
}

export const statusOf = (failure: AnyFailure): number => problemKinds[kindOf(failure)].status
