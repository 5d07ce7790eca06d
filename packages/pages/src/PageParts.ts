/** Polls, teasers of other pages and contacts, known by their markup in any language. */
import { questionMark } from "@web-grounding/language/QuestionTerms"
import {
  answerCharsMax,
  childrenOf,
  isAnswer,
  isElement,
  isTextNode,
  namedBy,
  type PageElement,
  type PageNode
} from "./HtmlTree.ts"
import listed from "./PageWords.json" with { type: "json" }

export type Elements = ReadonlyArray<PageElement>

/** Most answers of a poll are below this length, with the question. In UTF-16 code units. */
const pollCharsMax = 400
/** More of them are the page's contents, as in a quiz. */
const pollsMax = 3
const isOfPoll = namedBy(listed.polls)

/** Smallest parts that ask readers and take their answers: "Is this page useful?" */
export const pollsIn = (measures: Measures, titled: ReadonlySet<PageElement>): Elements => {
  const asking = elementsIn(
    measures,
    (element, { answers, chars }) =>
      chars < pollCharsMax && (answers > 1 || isNamed(element, isOfPoll)) && !titled.has(element) &&
      questionMark.test(element.textContent ?? "")
  )
  const outer = new Set(asking.flatMap((element) => lineOf(element).slice(1)))
  const polls = asking.filter((element) => !outer.has(element))
  return polls.length > pollsMax ? [] : polls
}

/** With a larger share of the page's prose, other articles are its contents. */
const teasersShareMax = 0.3

/** Other articles, whose headings are links to them, and the lists of them. */
export const teasersIn = (measures: Measures, titled: ReadonlySet<PageElement>): Elements => {
  const [[, page] = [undefined, undefined]] = measures
  const teasers = elementsIn(measures, ({ localName }) => localName === "article")
    .filter((element) => !titled.has(element) && isLinked(element))
  const prose = teasers.reduce((sum, one) => sum + (measures.get(one)?.prose ?? 0), 0)
  return prose > teasersShareMax * (page?.prose ?? 0)
    ? []
    : teasers.concat(listsOf(teasers, titled))
}

/** Whether its first heading is a link to another page. */
const isLinked = (element: PageElement): boolean => {
  const heading = firstIn(element, ({ localName }) => /^h[1-6]$/.test(localName))
  const link = heading === undefined
    ? undefined
    : lineOf(heading).slice(1, 2).find(({ localName }) => localName === "a") ??
      firstIn(heading, ({ localName }) => localName === "a")
  return heading !== undefined && link !== undefined &&
    /^(?!#)./.test(link.getAttribute("href") ?? "") &&
    (link.textContent?.trim().length ?? 0) >= (heading.textContent?.trim().length ?? 0)
}

const firstIn = (
  element: PageElement,
  isFound: (element: PageElement) => boolean
): PageElement | undefined => {
  for (const child of childrenOf(element).filter(isElement)) {
    const found = isFound(child) ? child : firstIn(child, isFound)
    if (found !== undefined) return found
  }
  return undefined
}

/** Parts that hold nothing but such articles and a heading. */
const listsOf = (teasers: Elements, titled: ReadonlySet<PageElement>): Elements => {
  const known = new Set<PageNode>(teasers)
  return Array.from(new Set(teasers.map(({ parentNode }) => parentNode))).flatMap((outer) =>
    outer !== null && !titled.has(outer) &&
      childrenOf(outer).every((child) =>
        known.has(child) || child.textContent?.trim() === "" ||
        isElement(child) && /^h[1-6]$/.test(child.localName)
      )
      ? outer
      : []
  )
}

const isOfContact = namedBy(listed.contacts)
const contactCharsMax = 500
/** A number of seven digits or more that is dialled; a day has eight at most, and a year in it. */
const telephone = /(?<![\d.,])(?:\+|0|\(0?)\d(?:[ \u00a0()/.-]{0,2}\d){6,13}(?![\d.,])/

/** Contacts next to the text: parts with a telephone number. */
export const contactsIn = (measures: Measures, titled: ReadonlySet<PageElement>): Elements =>
  elementsIn(
    measures,
    (element, { chars }) =>
      chars < contactCharsMax && !titled.has(element) && isContact(element) &&
      telephone.test(element.textContent ?? "") &&
      lineOf(element).slice(1).every((outer) =>
        !/^(?:nav|footer|header|form)$/.test(outer.localName) && !isContact(outer)
      )
  )

const isContact = (element: PageElement): boolean =>
  element.localName === "aside" || isNamed(element, isOfContact)

export const isNamed = (element: PageElement, is: (name: string) => boolean): boolean =>
  is(element.getAttribute("class") ?? "") || is(element.getAttribute("id") ?? "")

/** Text lengths of an element, in UTF-16 code units. */
interface Measure {
  /** Buttons and links that say yes or no, and points of a scale. */
  answers: number
  /** With all descendants. */
  chars: number
  /** Holds a number in a short text. */
  isNumbered: boolean
  /** Without links. */
  prose: number
  /** Directly in the element. */
  own: number
}

/** A number in a longer text is none of a date's line. In UTF-16 code units. */
const numberedCharsMax = 200

/** By element, in the page's order. */
export type Measures = ReadonlyMap<PageElement, Measure>

export const measure = (body: PageElement): Measures => {
  const measures = new Map<PageElement, Measure>()
  const visit = (element: PageElement): Measure => {
    const answers = Number(element.getAttribute("answers") ?? 0)
    const found = { answers, chars: 0, isNumbered: false, prose: 0, own: 0 }
    measures.set(element, found)
    for (let child = element.firstChild; child !== null; child = child.nextSibling) {
      if (isTextNode(child)) {
        const text = child.textContent?.trim() ?? ""
        if (text === "") continue
        found.own += text.length
        found.isNumbered ||= text.length < numberedCharsMax && /\p{N}/u.test(text)
      } else if (isElement(child)) {
        const { answers, chars, isNumbered, prose } = visit(child)
        found.isNumbered ||= isNumbered
        found.answers += answers
        found.chars += chars
        found.prose += prose
      }
    }
    found.chars += found.own
    found.prose = element.localName === "a" ? 0 : found.prose + found.own
    if (
      element.localName === "a" && found.chars < answerCharsMax &&
      isAnswer(element.textContent ?? "")
    ) found.answers += 1
    return found
  }
  visit(body)
  return measures
}

export const elementsIn = (
  measures: Measures,
  is: (element: PageElement, measure: Measure) => boolean
): Elements => {
  const found: Array<PageElement> = []
  measures.forEach((measure, element) => {
    if (is(element, measure)) found.push(element)
  })
  return found
}

/** The element and its ancestors, innermost first. */
export const lineOf = (element: PageElement | undefined): Elements => {
  const line: Array<PageElement> = []
  for (let at = element ?? null; at !== null && isElement(at); at = at.parentNode) {
    line.push(at)
  }
  return line
}
