/**
 * How a search attempt or a whole search ended. Literals, texts and `docs/reference/statuses.md`
 * derive from this table or are checked against it. A failure is never "no results".
 */
import { Schema, Struct } from "effect"

export interface StatusText {
  readonly en: string
  readonly ko: string
}

interface Row {
  readonly meaning: string
  /** Next action for the caller, or the operator of its service. */
  readonly next: string
  /** Sentence for the caller's model on what went wrong. Absent: that of the coarse word. */
  readonly told?: StatusText
}

/** Statuses of a search with the text for a model. A change of `told` raises `textsVersion`. */
export const table = {
  success: {
    meaning: "The provider answered with hits",
    next: "Use the pack"
  },
  no_results: {
    meaning: "The provider answered, and nothing was found or nothing was good enough",
    next: "Answer from existing knowledge, or ask in other words",
    told: { en: "Nothing was found", ko: "검색 결과가 없습니다" }
  },
  api_key_missing: {
    meaning: "The provider needs a key and none is set; it was not asked",
    next: "Set a key of the provider",
    told: { en: "Search is not configured", ko: "검색 서비스가 설정되지 않았습니다" }
  },
  network_error: {
    meaning: "The provider could not be reached, disconnected, or failed",
    next: "Ask again later; look at the network if it persists",
    told: { en: "The search service is down", ko: "검색 서비스에 연결할 수 없습니다" }
  },
  timeout: {
    meaning: "No answer came within the time of the attempt or of the request",
    next: "Ask again, with a longer `deadline_ms` if the answer may wait",
    told: { en: "The search timed out", ko: "검색 시간이 초과되었습니다" }
  },
  rate_limited: {
    meaning: "The provider was asked too often with this key or from this address",
    next: "Ask again later; the key rests until then",
    told: { en: "Search is rate limited", ko: "검색 요청 한도를 초과했습니다" }
  },
  unknown_error: {
    meaning: "The provider's answer does not fit its format",
    next: "Read the attempt's `detail` in the session's log; report it if it persists",
    told: { en: "The search failed", ko: "알 수 없는 오류가 발생했습니다" }
  },
  invalid_key: {
    meaning: "The provider does not know the key",
    next: "Replace the key"
  },
  quota_exhausted: {
    meaning: "The key has spent what its plan, or our own ceiling for the month, allows",
    next: "Raise the plan or the ceiling, add a key, or wait for the next month"
  },
  bad_request: {
    meaning: "The provider refused the query",
    next: "Ask in other words: the same query is refused again"
  },
  circuit_open: {
    meaning: "The provider failed so often that it was not asked",
    next: "Ask again later: it is tried again by itself"
  }
} as const satisfies Record<string, Row>

export const SearchStatus = Schema.Literals(Struct.keys(table))
export type SearchStatus = typeof SearchStatus.Type

/** Words for consumers that know only the seven others. */
const coarseWords = {
  invalid_key: "api_key_missing",
  quota_exhausted: "rate_limited",
  bad_request: "unknown_error",
  circuit_open: "network_error"
} as const satisfies Partial<Record<SearchStatus, SearchStatus>>

const isFine = Schema.is(Schema.Literals(Struct.keys(coarseWords)))

export const coarse = (status: SearchStatus): SearchStatus =>
  isFine(status) ? coarseWords[status] : status

/** Whether the search itself worked, with or without hits. */
export const isAnswered = (status: SearchStatus): status is "success" | "no_results" =>
  status === "success" || status === "no_results"

export const sentencesOf = (status: Exclude<SearchStatus, "success">): StatusText =>
  table[isFine(status) ? coarseWords[status] : status].told

const providerTitles = {
  tavily: "Tavily",
  duckduckgo: "DuckDuckGo",
  serpapi: "SerpAPI",
  searxng: "SearXNG",
  brave: "Brave",
  brave_context: "Brave LLM Context",
  exa: "Exa",
  serper: "Serper",
  custom: "Custom engine",
  mock: "Mock provider"
} as const

export const KnownProvider = Schema.Literals(Struct.keys(providerTitles))
export type KnownProvider = typeof KnownProvider.Type

/**
 * Provider in records. A later release's unknown name is kept: two releases can read each other.
 */
export const ProviderName = Schema.Union([
  KnownProvider,
  Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9_]{0,39}$/))
])
export type ProviderName = typeof ProviderName.Type

/** Whether the provider is the operator's own server, which works without a key. */
export const isOwnServer = (provider: ProviderName): boolean =>
  provider === "searxng" || provider === "custom"

export const providerTitle = (provider: ProviderName): string =>
  KnownProvider.literals.flatMap((name) => name === provider ? [providerTitles[name]] : [])[0] ??
    provider

/** Longest snippet and title kept of a provider's hit, in UTF-16 code units. */
export const contentCharsMax = 8_000
export const titleCharsMax = 300

/**
 * `primary`: a public body, a university, a body that makes standards. `known`: a site with a
 * public record, which a page cannot join by itself. Other sources have no class.
 */
export const SourceClass = Schema.Literals(["primary", "known"])
export type SourceClass = typeof SourceClass.Type

export const SearchHit = Schema.Struct({
  /** Canonical http(s) address. */
  url: Schema.String,
  title: Schema.String,
  /** The provider's snippet: plain text without invisible characters. May be empty. */
  content: Schema.String,
  /** 0 to 1 by the provider; absent when it gives none. */
  score: Schema.optionalKey(Schema.Finite),
  /** ISO 8601 date; absent when the provider gives none. */
  published_date: Schema.optionalKey(Schema.String),
  provider: ProviderName,
  /** 1-based, in the provider's answer. */
  rank: Schema.Int,
  /** Registrable domain: two hits of one domain are not independent. */
  site: Schema.String,
  /** A government's or public body's own site. */
  official: Schema.Boolean,
  /** Absent where its host has no class, and in older releases. */
  source_class: Schema.optionalKey(SourceClass)
})
export type SearchHit = typeof SearchHit.Type

export interface Published {
  readonly from?: string
  readonly until?: string
}

/** Whether a hit was published in these days, or states no day. */
export const isPublished = (
  { from = "", until = "9999-12-31" }: Published,
  { published_date: day = "" }: Pick<SearchHit, "published_date">
): boolean => day === "" || from <= day.slice(0, 10) && day.slice(0, 10) <= until

/**
 * How the provider applied a restriction: exactly, by the nearest option, or not. Absent: none set.
 */
const Honour = Schema.optionalKey(Schema.Literals(["applied", "approximated", "ignored"]))
export const Honoured = Schema.Struct({
  published: Honour,
  time_range: Honour,
  country: Honour,
  /** Of any language but English. */
  language: Honour
})
export type Honoured = typeof Honoured.Type

/** Why a provider's report of its charge is implausible: the price is counted instead. */
export const CreditsDoubt = Schema.Literals(["above_price", "below_price", "not_a_number"])
export type CreditsDoubt = typeof CreditsDoubt.Type

/** Request to one provider, for the log and the health figures. */
export const SearchAttempt = Schema.Struct({
  provider: ProviderName,
  /** 1-based number of the key's setting, never the key; absent for providers without keys. */
  key_slot: Schema.optionalKey(Schema.Int),
  status: SearchStatus,
  detail: Schema.optionalKey(Schema.String),
  http_status: Schema.optionalKey(Schema.Int),
  retry_after_ms: Schema.optionalKey(Schema.Int),
  /** ISO 8601 UTC. */
  started_at: Schema.String,
  duration_ms: Schema.Int,
  hits_count: Schema.Int,
  /** Reported credits, or the price where that is doubted; absent: not reported. */
  credits: Schema.optionalKey(Schema.Finite),
  credits_doubt: Schema.optionalKey(CreditsDoubt),
  upstream_request_id: Schema.optionalKey(Schema.String)
})
export type SearchAttempt = typeof SearchAttempt.Type

/** Why an attempt failed, in more detail than its status. Recorded events may hold older ones. */
export const SearchDetail = Schema.Literals([
  /** The request certainly did not arrive: the only failure that is retried. */
  "unsent",
  "cut_off",
  "bad_body",
  "too_large",
  "redirect",
  "upstream_4xx",
  "upstream_5xx",
  /** The key lacks the right; a key refused so repeatedly is disabled. */
  "forbidden",
  /** The engine is configured to give no answers to programs. */
  "format_off",
  "paygo_exhausted",
  "captcha",
  "throttled",
  "engine_failed",
  "unfinished",
  "refused",
  /** The operator's own ceiling for the month; the provider was not asked. */
  "own_ceiling",
  /** The ledger could not be reached, so the provider was not asked. */
  "credits_unknown"
])
export type SearchDetail = typeof SearchDetail.Type

export interface SearchFault {
  /** Never `success` or `no_results`. */
  readonly status: SearchStatus
  readonly detail?: SearchDetail
}

/** Statuses with which the provider has certainly charged nothing. */
const unchargedStatuses: ReadonlySet<SearchStatus> = new Set<SearchStatus>([
  "api_key_missing",
  "invalid_key",
  "rate_limited",
  "quota_exhausted",
  "bad_request",
  "circuit_open"
])

const unchargedDetails: ReadonlySet<SearchDetail | undefined> = new Set<SearchDetail>([
  "unsent",
  "forbidden"
])

/** Whether the call may have been charged: the work may have been done before it failed. */
export const mayBeCharged = ({ detail, status }: SearchFault): boolean =>
  !unchargedStatuses.has(status) && !unchargedDetails.has(detail)

const unmadeDetails: ReadonlyArray<string | undefined> = [
  "keys_resting",
  "own_ceiling",
  "credits_unknown"
]

export const wasMade = (
  { detail, status }: Pick<SearchAttempt, "detail" | "status">
): boolean =>
  status !== "api_key_missing" && status !== "circuit_open" && !unmadeDetails.includes(detail)

const brokenStatuses: ReadonlySet<SearchStatus> = new Set<SearchStatus>([
  "network_error",
  "timeout",
  "unknown_error"
])

/** Whether the failure means that the provider does not work. A 403 is about the key. */
export const isBroken = ({ detail, status }: SearchFault): boolean =>
  brokenStatuses.has(status) && detail !== "forbidden"

export const badBody: SearchFault = { status: "unknown_error", detail: "bad_body" }
/** An answer larger than the adapter's ceiling; nothing of it was kept. */
export const tooLarge: SearchFault = { status: "unknown_error", detail: "too_large" }
/** No answer began. `unsent`: the request was certainly not sent, so that it may be retried. */
export const unreachable = ({ unsent }: { readonly unsent: boolean }): SearchFault => ({
  status: "network_error",
  ...(unsent ? { detail: "unsent" } : {})
})
/** The connection ended, or the compression broke, before the body was complete. */
export const cutOff: SearchFault = { status: "network_error", detail: "cut_off" }
