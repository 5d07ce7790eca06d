/** Derives the answer from the facts, to be recorded and given from then on. */
import { DateTime, Effect } from "effect"
import type { Grounding } from "../../domain/session/Grounding.ts"
import * as Outcome from "../../domain/session/Outcome.ts"
import { textsVersion } from "../../domain/session/OutcomeReason.ts"
import { Finished } from "../../domain/session/SessionEvent.ts"
import * as LocalWork from "./LocalWork.ts"

/** Makes the event with the outcome of a grounding, from its facts alone. */
export const concludeGrounding = Effect.fn("ConcludeGrounding.concludeGrounding")(
  function*(request_id: string, grounding: Grounding) {
    return Finished.make({
      request_id,
      outcome: yield* LocalWork.inTurn(Effect.sync(() => Outcome.derived(grounding))),
      texts_version: textsVersion,
      finished_at: DateTime.formatIso(yield* DateTime.now)
    })
  }
)
