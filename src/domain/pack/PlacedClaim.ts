/** A claim on its way into the pack: quotations are found; section and wording may change. */
import * as QuestionTerms from "@web-grounding/language/QuestionTerms"
import { classOf } from "../search/SourceClass.ts"
import type { CitedSource, ClaimWording, DemotionReason, Section } from "./GroundingPack.ts"
import type { Origins } from "./Origins.ts"
import type { Relation } from "./PrimaryWord.ts"

/** A writer's claim with its quotations, before its wording is settled. */
export interface Proposal {
  readonly section: Section
  readonly text: string
  readonly sources: ReadonlyArray<CitedSource>
  /** `verbatim`: a quotation holds these very words; `unfound`: there is no quotation. */
  readonly wording: "verbatim" | "rephrased" | "unfound"
  readonly reason?: DemotionReason
  readonly beside_question?: true
}

export interface PlacedClaim {
  readonly section: Section
  readonly text: string
  readonly sources: ReadonlyArray<CitedSource>
  /** Sources of a lower class that seem to say the same: they count for its odds alone. */
  readonly echoes?: ReadonlyArray<CitedSource>
  /** Absent where nothing was found to quote. */
  readonly wording?: ClaimWording
  /** 0-based index in the draft. */
  readonly place: number
  /** Present when the claim is listed under `disputed_or_uncertain`. */
  readonly reason?: DemotionReason
  readonly unverified_infra?: true
  readonly beside_question?: true
  readonly against?: ReadonlyArray<string>
  /** Absent: not determined. */
  readonly origins?: Origins
  /** Relation to what sources of a better class say; absent where none of them answers. */
  readonly relation?: Relation
  /** Other sources seem to answer otherwise, and nothing settles it: the claim stays, marked. */
  readonly isOpposed?: true
}

/** Number of independent origins; of sites, where origins were not determined. */
export const originsCount = ({ origins, sources }: Pick<PlacedClaim, "origins" | "sources">) =>
  origins?.count ?? new Set(sources.map(({ site }) => site)).size

/** Publication date of the newest source. A modified page need not say anything newer. ISO 8601. */
export const newestWritten = (sources: ReadonlyArray<CitedSource>): string | undefined =>
  sources.flatMap(({ modified_date, published_date = modified_date }) => published_date ?? [])
    .toSorted().at(-1)

export const mayAnswer = ({ beside_question, reason }: PlacedClaim): boolean =>
  reason === undefined && beside_question === undefined

export const isPrimary = ({ sources }: Pick<PlacedClaim, "sources">): boolean =>
  sources.some((source) => classOf(source) === "primary")

/** Rank of the best class among the sources: 2 primary, 1 known, else 0. */
export const rankOf = ({ sources }: Pick<PlacedClaim, "sources">): number =>
  isPrimary({ sources }) ? 2 : sources.some((source) => classOf(source) === "known") ? 1 : 0

/** Whether they share no site. What strangers publish on a site is another one's. */
export const areApart = (left: PlacedClaim, right: PlacedClaim): boolean =>
  left.sources.every((source) =>
    right.sources.every((other) => other.site !== source.site || classOf(other) !== classOf(source))
  )

export const demoted = (claim: PlacedClaim, reason: DemotionReason): PlacedClaim => ({
  ...claim,
  reason
})

/** Countries in the claim, else in its sources' titles, else of the publishing bodies. */
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
