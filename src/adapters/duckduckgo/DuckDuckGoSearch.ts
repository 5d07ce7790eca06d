/** DuckDuckGo's page for browsers without scripts as a `SearchProvider`: one form, first page. */
import { Data, DateTime, Effect, Option, Result } from "effect"
import { HttpClientRequest } from "effect/http"
import { DomUtils, parseDocument } from "htmlparser2"
import {
  failureOf,
  type SearchAnswer,
  SearchFailed,
  type SearchProvider,
  type SearchRequest
} from "../../application/ports/SearchProvider.ts"
import * as FoundPage from "../../domain/search/FoundPage.ts"
import {
  type Domains,
  isWanted,
  type SearchMarket,
  withSites
} from "../../domain/search/FoundPage.ts"
import * as SearchStatus from "../../domain/search/SearchStatus.ts"
import { ofStatus, type ProviderName, type SearchFault } from "../../domain/search/SearchStatus.ts"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"
import * as RegistrableDomain from "../../infrastructure/RegistrableDomain.ts"

/** Bytes of a page after decompression, at most. A page of ten results takes about 33 kB. */
const bodyBytesMax = 2 * 1024 * 1024

interface DuckDuckGoOptions {
  /** Origin of the page, with or without a trailing slash. */
  readonly baseUrl: string
  /** `mock` when `baseUrl` is the sandbox: made-up pages are never shown as DuckDuckGo's. */
  readonly label: "duckduckgo" | "mock"
}

/**
 * No key. There is no agreement to search by program either, and too many searches from one
 * address end in a puzzle: callers keep the rate low. The topic cannot be told to it.
 */
export const make = ({ baseUrl, label }: DuckDuckGoOptions): Effect.Effect<SearchProvider> =>
  Effect.succeed({ name: label, search: searchWith(baseUrl.replace(/\/+$/, ""), label) })

const searchWith = (origin: string, provider: "duckduckgo" | "mock") =>
  Effect.fn("DuckDuckGoSearch.search")(
    function*(request: SearchRequest): Effect.fn.Return<SearchAnswer, SearchFailed> {
      const exchange = yield* HttpExchange.exchange(formOf(origin, request), bodyBytesMax).pipe(
        Effect.mapError((unreachable) =>
          new SearchFailed({ provider, ...SearchStatus.unreachable(unreachable) })
        )
      )
      const answer = answerOf(exchange, provider, request)
      return Result.isSuccess(answer)
        ? answer.success
        : yield* failedBy(answer.failure, exchange, provider)
    }
  )

/** The sign of a browser that stays the same; one that changes with every search stands out. */
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

/** `b` is sent by the first page's button. Later pages need a token; without it they mark a bot. */
const formOf = (origin: string, request: SearchRequest): HttpClientRequest.HttpClientRequest => {
  const region = regionOf(FoundPage.marketOf(request))
  const age = request.timeRange?.slice(0, 1)
  const form = {
    q: queryText(request.query, request),
    b: "",
    kl: region,
    df: age ?? ""
  }
  return HttpClientRequest.post(`${origin}/html/`).pipe(
    HttpClientRequest.bodyUrlParams(form),
    HttpClientRequest.setHeaders({
      "user-agent": browser,
      accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
      "accept-language": /^en\b/i.test(request.locale)
        ? request.locale
        : `${request.locale},en;q=0.5`,
      "accept-encoding": "gzip, deflate, br",
      referer: `${origin}/`,
      cookie: age === undefined ? `kl=${region}` : `kl=${region}; df=${age}`,
      "sec-fetch-dest": "document",
      "sec-fetch-mode": "navigate",
      "sec-fetch-site": "same-origin",
      "sec-fetch-user": "?1"
    })
  )
}

/** A bot check may come with any status, so the page is looked at before the status speaks. */
const answerOf = (
  { body, status }: HttpExchange.Exchange,
  provider: "duckduckgo" | "mock",
  request: SearchRequest
): Result.Result<SearchAnswer, SearchStatus.SearchFault> => {
  const refused = faultOf(status)
  if (body._tag !== "Whole") {
    const broken = body._tag === "Cut" ? SearchStatus.cutOff : SearchStatus.tooLarge
    return Result.fail(Option.getOrElse(refused, () => broken))
  }
  const answer = readHits(body.text, provider, request)
  const isChallenge = Result.isFailure(answer) && answer.failure === captcha
  return Option.isNone(refused) || isChallenge ? answer : Result.fail(refused.value)
}

const failedBy = (
  fault: SearchStatus.SearchFault,
  { retryAfterMs, status }: HttpExchange.Exchange,
  provider: "duckduckgo" | "mock"
): SearchFailed =>
  failureOf(provider, fault, {
    status,
    retryAfterMs: fault.status === "rate_limited"
      ? Option.orElseSome(retryAfterMs, () => retryAfterMsOtherwise)
      : retryAfterMs
  })

// A query as DuckDuckGo takes it: searched for, never obeyed.

/** Longest query, in UTF-16 code units; a longer one is refused. */
export const queryCharsMax = 499

export const queryText = (query: string, domains: Domains): string =>
  withSites(withoutCommands(query.toWellFormed()), domains, queryCharsMax)

/**
 * `!w` and `w!` lead to another site, a lone `!` and a leading backslash to the first result. The
 * first form is quoted, as SearXNG does; a mark at a word's end is only punctuation and goes.
 */
const withoutCommands = (query: string): string =>
  query.replace(/"[^"]*"|\S+/g, (word) => {
    if (/^[!\\]/.test(word)) return `'${word.replaceAll("'", "")}'`
    return word.startsWith("\"") ? word : word.replace(/!+$/, "")
  })

// The regions DuckDuckGo knows, by its own codes: some are neither ISO countries nor languages.

/** No region at all. */
const worldwide = "wt-wt"

/**
 * Regions that the page's own form offers (recorded 2025 and 2026). A country's first is its
 * default.
 */
const regions = (`ar-es au-en at-de be-fr be-nl br-pt bg-bg ca-en ca-fr cl-es cn-zh co-es hr-hr
cz-cs dk-da ee-et fi-fi fr-fr de-de gr-el hk-tzh hu-hu is-is in-en id-en ie-en il-en it-it jp-jp
kr-kr lv-lv lt-lt my-en mx-es nl-nl nz-en no-no pk-en pe-es ph-en pl-pl pt-pt ro-ro ru-ru xa-ar
sg-en sk-sk sl-sl za-en es-es es-ca se-sv ch-de ch-fr tw-tzh th-en tr-tr us-en us-es ua-uk uk-en
vn-en`).split(/\s+/)

const countryNames: Readonly<Record<string, string>> = { GB: "uk", SA: "xa", SI: "sl" }

/**
 * Region of the country, in the language where there is a choice; `wt-wt` for an unknown country.
 */
export const regionOf = ({ country, language }: SearchMarket): string => {
  const code = Option.orElse(country, () => likelyCountry(language))
  if (Option.isNone(code)) return worldwide
  const prefix = `${countryNames[code.value] ?? code.value.toLowerCase()}-`
  const offered = regions.filter((region) => region.startsWith(prefix))
  return offered.find((region) => region === prefix + language) ?? offered[0] ?? worldwide
}

/** Country with most speakers of the language; English alone names none. */
const likelyCountry = (language: string): Option.Option<string> =>
  language === "en" ? Option.none() : Option.flatMap(
    maximized(language),
    ({ region }) => Option.fromUndefinedOr(region)
  )

const maximized = Option.liftThrowable((language: string) => new Intl.Locale(language).maximize())

// Maps an answer of DuckDuckGo's to a status, by HTTP status and page alone.

/**
 * Milliseconds that a block is taken to last. It is by address and names no end; asking again soon
 * prolongs it.
 */
const retryAfterMsOtherwise = 10 * 60 * 1_000

export const captcha: SearchFault = { status: "rate_limited", detail: "captcha" }
const throttled: SearchFault = { status: "rate_limited", detail: "throttled" }

/** 202 and 303 are how the endpoint turns scrapers away (seen by several clients, 2024 to 2026). */
const faultByStatus: Readonly<Record<number, SearchFault>> = {
  202: throttled,
  303: throttled,
  400: { status: "bad_request" },
  403: throttled,
  413: { status: "bad_request" },
  414: { status: "bad_request" },
  422: { status: "bad_request" },
  429: throttled
}

/** The fault of a status; none where the page decides. */
const faultOf = (httpStatus: number): Option.Option<SearchFault> =>
  ofStatus(httpStatus, faultByStatus)

// A page of DuckDuckGo's as the answer to a request, or why it is none.

const nothing: SearchAnswer = { hits: [], droppedCount: 0 }

/**
 * Hits of a page of results. One whose results are all unusable is a fault: it must not pass for
 * "nothing found".
 */
export const readHits = (
  html: string,
  provider: ProviderName,
  request: SearchRequest
): Result.Result<SearchAnswer, SearchStatus.SearchFault> =>
  Page.$match(readPage(html), {
    Challenge: () => Result.fail(captcha),
    Unknown: () => Result.fail(SearchStatus.badBody),
    Nothing: () => Result.succeed(nothing),
    Results: ({ results }) => {
      const finder = { provider, siteOf: RegistrableDomain.registrableDomain }
      const usable = results.flatMap(({ address, date, snippet, title }, place) =>
        Option.toArray(FoundPage.hitOf({
          address,
          title,
          content: snippet,
          publishedDate: date,
          rank: place + 1
        }, finder))
      )
      if (usable.length === 0) return Result.fail(SearchStatus.badBody)
      const wanted = usable.filter(({ url }) => isWanted(new URL(url).hostname, request))
      return Result.succeed({
        hits: FoundPage.withoutRepeats(wanted).slice(0, request.hitsMax),
        droppedCount: results.length - usable.length
      })
    }
  })

// Reads a page of DuckDuckGo's: results, honestly none, a bot check, or nothing we know. Layouts
// as recorded: `/html/` of 2025 and 2026 and its `/lite/` twin. Links are direct or lead through
// `/l/?uddg=`; ads look like results and lead through `/y.js`.

/** A full page has under 1,000. The parser's time grows with the square of the nesting. */
const tagsMax = 3_000
/** A full page has 10 to 30. */
const resultsMax = 50

interface PageResult {
  /** The page's own address, redirects undone; empty for a link that leads nowhere. */
  readonly address: string
  readonly title: string
  readonly snippet: string
  /** `YYYY-MM-DD`. */
  readonly date: Option.Option<string>
}

type Page = Data.TaggedEnum<{
  /** Results, at least one, in the page's order, without ads. */
  Results: { readonly results: ReadonlyArray<PageResult> }
  /** The page says itself that there are none. */
  Nothing: {}
  Challenge: {}
  Unknown: {}
}>
const Page = Data.taggedEnum<Page>()

type Element = ReturnType<typeof DomUtils.findAll>[number]
type Node = Element["children"][number]

/**
 * Kind of a DuckDuckGo page, and its results. What is no such page, or not all of one, is
 * `Unknown`: it never fails.
 */
export const readPage = (html: string): Page => {
  if ((html.match(/<[a-z]/gi)?.length ?? 0) > tagsMax) return Page.Unknown()
  const elements = elementsOf(parseDocument(html).children)
  if (elements.some(isChallenge)) return Page.Challenge()
  if (!/<\/html\s*>/i.test(html)) return Page.Unknown()
  const list = elements.find(({ attribs }) => attribs["id"] === "links")
  const listed = list === undefined ? ofLite(elements) : ofHtml(list)
  const results = listed.filter((result) => !isEnd(result))
  if (results.length > 0) return Page.Results({ results })
  return elements.some(saysNothing) ? Page.Nothing() : Page.Unknown()
}

const isElement = (node: Node): node is Element => "attribs" in node

/** Elements in the page's order. */
const elementsOf = (nodes: Array<Node>, recurse = true): ReadonlyArray<Element> =>
  DomUtils.filter(isElement, nodes, recurse).filter(isElement)

const classesOf = ({ attribs }: Element): ReadonlyArray<string> =>
  (attribs["class"] ?? "").split(/\s+/)
const has = (name: string) => (element: Element) => classesOf(element).includes(name)

/** Whether the element is DuckDuckGo's own puzzle, or the check of the network in front of it. */
const isChallenge = (element: Element): boolean => {
  const { action, id, src } = element.attribs
  return id === "challenge-form" || id === "cf-chl-bypass" ||
    classesOf(element).some((name) => /^(?:anomaly-modal|cf-turnstile|h-captcha)/.test(name)) ||
    /\/(?:anomaly\.js|cdn-cgi\/challenge-platform\/)/.test(`${action ?? ""} ${src ?? ""}`)
}

/** Told by class in `/html/`; in older pages and in `/lite/` only by words of their own. */
const saysNothing = (element: Element): boolean =>
  has("no-results")(element) || has("result--no-result")(element) ||
  Option.exists(
    ownText(element),
    (text) => /^No (?:more )?results(?: found)?\b.{0,20}$/i.test(text)
  )

/** A page without results lists one that is none: `EOF`, a search at Google. */
const isEnd = ({ address, title }: PageResult): boolean =>
  title === "EOF" && /^https?:\/\/www\.google\.com\/search\?/.test(address)

const ofHtml = (list: Element): ReadonlyArray<PageResult> =>
  elementsOf(list.children, false).filter(has("web-result")).slice(0, resultsMax)
    .filter((result) => !has("result--ad")(result) && !has("result--no-result")(result))
    .flatMap((result) =>
      Option.toArray(resultOf(elementsOf(result.children), "result__a", "result__snippet"))
    )

/** Rows of a table: a link's, then those of its snippet and its address. */
const ofLite = (elements: ReadonlyArray<Element>): ReadonlyArray<PageResult> => {
  const starts = elements.flatMap((element, place) => has("result-link")(element) ? [place] : [])
  return starts.slice(0, resultsMax).flatMap((start, n) => {
    const own = elements.slice(start, starts[n + 1])
    const row = own[0]?.parent?.parent
    const isSponsored = row?.type === "tag" && has("result-sponsored")(row)
    return isSponsored ? [] : Option.toArray(resultOf(own, "result-link", "result-snippet"))
  })
}

const resultOf = (
  elements: ReadonlyArray<Element>,
  linkClass: string,
  snippetClass: string
): Option.Option<PageResult> => {
  const link = elements.find(has(linkClass))
  const address = addressOf(link?.attribs["href"] ?? "")
  if (isAd(address)) return Option.none()
  const snippet = elements.find(has(snippetClass))
  const lines = elements.filter(({ name }) => name === "span").flatMap((span) =>
    Option.toArray(ownText(span))
  )
  return Option.some({
    address,
    title: link === undefined ? "" : textOf([link]),
    snippet: snippet === undefined ? "" : textOf([snippet]),
    date: Option.flatMap(Option.fromUndefinedOr(lines.find((text) => stamp.test(text))), dayOf)
  })
}

/** `2026-05-01T00:00:00.0000000`: days only, no time was ever seen. */
const stamp = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,20}Z?$/

const dayOf = (text: string): Option.Option<string> => {
  const day = text.slice(0, 10)
  const parsed = Option.map(DateTime.make(`${day}T00:00:00Z`), DateTime.formatIsoDateUtc)
  return Option.filter(parsed, (real) => real === day)
}

const home = "https://html.duckduckgo.com/html/"
const isOwn = ({ hostname }: URL): boolean => /^(?:[a-z]+\.)?duckduckgo\.com$/.test(hostname)

const addressOf = (href: string): string => {
  const url = href === "" ? null : URL.parse(href, home)
  if (url === null) return ""
  const target = isOwn(url) && url.pathname === "/l/" ? url.searchParams.get("uddg") : url.href
  return target ?? ""
}

const isAd = (address: string): boolean => {
  const url = URL.parse(address)
  return url !== null && isOwn(url) && url.pathname === "/y.js"
}

/** Text of nodes, on one line. */
const textOf = (nodes: Array<Node>): string =>
  DomUtils.filter(({ type }) => type === "text", nodes).map((node) =>
    "data" in node ? node.data : ""
  ).join("").replace(/\s+/gu, " ").trim()

/** Text of an element that holds text and nothing else. */
const ownText = ({ children }: Element): Option.Option<string> =>
  children.every(({ type }) => type === "text") ? Option.some(textOf(children)) : Option.none()
