/** A page of HTML: its main content as plain text, and what it says of itself. */
import { Readability } from "@mozilla/readability"
import { Result } from "effect"
import * as BlockFilter from "./BlockFilter.ts"
import { removeBoilerplate } from "./Boilerplate.ts"
import type { ExtractedPage, ExtractionReason } from "./ExtractedPage.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as PageFacts from "./PageFacts.ts"
import * as PageLines from "./PageLines.ts"
import type { PageElement } from "./PageNode.ts"
import * as Prose from "./Prose.ts"
import { blocksOf, charsOf } from "./TextBlocks.ts"

/** An article with less text is not believed. In UTF-16 code units. */
const articleCharsMin = 200
/** The search for an article takes seconds on a page of more elements, which is then read whole. */
const articleElementsMax = 25_000

export const readContent = (
  html: string,
  url: string
): Result.Result<ExtractedPage, ExtractionReason> => {
  const { body, document, elements, head } = HtmlTree.build(html)
  const before = Prose.measure(body)
  const title = Prose.titleHeading(before, PageFacts.titlesOf(head))
  const heading = title === undefined ? "" : Prose.textOf(title)
  const facts = PageFacts.readFacts({ head, heading, url, marked: markedDate(before) })
  removeBoilerplate(body, before)
  const whole = blocksOf(body)
  // Read before Readability changes the tree.
  const around = Prose.textAround(Prose.measure(body), title)
  const article = elements > articleElementsMax ? undefined : articleOf(document)
  const found = article === undefined ? [] : blocksOf(article.content)
  const chosen = Prose.corrected(found, around)
  const titles = [heading, facts.title, article?.title, head.title].flatMap((name) => name ?? [])
  const main = BlockFilter.contents(chosen, titles)
  if (charsOf(main) >= articleCharsMin) return PageLines.page(main, facts)
  const rest = BlockFilter.contents(whole, titles)
  return PageLines.page(charsOf(rest) > charsOf(main) ? rest : main, facts)
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
const markedDate = (measures: Prose.Measures): string =>
  Array.from(measures.keys()).filter(isMarked)
    .map((element) => element.getAttribute("datetime") ?? "").find((date) => date !== "") ?? ""

const isMarked = (element: PageElement): boolean =>
  element.localName === "time" &&
  (/datepublished/i.test(element.getAttribute("itemprop") ?? "") ||
    /publish|entry-date|posted/i.test(element.getAttribute("class") ?? ""))
