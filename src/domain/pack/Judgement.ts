/**
 * What a model says of a claim beside its quotes, and what that may change: it confirms or demotes.
 *
 * What the checks of code refused is never asked about, and no judgement lifts anything.
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
    claim === undefined || claim.reason !== undefined ? [] : [{
      claim: place,
      text: claim.text,
      quotes: claim.sources.flatMap(({ quotes }) => quotes.map(({ text }) => text))
    }]
  )

/** Of several judgements of one claim the worst holds. Without any the claim is marked so. */
export const applied = (
  claim: PlacedClaim,
  place: number,
  judged: ReadonlyArray<JudgedClaim>
): PlacedClaim => {
  if (claim.reason !== undefined) return claim
  const said = new Set(judged.flatMap((one) => one.claim === place ? [one.judgement] : []))
  if (said.has("contradicted")) {
    return demoted({ ...claim, support: "contradicted" }, "judged_contradicted")
  }
  if (said.has("unsupported")) {
    return demoted({ ...claim, support: "unsupported" }, "judged_unsupported")
  }
  if (said.has("partly")) return { ...claim, support: "partly" }
  return said.has("supported") ? claim : { ...claim, unverified_infra: true }
}
