/**
 * Independent origins of a statement. Pages of one owner, copies, and pages that credit the same
 * source are one origin, on any number of sites.
 */
import { isStopWord, terms, words } from "@web-grounding/language/Words"
import * as Words from "@web-grounding/language/Words"
import type { Page } from "../page/Page.ts"
import { asGiven } from "../request/GivenFields.ts"
import type { SourceClass } from "../search/SearchStatus.ts"
import { classOf } from "../search/SourceClass.ts"
import type { CitedSource } from "./GroundingPack.ts"

export interface Origins {
  readonly count: number
  readonly best?: SourceClass
  /** Site that each of its sources credits, none of whose pages was read. */
  readonly credited?: string
}

type OriginPage = Pick<
  Page,
  "links" | "official" | "owners" | "site" | "source_class" | "source_id" | "text"
>

export interface OriginReading {
  readonly of: (sources: ReadonlyArray<CitedSource>) => Origins
  /** Numbers of the sources' origins, from 1: sources of one number are one origin. */
  readonly numbersOf: (sources: ReadonlyArray<CitedSource>) => ReadonlyArray<number>
  /** The text of a source's page; empty where there is none. */
  readonly textOf: (source_id: string) => string
}

/** Characters read of a page, or of quotations, to find near-duplicates. In UTF-16 code units. */
const pageCharsMax = 20_000
/** Quotations this long are not worded alike by chance: one site has copied the other. */
const copiedWordsMin = 12
/** Minimum share of the shorter text's shingles, of two quotations and of two pages. */
const quoteCopyShare = 0.6
const pageCopyShare = 0.8
/** Shared figures, without a person's name, that only retelling one text explains. */
const figuresMin = 3
/** UTF-16 code units read on either side of a quotation, within its paragraph, for credits. */
const creditCharsMax = 400
/** Shorter names of sites and owners are also words. */
const nameCharsMin = 6

export const readingOf = (
  question: string,
  pages: ReadonlyArray<OriginPage>
): OriginReading => {
  const byId = new Map(pages.map((page) => [page.source_id, page]))
  const joined = joinedPages(question, pages)
  const setsOf = (sources: ReadonlyArray<CitedSource>) => {
    const sets = unions(joined)
    const credited = sources.map((source) => {
      const page = byId.get(source.source_id)
      const parents = page === undefined ? [] : parentsOf(page, source, pages)
      for (const parent of parents) sets.join(source.source_id, parent.node)
      return parents.flatMap(({ isRead, site }) => isRead ? [] : [site])
    })
    const quoted = sources.map(({ quotes }) => wordingOf(quotes.map(({ text }) => text).join(" ")))
    sources.forEach(({ source_id }, index) => {
      sources.slice(index + 1).forEach((other, step) => {
        const [one, two] = [quoted[index], quoted[index + 1 + step]]
        if (one === undefined || two === undefined) return
        if (isWordedAlike(one, two, quoteCopyShare)) sets.join(source_id, other.source_id)
      })
    })
    return { credited, find: (source: CitedSource) => sets.find(source.source_id) }
  }
  return {
    of: (sources) => {
      const { credited, find } = setsOf(sources)
      const classes = sources.map(classOf)
      const best = classes.find((one) => one === "primary") ?? classes.find((one) => one)
      const [first = [], ...others] = credited
      const site = first.find((one) => others.every((sites) => sites.includes(one)))
      return {
        count: Math.min(new Set(sources.map(find)).size, new Set(sources.map(siteOf)).size),
        ...asGiven({ best }),
        ...(best === "primary" || site === undefined ? {} : { credited: site })
      }
    },
    numbersOf: (sources) => {
      const { find } = setsOf(sources)
      const roots = sources.map(find)
      const distinct = Array.from(new Set(roots))
      return roots.map((root) => distinct.indexOf(root) + 1)
    },
    textOf: (source_id) => byId.get(source_id)?.text ?? ""
  }
}

const siteOf = ({ site }: CitedSource): string => site

interface Wording {
  readonly wordsCount: number
  readonly shingles: ReadonlySet<string>
}

const wordingOf = (text: string): Wording => {
  const read = text.slice(0, pageCharsMax)
  return { wordsCount: words(read).length, shingles: Words.shinglesOf(read) }
}

const isWordedAlike = (left: Wording, right: Wording, shareMin: number): boolean =>
  Math.min(left.wordsCount, right.wordsCount) >= copiedWordsMin &&
  Words.sharedShare(left.shingles, right.shingles) >= shareMin

/** Pairs of pages of one origin for every claim: one site or owner, copied text, retold details. */
const joinedPages = (
  question: string,
  pages: ReadonlyArray<OriginPage>
): ReadonlyArray<readonly [string, string]> => {
  const read = pages.map((page) => ({
    page,
    wording: wordingOf(page.text),
    details: detailsOf(question, page.text.slice(0, pageCharsMax))
  }))
  return read.flatMap((one, index) =>
    read.slice(index + 1).flatMap((other) =>
      one.page.site === other.page.site ||
        (one.page.owners ?? []).some((owner) => other.page.owners?.includes(owner)) ||
        isWordedAlike(one.wording, other.wording, pageCopyShare) ||
        areRetold(one.details, other.details)
        ? [[one.page.source_id, other.page.source_id] as const]
        : []
    )
  )
}

const areRetold = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean => {
  const shared = Array.from(left.intersection(right))
  const figures = shared.filter((detail) => /^\p{N}/u.test(detail))
  return figures.length > 0 && (figures.length < shared.length || figures.length >= figuresMin)
}

const figure =
  /(?<![\p{N}.,])(?:\p{N}{1,3}(?:[.,\s\u00a0\u202f]\p{N}{3}){1,4}|\p{N}{3,12})(?![\p{N}])/gu
const person =
  /(?<![\p{L}\p{N}-])\p{Lu}\p{Ll}{2,20}\s\p{Lu}\p{Ll}{2,20}(?![\p{L}-]|\s\p{Lu})|[\p{Script=Han}\p{scx=Katakana}]{3,6}(?=氏)|[가-힣]{3}(?=\s?(?:대변인|대표|교수|회장|위원장|씨))/gu

/** Names of persons, and figures of three digits or more but years and round sums. */
const detailsOf = (question: string, text: string): ReadonlySet<string> => {
  const asked = new Set(terms(question))
  const figures = (text.match(figure) ?? []).map((one) => one.replace(/[.,\s\u00a0\u202f]/g, ""))
    .filter((one) => !/^(?:(?:19|20)\d\d|\d0+)$/.test(one) && !asked.has(one))
  const persons = (text.match(person) ?? []).map((name) => name.toLowerCase())
    .filter((name) => !words(name).some(isStopWord) && !terms(name).some((term) => asked.has(term)))
  return new Set([...figures, ...persons])
}

/** Sites that the quotation's paragraph links to, and other pages that it names. */
const parentsOf = (
  page: OriginPage,
  { quotes }: CitedSource,
  pages: ReadonlyArray<OriginPage>
) => {
  const spans = quotes.map(({ end, start }) => paragraphAround(page.text, start, end))
  const linked = (page.links ?? []).filter((link) =>
    spans.some(({ end, start }) => start <= link.start && link.end <= end)
  ).map(({ site }) => site)
  const said = spans.map(({ end, start }) => page.text.slice(start, end).toLowerCase()).join("\n")
  const named = pages.filter((other) =>
    other.site !== page.site && namesOf(other).some((name) => said.includes(name))
  ).map(({ site }) => site)
  return Array.from(new Set([...linked, ...named])).map((site) => {
    const read = pages.find((other) => other.site === site)
    return { node: read?.source_id ?? `site:${site}`, site, isRead: read !== undefined }
  })
}

const namesOf = ({ owners = [], site }: OriginPage): ReadonlyArray<string> =>
  [site, ...owners].filter((name) => name.length >= nameCharsMin)

const paragraphAround = (text: string, start: number, end: number) => {
  const line = text.indexOf("\n", end)
  return {
    start: Math.max(text.lastIndexOf("\n", start - 1) + 1, start - creditCharsMax),
    end: Math.min(line < 0 ? text.length : line, end + creditCharsMax)
  }
}

/** Connected sets, each known by one of its members (union-find). */
const unions = (pairs: ReadonlyArray<readonly [string, string]>) => {
  const parents = new Map<string, string>()
  const find = (node: string): string => {
    const parent = parents.get(node)
    return parent === undefined ? node : find(parent)
  }
  const join = (left: string, right: string) => {
    const [one, other] = [find(left), find(right)]
    if (one !== other) parents.set(other, one)
  }
  for (const [left, right] of pairs) join(left, right)
  return { find, join }
}
