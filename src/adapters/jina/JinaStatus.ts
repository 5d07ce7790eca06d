/** Maps an answer of Jina's to a reason, by HTTP status and the name of its error alone. */
import { Option, Schema } from "effect"
import type { EngineDetail, EngineFault } from "../../domain/session/EngineDetail.ts"

export interface JinaFault {
  readonly reason: EngineFault
  readonly detail: EngineDetail
}

/** Fault of an answer that is complete and not what Jina promises. */
export const badBody: JinaFault = { reason: "malformed", detail: "bad_body" }
/** Fault of an answer larger than the adapter's ceiling; nothing of it was kept. */
export const tooLarge: JinaFault = { reason: "malformed", detail: "too_large" }
/**
 * Fault of an answer whose connection ended, or whose compression broke, before its body was
 * complete.
 */
export const cutOff: JinaFault = { reason: "unreachable", detail: "cut_off" }

const refused = (detail: EngineDetail): JinaFault => ({ reason: "refused", detail })

/** 451 and 403 also stand for a page's site that Jina will not read for us. */
const faultByStatus: Readonly<Record<number, JinaFault>> = {
  400: refused("bad_request"),
  401: refused("invalid_key"),
  402: refused("balance"),
  403: refused("forbidden"),
  409: refused("conflict"),
  412: refused("too_large"),
  413: refused("too_large"),
  422: refused("bad_request"),
  429: refused("rate_limited"),
  451: refused("blocked"),
  504: { reason: "timeout", detail: "upstream_timeout" },
  524: { reason: "timeout", detail: "upstream_timeout" }
}

/** Names that say more than their status. */
const faultByName: Readonly<Record<string, JinaFault>> = {
  AbuseAlleviationError: refused("blocked"),
  /** 422: the page's own server did not answer Jina's browser. */
  AssertionFailureError: refused("page_unreadable"),
  BudgetExceededError: refused("budget"),
  TierFeatureConstraintError: refused("plan")
}

const decodeName = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ name: Schema.String }))
)

/** The fault of a status; none from 200 to 299, where the body decides. */
export const faultOf = (httpStatus: number, body: string): Option.Option<JinaFault> => {
  if (httpStatus >= 200 && httpStatus < 300) return Option.none()
  const name = Option.match(decodeName(body), { onNone: () => "", onSome: ({ name }) => name })
  const named = Object.hasOwn(faultByName, name) ? faultByName[name] : undefined
  return Option.some(named ?? faultByStatus[httpStatus] ?? ofClass(httpStatus))
}

const ofClass = (httpStatus: number): JinaFault => {
  if (httpStatus >= 500) return { reason: "unreachable", detail: "upstream_5xx" }
  return httpStatus >= 400
    ? refused("upstream_4xx")
    : { reason: "malformed", detail: "redirect" }
}
