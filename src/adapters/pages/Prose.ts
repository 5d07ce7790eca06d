/** How much running text each element of a page holds, and where elements stand to each other. */
import { isElement, isTextNode, type PageElement } from "./PageNode.ts"

/** Text beside links of every element, in the page's order. In UTF-16 code units. */
export type Prose = ReadonlyMap<PageElement, number>

export const measure = (body: PageElement): Prose => {
  const prose = new Map<PageElement, number>()
  const visit = (element: PageElement): number => {
    // Set first, so that the map has the page's order.
    prose.set(element, 0)
    let chars = 0
    for (let child = element.firstChild; child !== null; child = child.nextSibling) {
      if (isTextNode(child)) chars += (child.textContent ?? "").trim().length
      else if (isElement(child)) chars += visit(child)
    }
    const own = element.localName === "a" ? 0 : chars
    prose.set(element, own)
    return own
  }
  visit(body)
  return prose
}

/** The element and its ancestors, innermost first. */
export const lineOf = (element: PageElement): ReadonlyArray<PageElement> => {
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
  prose: Prose,
  titles: ReadonlyArray<string>
): PageElement | undefined => {
  const headings = Array.from(prose.keys()).filter(({ localName }) => /^h[1-3]$/.test(localName))
  const named = headings.map((element) => ({ element, text: textOf(element) }))
    .filter(({ text }) => text.length >= 8 && titles.some((title) => title.includes(text)))
    .toSorted((left, right) => right.text.length - left.text.length)
  return named[0]?.element ??
    headings.find((element) => element.localName === "h1" && textOf(element) !== "")
}

const inline = /^(?:a|abbr|b|cite|code|em|font|i|label|mark|q|small|span|strong|sub|sup|time|u)$/

/** The first element after `heading`, or at all, that holds so much running text itself. */
export const firstOpening = (
  prose: Prose,
  heading: PageElement | undefined,
  charsMin: number
): PageElement | undefined => {
  let isAfter = heading === undefined
  for (const [element, chars] of prose) {
    if (
      isAfter && chars >= charsMin && !inline.test(element.localName) && own(element) >= charsMin
    ) {
      return element
    }
    if (element === heading) isAfter = true
  }
  return undefined
}

/** Text in the element itself and in what runs on in its lines, without links. */
const own = (element: PageElement): number => {
  let chars = 0
  for (let child = element.firstChild; child !== null; child = child.nextSibling) {
    if (isTextNode(child)) chars += (child.textContent ?? "").trim().length
    else if (isElement(child) && child.localName !== "a" && inline.test(child.localName)) {
      chars += own(child)
    }
  }
  return chars
}
