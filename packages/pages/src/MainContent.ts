/** A page of HTML: its main content as plain text, and what it says of itself. */
import { Readability } from "@mozilla/readability"
import { Result } from "effect"
import type { ExtractedPage, ExtractionReason } from "./ExtractedPage.ts"
import * as HtmlTree from "./HtmlTree.ts"
import { childrenOf, isElement, isTextNode, type PageElement } from "./HtmlTree.ts"
import * as PageFacts from "./PageFacts.ts"
import listed from "./PageWords.json" with { type: "json" }
import { blocksOf, charsOf, inlineOf, type TextBlock } from "./TextBlocks.ts"

/** An article with less text is not believed. In UTF-16 code units. */
const articleCharsMin = 200
/** The search for an article takes seconds on a page of more elements, which is then read whole. */
const articleElementsMax = 25_000

export const readContent = (
  html: string,
  url: string
): Result.Result<ExtractedPage, ExtractionReason> => {
  const { body, document, elements, head } = HtmlTree.build(html)
  const before = measure(body)
  const title = titleHeading(before, PageFacts.titlesOf(head))
  const heading = title === undefined ? "" : inlineOf(title)
  const facts = PageFacts.readFacts({ head, heading, url, marked: markedDate(before) })
  removeBoilerplate(body, before)
  const whole = blocksOf(body)
  // Read before Readability changes the tree.
  const around = textAround(measure(body), title)
  const article = elements > articleElementsMax ? undefined : articleOf(document)
  const found = article === undefined ? [] : blocksOf(article.content)
  const chosen = corrected(found, around)
  const titles = [heading, facts.title, article?.title, head.title].flatMap((name) => name ?? [])
  const main = contents(chosen, titles)
  if (charsOf(main) >= articleCharsMin) return PageFacts.page(main, facts)
  const rest = contents(whole, titles)
  return PageFacts.page(charsOf(rest) > charsOf(main) ? rest : main, facts)
}

interface Article {
  readonly content: PageElement
  readonly title: string
}

const articleOf = (document: HtmlTree.HtmlTree["document"]): Article | undefined => {
  const parsed = Result.try(() =>
    new Readability<PageElement>(document, {
      charThreshold: articleCharsMin,
      keepClasses: true,
      disableJSONLD: true,
      serializer: (node: PageElement) => node
    }).parse()
  )
  const article = Result.isSuccess(parsed) ? parsed.success : null
  if (article === null || article.content === null || article.content === undefined) {
    return undefined
  }
  return { content: article.content, title: article.title?.trim() ?? "" }
}

/** Day in the first element that is marked as the day of publication. */
const markedDate = (measures: Measures): string =>
  Array.from(measures.keys()).filter(isMarked)
    .map((element) => element.getAttribute("datetime") ?? "").find((date) => date !== "") ?? ""

const isMarked = (element: PageElement): boolean =>
  element.localName === "time" &&
  (/datepublished/i.test(element.getAttribute("itemprop") ?? "") ||
    /publish|entry-date|posted/i.test(element.getAttribute("class") ?? ""))

// Takes out of a page what stands beside its contents: navigation, forms, captions, teasers. An
// element is known by its kind or a word of its class or id, and only when it is small: a page
// that is wrapped in a form, or an article called `share-enabled`, keeps its text.

/** Length from which an element is contents, whatever it is called. In UTF-16 code units. */
const structureCharsMax = 1_500
const namedCharsMax = 600
const namesCharsMax = 200

const structures = new Set(listed.structures)
/** Words of a class or an id, each standing alone between `-`, `_`, capitals or the ends. */
const words = new Set(listed.boilerplate)
/** The same, of two words. */
const pairs = new Set(listed.boilerplatePairs)
/** Kinds that are contents by any name. */
const unnamed = new Set(listed.neverBoilerplate)

/** Removes boilerplate below the element, as far as it is measured. */
const removeBoilerplate = (parent: PageElement, measures: Measures): void => {
  for (const child of childrenOf(parent).filter(isElement)) {
    const { chars = 0 } = measures.get(child) ?? {}
    const isBoilerplate = structures.has(child.localName) && chars < structureCharsMax ||
      chars < namedCharsMax && isNamed(child)
    if (chars > 0 && isBoilerplate) child.remove()
    else removeBoilerplate(child, measures)
  }
}

const isNamed = (element: PageElement): boolean =>
  !unnamed.has(element.localName) &&
  ["class", "id"].map((name) => element.getAttribute(name) ?? "").some((names) =>
    names.length < namesCharsMax && names.split(/\s+/).some(isBoilerplateName)
  )

const isBoilerplateName = (name: string): boolean => {
  const parts = name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase().split(/[^a-z]+/)
  return parts.some((part, place) => words.has(part) || pairs.has(`${part} ${parts[place + 1]}`))
}

// Removes the blocks of a main content that are none: calls to share or subscribe, credits,
// dates, links.

/** A longer block is contents, whatever it begins with. In UTF-16 code units. */
const lineCharsMax = 240
const creditCharsMax = 220
const linksCharsMax = 200
const linkShareMax = 0.75
/** The page's title is said again only at its top. */
const titleBlocksMax = 4

const lines = new RegExp(`^(?:${listed.notices.join("|")})$`, "iu")
const credit = new RegExp(listed.credit, "i")
const sentenceEnd = /[.!?。！？]["”’)\]]*$/

/**
 * Blocks without notices, credits, lists of links and a repeated title. `titles` are the page's, of
 * its head and of its first heading.
 */
const contents = (
  blocks: ReadonlyArray<TextBlock>,
  titles: ReadonlyArray<string>
): ReadonlyArray<TextBlock> =>
  blocks.filter((block, place) =>
    block.kind === "code" ||
    (/[\p{L}\p{N}]/u.test(block.text) && !(place < titleBlocksMax && titles.includes(block.text)) &&
      !isNotice(block) && !isCredit(block.text) && !isLinks(block))
  )

const isNotice = ({ text }: TextBlock): boolean => text.length < lineCharsMax && lines.test(text)

const isCredit = (text: string): boolean =>
  text.length < creditCharsMax && credit.test(text) &&
  !sentenceEnd.test(text.replace(credit, "").trim())

const isLinks = ({ kind, linkShare, text }: TextBlock): boolean =>
  kind === "text" && linkShare > linkShareMax && text.length < linksCharsMax

// How much text each element of a page holds, and what stands under the page's title.

/** A paragraph of prose, and prose around the title. In UTF-16 code units. */
const openingCharsMin = 80
const aroundCharsMin = 500
/**
 * Length and share of the text from which what was passed over is no introduction. In UTF-16 code
 * units, and of the text that is there.
 */
const passedCharsMin = 600
const passedShareMin = 0.3
/** A block with more links than this, or with less text, is no prose. */
const paragraphLinkShareMax = 0.5
const blockCharsMin = 80

/** Text of an element, in UTF-16 code units. */
interface Measure {
  /** Text of the whole element. */
  chars: number
  /** Text beside links. */
  prose: number
  /** Text in no other element within. */
  own: number
}

/** Measures of all elements, in the page's order. */
type Measures = ReadonlyMap<PageElement, Measure>

const measure = (body: PageElement): Measures => {
  const measures = new Map<PageElement, Measure>()
  const visit = (element: PageElement): Measure => {
    const found = { chars: 0, prose: 0, own: 0 }
    measures.set(element, found)
    for (const child of childrenOf(element)) {
      if (isTextNode(child)) found.own += (child.textContent ?? "").trim().length
      else if (isElement(child)) {
        const { chars, prose } = visit(child)
        found.chars += chars
        found.prose += prose
      }
    }
    found.chars += found.own
    found.prose = element.localName === "a" ? 0 : found.prose + found.own
    return found
  }
  visit(body)
  return measures
}

/** The element and its ancestors, innermost first. */
const lineOf = (element: PageElement): ReadonlyArray<PageElement> => {
  const line: Array<PageElement> = []
  for (let at: PageElement | null = element; at !== null && isElement(at); at = at.parentNode) {
    line.push(at)
  }
  return line
}

/** The heading that the page is named by: the one that its titles hold, else its first `h1`. */
const titleHeading = (
  measures: Measures,
  titles: ReadonlyArray<string>
): PageElement | undefined => {
  const headings = Array.from(measures.keys()).filter(({ localName }) => /^h[1-3]$/.test(localName))
    .map((element) => ({ element, text: inlineOf(element) }))
  const [named] = headings
    .filter(({ text }) => text.length >= 8 && titles.some((title) => title.includes(text)))
    .toSorted((left, right) => right.text.length - left.text.length)
  const first = headings.find(({ element, text }) => element.localName === "h1" && text !== "")
  return (named ?? first)?.element
}

/**
 * The part of the page around its title when most of it is missing in `found`, else `found`. An
 * article begins under its title. When most of what stands there was passed over, something else on
 * the page was taken for the article.
 */
const corrected = (
  found: ReadonlyArray<TextBlock>,
  around: ReadonlyArray<TextBlock>
): ReadonlyArray<TextBlock> => {
  const known = new Set(found.map(({ text }) => text))
  const prose = around.filter(isProse)
  const begin = prose.findIndex(({ text }) => known.has(text))
  const passed = charsOf(begin < 0 ? prose : prose.slice(0, begin))
  return passed >= passedCharsMin && passed >= passedShareMin * charsOf(prose) ? around : found
}

/** The smallest part of the page with its title and prose; empty without either. */
const textAround = (
  measures: Measures,
  heading: PageElement | undefined
): ReadonlyArray<TextBlock> => {
  if (heading === undefined) return []
  const elements = Array.from(measures.keys())
  const holds = (element: PageElement, kind: "own" | "prose", charsMin: number) =>
    (measures.get(element)?.[kind] ?? 0) >= charsMin
  const first = elements.slice(elements.indexOf(heading) + 1)
    .find((element) => holds(element, "own", openingCharsMin))
  const headed = new Set(lineOf(heading))
  const smallest = first === undefined ?
    undefined :
    lineOf(first).find((element) => headed.has(element) && holds(element, "prose", aroundCharsMin))
  return smallest === undefined ? [] : blocksOf(smallest)
}

const isProse = ({ kind, linkShare, text }: TextBlock): boolean =>
  kind !== "code" && linkShare < paragraphLinkShareMax && text.length >= blockCharsMin
