/**
 * Finer words for why an engine gave no answer, and what each says of asking another service for
 * the same page.
 *
 * Words are stored in the log as they stand here: a word is never renamed. One that no engine gives
 * any more is removed, and can still be read in old records.
 */
import type { Brand } from "effect"
import type { SearchDetail } from "../search/SearchFault.ts"
import type { SearchStatus } from "../search/SearchStatus.ts"

/**
 * - `barred`: the site refused or has no such page, or the address is forbidden; no other service
 *   is asked for it.
 * - `unread`: the page was there and could not be had this way; another reader may have it.
 * - `unsaid`: the word alone does not tell.
 */
export type PageOutlook = "barred" | "unread" | "unsaid"

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
  name_forbidden: "barred",
  port_forbidden: "barred",
  robots: "barred",
  scheme_forbidden: "barred",
  userinfo_forbidden: "barred",

  http_407: "unread",
  http_429: "unread",
  no_text: "unread",

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
export type RecordedDetail = EngineDetail | string & Brand.Brand<"RecordedDetail">

const byWord: ReadonlyMap<string, PageOutlook> = new Map(Object.entries(outlooks))

/** Outlook that a reader's failure leaves for its page; `unsaid` for a word of another release. */
export const outlookOf = (detail: RecordedDetail | undefined): PageOutlook =>
  byWord.get(detail ?? "") ?? "unsaid"
