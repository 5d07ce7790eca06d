/** How much text each element of a page holds, and what stands under the page's title. */
import { childrenOf, isElement, isTextNode, type PageElement } from "./PageNode.ts"
import { blocksOf, charsOf, type TextBlock } from "./TextBlocks.ts"

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
const linkShareMax = 0.5
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
export type Measures = ReadonlyMap<PageElement, Measure>

export const measure = (body: PageElement): Measures => {
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

export const textOf = (element: PageElement): string =>
  (element.textContent ?? "").replace(/\s+/g, " ").trim()

/** The heading that the page is named by: the one that its titles hold, else its first `h1`. */
export const titleHeading = (
  measures: Measures,
  titles: ReadonlyArray<string>
): PageElement | undefined => {
  const headings = Array.from(measures.keys()).filter(({ localName }) => /^h[1-3]$/.test(localName))
    .map((element) => ({ element, text: textOf(element) }))
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
export const corrected = (
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
export const textAround = (
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
  kind !== "code" && linkShare < linkShareMax && text.length >= blockCharsMin
