/**
 * Reads a page of DuckDuckGo's: results, honestly none, a bot check, or nothing we know. Layouts as
 * recorded: `/html/` of 2025 and 2026 and its `/lite/` twin. Links are direct or lead through
 * `/l/?uddg=`; ads look like results and lead through `/y.js`.
 */
import { Data, DateTime, Option } from "effect"
import { DomUtils, parseDocument } from "htmlparser2"

/** A full page has under 1,000. The parser's time grows with the square of the nesting. */
const tagsMax = 3_000
/** A full page has 10 to 30. */
const resultsMax = 50

export interface PageResult {
  /** The page's own address, redirects undone; empty for a link that leads nowhere. */
  readonly address: string
  readonly title: string
  readonly snippet: string
  /** `YYYY-MM-DD`. */
  readonly date: Option.Option<string>
}

export type Page = Data.TaggedEnum<{
  /** Results, at least one, in the page's order, without ads. */
  Results: { readonly results: ReadonlyArray<PageResult> }
  /** The page says itself that there are none. */
  Nothing: {}
  Challenge: {}
  Unknown: {}
}>
export const Page = Data.taggedEnum<Page>()

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
