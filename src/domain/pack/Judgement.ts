/**
 * What a model says of a claim beside its quotes, and what that may change: it confirms or demotes.
 *
 * What the checks of code refused is never asked about, and no judgement lifts it. Asked about is
 * also what code could not compare, being of another script; it stands only as far as a judge says.
 */
import { Schema } from "effect"
import { demoted, type PlacedClaim } from "./PlacedClaim.ts"

export const Judgement = Schema.Literals(["supported", "partly", "unsupported", "contradicted"])
export type Judgement = typeof Judgement.Type

/** A judgement of the draft's claim at this 0-based place. */
export const JudgedClaim = Schema.Struct({ claim: Schema.Natural, judgement: Judgement })
export type JudgedClaim = typeof JudgedClaim.Type

/** One claim as a judge sees it. */
export interface Judgeable {
  /** 0-based place in the draft. */
  readonly claim: number
  readonly text: string
  /** Word for word as they were found, never empty. */
  readonly quotes: ReadonlyArray<string>
}

/** What is to be asked about: claims that stand so far. `placed` is in the draft's order. */
export const judgeable = (
  placed: ReadonlyArray<PlacedClaim | undefined>
): ReadonlyArray<Judgeable> =>
  placed.flatMap((claim, place) =>
    claim === undefined || !isOpen(claim) ? [] : [{
      claim: place,
      text: claim.text,
      quotes: claim.sources.flatMap(({ quotes }) => quotes.map(({ text }) => text))
    }]
  )

/** It stands, or code could not compare it: then a judge's reading is the only one there is. */
const isOpen = ({ reason }: PlacedClaim): boolean =>
  reason === undefined || reason === "not_comparable"

/** Of several judgements of one claim the worst holds. Without any the claim is marked so. */
export const applied = (
  claim: PlacedClaim,
  place: number,
  judged: ReadonlyArray<JudgedClaim>
): PlacedClaim => {
  if (!isOpen(claim)) return claim
  const said = new Set(judged.flatMap((one) => one.claim === place ? [one.judgement] : []))
  if (said.has("contradicted")) {
    return demoted({ ...claim, support: "contradicted" }, "judged_contradicted")
  }
  if (said.has("unsupported")) {
    return demoted({ ...claim, support: "unsupported" }, "judged_unsupported")
  }
  const { reason, ...read } = claim
  if (said.has("partly") || (reason !== undefined && said.has("supported"))) {
    return { ...read, support: "partly" }
  }
  return said.has("supported") ? claim : { ...claim, unverified_infra: true }
}
