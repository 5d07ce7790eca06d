/** Settings of one grounding: timeouts, and how much is read, kept and written. */
import * as Setting from "./Setting.ts"

export const table = {
  SEARCH_ATTEMPT_TIMEOUT_MS: Setting.milliseconds(
    { default: 10_000, maximum: 60_000 },
    "One attempt at one provider"
  ),
  ENGINE_TIMEOUT_MS: Setting.milliseconds(
    { default: 30_000, maximum: 60_000 },
    "One attempt at one preferred engine, within the deadline: a model, its repair included"
  ),
  JINA_READER_TIMEOUT: Setting.seconds(
    { default: 12, maximum: 60 },
    "One attempt at reading one page. Snippets need none"
  ),
  LOCAL_READER_ENABLED: Setting.flag(
    true,
    "Pages are fetched and read by this process; else, and when a page cannot be read, its snippet is used"
  ),
  LOCAL_READER_ROBOTS: Setting.flag(true, "Sites' robots.txt is asked before their pages"),
  LOCAL_READER_PROXY_RESOLVES: Setting.flag(
    false,
    "Pages are asked of the proxy by name, also those that this process cannot resolve: it is then for the proxy to refuse addresses inside"
  ),
  LOCAL_READER_USER_AGENT: Setting.header(
    "web-grounding/0.1",
    "Sent with each fetch. Its first word up to `/` is what a robots.txt may name"
  ),
  SEARCH_MIN_RESULTS: Setting.whole(
    { default: 2, minimum: 0, maximum: 20 },
    "A provider that answers with no more hits is followed by the next one"
  ),
  SEARCH_SCORE_MIN: Setting.share(0.1, "Hits scored below it are left out"),
  INTERNET_RAG_MAX_EXTRACT_URLS: Setting.whole(
    { default: 5, minimum: 1, maximum: 20 },
    "Pages read for one request"
  ),
  INTERNET_RAG_CHUNK_SIZE: Setting.whole(
    { default: 800, minimum: 200, maximum: 4_000 },
    "Characters from which on a passage of a page read for a request ends with a paragraph; at most half as many again. Snippets and the evidence store keep 800"
  ),
  INTERNET_RAG_TOP_K: Setting.whole(
    { default: 6, minimum: 1, maximum: 20 },
    "Passages handed to the writer"
  ),
  EVIDENCE_ENTRIES_MAX: Setting.whole(
    { default: 4, minimum: 0, maximum: 20 },
    "Entries of the evidence store that join the pages of a grounding; 0 leaves the store out"
  ),
  COLLECT_WEB_PAGES: Setting.flag(
    false,
    "Pages read for requests with `allow_collecting` come into the evidence store after the answer"
  ),
  PACK_CACHE_HOURS: Setting.whole(
    { default: 24, minimum: 0, maximum: 720 },
    "Hours for which an answer is given to other sessions of the tenant that need the same; 0: never"
  ),
  PACK_CACHE_TIMELY_HOURS: Setting.whole(
    { default: 1, minimum: 0, maximum: 720 },
    "The same for news, finance and what hangs on the time"
  ),
  MAX_EVIDENCE_CHARS: Setting.whole(
    { default: 1_400, minimum: 200, maximum: 20_000 },
    "Length of the evidence block, in UTF-16 code units"
  ),
  EVIDENCE_ADDRESSES: Setting.flag(
    false,
    "Sources of the evidence block end with their addresses, beyond its length. `citations` has them always"
  )
}
