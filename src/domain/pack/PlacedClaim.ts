/** A claim on its way into the pack: its quotations are found, its fate may still change. */
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

/** Sources that speak for themselves: of different registrable domains, and no mere copies. */
export const independentCount = (sources: ReadonlyArray<CitedSource>): number => {
  const sites = new Set<string>()
  const wordings = new Set<string>()
  for (const { quotes, site } of sources) {
    const wording = words(quotes.map(({ text }) => text).join(" "))
    const key = wording.length < copiedWordsMin ? `${site} ` : wording.join(" ")
    if (!sites.has(site) && !wordings.has(key)) {
      sites.add(site)
      wordings.add(key)
    }
  }
  return sites.size
}

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
