/**
 * Finer words for why an engine gave no answer, and what each says of asking another service for
 * the same page.
 *
 * Words are stored in the log as they stand here: a word is never renamed. One that no engine gives
 * any more is removed, and can still be read in old records.
 */
import { type Brand, Schema } from "effect"
import type { SearchDetail, SearchStatus } from "../search/SearchStatus.ts"

/**
 * - `barred`: the site refused or has no such page, or the address is forbidden; no other service
 *   is asked for it.
 * - `unread`: the page was there and could not be had this way; another reader may have it.
 * - `unsaid`: the word alone does not tell.
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
 * Word of this release for why an engine gave no answer. `http_404` and the like are the status of
 * a page's own server; an extractor of pages fails in the words of a search.
 */
export type EngineDetail = keyof typeof outlooks | `http_${number}` | SearchDetail | SearchStatus

/** A word that was recorded, perhaps by another release. New ones are `EngineDetail` alone. */
type RecordedDetail = EngineDetail | string & Brand.Brand<"RecordedDetail">

const byWord: ReadonlyMap<string, PageOutlook> = new Map(Object.entries(outlooks))

/** Outlook that a reader's failure leaves for its page; `unsaid` for a word of another release. */
export const outlookOf = (detail: RecordedDetail | undefined): PageOutlook =>
  byWord.get(detail ?? "") ?? "unsaid"

// Engine that answered a step, the ones that failed before it, and what models used.

/** Why an engine gave no answer. */
export const EngineFault = Schema.Literals([
  "timeout",
  "unreachable",
  "refused",
  "malformed",
  "truncated"
])
export type EngineFault = typeof EngineFault.Type

/** Any text passes: what another release recorded is read and written again as it stands. */
export const RungDetail = Schema.String.pipe(
  Schema.refine((_text): _text is RecordedDetail => true)
)

/** Why an engine in the order of preference (a rung) gave no answer, so that the next was asked. */
const RungFault = Schema.Struct({
  engine: Schema.String,
  reason: EngineFault,
  /** Finer word, e.g. `robots`, `http_404`, `too_large`. */
  detail: Schema.optionalKey(RungDetail)
})
export type RungFault = typeof RungFault.Type

/** Use of models in one step, those that failed included. */
export const ModelUsage = Schema.Struct({
  /** Model name that the server states, else the name that was asked for. */
  model: Schema.String,
  /** Absent where the server left it unsaid for any of the requests: it is not known then. */
  prompt_tokens: Schema.optionalKey(Schema.Natural),
  /** Sum of the answers' completion tokens. Absent like `prompt_tokens`. */
  completion_tokens: Schema.optionalKey(Schema.Natural),
  /** Requests sent, repairs included. */
  requests: Schema.Natural,
  /** Millionths of a US dollar; absent where no price is set, or tokens are not known. */
  cost_micros: Schema.optionalKey(Schema.Natural)
})
export type ModelUsage = typeof ModelUsage.Type

/** Engine that answered a step, and the ones before it that did not. */
export const Rung = Schema.Struct({
  engine: Schema.String,
  version: Schema.String,
  /** Engines that were asked first and failed, in order. Empty: nothing was degraded. */
  faults: Schema.Array(RungFault),
  /** Absent: no model was asked. */
  usage: Schema.optionalKey(ModelUsage)
})
export type Rung = typeof Rung.Type
