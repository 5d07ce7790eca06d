/** Why a call of the client got no answer, told so that a program can act on it. */
import { Predicate, Schema } from "effect"
import type { RpcClientError } from "effect/rpc"

/**
 * - `refused`: nobody listens there. - `dns`: the name is not known.
 * - `reset`: the connection ended before the answer was complete.
 * - `timeout`: no answer within the call's time. - `aborted`: the caller's signal.
 * - `status`: an HTTP status instead of an answer. - `malformed`: no answer of this service.
 */
export const UnreachableCause = Schema.Literals([
  "refused",
  "dns",
  "reset",
  "timeout",
  "aborted",
  "status",
  "malformed"
])
export type UnreachableCause = typeof UnreachableCause.Type

/** The service could not be asked, or its answer was lost. */
export class ServiceUnreachable
  extends Schema.TaggedError<ServiceUnreachable>()("ServiceUnreachable", {
    url: Schema.String,
    cause: UnreachableCause,
    /** The system's code or the HTTP status, e.g. `ECONNREFUSED`, `503`. */
    detail: Schema.optionalKey(Schema.String),
    /** To ask again under: what was done is not repeated. Absent for calls without a request. */
    request_id: Schema.optionalKey(Schema.String),
    /** Whether the call may have reached the service, by this try or an earlier one. */
    may_have_run: Schema.Boolean
  })
{
  override get message(): string {
    const detail = this.detail === undefined ? "" : ` (${this.detail})`
    const again = this.request_id === undefined ? "" : `; ask again as request ${this.request_id}`
    return `${sentences[this.cause]} at ${this.url}${detail}` + (this.may_have_run ? again : "")
  }
}

const sentences: Record<UnreachableCause, string> = {
  refused: "No service listens",
  dns: "No such host is known:",
  reset: "The connection ended before the answer was complete",
  timeout: "The service did not answer in time",
  aborted: "The call was given up",
  status: "The service refused the call",
  malformed: "What answers is not this service"
}

type Reason = Pick<ServiceUnreachable, "cause" | "may_have_run"> & { readonly detail?: string }

/** Statuses with which nothing was done. */
const refusing: ReadonlySet<number> = new Set([400, 403, 404, 405, 413, 415, 421, 429, 503])

const causeByCode: Readonly<Record<string, UnreachableCause>> = {
  ECONNREFUSED: "refused",
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused"
}

/** What a failed exchange over HTTP means. */
export const reasonOf = ({ reason }: RpcClientError.RpcClientError): Reason => {
  if (reason._tag !== "HttpError") {
    // A stream that ends early is a defect of the protocol to the RPC client.
    const isCut = reason.message.includes("ended before")
    return { cause: isCut ? "reset" : "malformed", may_have_run: true }
  }
  const { cause, kind } = reason
  if (kind === "StatusCodeError") {
    const status = statusOf(cause)
    return {
      cause: "status",
      detail: String(status),
      may_have_run: !refusing.has(status)
    }
  }
  const code = codeOf(cause)
  const known = causeByCode[code]
  return {
    cause: known ?? (kind === "InvalidUrlError" ? "dns" : "reset"),
    ...(code === "" ? {} : { detail: code }),
    may_have_run: known === undefined && kind !== "InvalidUrlError"
  }
}

const statusOf = (cause: unknown): number =>
  Predicate.hasProperty(cause, "response") &&
    Predicate.hasProperty(cause.response, "status") && Predicate.isNumber(cause.response.status)
    ? cause.response.status
    : 0

const causesMax = 8

/** The first code in the chain of causes. */
const codeOf = (error: unknown, left = causesMax): string => {
  if (left === 0) return ""
  if (Predicate.hasProperty(error, "code") && Predicate.isString(error.code)) return error.code
  return Predicate.hasProperty(error, "cause") ? codeOf(error.cause, left - 1) : ""
}
