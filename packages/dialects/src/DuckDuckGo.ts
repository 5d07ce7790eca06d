/** DuckDuckGo's protocol: its page for browsers without scripts. A form in, HTML out, no key. */
import { Equal, Option, Result } from "effect"
import { DomUtils, parseDocument } from "htmlparser2"
import type {
  EngineResult,
  EngineSearch,
  Fault,
  Market,
  SearchDialect,
  ServerAnswer
} from "./Dialect.ts"
import * as Dialect from "./Dialect.ts"
import { textAt } from "./Dialect.ts"

/** Longest query, in UTF-16 code units; a longer one is refused. */
export const queryCharsMax = 499

const pageResults = 10

/** Assumed milliseconds of a block, which is by IP address; an early retry prolongs it. */
const retryAfterMsOtherwise = 10 * 60 * 1_000

const captcha: Fault = { status: "rate_limited", detail: "captcha" }
const throttled: Fault = { status: "rate_limited", detail: "throttled" }

/** The endpoint answers scrapers with 202 and 303 (seen by several clients, 2024 to 2026). */
const faultByStatus: Readonly<Record<number, Fault>> = {
  202: throttled,
  303: throttled,
  401: { status: "unknown_error", detail: "upstream_4xx" },
  403: throttled,
  429: throttled
}

const type = "text/html; charset=UTF-8"
const reply = (status: number, body: string): ServerAnswer => ({ status, body, type })

/**
 * There is no agreement on automated searches; too many from one IP address end in a puzzle: keep
 * the rate low. Topics are not supported.
 */
export const DuckDuckGo: SearchDialect = {
  method: "POST",
  paths: ["/html/"],
  carrier: "form",
  contentType: type,
  /** A page of ten results takes about 33 kB. */
  bodyBytesMax: 2 * 1024 * 1024,
  hitsMax: 30,
  price: { basic: 0, advanced: 0 },
  days: "by ranges",
  limitMs: retryAfterMsOtherwise,
  headersOf: (asked, origin) => headersOf(asked, origin),
  fieldsOf: (asked) => ({
    q: queryText(asked),
    // Of the first page's button. Later pages need a token.
    b: "",
    kl: regionOf(Dialect.marketOf(asked)),
    df: asked.timeRange?.slice(0, 1) ?? ""
  }),
  askedOf: (form) => askedOf(form),
  bodyOf: (said, { query }) => {
    const results = Dialect.resultsOf(said)
    return results.length === 0
      ? emptyPage(query)
      : resultsPage(query, results.map(Dialect.playedOf))
  },
  answerOf: (body) =>
    Result.map(readPage(body), (results) => ({ results: results.map(Option.some) })),
  /** A bot check may have any status, so the page is examined first. */
  faultOf: (status, body) =>
    Option.map(
      Dialect.ofStatus(status, faultByStatus),
      (fault) => Equal.equals(readPage(body), challenged) ? captcha : fault
    ),
  noKey: { status: 401 },
  get faults() {
    return {
      captcha: reply(200, challengePage),
      "ddg-202": reply(202, homePage)
    }
  }
}

/** A constant browser signature; one that changes with every search is noticed. */
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

const headersOf = (asked: EngineSearch, origin: string) => {
  const { locale = "en", timeRange } = asked
  const region = regionOf(Dialect.marketOf(asked))
  return {
    "user-agent": browser,
    accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "accept-language": /^en\b/i.test(locale) ? locale : `${locale},en;q=0.5`,
    referer: `${origin}/`,
    cookie: timeRange === undefined ? `kl=${region}` : `kl=${region}; df=${timeRange.slice(0, 1)}`,
    "sec-fetch-dest": "document",
    "sec-fetch-mode": "navigate",
    "sec-fetch-site": "same-origin",
    "sec-fetch-user": "?1"
  }
}

/** Refuses bangs, and later pages without their token, which only a bot requests. */
const askedOf = (form: unknown): Result.Result<EngineSearch, ServerAnswer> => {
  const query = textAt(form, "q")
  if (query.trim() === "") return Result.fail(reply(200, homePage))
  if (query.length > queryCharsMax) return Result.fail(reply(400, ""))
  if (/(?:^|\s)(?:!\S*|\S+!)(?=\s|$)|^\\/.test(query)) {
    return Result.fail({ ...reply(303, ""), headers: { location: "https://elsewhere.example/" } })
  }
  if (textAt(form, "s") !== "" && textAt(form, "vqd") === "") {
    return Result.fail(reply(200, challengePage))
  }
  return Result.succeed({
    ...Dialect.withoutSites(query),
    hitsMax: pageResults,
    ...marketOf(textAt(form, "kl")),
    ...Dialect.rangeBy(textAt(form, "df"))
  })
}

// Escapes a query, so that DuckDuckGo searches for it and executes nothing in it.

export const queryText = (asked: EngineSearch): string =>
  Dialect.withSites(withoutCommands(asked.query.toWellFormed()), asked, { charsMax: queryCharsMax })

/**
 * `!w` and `w!` lead to another site, a lone `!` and a leading backslash to the first result. The
 * first form is quoted, as SearXNG does; a mark at a word's end is removed.
 */
const withoutCommands = (query: string): string =>
  query.replace(/"[^"]*"|\S+/g, (word) => {
    if (/^[!\\]/.test(word)) return `'${word.replaceAll("'", "")}'`
    return word.startsWith("\"") ? word : word.replace(/!+$/, "")
  })

// DuckDuckGo's regions, by its own codes: some are neither ISO countries nor languages.

const worldwide = "wt-wt"

/** Regions of the page's own form (recorded 2025 and 2026), a country's default first. */
const regions = (`ar-es au-en at-de be-fr be-nl br-pt bg-bg ca-en ca-fr cl-es cn-zh co-es hr-hr
cz-cs dk-da ee-et fi-fi fr-fr de-de gr-el hk-tzh hu-hu is-is in-en id-en ie-en il-en it-it jp-jp
kr-kr lv-lv lt-lt my-en mx-es nl-nl nz-en no-no pk-en pe-es ph-en pl-pl pt-pt ro-ro ru-ru xa-ar
sg-en sk-sk sl-sl za-en es-es es-ca se-sv ch-de ch-fr tw-tzh th-en tr-tr us-en us-es ua-uk uk-en
vn-en`).split(/\s+/)

const countryNames: Readonly<Record<string, string>> = { GB: "uk", SA: "xa", SI: "sl" }

/** Region of the country, in the language if there is a choice; `wt-wt` for an unknown country. */
export const regionOf = ({ country, language }: Market): string => {
  const code = Option.orElse(country, () => likelyCountry(language))
  if (Option.isNone(code)) return worldwide
  const prefix = `${countryNames[code.value] ?? code.value.toLowerCase()}-`
  const offered = regions.filter((region) => region.startsWith(prefix))
  return offered.find((region) => region === prefix + language) ?? offered[0] ?? worldwide
}

/** Country with most speakers of the language; none for English. */
const likelyCountry = (language: string): Option.Option<string> =>
  language === "en" ? Option.none() : Option.flatMap(
    maximized(language),
    ({ region }) => Option.fromUndefinedOr(region)
  )

const maximized = Option.liftThrowable((language: string) => new Intl.Locale(language).maximize())

const countryByName: Readonly<Record<string, string>> = { uk: "GB", xa: "SA", sl: "SI" }
/** Country and locale of a region's code; empty for worldwide. */
const marketOf = (region: string): Pick<EngineSearch, "country" | "locale"> => {
  const [country = "", language = ""] = region.split("-")
  return region === "" || region === worldwide ? {} : {
    country: countryByName[country] ?? country.toUpperCase(),
    locale: language
  }
}

// Layouts as recorded: `/html/` of 2025 and 2026, and `/lite/`. Links are direct or lead through
// `/l/?uddg=`; ads look like results and lead through `/y.js`.

/** A full page has under 1,000. The parser's time grows with the square of the nesting. */
const tagsMax = 3_000
/** A full page has 10 to 30. */
const resultsMax = 50

type Element = ReturnType<typeof DomUtils.findAll>[number]
type Node = Element["children"][number]

const challenged = Result.fail(captcha)

/**
 * Results in the page's order, without ads; none if it states that there are none. Another or an
 * incomplete page is a bad body.
 */
export const readPage = (html: string): Result.Result<ReadonlyArray<EngineResult>, Fault> => {
  const unknown = Result.fail(Dialect.badBody)
  if ((html.match(/<[a-z]/gi)?.length ?? 0) > tagsMax) return unknown
  const elements = elementsOf(parseDocument(html).children)
  if (elements.some(isChallenge)) return challenged
  if (!/<\/html\s*>/i.test(html)) return unknown
  const list = elements.find(({ attribs }) => attribs["id"] === "links")
  const listed = list === undefined ? ofLite(elements) : ofHtml(list)
  const results = listed.filter((result) => !isEnd(result))
  return results.length > 0 || elements.some(saysNothing) ? Result.succeed(results) : unknown
}

const isElement = (node: Node): node is Element => "attribs" in node

const elementsOf = (nodes: Array<Node>, recurse = true): ReadonlyArray<Element> =>
  DomUtils.filter(isElement, nodes, recurse).filter(isElement)

const classesOf = ({ attribs }: Element): ReadonlyArray<string> =>
  (attribs["class"] ?? "").split(/\s+/)
const has = (name: string) => (element: Element) => classesOf(element).includes(name)

/** Whether the element is DuckDuckGo's own puzzle, or the check of a network in front of it. */
const isChallenge = (element: Element): boolean => {
  const { action, id, src } = element.attribs
  return id === "challenge-form" || id === "cf-chl-bypass" ||
    classesOf(element).some((name) => /^(?:anomaly-modal|cf-turnstile|h-captcha)/.test(name)) ||
    /\/(?:anomaly\.js|cdn-cgi\/challenge-platform\/)/.test(`${action ?? ""} ${src ?? ""}`)
}

/** Marked by class in `/html/`; in older pages and in `/lite/` only by its text. */
const saysNothing = (element: Element): boolean =>
  has("no-results")(element) || has("result--no-result")(element) ||
  Option.exists(
    ownText(element),
    (text) => /^No (?:more )?results(?: found)?\b.{0,20}$/i.test(text)
  )

/** A page without results lists a placeholder: `EOF`, a search at Google. */
const isEnd = ({ title, url }: EngineResult): boolean =>
  title === "EOF" && /^https?:\/\/www\.google\.com\/search\?/.test(url)

const ofHtml = (list: Element): ReadonlyArray<EngineResult> =>
  elementsOf(list.children, false).filter(has("web-result")).slice(0, resultsMax)
    .filter((result) => !has("result--ad")(result) && !has("result--no-result")(result))
    .flatMap((result) =>
      Option.toArray(resultOf(elementsOf(result.children), "result__a", "result__snippet"))
    )

/** Table rows: a link's, then those of its snippet and its URL. */
const ofLite = (elements: ReadonlyArray<Element>): ReadonlyArray<EngineResult> => {
  const starts = elements.flatMap((element, index) => has("result-link")(element) ? [index] : [])
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
): Option.Option<EngineResult> => {
  const link = elements.find(has(linkClass))
  const address = addressOf(link?.attribs["href"] ?? "")
  if (isAd(address)) return Option.none()
  const snippet = elements.find(has(snippetClass))
  const lines = elements.filter(({ name }) => name === "span").flatMap((span) =>
    Option.toArray(ownText(span))
  )
  const found: EngineResult = {
    url: address,
    title: link === undefined ? "" : textOf([link]),
    content: snippet === undefined ? "" : textOf([snippet])
  }
  const day = Option.fromUndefinedOr(lines.find((text) => stamp.test(text)))
  return Option.some(Dialect.dated(found, Option.flatMap(day, Dialect.isoDay)))
}

/** `2026-05-01T00:00:00.0000000`: the time was always zero. */
const stamp = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,20}Z?$/

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

const textOf = (nodes: Array<Node>): string =>
  DomUtils.filter(({ type }) => type === "text", nodes).map((node) =>
    "data" in node ? node.data : ""
  ).join("").replace(/\s+/gu, " ").trim()

/** Text of an element without child elements. */
const ownText = ({ children }: Element): Option.Option<string> =>
  children.every(({ type }) => type === "text") ? Option.some(textOf(children)) : Option.none()

// Pages in the layout recorded in 2026: results with an ad, no results, a bot check.

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Page with a form at its top, and `list` in place of the results. */
const page = (query: string, list: string): string =>
  `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD">
<html xmlns="http://www.w3.org/1999/xhtml">
<head><title>${escape(query)} at DuckDuckGo</title></head>
<body class="body--html">
  <form name="x" class="header__form" action="/html/" method="post">
    <input name="q" type="text" value="${escape(query)}" />
  </form>
${list}
</body>
</html>
`

const listOf = (items: ReadonlyArray<string>): string =>
  `<div class="serp__results"><div id="links" class="results">${items.join("\n")}</div></div>`

export const resultsPage = (query: string, found: ReadonlyArray<EngineResult>): string =>
  page(query, listOf([ad(query), ...found.map(item)]))

const redirectOf = (url: string): string =>
  `//duckduckgo.com/l/?uddg=${encodeURIComponent(url.toWellFormed())}&amp;rut=0123456789abcdef`

const item = ({ content, published_date = "", title, url }: EngineResult): string =>
  block("web-result ", redirectOf(url), {
    title,
    content,
    shown: url.replace(/^https?:\/\//, "").replace(/\/$/, ""),
    extras: published_date === ""
      ? ""
      : `<span>&nbsp; &nbsp; ${published_date}T00:00:00.0000000</span>`
  })

const ad = (query: string): string =>
  block("result--ad ", "//duckduckgo.com/y.js?ad_domain=advert.example&amp;ad_provider=bing", {
    title: `${query}: all offers`,
    content: "Bought words that answer nothing.",
    shown: "advert.example",
    extras: `<button class="badge--ad">Ad</button>`
  })

type Shown = Readonly<Record<"content" | "extras" | "shown" | "title", string>>

const block = (kind: string, href: string, { content, extras, shown, title }: Shown): string =>
  `<div class="result results_links results_links_deep ${kind}"><div class="result__body">
  <h2 class="result__title"><a rel="nofollow" class="result__a" href="${href}">${
    escape(title)
  }</a></h2>
  <div class="result__extras"><a class="result__url" href="${href}">${
    escape(shown)
  }</a>${extras}</div>
  <a class="result__snippet" href="${href}">${escape(content)}</a>
</div></div>`

/** Page without results, as recorded. */
const emptyPage = (query: string): string =>
  page(
    query,
    listOf([
      `<div class="result web-result result--no-result"><div class="no-results"></div></div>`
    ])
  )

/** The page before any search: neither results nor a statement that there are none. */
const homePage = page("", "")

/** Page with a puzzle against robots, with status 200 as clients report. */
const challengePage = `<!DOCTYPE html>
<html lang="en"><head><title>DuckDuckGo</title></head><body>
  <form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html&amp;cc=botnet" method="POST">
    <div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div>
  </form>
</body></html>
`
