/** Settings of one grounding: timeouts, and how much is read, kept and written. */
import * as Setting from "./Setting.ts"

export const table = {
  SEARCH_ATTEMPT_TIMEOUT_MS: Setting.milliseconds(
    { default: 10_000, maximum: 60_000 },
    "Timeout of one attempt at one provider"
  ),
  ENGINE_TIMEOUT_MS: Setting.milliseconds(
    { default: 30_000, maximum: 60_000 },
    "Timeout of one attempt at a preferred engine, within the deadline; of a model with its repair"
  ),
  JINA_READER_TIMEOUT: Setting.seconds(
    { default: 12, maximum: 60 },
    "Timeout of one attempt at reading a page"
  ),
  LOCAL_READER_ENABLED: Setting.flag(
    true,
    "This process fetches and reads pages; else, or if a page cannot be read, its snippet is used"
  ),
  LOCAL_READER_ROBOTS: Setting.flag(true, "Respects robots.txt"),
  LOCAL_READER_PROXY_RESOLVES: Setting.flag(
    false,
    "The proxy gets names of pages, also those that this process cannot resolve: it must then refuse inside addresses"
  ),
  LOCAL_READER_USER_AGENT: Setting.header(
    "web-grounding/0.1",
    "Sent with each fetch. robots.txt may name its first word up to `/`"
  ),
  SEARCH_MIN_RESULTS: Setting.whole(
    { default: 2, minimum: 0, maximum: 20 },
    "With at most so many hits of a provider, the next one is asked too"
  ),
  SEARCH_SCORE_MIN: Setting.share(0.1, "Hits with a lower score are left out"),
  INTERNET_RAG_MAX_EXTRACT_URLS: Setting.whole(
    { default: 5, minimum: 1, maximum: 20 },
    "Pages read for one request"
  ),
  INTERNET_RAG_CHUNK_SIZE: Setting.whole(
    { default: 800, minimum: 200, maximum: 4_000 },
    "Characters after which a passage of a page ends at the next paragraph, at most 1.5 times as many. Snippets and the evidence store use 800"
  ),
  INTERNET_RAG_TOP_K: Setting.whole(
    { default: 6, minimum: 1, maximum: 20 },
    "Passages for the writer"
  ),
  EVIDENCE_ENTRIES_MAX: Setting.whole(
    { default: 4, minimum: 0, maximum: 20 },
    "Entries of the evidence store added to the pages of a grounding; 0: none"
  ),
  COLLECT_WEB_PAGES: Setting.flag(
    false,
    "Collects pages of requests with `allow_collecting` into the evidence store, after the answer"
  ),
  PACK_CACHE_HOURS: Setting.whole(
    { default: 24, minimum: 0, maximum: 720 },
    "Hours for which other sessions of the tenant with the same need get an answer; 0: never"
  ),
  PACK_CACHE_TIMELY_HOURS: Setting.whole(
    { default: 1, minimum: 0, maximum: 720 },
    "The same for news, finance and time-sensitive questions"
  ),
  MAX_EVIDENCE_CHARS: Setting.whole(
    { default: 1_400, minimum: 200, maximum: 20_000 },
    "Length of the evidence block, in UTF-16 code units"
  ),
  EVIDENCE_ADDRESSES: Setting.flag(
    false,
    "Adds URLs to the sources of the evidence block, beyond its length. `citations` always has them"
  )
}
