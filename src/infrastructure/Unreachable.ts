/** A request without any response (refused, reset, unresolved), and whether it was sent. */
import { Data, Predicate } from "effect"

/** Without the cause: causes hold the request, and requests hold keys. */
export class Unreachable extends Data.TaggedError("Unreachable")<{
  /** Nothing of the request can have arrived: a retry cannot be charged twice. */
  readonly unsent: boolean
}> {}

/** Failures before a connection is established. A reset, for one, may come after the request. */
const unsentCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  // A proxy that refuses a tunnel or the user.
  "UND_ERR_ABORTED",
  "UND_ERR_INVALID_ARG",
  "UND_ERR_PRX_CONN",
  "UND_ERR_PRX_TLS",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
])

/** Clients wrap the socket's own failure, at most this deep. */
const causesMax = 5

/** Reason of a failed connection. The outermost code decides: inner ones are older, or details. */
export const unreachableFrom = (cause: unknown): Unreachable =>
  new Unreachable({ unsent: unsentCodes.has(codeOf(cause, causesMax)) })

const codeOf = (cause: unknown, left: number): string => {
  if (left === 0 || !Predicate.isObject(cause)) return ""
  if (Predicate.hasProperty(cause, "code") && Predicate.isString(cause.code)) return cause.code
  return Predicate.hasProperty(cause, "cause") ? codeOf(cause.cause, left - 1) : ""
}
