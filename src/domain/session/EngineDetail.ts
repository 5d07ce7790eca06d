/** Why an engine gave no answer. Stored words: never renamed; a removed one still reads. */
import { type Brand, Schema } from "effect"
import type { SearchDetail, SearchStatus } from "../search/SearchStatus.ts"

type Words<Line extends string> = Line extends `${infer Word} ${infer Others}` ?
  Word | Words<Others> :
  Line

type OwnDetail =
  | Words<"address_forbidden address_invalid address_not_public agrees_with_all">
  | Words<"bad_body bad_request bad_vector balance blank_text blocked budget busy">
  | Words<"captcha conflict consent_wall content_filter crashed cut_off doubled_vector">
  | Words<"downgrade_forbidden empty encoding_unknown error_in_200 extraction forbidden">
  | Words<"garbled headers_too_large http_status invalid_key js_shell keys_resting">
  | Words<"length login_wall malformed missing_vector moved name_forbidden">
  | Words<"name_unresolved no_evidence no_such_model no_text not_found">
  | Words<"nothing_borne_out nothing_to_ask out_of_memory page_unreadable pdf_not_read">
  | Words<"plan port_forbidden proxy_refused quota_exhausted rate_limited redirect">
  | Words<"refusal resting robots scheme_forbidden site_not_allowed soft_404 timeout">
  | Words<"tls_failed too_large too_many_redirects too_many_texts tool_calls truncated">
  | Words<"type_forbidden unreachable unsupported_type upstream_4xx upstream_5xx">
  | Words<"upstream_timeout userinfo_forbidden wrong_shape">

/** `http_404` and the like are statuses of a page's server. */
export type EngineDetail = OwnDetail | `http_${number}` | SearchDetail | SearchStatus

/** A recorded word, perhaps of another release. */
type RecordedDetail = EngineDetail | string & Brand.Brand<"RecordedDetail">

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
