/** Main content of an HTML page as plain text, and its metadata. */
import { Readability } from "@mozilla/readability"
import { dayWritten } from "@web-grounding/language/Quantities"
import { Result } from "effect"
import * as EmbeddedState from "./EmbeddedState.ts"
import type { ExtractedPage, ExtractionReason } from "./ExtractedPage.ts"
import * as HtmlTree from "./HtmlTree.ts"
import { childrenOf, isElement, namedBy, type PageElement, partsOf } from "./HtmlTree.ts"
import * as PageFacts from "./PageFacts.ts"
import { asksConsent, noPageIn } from "./PageGate.ts"
import {
  contactsIn,
  type Elements,
  elementsIn,
  isNamed,
  lineOf,
  measure,
  type Measures,
  pollsIn,
  teasersIn
} from "./PageParts.ts"
import listed from "./PageWords.json" with { type: "json" }
import { type Blocks, blocksOf, charsOf, inlineOf, type TextBlock } from "./TextBlocks.ts"

/** A shorter article is not trusted. In UTF-16 code units. */
const articleCharsMin = 200
/** From this length on, scripts with little text mean a script-rendered page. */
const shellCharsMin = 20_000
const shellScriptsMin = 3
/** With more elements the search for an article takes seconds: the page is read whole. */
const articleElementsMax = 25_000

export const readContent = (
  html: string,
  url: string
): Result.Result<ExtractedPage, ExtractionReason> => {
  const { body, document, elements, head, isCut, removal, title } = parsed(html)
  const { measures: before, titled: ownTitle } = removal
  const titled = Array.from(ownTitle)
  const heading = title === undefined ? "" : inlineOf(title)
  const facts = PageFacts.readFacts({
    head,
    heading,
    url,
    marked: markedDate(removal),
    written: writtenDates(removal),
    anchors: anchorsIn(before),
    counters: PageFacts.countersIn(html)
  })
  const frame = title === undefined ? [] : frameOf(title, before)
  const contacts = facts.published_date === undefined ? contactsIn(before, ownTitle) : []
  const removedBlocks = removeBoilerplate(body, removal)
  unname(before)
  // Read before Readability changes the tree.
  const around = textAround(before, title)
  const part = titled.some(isContents)
    ? titled.find((outer) => outer.localName === "article" || isContents(outer))
    : undefined
  const held = part === undefined || isArticle(facts, head) ? [] : blocksOf(part)
  const framing = frame.map((elements) => elements.flatMap(blocksOf))
  const article = elements > articleElementsMax ? undefined : articleOf(document)
  const found = article?.content == null ? [] : blocksOf(article.content)
  const framed = completed(inFrame(corrected(found, around), framing), held)
  const known = new Set(framed.map(({ text }) => text))
  const chosen = framed.length === 0 ? framed : [
    ...framed,
    ...contacts.flatMap(blocksOf).filter(({ text }) => !known.has(text))
  ]
  const titles = [heading, facts.title, article?.title?.trim(), head.title].flatMap((name) =>
    name ?? []
  )
  const main = contents(chosen, titles)
  const asPage = (blocks: Blocks) =>
    Result.map(PageFacts.page(blocks, { ...facts, isCut }, removedBlocks), (page) => {
      const { hasPassword } = head
      const fault = noPageIn({ ...page, title: facts.title ?? "", heading, html, hasPassword })
      return fault === undefined ? page : { ...page, no_page: fault }
    })
  if (charsOf(main) >= articleCharsMin) return asPage(main)
  const rest = contents(blocksOf(elements > articleElementsMax ? body : cleanBody(html)), titles)
  const best = charsOf(rest) > charsOf(main) ? rest : main
  if (charsOf(best) >= articleCharsMin) return asPage(best)
  const state = EmbeddedState.blocksIn([...head.data, ...head.states])
  if (charsOf(state) >= articleCharsMin) {
    const published = PageFacts.dateOf(EmbeddedState.publishedIn(head.states, head.title) ?? "")
    const dated = published === undefined ? facts : { published_date: published, ...facts }
    return PageFacts.page(state, dated, removedBlocks)
  }
  const isShell = html.length >= shellCharsMin && head.scriptsCount >= shellScriptsMin
  return isShell ? Result.fail("js_shell") : asPage(best)
}

const parsed = (html: string) => {
  const { body, ...tree } = HtmlTree.build(html)
  const measures = measure(body)
  const title = titleHeading(measures, PageFacts.titlesOf(tree.head))
  const titled = new Set(lineOf(title))
  const removal = {
    measures,
    titled,
    /** The part of the page directly around its title; none for the whole body. */
    part: partOf(Array.from(titled)),
    /** Prose of an element from which it is the page, in UTF-16 code units. */
    pageProse: Math.max(1, pageShareMin * (measures.get(body)?.prose ?? 0)),
    /** Polls, and teasers of other pages. */
    foreign: new Set([...pollsIn(measures, titled), ...teasersIn(measures, titled)])
  }
  return { ...tree, body, removal, title }
}

/** The page's elements once more, as Readability has changed the first ones. */
const cleanBody = (html: string): PageElement => {
  const { body, removal } = parsed(html)
  removeBoilerplate(body, removal)
  unname(removal.measures)
  return body
}

/** Most links read from a page's beginning. */
const anchorsMax = 2_000
/** An element with more text is no link's words. In UTF-16 code units. */
const anchorCharsMax = 400

const anchorsIn = (measures: Measures) =>
  elementsIn(measures, ({ localName }, { chars }) => localName === "a" && chars <= anchorCharsMax)
    .map((element) => [element, element.getAttribute("href")?.trim() ?? ""] as const)
    .filter(([, href]) => /^(?:https?:)?\/\//i.test(href))
    .slice(0, anchorsMax).map(([element, href]) => [inlineOf(element), href] as const)

/** Readability, which would read each element's whole text, and search for scripts and styles. */
class Reader extends Readability<PageElement> {
  declare readonly REGEXPS: { readonly byline: RegExp }
  _unwrapNoscriptImages(): void {}
  _removeScripts(): void {}
  _cleanStyles(): void {}
  _isElementWithoutContent(element: PageElement): boolean {
    return childrenOf(element).every((child) =>
      isElement(child) ? /^[bh]r$/.test(child.localName) : child.textContent?.trim() === ""
    )
  }
  _isValidByline(node: PageElement, names: string): boolean {
    const isNamed = node.getAttribute("rel") === "author" || this.REGEXPS.byline.test(names) ||
      node.getAttribute("itemprop")?.includes("author") === true
    const chars = isNamed ? node.textContent?.trim().length ?? 0 : 0
    return chars > 0 && chars < 100
  }
}

const articleOf = (document: HtmlTree.HtmlTree["document"]) =>
  Result.getOrUndefined(Result.try(() =>
    new Reader(document, {
      charThreshold: articleCharsMin,
      keepClasses: true,
      disableJSONLD: true,
      serializer: (node: PageElement) => node
    }).parse()
  ))

/** Day in an element marked as publication date of the page's own article, nearest to its title. */
const markedDate = (removal: Removal): string => {
  const distance = distanceIn(removal)
  return elementsIn(
    removal.measures,
    (element, { chars }) => isMarked(element, chars) && isOwn(element, removal)
  ).slice(0, markedMax).toSorted((left, right) => distance(left) - distance(right))
    .map((element) => element.getAttribute("datetime") ?? dayWritten(inlineOf(element)) ?? "")
    .find((date) => date !== "") ?? ""
}

/** How far out the part is that holds an element and the page's title. */
const distanceIn = ({ titled }: Removal) => {
  const headed = Array.from(titled)
  return (element: PageElement): number => {
    const line = new Set(lineOf(element))
    return headed.findIndex((outer) => line.has(outer))
  }
}

/** Most marked elements, and the longest text of a line that a name marks. In UTF-16 code units. */
const markedMax = 50
const markedCharsMax = 120

/** Days of its publication and its change that a page says itself, nearest to its title. */
const writtenDates = (removal: Removal) => {
  const distance = distanceIn(removal)
  const said = elementsIn(
    removal.measures,
    (_, { chars, isNumbered }) => isNumbered && chars <= markedCharsMax
  ).flatMap((element) => {
    const days = PageFacts.daysSaid(inlineOf(element))
    return days.length > 0 && isOwn(element, removal) &&
        !lineOf(element).some(({ localName }) => localName === "table")
      ? days.map(([of, day]) => ({ of, day, far: distance(element) }))
      : []
  }).toSorted((left, right) => left.far - right.far)
  const nearest = (name: "published" | "modified") => {
    const [first, ...others] = said.filter(({ of }) => of === name)
    const isSure = others.every(({ day, far }) => day === first?.day || far !== first?.far)
    return isSure ? first?.day ?? "" : ""
  }
  return { published: nearest("published"), modified: nearest("modified") }
}

const publishedName =
  /publish|posted|submitted|(?:entry|post|article|news|press|pub)[-_]*date|\b(?:byline|dateline)\b/i

/** A date of no named kind: under a heading it is the day of what the heading is of. */
const dateName = /(?:^|\s)(?:date|datum|data|dato|fecha|tarih)(?:$|\s)/i

/** Most siblings among which a heading is searched for. */
const siblingsMax = 20

const isBelowHeading = (element: PageElement): boolean => {
  let above = ""
  let node = element.parentNode?.firstChild ?? null
  for (let place = 0; place < siblingsMax && node !== null; place++) {
    if (node === element) return above === "h1" || above === "h2"
    if (isElement(node)) above = node.localName
    node = node.nextSibling
  }
  return false
}

/** By its own name, or in the line of the author and the date. */
const isMarked = (element: PageElement, chars: number): boolean => {
  const name = element.getAttribute("class") ?? ""
  const line = element.parentNode?.getAttribute("class") ?? ""
  if (chars <= markedCharsMax && publishedName.test(name)) return true
  if (chars <= markedCharsMax && dateName.test(name) && isBelowHeading(element)) return true
  return element.localName === "time" && (
    /datepublished/i.test(element.getAttribute("itemprop") ?? "") ||
    !/updat|modif/i.test(name) && /\b(?:meta|byline|dateline)\b/i.test(line)
  )
}

const besides = new Set(listed.besides)
const isOfBeside = namedBy(listed.besideNames)

/** Neither boilerplate, nor of a comment, nor of another article on the page. */
const isOwn = (element: PageElement, { measures, pageProse, titled }: Removal): boolean =>
  lineOf(element).every((outer) => {
    if (besides.has(outer.localName)) return false
    if (outer.localName === "article" && !titled.has(outer)) {
      return (measures.get(outer)?.prose ?? 0) >= pageProse
    }
    return titled.has(outer) || !isNamed(outer, isOfBeside)
  })

// Removes navigation, forms, captions, teasers: by kind or a word of class or id, and only small
// ones. An element with the page's title or most of its prose is content; so is a note within the
// article, and a part named after its own words.

/** Length from which an element is content whatever its name. In UTF-16 code units. */
const structureCharsMax = 1_500
const namedCharsMax = 600
const namesCharsMax = 200
/** Share of the page's prose from which an element is the page. */
const pageShareMin = 0.5
/** Least share of sentences in a part's text, and least length of a sentence. */
const ownProseShareMin = 0.8
const sentenceCharsMin = 40

const structures = new Set(listed.structures)
/** Words of a class or an id. */
const words = new Set(listed.boilerplate)
/** Words of a request for consent, which its own text must confirm: a cookie may be food. */
const consents = new Set(listed.consents)
/** Words about a part's layout, not its purpose. */
const layouts = new Set(listed.layouts)
const pairs = new Set(listed.boilerplatePairs)
/** Most names hold none of the words anywhere. */
const nearBoilerplate = new RegExp(
  [...words, ...consents, ...Array.from(pairs, (pair) => pair.split(" ", 1))].join("|"),
  "i"
)
const mayBeBoilerplate = (names: string): boolean =>
  names.length < namesCharsMax && nearBoilerplate.test(names)
/** Kinds that are content whatever their name. */
const unnamed = new Set(listed.neverBoilerplate)

type Removal = ReturnType<typeof parsed>["removal"]

const headers = new Set(["header", "hgroup", "body"])
const partOf = ([, ...outer]: Elements): PageElement | undefined =>
  outer.find(({ localName }) => !headers.has(localName))

/** Removes boilerplate below the element, and counts removed elements with sentences. */
const removeBoilerplate = (parent: PageElement, removal: Removal): number =>
  childrenOf(parent).filter(isElement).reduce((removed, child) => {
    const { chars = 0, prose = 0 } = removal.measures.get(child) ?? {}
    const isConsent = removal.foreign.has(child) || isConsentDialog(child, removal)
    if (chars === 0 || !isConsent && !looksBoilerplate(child, chars)) {
      return removed + removeBoilerplate(child, removal)
    }
    const isPage = removal.titled.has(child) || prose >= removal.pageProse
    const isOwn = prose >= ownProseShareMin * chars && isOwnPart(child, removal)
    if (!isConsent && (isPage || isOwn)) {
      HtmlTree.makePlain(child)
      return removed + removeBoilerplate(child, removal)
    }
    const isProse = prose >= sentenceCharsMin
    child.remove()
    return removed + (isProse ? 1 : 0)
  }, 0)

/** A dialog that asks for consent, however long, where the page holds more than it. */
const isConsentDialog = (element: PageElement, { measures, pageProse, titled }: Removal): boolean =>
  /^(?:alert)?dialog$/.test(element.getAttribute("role") ?? "") && !titled.has(element) &&
  pageProse / pageShareMin - (measures.get(element)?.prose ?? 0) >= articleCharsMin &&
  asksConsent(inlineOf(element))

/** Share of a table in an element from which it only encloses the table. */
const tableShareMin = 0.7

/** Takes the names of tables with headings and their enclosures: Readability goes by names. */
const unname = (measures: Measures): void => {
  const heads = elementsIn(measures, ({ localName }) => localName === "th")
  const tables = new Set(
    heads.map((head) => lineOf(head).find(({ localName }) => localName === "table") ?? head)
  )
  const headings = elementsIn(measures, ({ localName }) => /^h[2-6]$/.test(localName))
  for (const element of [...tables, ...headings]) {
    const { chars = 0 } = measures.get(element) ?? {}
    const isHeading = element.localName !== "table"
    for (const outer of lineOf(element)) {
      if (chars < (isHeading ? 1 : tableShareMin) * (measures.get(outer)?.chars ?? 0)) break
      for (const name of ["class", "id"]) {
        if (!isHeading || /header/i.test(outer.getAttribute(name) ?? "")) {
          outer.setAttribute(name, "")
        }
      }
    }
  }
}

const looksBoilerplate = (element: PageElement, chars: number): boolean =>
  structures.has(element.localName) && chars < structureCharsMax ||
  chars < namedCharsMax && isNamed(element, mayBeBoilerplate) &&
    boilerplateNames(element).length > 0

const boilerplateNames = (element: PageElement): ReadonlyArray<ReadonlyArray<string>> =>
  unnamed.has(element.localName)
    ? []
    : ["class", "id"].map((name) => element.getAttribute(name) ?? "")
      .filter(mayBeBoilerplate)
      .flatMap((names) => names.split(/\s+/).map(partsOf))
      .filter((parts) => isBoilerplateName(parts) || isConsent(parts, element))

/** Content that looks like boilerplate: a note in the text, or a part named after its words. */
const isOwnPart = (element: PageElement, within: Pick<Removal, "part">): boolean =>
  structures.has(element.localName)
    ? element.localName === "aside" && isNote(element, within) ||
      element.localName === "footer" && isNote(element, within) &&
        blocksOf(element).every((block) => hasSentence([block]))
    : boilerplateNames(element).every((parts) =>
      parts.some((part) => layouts.has(part)) && isHeaded(element, within) ||
      isOwnName(parts, element)
    )

/** A part of an article with its own heading, sentences and no link. */
const isHeaded = (element: PageElement, within: Pick<Removal, "part">): boolean => {
  const blocks = blocksOf(element)
  return blocks[0]?.kind === "heading" && isNote(element, within) &&
    blocks.every(({ linkShare }) => linkShare === 0)
}

const isConsent = (parts: ReadonlyArray<string>, element: PageElement): boolean =>
  parts.some((part) => consents.has(part)) && asksConsent(inlineOf(element))

const isBoilerplateName = (parts: ReadonlyArray<string>): boolean =>
  parts.some((part, place) => words.has(part) || pairs.has(`${part} ${parts[place + 1]}`))

/** A note of the text itself: sentences, within an article or the part around the title. */
const isNote = (element: PageElement, { part }: Pick<Removal, "part">): boolean =>
  lineOf(element).some((outer) =>
    outer === part || outer.localName === "article" || outer.localName === "main"
  ) && hasSentence(blocksOf(element))

const hasSentence = (blocks: Blocks): boolean =>
  blocks.some(({ kind, linkShare, text }) =>
    kind === "text" && text.length >= sentenceCharsMin && sentenceEnd.test(text) &&
    linkShare < paragraphLinkShareMax
  )

/**
 * Whether a name consists of its part's own words, as an anchor does: `social-security` above
 * "Social security numbers". Pairs of layout words do not count.
 */
const isOwnName = (parts: ReadonlyArray<string>, element: PageElement): boolean => {
  if (parts.some((part, place) => pairs.has(`${part} ${parts[place + 1]}`))) return false
  const blocks = blocksOf(element)
  const said = blocks.slice(0, 2).map(({ text }) => text.toLowerCase()).join(" ")
  const isAnchor = blocks[0]?.kind === "heading" && blocks.length > 1
  const own = parts.filter((part) => part !== "")
  return hasSentence(blocks) && (isAnchor || own.length > 1) &&
    own.every((part) => said.includes(part.replace(/s$/, "")))
}

/** Headers and footers of the article that the title is of: an introduction and a correction. */
const frameOf = (title: PageElement, measures: Measures): ReadonlyArray<Elements> => {
  const articleOf = (element: PageElement) =>
    lineOf(element).find(({ localName }) => localName === "article" || localName === "main")
  const article = articleOf(title)
  return ["header", "footer"].map((kind) =>
    elementsIn(measures, ({ localName }) => localName === kind).filter((element) =>
      article !== undefined && articleOf(element) === article &&
      (kind === "header" ? lineOf(title).includes(element) : isOwnFooter(element, measures))
    )
  )
}

const isOwnFooter = (element: PageElement, measures: Measures): boolean => {
  const { chars = 0, prose = 0 } = measures.get(element) ?? {}
  return chars < structureCharsMax && prose >= ownProseShareMin * chars &&
    isOwnPart(element, { part: undefined })
}

/** The blocks between the sentences of their frame that were passed over. */
const inFrame = (blocks: Blocks, frame: ReadonlyArray<Blocks>): Blocks => {
  const known = new Set(blocks.map(({ text }) => text))
  const [above = [], below = []] = frame.map((blocks) =>
    blocks.filter((block) => hasSentence([block]) && !known.has(block.text))
  )
  return blocks.length === 0 ? blocks : [...above, ...blocks, ...below]
}

// Removes blocks that share, subscribe, credit, date or link.

const lineCharsMax = 240
const creditCharsMax = 220
const linksCharsMax = 200
const linkShareMax = 0.75
/** A repeated title is removed only in the first blocks. */
const titleBlocksMax = 4

const lines = new RegExp(`^[-–—*\\s]*(?:${listed.notices.join("|")})[-–—*\\s]*$`, "iu")
const credit = new RegExp(listed.credit, "i")
const sentenceEnd = /\p{STerm}["”’)\]»]*$/u

/** Blocks without notices, credits, lists of links and repetitions of the `titles`. */
const contents = (blocks: Blocks, titles: ReadonlyArray<string>): Blocks => {
  const ofNotices = placesOfNotices(blocks)
  return blocks.filter((block, place) =>
    block.kind === "code" ||
    (/[\p{L}\p{N}]/u.test(block.text) && !(place < titleBlocksMax && titles.includes(block.text)) &&
      !isNotice(block) && !isCredit(block.text) && !isLinks(block) && !ofNotices.has(place))
  )
}

const isNotice = ({ kind, text }: TextBlock): boolean =>
  text.length < lineCharsMax && lines.test(text) ||
  byline.test(text) ||
  kind !== "row" && text.length < markedCharsMax && !sentenceEnd.test(text) &&
    PageFacts.daysSaid(text).length > 0

const byline = /^(?:By|Von|Par|Por|Di|Door|Av|Af)(?:\s\p{Lu}[\p{L}.'’-]*){2,4}$/u

/** Places of links below a notice: "Read also", and what to read. */
const placesOfNotices = (blocks: Blocks): ReadonlySet<number> => {
  const places = new Set<number>()
  let isBelow = false
  for (const [place, block] of blocks.entries()) {
    if (block.linkShare <= linkShareMax) isBelow = isNotice(block)
    else if (isBelow) places.add(place)
  }
  return places
}

const isCredit = (text: string): boolean =>
  text.length < creditCharsMax && credit.test(text) &&
  !sentenceEnd.test(text.replace(credit, "").trim())

const isLinks = ({ kind, linkShare, text }: TextBlock): boolean =>
  kind === "text" && linkShare > linkShareMax && text.length < linksCharsMax

// Text lengths of a page's elements, and the text under its title.

/** Least length of a paragraph of prose, and of prose around the title. In UTF-16 code units. */
const openingCharsMin = 80
const aroundCharsMin = 500
/** From this length and share on, skipped text is no introduction. In UTF-16 code units. */
const losses = [{ chars: 600, share: 0.3 }, { chars: 200, share: 0.4 }] as const
/** A block with more links than this, or with less text, is no prose. */
const paragraphLinkShareMax = 0.5
const blockCharsMin = 80

/** The page's heading: the one contained in its titles, else its first `h1`. */
const titleHeading = (
  measures: Measures,
  titles: ReadonlyArray<string>
): PageElement | undefined => {
  const headings = elementsIn(measures, ({ localName }) => /^h[1-3]$/.test(localName))
    .map((element) => ({ element, text: inlineOf(element) }))
  const [named] = headings
    .filter(({ text }) => text.length >= 8 && titles.some((title) => title.includes(text)))
    .toSorted((left, right) => right.text.length - left.text.length)
  const first = headings.find(({ element, text }) => element.localName === "h1" && text !== "")
  return (named ?? first)?.element
}

/**
 * The part around the title when most of it is missing in `found`, else `found`: an article begins
 * under its title.
 */
const corrected = (found: Blocks, around: Blocks): Blocks => {
  const known = new Set(found.map(({ text }) => text))
  const prose = around.filter(isProse)
  const begin = prose.findIndex(({ text }) => known.has(text))
  const passed = charsOf(begin < 0 ? prose : prose.slice(0, begin))
  const isLoss = losses.some(({ chars, share }) =>
    passed >= Math.max(chars, share * charsOf(prose))
  )
  return isLoss ? around : found
}

/** A part that says it is the page's contents. */
const isContents = (element: PageElement): boolean =>
  element.localName === "main" ||
  /^(?:main-?)?content$/i.test(element.getAttribute("id") ?? "")

const isArticle = (facts: PageFacts.PageFacts, { metas }: HtmlTree.PageHead): boolean =>
  facts.published_date !== undefined || metas.get("og:type") === "article"

/** A longer part is an article, and a part with more links a list of them. */
const partCharsMax = 4_000
const partLinksMax = 0.25

/**
 * The short part around the title, whole, where it holds what was found: what is no article gives
 * its facts in tables, prices and lists.
 */
const completed = (found: Blocks, part: Blocks): Blocks => {
  const known = new Set(part.map(({ text }) => text))
  const links = part.reduce((sum, { linkShare, text }) => sum + linkShare * text.length, 0)
  return charsOf(part) <= partCharsMax && links <= partLinksMax * charsOf(part) &&
      found.every(({ text }) => known.has(text))
    ? part
    : found
}

/** The smallest part of the page with its title and prose; empty without either. */
const textAround = (measures: Measures, heading: PageElement | undefined): Blocks => {
  if (heading === undefined) return []
  const elements = Array.from(measures.keys())
  const holds = (element: PageElement, kind: "own" | "prose", charsMin: number) =>
    (measures.get(element)?.[kind] ?? 0) >= charsMin
  const headed = new Set(lineOf(heading))
  const isKept = (element: PageElement) => lineOf(element).some((outer) => headed.has(outer))
  const first = elements.slice(elements.indexOf(heading) + 1)
    .find((element) => holds(element, "own", openingCharsMin) && isKept(element))
  const smallest = lineOf(first).find((element) =>
    headed.has(element) && holds(element, "prose", aroundCharsMin)
  )
  return smallest === undefined ? [] : blocksOf(smallest)
}

const isProse = ({ kind, linkShare, text }: TextBlock): boolean =>
  kind !== "code" && linkShare < paragraphLinkShareMax && text.length >= blockCharsMin
