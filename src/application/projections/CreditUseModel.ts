/**
 * Credits that each key had used in its month, by our ledger and by the provider, as last compared.
 */
import { CreditUse } from "../../domain/health/KeyHealth.ts"
import * as Projection from "./Projection.ts"

export const CreditUseModel = Projection.define({
  name: "credit_use",
  version: 1,
  on: ["WEB_GROUNDING_CREDITS_MEASURED"],
  whenPoison: "park",
  row: CreditUse,
  key: ({ event: { key_slot, provider } }) => `${provider} ${key_slot}`,
  evolve: (_: CreditUse | undefined, { event: { _tag, ...use } }): CreditUse => use
})
