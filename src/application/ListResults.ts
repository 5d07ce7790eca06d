/** Hits or page texts alone: a grounding that ends before any pack. */
import { Context, Effect, Layer } from "effect"
import type { ListingInput } from "../contract/Input.ts"
import type { PublicFailure } from "../contract/PublicFailure.ts"
import type { GroundingOutcome } from "../domain/session/GroundingOutcome.ts"
import { findHits, type Seen } from "./FindHits.ts"
import type { Caller } from "./GroundQuestion.ts"
import * as PublicApi from "./PublicApi.ts"

/** Outcome of a listing, and the texts of its pages, which the log does not keep. */
export interface Listed {
  readonly outcome: GroundingOutcome
  readonly seen: Seen
}

/** Searches or reads without ranking, writing or checking. Counts against the budget. */
export class ListResults extends Context.Service<ListResults, {
  readonly list: (
    input: typeof ListingInput.Type,
    caller: Caller
  ) => Effect.Effect<Listed, PublicFailure>
}>()("web-grounding/application/ListResults") {}

export const layer = Layer.effect(
  ListResults,
  Effect.map(
    PublicApi.grounding,
    (ground) =>
      ListResults.of({
        list: (input, caller) =>
          findHits((report) => ground(input, caller, report), () => Effect.void)
      })
  )
)
