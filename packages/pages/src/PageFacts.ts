/** Facts that a page states about itself beside its text: title, dates, language and address. */
import * as Sentences from "@web-grounding/language/Sentences"
import type { Span } from "@web-grounding/language/Sentences"
import { DateTime, Option, Record, Result } from "effect"
import {
  type ExtractedPage,
  type ExtractionReason,
  headingsMax,
  textCharsMax,
  titleCharsMax
} from "./ExtractedPage.ts"
import type { PageHead } from "./HtmlTree.ts"
import listed from "./PageWords.json" with { type: "json" }
import type { TextBlock } from "./TextBlocks.ts"

/** Most nodes of a JSON-LD text; deeper or further ones are not looked at. */
const nodesMax = 2_000
const dateCharsMax = 64

export interface PageFacts {
  readonly title?: string
  readonly published_date?: string
  readonly modified_date?: string
  /** Value that stands where a date should, as written. */
  readonly unread_date?: string
  readonly language?: string
  readonly canonical_url?: string
}

interface Found {
  readonly head: PageHead
  /** The page's own address, against which its canonical one is read. */
  readonly url: string
  /** The first heading of the first order; empty without one. */
  readonly heading: string
  /** `datetime` of the first element that is marked as the page's date; empty without one. */
  readonly marked: string
}

export const readFacts = ({ head, heading, marked, url }: Found): PageFacts => {
  const data = dataDates(head.data)
  const facts = {
    title: titleOf(head, heading),
    published_date: firstOf([...metas(head, listed.publishedNames), data.published, marked], isoOf),
    modified_date: firstOf([...metas(head, listed.modifiedNames), data.modified], isoOf),
    language: firstOf([head.language, ...metas(head, listed.languageNames)], languageOf),
    canonical_url: firstOf(
      [head.canonicalHref, ...metas(head, ["og:url"])],
      (href) => canonicalOf(href, url)
    )
  }
  return Record.filter(facts, (fact) => fact !== "")
}

/** Titles that the page states in its head, longest form last. */
export const titlesOf = ({ metas, title }: PageHead): ReadonlyArray<string> =>
  [metas.get("og:title"), metas.get("twitter:title"), title]
    .map((name) => folded(name ?? ""))
    .filter((name) => name !== "")

const metas = ({ metas }: PageHead, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.flatMap((name) => metas.get(name) ?? [])

/** The heading when the head's title holds it: sites add their own name there. */
const titleOf = ({ metas, title }: PageHead, heading: string): string => {
  const whole = folded(title)
  const named = folded(metas.get("og:title") ?? metas.get("twitter:title") ?? "")
  if (heading !== "" && whole.includes(heading)) return heading
  return named || whole || heading
}

const folded = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Reading of the first value that has one; empty where none has. */
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

/** Date of a value; `undefined` for what is no date, such as the 30th of February. */
export const dateOf = (value: string): string | undefined => {
  const iso = isoOf(value.trim())
  return iso !== undefined && dayOf(iso) === iso.slice(0, 10) ? iso : undefined
}

const dayOf = (iso: string): string | undefined =>
  Option.getOrUndefined(
    Option.map(DateTime.make(iso.slice(0, "2026-03-02".length)), DateTime.formatIsoDateUtc)
  )

/** A day stays a day, and an instant without zone is only as sure as its day. */
const isoOf = (value: string): string | undefined => {
  if (value.length > dateCharsMax) return undefined
  const [, year = "", month = "", day = "", rest = ""] =
    /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?!\d)(.*)$/.exec(value) ?? []
  const iso = `${year}-${month}-${day}`
  if (year === "") return isDated(value) ? instantOf(value) : undefined
  if (Option.isNone(DateTime.make(iso))) return undefined
  return /T.*(?:Z|[+-]\d{2}:?\d{2})$/i.test(rest.replace(/^ /, "T")) ? instantOf(value) ?? iso : iso
}

/** `Tue, 3 Mar 2026 10:00:00 GMT` and the like: words for the month, and a year. */
const isDated = (value: string): boolean =>
  /[a-z]{3}.*\b(?:19|20)\d{2}\b.*(?:GMT|UTC|Z|[+-]\d{4})$/i.test(value)

const instantOf = (value: string): string | undefined =>
  Option.getOrUndefined(Option.map(DateTime.make(value), DateTime.formatIso))

const languageOf = (value: string): string | undefined => {
  const tag = value.split(/[\s,;]/, 1).join("").replaceAll("_", "-")
  const known = Result.try(() => Intl.getCanonicalLocales(tag)[0])
  return tag !== "" && Result.isSuccess(known) ? known.success : undefined
}

const canonicalOf = (href: string, base: string): string | undefined => {
  const address = href === "" ? null : URL.parse(href, base)
  return address !== null && /^https?:$/.test(address.protocol) ? address.href : undefined
}

/** The first dates in the JSON-LD texts, outermost first. */
const dataDates = (texts: ReadonlyArray<string>) => {
  const dates = { published: "", modified: "" }
  const queue: Array<unknown> = texts.map((text) =>
    Result.getOrUndefined(Result.try((): unknown => JSON.parse(text)))
  )
  for (let place = 0; place < queue.length && place < nodesMax; place++) {
    const node = queue[place]
    if (typeof node !== "object" || node === null) continue
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === "object") queue.push(value)
      else if (typeof value === "string" && key === "datePublished") dates.published ||= value
      else if (typeof value === "string" && key === "dateModified") dates.modified ||= value
    }
  }
  return dates
}

// Blocks as one plain text, and where its headings stand.

/**
 * Page of text blocks, newlines between them, cut where it would grow too long. Fails with
 * `no_text`.
 */
export const page = (
  blocks: ReadonlyArray<Pick<TextBlock, "kind" | "text">>,
  { title = "", ...facts }: PageFacts
): Result.Result<ExtractedPage, ExtractionReason> => {
  const named = Sentences.clean(title.replace(/\s+/g, " ").trim())
  const lines: Array<string> = []
  const headings: Array<Span> = []
  let length = 0
  let removed = named.removedCount
  let isCut = false
  for (const block of blocks) {
    const { removedCount, text } = Sentences.clean(block.text)
    removed += removedCount
    const start = length === 0 ? 0 : length + 1
    const whole = text.trim()
    if (whole === "") continue
    const line = Sentences.cut(whole, Math.max(0, textCharsMax - start))
    isCut = line.length < whole.length
    if (line === "") break
    lines.push(line)
    length = start + line.length
    if (block.kind === "heading" && headings.length < headingsMax) {
      headings.push({ start, end: length })
    }
    if (isCut) break
  }
  if (length === 0) return Result.fail("no_text")
  const short = Sentences.cut(named.text, titleCharsMax)
  return Result.succeed({
    text: lines.join("\n"),
    ...(isCut ? { truncated: true } : {}),
    ...(short === "" ? {} : { title: short }),
    ...facts,
    headings,
    removed_chars_count: removed
  })
}
