/** Settings of the search providers: keys, URLs and spending limits. */
import * as Setting from "./Setting.ts"

/** Names of all engines, in their default order. */
const engines = [
  "tavily",
  "duckduckgo",
  "serpapi",
  "searxng",
  "brave",
  "brave_context",
  "exa",
  "serper",
  "custom"
] as const

const engineKey = (title: string, more = "") =>
  Setting.key(`Key of ${title}${more}. Absent: the engine is left out`)

const baseUrl = (title: string, address: string) => Setting.httpUrl(address, `URL of ${title}`)

const monthlySearches = (title: string, fallback = 1_000) =>
  Setting.whole(
    { default: fallback, minimum: 0, maximum: 100_000_000 },
    `Searches the key of ${title} may spend in a calendar month`
  )

export const table = {
  WEB_SEARCH_MOCK: Setting.flag(
    false,
    "Searches go to the bundled sandbox; results are labelled `mock`"
  ),
  SEARCH_PROVIDERS: Setting.order(
    engines,
    "Engines in this order, each asked if those before it failed or found too little. Absent: all configured ones, in the order of the bounds"
  ),
  SEARCH_PROVIDERS_TENANTS: Setting.tenantOrders(
    engines,
    "The same for single tenants: `shop=brave tavily`, with commas"
  ),
  SITES_ALLOWED: Setting.list(
    "domains",
    "The only domains to search, read, quote and show, with subdomains. Absent: all"
  ),
  SITES_DENIED: Setting.list(
    "domains",
    "Domains that are never used, with subdomains; takes precedence over the allowed ones"
  ),
  SITES_KNOWN: Setting.list(
    "domains",
    "Domains of publishers that count as known sources, with subdomains, in addition to the built-in table"
  ),
  SITES_TENANTS: Setting.tenantDomains(
    "Domains that single tenants allow, or deny with a minus, within the above: `shop=city.example -ads.example`, with commas"
  ),
  TAVILY_API_KEY: Setting.key("Key of slot 1. Absent: searches end with `api_key_missing`"),
  TAVILY_API_KEY_2: Setting.key("Key of slot 2; keys are used in turn"),
  TAVILY_API_KEY_3: Setting.key("Key of slot 3"),
  TAVILY_API_KEY_4: Setting.key("Key of slot 4"),
  TAVILY_API_KEY_5: Setting.key("Key of slot 5"),
  TAVILY_MONTHLY_CREDITS: Setting.whole(
    { default: 1_000, minimum: 0, maximum: 100_000_000 },
    "Credits each key may spend in a calendar month (UTC, database's clock); the free plan has 1,000. A search above it ends with `quota_exhausted`"
  ),
  TAVILY_RAW_CONTENT: Setting.flag(
    false,
    "If neither this process nor Jina reads pages, Tavily sends their text with its hits, without credits"
  ),
  TAVILY_USAGE_MINUTES: Setting.whole(
    { default: 60, minimum: 10, maximum: 1_440 },
    "Minutes between two comparisons of each key's count with Tavily's own, while the service runs"
  ),
  TAVILY_BASE_URL: baseUrl("Tavily's API", "https://api.tavily.com"),
  TAVILY_PROJECT: Setting.text(
    "web-grounding",
    "Sent as `X-Project-ID`: the project that uses the key, for the provider"
  ),
  DUCKDUCKGO_ENABLED: Setting.flag(
    true,
    "Asks DuckDuckGo, without a key. Best effort: it is no official API, and may block this address"
  ),
  DUCKDUCKGO_BASE_URL: Setting.httpUrl(
    "https://html.duckduckgo.com",
    "URL of DuckDuckGo's result pages"
  ),
  SERPAPI_API_KEY: engineKey("SerpAPI"),
  SERPAPI_BASE_URL: baseUrl("SerpAPI", "https://serpapi.com"),
  SERPAPI_MONTHLY_SEARCHES: monthlySearches("SerpAPI", 250),
  SEARXNG_BASE_URL: Setting.optionalHttpUrl(
    "URL of your own SearXNG; its `search.formats` must have `json`. Absent: the engine is left out"
  ),
  BRAVE_API_KEY: engineKey("Brave's web search"),
  BRAVE_BASE_URL: baseUrl("Brave's web search", "https://api.search.brave.com"),
  BRAVE_MONTHLY_SEARCHES: monthlySearches("Brave's web search"),
  BRAVE_CONTEXT_API_KEY: engineKey(
    "Brave's LLM Context",
    ", whose hits hold passages of the pages; it may be that of the web search, and is counted apart"
  ),
  BRAVE_CONTEXT_BASE_URL: baseUrl("Brave's LLM Context", "https://api.search.brave.com"),
  BRAVE_CONTEXT_MONTHLY_SEARCHES: monthlySearches("Brave's LLM Context"),
  EXA_API_KEY: engineKey("Exa"),
  EXA_BASE_URL: baseUrl("Exa", "https://api.exa.ai"),
  EXA_MONTHLY_SEARCHES: monthlySearches("Exa"),
  SERPER_API_KEY: engineKey("Serper"),
  SERPER_BASE_URL: baseUrl("Serper", "https://google.serper.dev"),
  SERPER_MONTHLY_SEARCHES: monthlySearches("Serper"),
  CUSTOM_BASE_URL: Setting.optionalHttpUrl(
    "URL of a server that speaks the protocol of `CUSTOM_DIALECT`. Absent: the engine is left out"
  ),
  CUSTOM_DIALECT: Setting.choice(
    { of: ["tavily", "brave", "searxng"], default: "tavily" },
    "Protocol of the server of `CUSTOM_BASE_URL`"
  ),
  CUSTOM_API_KEY: Setting.key(
    "Key of the server of `CUSTOM_BASE_URL`. Absent: none is sent"
  )
}
