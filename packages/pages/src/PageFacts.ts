/** Facts that a page states about itself outside its text: title, dates, language and address. */
import * as Languages from "@web-grounding/language/Languages"
import { dayWritten } from "@web-grounding/language/Quantities"
import * as Sentences from "@web-grounding/language/Sentences"
import { DateTime, Option, Predicate, Record, Result } from "effect"
import {
  type ExtractedPage,
  type ExtractionReason,
  linksMax,
  ownersMax,
  plainText,
  textCharsMax,
  titleCharsMax
} from "./ExtractedPage.ts"
import type { PageHead } from "./HtmlTree.ts"
import listed from "./PageWords.json" with { type: "json" }
import type { TextBlock } from "./TextBlocks.ts"

/** Most nodes visited in a JSON-LD text. */
const nodesMax = 2_000
const dateCharsMax = 64

type Fact = "canonical_url" | "language" | "modified_date" | "owners" | "published_date" | "title"

/** `unread_date`: an invalid value in place of a date, as written. */
export interface PageFacts extends Pick<ExtractedPage, Fact | "unread_date"> {
  readonly links?: ReadonlyArray<Link>
  /** The page has more elements than are read. */
  readonly isCut?: boolean
}

export interface Link {
  readonly url: string
  readonly text: string
}

interface Found {
  readonly head: PageHead
  /** The page's own URL, against which its canonical one is resolved. */
  readonly url: string
  /** The first `h1`; empty without one. */
  readonly heading: string
  /** `datetime` of the first element marked as the page's date; empty without one. */
  readonly marked: string
  /** Days that the page's own lines say. */
  readonly written: { readonly published: string; readonly modified: string }
  /** Links in order: words and URL as written. */
  readonly anchors: ReadonlyArray<readonly [text: string, href: string]>
  readonly counters: ReadonlyArray<string>
}

export const readFacts = (
  { anchors, counters, head, heading, marked, url, written }: Found
): PageFacts => {
  const canonical = canonicalOf(head.canonicalHref, url)
  const data = dataDates(head.data, [url, canonical ?? url].map(pathOf))
  const facts = {
    title: titleOf(head, heading),
    published_date: firstOf(
      [...metas(head, listed.publishedNames), data.published, marked, written.published],
      dateOf
    ),
    modified_date: firstOf(
      [...metas(head, listed.modifiedNames), data.modified, written.modified],
      dateOf
    ),
    language: firstOf([head.language, ...metas(head, listed.languageNames)], languageOf),
    canonical_url: firstOf(
      [head.canonicalHref, ...metas(head, ["og:url"])],
      (href) => canonicalOf(href, url)
    )
  }
  const named = [...metas(head, ["og:site_name"]), ...data.publishers].map((name) =>
    folded(name).slice(0, ownerCharsMax).toLowerCase()
  )
  const owners = Array.from(new Set([...counters, ...named])).filter((name) => name !== "")
  const links = linksOf(anchors, url)
  return {
    ...Record.filter(facts, (fact) => fact !== ""),
    ...(owners.length === 0 ? {} : { owners: owners.slice(0, ownersMax) }),
    ...(links.length === 0 ? {} : { links })
  }
}

/** Longest name of an owner and words of a link, in UTF-16 code units. */
const ownerCharsMax = 80
const linkCharsMax = 160

const linksOf = (anchors: Found["anchors"], base: string): ReadonlyArray<Link> => {
  const host = URL.parse(base)?.host
  return anchors.flatMap(([words, href]) => {
    const text = folded(words)
    const url = text === "" || text.length > linkCharsMax ? null : URL.parse(href, base)
    return url === null || url.host === host ? [] : [{ url: url.href, text }]
  })
}

/** Ids of counters and advertisers' accounts in a page's source: they identify its owner. */
export const countersIn = (html: string): ReadonlyArray<string> =>
  Array.from(
    html.matchAll(
      /(?<!-)\b(?:UA-\d{4,10}|(?:G|AW)-[A-Z0-9]{6,12}|GTM-[A-Z0-9]{4,10}|ca-pub-\d{8,20})\b/g
    ),
    ([id]) => id
  )

export const titlesOf = ({ metas, title }: PageHead): ReadonlyArray<string> =>
  [metas.get("og:title"), metas.get("twitter:title"), title]
    .map((name) => folded(name ?? ""))
    .filter((name) => name !== "")

const metas = ({ metas }: PageHead, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.flatMap((name) => metas.get(name) ?? [])

/** The heading if the head's title contains it: sites add their own name there. */
const titleOf = ({ metas, title }: PageHead, heading: string): string => {
  const whole = folded(title)
  const named = folded(metas.get("og:title") ?? metas.get("twitter:title") ?? "")
  if (heading !== "" && whole.includes(heading)) return heading
  return named || whole || heading
}

const folded = (text: string): string => text.replace(/\s+/g, " ").trim()

/** The first value that parses; empty if none does. */
const firstOf = (
  values: ReadonlyArray<string>,
  told: (value: string) => string | undefined
): string => {
  for (const value of values) {
    const found = told(value.trim())
    if (found !== undefined) return found
  }
  return ""
}

const datedWords = `(?<![\\p{L}\\p{M}])(?:(?<modified>${listed.modifiedWords.join("|")})|` +
  `(?<published>${listed.publishedWords.join("|")}))(?![\\p{L}\\p{M}])[\\s:：]*`
const said = new RegExp(datedWords, "giu")
const beginsDated = new RegExp(`^[^\\p{L}\\p{N}]*${datedWords}`, "iu")
/** A day and its time of day. In UTF-16 code units. */
const dayCharsMax = 40

/** Days in a line that begins with the word for the one or the other. */
export const daysSaid = (
  line: string
): ReadonlyArray<readonly [of: "published" | "modified", day: string]> => {
  if (!/\p{N}/u.test(line) || !beginsDated.test(line)) return []
  const labels = Array.from(line.matchAll(said))
  const [label = "", begin = 0] = [labels.at(-1)?.[0], labels.at(-1)?.index]
  // A sentence that begins with such a word says more than the day.
  if (/\p{L}[.!?]$/u.test(line) && line.length > begin + label.length + dayCharsMax) return []
  return labels.flatMap(({ 0: label, groups = {}, index }, place) => {
    const from = index + label.length
    const rest = line.slice(
      from,
      Math.min(from + dayCharsMax, labels[place + 1]?.index ?? Infinity)
    )
    const day = dayWritten(rest)
    return day === undefined || !/^\P{L}{0,3}(?:\p{L}+\P{L}{0,3}){0,2}\p{N}/u.test(rest)
      ? []
      : [[groups["modified"] === undefined ? "published" : "modified", day] as const]
  })
}

/**
 * Date of a value; `undefined` if invalid, such as the 30th of February. A day stays a day; an
 * instant without time zone is reduced to its day.
 */
export const dateOf = (text: string): string | undefined => {
  const value = text.trim()
  if (value.length > dateCharsMax) return undefined
  const [, year = "", month = "", day = "", rest = ""] =
    /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?!\d)(.*)$/.exec(value) ?? []
  const iso = `${year}-${month}-${day}`
  if (year === "") return isDated(value) ? instantOf(value) : undefined
  if (instantOf(iso)?.startsWith(iso) !== true) return undefined
  if (!/T.*(?:Z|[+-]\d{2}:?\d{2})$/i.test(rest.replace(/^ /, "T"))) return iso
  const instant = instantOf(value) ?? iso
  // Keeps the publisher's own day, even if it is another one in UTC.
  return instant.startsWith(iso) ? instant : iso
}

/** `Tue, 3 Mar 2026 10:00:00 GMT` and the like: a month in words, and a year. */
const isDated = (value: string): boolean =>
  /[a-z]{3}.*\b(?:19|20)\d{2}\b.*(?:GMT|UTC|Z|[+-]\d{4})$/i.test(value)

const instantOf = (value: string): string | undefined =>
  Option.getOrUndefined(Option.map(DateTime.make(value), DateTime.formatIso))

/** A language's canonical tag; `undefined` if invalid. */
export const languageOf = (value: string): string | undefined => {
  const tag = value.split(/[\s,;]/, 1).join("").replaceAll("_", "-")
  const known = Result.try(() => Intl.getCanonicalLocales(tag)[0])
  return tag !== "" && Result.isSuccess(known) ? known.success : undefined
}

const canonicalOf = (href: string, base: string): string | undefined => {
  const address = href === "" ? null : URL.parse(href, base)
  return address !== null && /^https?:$/.test(address.protocol) ? address.href : undefined
}

/** Types of JSON-LD whose dates are not the page's, and fields with nodes of other things. */
const otherTypes = new RegExp(`^(?:${listed.otherTypes.join("|")})$`)
const otherFields = new Set(listed.otherFields)

interface DatedNode {
  readonly rank: number
  readonly published: string
  readonly modified: string
}

/**
 * Of the node with the page's URL, else of an article, a page or another thing, outermost first.
 * Comments, reviews and media are excluded.
 */
const dataDates = (texts: ReadonlyArray<string>, pages: ReadonlyArray<string>) => {
  const nodes: Array<DatedNode> = []
  const publishers: Array<string> = []
  const queue: Array<unknown> = texts.map((text) =>
    Result.getOrUndefined(Result.try((): unknown => JSON.parse(text)))
  )
  for (let place = 0; place < queue.length && place < nodesMax; place++) {
    const node = queue[place]
    if (!Predicate.isObjectOrArray(node)) continue
    const types = typesOf(node)
    if (types.some((type) => otherTypes.test(type))) continue
    const said = (key: string): string => {
      const value: unknown = Reflect.get(node, key)
      return typeof value === "string" ? value : ""
    }
    const publisher: unknown = Reflect.get(node, "publisher")
    const name: unknown = Predicate.isObject(publisher)
      ? Reflect.get(publisher, "name")
      : publisher
    if (typeof name === "string") publishers.push(name)
    nodes.push({
      rank: rankOf(types, addressesOf(node), pages),
      published: said("datePublished"),
      modified: said("dateModified")
    })
    for (const [key, value] of Object.entries(node)) if (!otherFields.has(key)) queue.push(value)
  }
  const ranked = nodes.toSorted((left, right) => left.rank - right.rank)
  const first = (key: "published" | "modified") =>
    ranked.find((node) => node[key] !== "")?.[key] ?? ""
  return { published: first("published"), modified: first("modified"), publishers }
}

const typesOf = (node: object): ReadonlyArray<string> => {
  const types: unknown = Reflect.get(node, "@type")
  return (Array.isArray(types) ? types : [types]).flatMap((type) =>
    typeof type === "string" ? [type.replace(/^.*[/#:]/, "")] : []
  )
}

/** URLs that a node claims as its own. */
const addressesOf = (node: object): ReadonlyArray<string> =>
  ["mainEntityOfPage", "url", "@id"].map((key): unknown => Reflect.get(node, key)).map((value) =>
    Predicate.isObject(value) ? Reflect.get(value, "@id") : value
  ).flatMap((value) => typeof value === "string" && value !== "" ? [pathOf(value)] : [])

const pathOf = (address: string): string => {
  const { host, pathname } = URL.parse(address, "https://page.invalid/") ??
    { host: "", pathname: "" }
  return `${host.replace(/^www\./, "")}${pathname.replace(/\/$/, "")}`
}

const rankOf = (
  types: ReadonlyArray<string>,
  addresses: ReadonlyArray<string>,
  pages: ReadonlyArray<string>
): number => {
  const isPage = addresses.some((address) => pages.includes(address))
  const kind = types.some((type) => /(?:Article|Posting|Report)$/.test(type))
    ? 0
    : types.some((type) => /Page$/.test(type))
    ? 1
    : 2
  return kind + (isPage ? 0 : addresses.length === 0 ? 3 : 6)
}

/** Page of text blocks, separated by newlines, cut at the maximum length. Fails with `no_text`. */
export const page = (
  blocks: ReadonlyArray<Pick<TextBlock, "kind" | "text">>,
  { isCut = false, links = [], title = "", ...facts }: PageFacts,
  removedBlocks = 0
): Result.Result<ExtractedPage, ExtractionReason> => {
  const named = Sentences.clean(title.replace(/\s+/g, " ").trim())
  const { headings, removedCount, text, ...whole } = plainText(blocks, textCharsMax)
  if (text === "") return Result.fail("no_text")
  const short = Sentences.cut(named.text, titleCharsMax)
  const placed = placedLinks(text, links)
  const language = languageIn(text, facts.language)
  return Result.succeed({
    text,
    ...(isCut || whole.isCut ? { truncated: true } : {}),
    ...(short === "" ? {} : { title: short }),
    ...facts,
    ...(language === undefined ? {} : { language }),
    headings,
    ...(placed.length === 0 ? {} : { links: placed }),
    removed_chars_count: named.removedCount + removedCount,
    removed_blocks_count: removedBlocks
  })
}

/** UTF-16 code units that determine the script, and the least share of letters in them. */
const scriptCharsMax = 2_000
const scriptShareMin = 0.2
/** The same of letters that one language alone of a script has: each is rare. */
const spellingShareMin = 0.01
const scripts = [
  ...Object.entries(listed.scriptLanguages).map(([script, language]) =>
    [language, scriptShareMin, new RegExp(`\\p{Script=${script}}`, "gu")] as const
  ),
  ...Object.entries(listed.spellingLanguages).map(([letters, language]) =>
    [language, spellingShareMin, new RegExp(letters, "giu")] as const
  )
]

/** Languages that a text shows by its script, its letters or its words. */
const shown = new Set([
  ...scripts.map(([language]) => language),
  ...Languages.all.map(({ code }) => code)
])
const spelled = new Set(Object.values(listed.spellingLanguages))

/**
 * The declared language, unless script, letters or words show another, as within a template that
 * was not translated.
 */
const languageIn = (text: string, declared: string | undefined): string | undefined => {
  const start = text.slice(0, scriptCharsMax)
  const count = (form: RegExp) => start.match(form)?.length ?? 0
  const letters = Math.max(1, count(/\p{L}/gu))
  const marks = start.replace(/\p{ASCII}+/gu, "")
  const [written] =
    scripts.find(([, share, form]) => (marks.match(form)?.length ?? 0) >= share * letters) ?? []
  if (declared === undefined) return written ?? Languages.languageByWords(text)?.code
  const primary = declared.split("-", 1).join("")
  const worded = Languages.languageByWords(text)?.code
  if (written === undefined) return worded === undefined || worded === primary ? declared : worded
  const script = scriptOf(declared)
  const isItsOwn = written === "zh"
    ? /^(?:Han|Jpan|Kore)/.test(script)
    : scriptOf(written) === script
  if (isItsOwn && spelled.has(written) && shown.has(primary)) {
    return written === primary || worded === primary ? declared : written
  }
  return isItsOwn || script === "Latn" && count(/\p{Script=Latin}/gu) >= letters / 2
    ? declared
    : written
}

const scriptOf = (tag: string): string => new Intl.Locale(tag).maximize().script ?? ""

/** Links whose words are in the text, in order; others are in boilerplate. */
const placedLinks = (text: string, links: ReadonlyArray<Link>) => {
  let from = 0
  return links.slice(0, triedLinksMax).flatMap((link) => {
    const start = text.indexOf(link.text, from)
    if (start < 0) return []
    from = start + link.text.length
    return [{ url: link.url, start, end: from }]
  }).slice(0, linksMax)
}

/** Most links tried: each searches the whole text. */
const triedLinksMax = 200
