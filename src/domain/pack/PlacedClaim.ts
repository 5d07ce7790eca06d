/** A claim on its way into the pack: its quotations are found, its fate may still change. */
import * as QuestionTerms from "@web-grounding/language/QuestionTerms"
import * as Words from "@web-grounding/language/Words"
import { words } from "@web-grounding/language/Words"
import type {
  CitedSource,
  ClaimWording,
  DemotionReason,
  Section,
  Support
} from "./GroundingPack.ts"

/** A writer's claim with the quotations that were found for it, before its wording is settled. */
export interface Proposal {
  readonly section: Section
  /** Text in the writer's words. */
  readonly text: string
  readonly sources: ReadonlyArray<CitedSource>
  /** `verbatim`: a quotation holds these very words; `unfound`: there is none. */
  readonly wording: "verbatim" | "rephrased" | "unfound"
  readonly reason?: DemotionReason
  readonly beside_question?: true
}

export interface PlacedClaim {
  readonly section: Section
  readonly text: string
  readonly sources: ReadonlyArray<CitedSource>
  readonly support: Support
  /** Absent where nothing was found to quote. */
  readonly wording?: ClaimWording
  /** 0-based place in the draft. */
  readonly place: number
  /** Present when the claim stands under `disputed_or_uncertain`. */
  readonly reason?: DemotionReason
  /** A judge was to be asked and gave no judgement. */
  readonly unverified_infra?: true
  /** Background and no answer. */
  readonly beside_question?: true
  /** Contradicting claims, in their words. */
  readonly against?: ReadonlyArray<string>
}

/** Quotations this long are not worded alike by chance: one site has copied the other. */
const copiedWordsMin = 12
/** Share of the shingles of the shorter of two quotations, and of two pages, from which on. */
const quoteCopyShare = 0.6
const pageCopyShare = 0.8
/** Read of a page, or of quotations, to tell a near-duplicate. In UTF-16 code units. */
const pageCharsMax = 20_000

/**
 * Sources that speak for themselves: of different registrable domains, and no near-duplicates, by
 * their quotations or by their pages. `pageOf` gives what was read of a page by its `source_id`.
 */
export const independentCount = (
  sources: ReadonlyArray<CitedSource>,
  pageOf: (source_id: string) => Wording = () => nothing
): number => {
  const sites = new Set(sources.map(({ site }) => site))
  if (sites.size < 2) return sites.size
  const known: Array<Known> = []
  for (const source of sources) {
    const read = knownOf(source, pageOf(source.source_id))
    if (!known.some((other) => other.site === read.site || isCopy(other, read))) known.push(read)
  }
  return known.length
}

/** Words of a text, as far as a near-duplicate is told by them. */
export interface Wording {
  readonly wordsCount: number
  readonly shingles: ReadonlySet<string>
}

export const wordingOf = (text: string): Wording => {
  const read = text.slice(0, pageCharsMax)
  return { wordsCount: words(read).length, shingles: Words.shinglesOf(read) }
}

const nothing = wordingOf("")

interface Known {
  readonly site: string
  readonly quoted: Wording
  readonly page: Wording
}

const knownOf = ({ quotes, site }: CitedSource, page: Wording): Known => ({
  site,
  quoted: wordingOf(quotes.map(({ text }) => text).join(" ")),
  page
})

const isCopy = (left: Known, right: Known): boolean =>
  isWordedAlike(left.quoted, right.quoted, quoteCopyShare) ||
  isWordedAlike(left.page, right.page, pageCopyShare)

const isWordedAlike = (left: Wording, right: Wording, shareMin: number): boolean =>
  Math.min(left.wordsCount, right.wordsCount) >= copiedWordsMin &&
  Words.sharedShare(left.shingles, right.shingles) >= shareMin

/**
 * Publication date of the newest source, which tells which of two claims is of an earlier time: a
 * page that was modified since says nothing newer for that. ISO 8601 dates compare as text up to
 * their day.
 */
export const newestWritten = (sources: ReadonlyArray<CitedSource>): string | undefined =>
  sources.flatMap(({ modified_date, published_date = modified_date }) => published_date ?? [])
    .toSorted().at(-1)

/** Whether nothing speaks against the claim yet, and it is no background. */
export const mayAnswer = ({ beside_question, reason }: PlacedClaim): boolean =>
  reason === undefined && beside_question === undefined

export const isOfficial = ({ sources }: Pick<PlacedClaim, "sources">): boolean =>
  sources.some(({ official }) => official)

export const demoted = (claim: PlacedClaim, reason: DemotionReason): PlacedClaim => ({
  ...claim,
  reason
})

/**
 * Countries that the claim names, else those in its sources' titles, else those of the public
 * bodies that say it: "Section 21" on a page of gov.uk is of the United Kingdom.
 */
export const countriesOf = ({ sources, text }: PlacedClaim): ReadonlySet<string> => {
  const said = QuestionTerms.countriesIn(text)
  if (said.size > 0) return said
  const titled = QuestionTerms.countriesIn(sources.map(({ title }) => title).join(" "))
  if (titled.size > 0) return titled
  const official = sources.filter((source) => source.official)
  return official.length < sources.length
    ? titled
    : new Set(official.flatMap(({ site }) => QuestionTerms.ofSite(site) ?? []))
}
