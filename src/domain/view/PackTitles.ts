/** A pack whose sources' titles are fit to be shown, also when an older release recorded it. */
import type { Claim, GroundingPack } from "../pack/GroundingPack.ts"
import * as SourceTitle from "../page/SourceTitle.ts"

/** Pack with the titles of its sources cleaned. */
export const cleaned = (pack: GroundingPack): GroundingPack => ({
  ...pack,
  constraints_and_rules: pack.constraints_and_rules.map(cleanedClaim),
  norms_and_expectations: pack.norms_and_expectations.map(cleanedClaim),
  key_points: pack.key_points.map(cleanedClaim),
  disputed_or_uncertain: pack.disputed_or_uncertain.map(cleanedClaim)
})

const cleanedClaim = (claim: Claim): Claim => ({
  ...claim,
  sources: claim.sources.map(SourceTitle.withClean)
})
