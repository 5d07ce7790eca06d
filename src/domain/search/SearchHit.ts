/** Result of a search provider, cleaned and with a canonical address. */
import { Schema } from "effect"
import { SearchStatus } from "./SearchStatus.ts"

/** Name of a provider that this release can ask. */
export const KnownProvider = Schema.Literals(["tavily", "duckduckgo", "serpapi", "mock"])
export type KnownProvider = typeof KnownProvider.Type

/**
 * Name of a provider in what is recorded and answered. One that a later release added is kept as it
 * wrote it, so that what replicas and clients of two releases tell each other can be read.
 */
export const ProviderName = Schema.Union([
  KnownProvider,
  Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9_]{0,39}$/))
])
export type ProviderName = typeof ProviderName.Type

/** Names of the providers as people know them. */
export const providerTitles: Readonly<Record<KnownProvider, string>> = {
  tavily: "Tavily",
  duckduckgo: "DuckDuckGo",
  serpapi: "SerpAPI",
  mock: "Mock provider"
}

/** Name of the provider as people know it; as it is written where this release cannot ask it. */
export const providerTitle = (provider: ProviderName): string =>
  KnownProvider.literals.flatMap((name) => name === provider ? [providerTitles[name]] : [])[0] ??
    provider

/** Longest snippet and title kept of a provider's hit, in UTF-16 code units. */
export const contentCharsMax = 8_000
export const titleCharsMax = 300

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
  /** 1-based place in the provider's answer. */
  rank: Schema.Int,
  /** Registrable domain: two hits of one domain are not independent. */
  site: Schema.String,
  /** A government's or public body's own site. */
  official: Schema.Boolean
})
export type SearchHit = typeof SearchHit.Type

/** Why a provider's report of its charge cannot be true: it is counted by its price instead. */
export const CreditsDoubt = Schema.Literals(["above_price", "below_price", "not_a_number"])
export type CreditsDoubt = typeof CreditsDoubt.Type

/** Request to one provider, for the log and the health figures. */
export const SearchAttempt = Schema.Struct({
  provider: ProviderName,
  /** 1-based number of the key's setting, never the key; absent for providers without keys. */
  key_slot: Schema.optionalKey(Schema.Int),
  status: SearchStatus,
  /** Finer word inside the status, e.g. `upstream_5xx`, `forbidden`, `bad_body`, `too_large`. */
  detail: Schema.optionalKey(Schema.String),
  http_status: Schema.optionalKey(Schema.Int),
  retry_after_ms: Schema.optionalKey(Schema.Int),
  /** ISO 8601 UTC. */
  started_at: Schema.String,
  duration_ms: Schema.Int,
  hits_count: Schema.Int,
  /** Credits that the provider states, or the price where that is doubted; absent: not stated. */
  credits: Schema.optionalKey(Schema.Finite),
  credits_doubt: Schema.optionalKey(CreditsDoubt),
  /** The provider's own id of the request. */
  upstream_request_id: Schema.optionalKey(Schema.String)
})
export type SearchAttempt = typeof SearchAttempt.Type
