/**
 * Table of public failures: HTTP problem, whether a retry may help, whether the call may have had
 * an effect.
 */
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

interface FailureRow {
  readonly kind: ProblemKind
  /** Kinds by the failure's `reason`, where they differ. */
  readonly kindByReason?: Readonly<Record<string, ProblemKind>>
  /** The same request may be answered after `retry_after_ms`. */
  readonly passes: boolean
  /** A search may have been sent before it failed. */
  readonly mayHaveRun: boolean
}

const refused = { passes: false, mayHaveRun: false } as const
const failed = { passes: false, mayHaveRun: true } as const

export const failureTable: Readonly<Record<AnyFailure["_tag"], FailureRow>> = {
  InvalidInput: { kind: "invalid-input", ...refused },
  VersionMismatch: { kind: "version-mismatch", ...refused },
  Forbidden: { kind: "scope-missing", ...refused },
  SessionNotFound: { kind: "session-not-found", ...refused },
  PackNotFound: { kind: "pack-not-found", ...refused },
  TokenNotFound: { kind: "token-not-found", ...refused },
  EvidenceNotFound: { kind: "evidence-not-found", ...refused },
  RequestConflict: { kind: "request-conflict", ...refused },
  RequestInProgress: { kind: "request-in-progress", passes: true, mayHaveRun: true },
  ReceiptUnavailable: { kind: "receipt-unavailable", ...refused },
  SessionErased: { kind: "session-erased", ...refused },
  SessionHeld: { kind: "session-held", ...refused },
  ErasureNotAllowed: { kind: "erasure-not-allowed", ...refused },
  Overloaded: { kind: "overloaded", passes: true, mayHaveRun: false },
  LimitReached: { kind: "limit-reached", ...refused },
  StoreUnavailable: { kind: "store-unavailable", passes: true, mayHaveRun: true },
  Interrupted: { kind: "interrupted", passes: true, mayHaveRun: true },
  InternalFailure: { kind: "internal-failure", ...failed },
  ResearchFailed: { kind: "research-failed", ...failed },
  PageUnreadable: { kind: "page-unreadable", ...failed },
  VectorsUnavailable: {
    kind: "vectors-unavailable",
    kindByReason: { failed: "embedder-failed" },
    ...refused
  }
}

export const kindOf = (failure: AnyFailure): ProblemKind => {
  const { kind, kindByReason } = failureTable[failure._tag]
  return ("reason" in failure ? kindByReason?.[failure.reason] : undefined) ?? kind
}

const isTag = (tag: string): tag is AnyFailure["_tag"] => Object.hasOwn(failureTable, tag)

export const kindsOfTag = (tag: string): ReadonlyArray<ProblemKind> => {
  if (!isTag(tag)) return []
  const { kind, kindByReason = {} } = failureTable[tag]
  return [kind, ...Object.values(kindByReason)]
}

export const statusOf = (failure: AnyFailure): number => problemKinds[kindOf(failure)].status
