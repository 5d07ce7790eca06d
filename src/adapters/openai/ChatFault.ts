/** Why a chat completion is no answer, by HTTP status and body alone. */
import { Option, Schema } from "effect"
import type { EngineDetail, EngineFault } from "../../domain/session/EngineDetail.ts"

export interface ChatFault {
  readonly reason: EngineFault
  readonly detail: EngineDetail
}

export const refusal: ChatFault = { reason: "refused", detail: "refusal" }
export const filtered: ChatFault = { reason: "refused", detail: "content_filter" }
export const tokensSpent: ChatFault = { reason: "truncated", detail: "length" }
export const cutOff: ChatFault = { reason: "truncated", detail: "cut_off" }
export const tooLarge: ChatFault = { reason: "malformed", detail: "too_large" }
export const notJson: ChatFault = { reason: "malformed", detail: "bad_body" }
export const empty: ChatFault = { reason: "malformed", detail: "empty" }
export const onlyTools: ChatFault = { reason: "malformed", detail: "tool_calls" }
export const notFitting: ChatFault = { reason: "malformed", detail: "wrong_shape" }

/** Fields of a server's error; each absent where it is no such text. */
export interface ServerError {
  readonly message: string
  readonly code: string
  readonly param: string
}

const ErrorField = Schema.Struct({
  message: Schema.optionalKey(Schema.Unknown),
  code: Schema.optionalKey(Schema.Unknown),
  param: Schema.optionalKey(Schema.Unknown)
})
const decodeError = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ error: Schema.Union([ErrorField, Schema.String]) }))
)

const shown = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : ""

/**
 * Error in an answer's body, none where the body holds none. Some servers send one with status 200.
 */
export const errorOf = (body: string): Option.Option<ServerError> =>
  Option.map(decodeError(body), ({ error }) =>
    typeof error === "string"
      ? { message: error, code: "", param: "" }
      : { message: shown(error.message), code: shown(error.code), param: shown(error.param) })

const byStatus: Readonly<Record<number, ChatFault>> = {
  400: { reason: "refused", detail: "bad_request" },
  401: { reason: "refused", detail: "invalid_key" },
  402: { reason: "refused", detail: "quota_exhausted" },
  403: { reason: "refused", detail: "forbidden" },
  404: { reason: "refused", detail: "not_found" },
  408: { reason: "unreachable", detail: "upstream_timeout" },
  413: { reason: "refused", detail: "bad_request" },
  422: { reason: "refused", detail: "bad_request" }
}

/** The fault of a status; none from 200 to 299, where the body decides. */
export const ofStatus = (status: number, error: Option.Option<ServerError>) => {
  if (status >= 200 && status < 300) return Option.none<ChatFault>()
  if (status === 429) return Option.some(limitOf(error))
  const known = byStatus[status]
  if (known !== undefined) return Option.some(known)
  if (status >= 500) {
    return Option.some<ChatFault>({ reason: "unreachable", detail: "upstream_5xx" })
  }
  return status >= 300 && status < 400
    ? Option.some<ChatFault>({ reason: "refused", detail: "redirect" })
    : Option.some<ChatFault>({ reason: "refused", detail: "upstream_4xx" })
}

/** An error that came with 200: its code is often the status that was meant. */
export const ofError = (error: ServerError): ChatFault => {
  const status = Number(error.code)
  const meant = status >= 300 && status < 600
    ? ofStatus(status, Option.some(error))
    : Option.none<ChatFault>()
  return Option.getOrElse(meant, (): ChatFault => ({ reason: "refused", detail: "error_in_200" }))
}

const limitOf = (error: Option.Option<ServerError>): ChatFault =>
  Option.exists(error, ({ code, message }) => /quota|billing|credit/i.test(`${code} ${message}`))
    ? { reason: "refused", detail: "quota_exhausted" }
    : { reason: "refused", detail: "rate_limited" }
