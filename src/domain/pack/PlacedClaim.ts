/** A claim on its way into the pack: its quotations are found, its fate may still change. */
import * as Shingles from "../text/Shingles.ts"
import { words } from "../text/Words.ts"
import type { CitedSource, DemotionReason, Section, Support } from "./GroundingPack.ts"

export interface PlacedClaim {
  readonly section: Section
  readonly text: string
  readonly sources: ReadonlyArray<CitedSource>
  readonly support: Support
  /** Present when the claim stands under `disputed_or_uncertain`. */
  readonly reason?: DemotionReason
  /** A judge was to be asked and gave no judgement. */
  readonly unverified_infra?: true
  /** Background and no answer. */
  readonly beside_question?: true
}

/** Quotations this long are not worded alike by chance: one site has copied the other. */
const copiedWordsMin = 12
/** Share of the shingles of the shorter of two quotations, and of two pages, from which on. */
const quoteCopyShare = 0.6
const pageCopyShare = 0.8
/** Read of a page to tell a copy. In UTF-16 code units. */
const pageCharsMax = 20_000

/**
 * Sources that speak for themselves: of different registrable domains, and no near-copies, by their
 * quotations or by their pages. `textOf` gives a page's text by its `source_id`.
 */
export const independentCount = (
  sources: ReadonlyArray<CitedSource>,
  textOf: (source_id: string) => string = () => ""
): number => {
  const sites = new Set(sources.map(({ site }) => site))
  if (sites.size < 2) return sites.size
  const known: Array<Known> = []
  for (const source of sources) {
    const read = knownOf(source, textOf)
    if (!known.some((other) => other.site === read.site || isCopy(other, read))) known.push(read)
  }
  return known.length
}

interface Known {
  readonly site: string
  readonly wordsCount: number
  readonly quoted: ReadonlySet<string>
  readonly pageWordsCount: number
  readonly page: ReadonlySet<string>
}

const knownOf = (
  { quotes, site, source_id }: CitedSource,
  textOf: (source_id: string) => string
): Known => {
  const quoted = quotes.map(({ text }) => text).join(" ")
  const page = textOf(source_id).slice(0, pageCharsMax)
  return {
    site,
    wordsCount: words(quoted).length,
    quoted: Shingles.of(quoted),
    pageWordsCount: words(page).length,
    page: Shingles.of(page)
  }
}

const isCopy = (left: Known, right: Known): boolean =>
  (Math.min(left.wordsCount, right.wordsCount) >= copiedWordsMin &&
    Shingles.share(left.quoted, right.quoted) >= quoteCopyShare) ||
  (Math.min(left.pageWordsCount, right.pageWordsCount) >= copiedWordsMin &&
    Shingles.share(left.page, right.page) >= pageCopyShare)

/**
 * When the newest source was written, which tells which of two is of an earlier time: a page that
 * was touched since says nothing newer for that. ISO 8601 dates compare as text up to their day.
 */
export const newestWritten = (sources: ReadonlyArray<CitedSource>): string | undefined =>
  sources.flatMap(({ modified_date, published_date = modified_date }) => published_date ?? [])
    .toSorted().at(-1)

export const demoted = (claim: PlacedClaim, reason: DemotionReason): PlacedClaim => ({
  ...claim,
  reason
})
