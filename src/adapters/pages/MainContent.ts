/** A page of HTML: its main content as plain text, and what it says of itself. */
import { Readability } from "@mozilla/readability"
import { Result } from "effect"
import * as BlockFilter from "./BlockFilter.ts"
import { removeBoilerplate } from "./Boilerplate.ts"
import type { ExtractedPage, ExtractionReason } from "./ExtractedPage.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as PageFacts from "./PageFacts.ts"
import * as PageLines from "./PageLines.ts"
import { childrenOf, isElement, type PageElement } from "./PageNode.ts"
import { blocksOf, type TextBlock } from "./TextBlocks.ts"

/** An article with less text is not believed. In UTF-16 code units. */
const articleCharsMin = 200

export const read = (
  html: string,
  url: string
): Result.Result<ExtractedPage, ExtractionReason> => {
  const { body, document, head } = HtmlTree.build(html)
  const heading = firstHeading(body)
  const facts = PageFacts.read({ head, heading, url, marked: markedDate(body) })
  removeBoilerplate(body)
  const whole = blocksOf(body)
  const article = articleOf(document)
  const titles = [heading, facts.title, article?.title, head.title].flatMap((title) => title ?? [])
  const main = BlockFilter.contents(article === undefined ? [] : blocksOf(article.content), titles)
  if (charsOf(main) >= articleCharsMin) return PageLines.page(main, facts)
  const rest = BlockFilter.contents(whole, titles)
  return PageLines.page(charsOf(rest) > charsOf(main) ? rest : main, facts)
}

const charsOf = (blocks: ReadonlyArray<TextBlock>): number =>
  blocks.reduce((sum, { text }) => sum + text.length, 0)

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

const firstHeading = (element: PageElement): string => {
  for (const child of childrenOf(element)) {
    if (!isElement(child)) continue
    const found = child.localName === "h1" ? child.textContent ?? "" : firstHeading(child)
    if (found.trim() !== "") return found.replace(/\s+/g, " ").trim()
  }
  return ""
}

/** Of the first element that is marked as the day of publication. */
const markedDate = (element: PageElement): string => {
  for (const child of childrenOf(element)) {
    if (!isElement(child)) continue
    const found = isMarked(child) ? child.getAttribute("datetime") ?? "" : markedDate(child)
    if (found !== "") return found
  }
  return ""
}

const isMarked = (element: PageElement): boolean =>
  element.localName === "time" &&
  (/datepublished/i.test(element.getAttribute("itemprop") ?? "") ||
    /publish|entry-date|posted/i.test(element.getAttribute("class") ?? ""))
