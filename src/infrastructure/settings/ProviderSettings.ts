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
  Setting.key(`Key of ${title}${more}. Absent: it is left out`)

const baseUrl = (title: string, address: string) => Setting.httpUrl(address, `Where ${title} is`)

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
    "Engines that are asked, in this order, each when those before it failed or found little. Absent: all that are set up, in the order of the bounds"
  ),
  SEARCH_PROVIDERS_TENANTS: Setting.tenantOrders(
    engines,
    "Engines that are asked for single tenants instead, in this order: `shop=brave tavily`, with commas"
  ),
  SITES_ALLOWED: Setting.list(
    "domains",
    "The only domains that may be used, subdomains counted: engines are asked for them, and no other one is read, quoted or shown. Absent: all"
  ),
  SITES_DENIED: Setting.list(
    "domains",
    "Domains that may not be used, subdomains counted; they go before those allowed"
  ),
  SITES_KNOWN: Setting.list(
    "domains",
    "Domains of publishers that count as known sources, subdomains counted, beside those of the built-in table"
  ),
  SITES_TENANTS: Setting.tenantDomains(
    "Domains that single tenants allow, or deny with a minus, within those above: `shop=city.example -ads.example`, with commas"
  ),
  TAVILY_API_KEY: Setting.key("Key of slot 1. Absent: searches end with `api_key_missing`"),
  TAVILY_API_KEY_2: Setting.key("Key of slot 2; keys are used in turn"),
  TAVILY_API_KEY_3: Setting.key("Key of slot 3"),
  TAVILY_API_KEY_4: Setting.key("Key of slot 4"),
  TAVILY_API_KEY_5: Setting.key("Key of slot 5"),
  TAVILY_MONTHLY_CREDITS: Setting.whole(
    { default: 1_000, minimum: 0, maximum: 100_000_000 },
    "Credits each key may spend in a calendar month (UTC, database's clock); the free plan has 1,000. A search that would spend more ends with `quota_exhausted`"
  ),
  TAVILY_RAW_CONTENT: Setting.flag(
    false,
    "Where pages are neither fetched by this process nor read by Jina, Tavily sends their text with its hits, for no credit. Else it changes nothing"
  ),
  TAVILY_USAGE_MINUTES: Setting.whole(
    { default: 60, minimum: 10, maximum: 1_440 },
    "A process that serves asks Tavily so often what each key has used, and compares it with its own count"
  ),
  TAVILY_BASE_URL: baseUrl("Tavily's API", "https://api.tavily.com"),
  TAVILY_PROJECT: Setting.text(
    "web-grounding",
    "Sent as `X-Project-ID`, so that the provider can tell which project uses the key"
  ),
  DUCKDUCKGO_ENABLED: Setting.flag(
    true,
    "DuckDuckGo is asked, without a key. Best effort: it is no offered API, and it blocks by address"
  ),
  DUCKDUCKGO_BASE_URL: Setting.httpUrl(
    "https://html.duckduckgo.com",
    "Where DuckDuckGo's result pages are"
  ),
  SERPAPI_API_KEY: engineKey("SerpAPI"),
  SERPAPI_BASE_URL: baseUrl("SerpAPI", "https://serpapi.com"),
  SERPAPI_MONTHLY_SEARCHES: monthlySearches("SerpAPI", 250),
  SEARXNG_BASE_URL: Setting.optionalHttpUrl(
    "Where a SearXNG of one's own is; its `search.formats` must have `json`. Absent: it is left out"
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
    "Where a server is that speaks the wire of `CUSTOM_DIALECT`. Absent: it is left out"
  ),
  CUSTOM_DIALECT: Setting.choice(
    { of: ["tavily", "brave", "searxng"], default: "tavily" },
    "Whose wire the server of `CUSTOM_BASE_URL` speaks"
  ),
  CUSTOM_API_KEY: Setting.key(
    "Key that the server of `CUSTOM_BASE_URL` asks for. Absent: none is sent"
  )
}
