/**
 * Details of why an engine gave no answer, and whether another service may be asked for the same
 * page.
 *
 * Words are stored in the log: none is renamed. A removed one can still be read in old records.
 */
import { type Brand, Schema } from "effect"
import type { SearchDetail, SearchStatus } from "../search/SearchStatus.ts"

/**
 * - `barred`: the site refused or has no such page, or the address is forbidden; no other service
 *   is asked.
 * - `unread`: the page exists but could not be read this way; another reader may succeed.
 * - `unsaid`: the word alone does not decide.
 */
type PageOutlook = "barred" | "unread" | "unsaid"

const outlooks = {
  address_forbidden: "barred",
  address_invalid: "barred",
  address_not_public: "barred",
  blocked: "barred",
  downgrade_forbidden: "barred",
  forbidden: "barred",
  http_401: "barred",
  http_402: "barred",
  http_403: "barred",
  http_404: "barred",
  http_410: "barred",
  http_451: "barred",
  login_wall: "barred",
  name_forbidden: "barred",
  port_forbidden: "barred",
  robots: "barred",
  scheme_forbidden: "barred",
  site_not_allowed: "barred",
  soft_404: "barred",
  userinfo_forbidden: "barred",

  consent_wall: "unread",
  garbled: "unread",
  http_407: "unread",
  http_429: "unread",
  js_shell: "unread",
  moved: "unread",
  no_text: "unread",
  proxy_refused: "unread",

  agrees_with_all: "unsaid",
  bad_body: "unsaid",
  bad_request: "unsaid",
  bad_vector: "unsaid",
  balance: "unsaid",
  blank_text: "unsaid",
  budget: "unsaid",
  busy: "unsaid",
  captcha: "unsaid",
  conflict: "unsaid",
  content_filter: "unsaid",
  crashed: "unsaid",
  cut_off: "unsaid",
  doubled_vector: "unsaid",
  empty: "unsaid",
  encoding_unknown: "unsaid",
  error_in_200: "unsaid",
  extraction: "unsaid",
  headers_too_large: "unsaid",
  http_status: "unsaid",
  invalid_key: "unsaid",
  keys_resting: "unsaid",
  length: "unsaid",
  malformed: "unsaid",
  missing_vector: "unsaid",
  name_unresolved: "unsaid",
  no_evidence: "unsaid",
  no_such_model: "unsaid",
  not_extracted: "unsaid",
  not_found: "unsaid",
  nothing_borne_out: "unsaid",
  nothing_to_ask: "unsaid",
  out_of_memory: "unsaid",
  page_unreadable: "unsaid",
  pdf_not_read: "unsaid",
  plan: "unsaid",
  quota_exhausted: "unsaid",
  rate_limited: "unsaid",
  redirect: "unsaid",
  refusal: "unsaid",
  resting: "unsaid",
  timeout: "unsaid",
  tls_failed: "unsaid",
  too_large: "unsaid",
  too_many_redirects: "unsaid",
  too_many_texts: "unsaid",
  tool_calls: "unsaid",
  truncated: "unsaid",
  type_forbidden: "unsaid",
  unreachable: "unsaid",
  unsupported_type: "unsaid",
  upstream_4xx: "unsaid",
  upstream_5xx: "unsaid",
  upstream_timeout: "unsaid",
  wrong_shape: "unsaid"
} as const satisfies Readonly<Record<string, PageOutlook>>

/**
 * Word of this release for why an engine gave no answer. `http_404` and the like are statuses of a
 * page's own server; page extractors use the words of a search.
 */
export type EngineDetail = keyof typeof outlooks | `http_${number}` | SearchDetail | SearchStatus

/** A recorded word, perhaps of another release. */
type RecordedDetail = EngineDetail | string & Brand.Brand<"RecordedDetail">

const byWord: ReadonlyMap<string, PageOutlook> = new Map(Object.entries(outlooks))

/** Outlook of a page after a reader's failure; `unsaid` for a word of another release. */
export const outlookOf = (detail: RecordedDetail | undefined): PageOutlook =>
  byWord.get(detail ?? "") ?? "unsaid"

export const EngineFault = Schema.Literals([
  "timeout",
  "unreachable",
  "refused",
  "malformed",
  "truncated"
])
export type EngineFault = typeof EngineFault.Type

/** Accepts any text: words of other releases are read and written back unchanged. */
export const RungDetail = Schema.String.pipe(
  Schema.refine((_text): _text is RecordedDetail => true)
)

/** Why an engine in the order of preference (a rung) gave no answer, so that the next was asked. */
const RungFault = Schema.Struct({
  engine: Schema.String,
  reason: EngineFault,
  /** E.g. `robots`, `http_404`, `too_large`. */
  detail: Schema.optionalKey(RungDetail)
})
export type RungFault = typeof RungFault.Type

/** Use of models in one step, failed ones included. */
export const ModelUsage = Schema.Struct({
  /** Model name that the server states, else the requested one. */
  model: Schema.String,
  /** Absent (unknown) where the server left it out for any of the requests. */
  prompt_tokens: Schema.optionalKey(Schema.Natural),
  /** Sum over the answers. Absent like `prompt_tokens`. */
  completion_tokens: Schema.optionalKey(Schema.Natural),
  /** Requests sent, repairs included. */
  requests: Schema.Natural,
  /** Millionths of a US dollar; absent where no price is set, or tokens are unknown. */
  cost_micros: Schema.optionalKey(Schema.Natural)
})
export type ModelUsage = typeof ModelUsage.Type

/** Engine that answered a step, and the ones before it that failed. */
export const Rung = Schema.Struct({
  engine: Schema.String,
  version: Schema.String,
  /** Engines that were asked first and failed, in order. Empty: nothing was degraded. */
  faults: Schema.Array(RungFault),
  /** Absent: no model was asked. */
  usage: Schema.optionalKey(ModelUsage)
})
export type Rung = typeof Rung.Type
