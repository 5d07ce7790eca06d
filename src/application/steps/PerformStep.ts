/** Performs whatever `NextStep` names, and answers with the command that records it. */
import { Effect } from "effect"
import { ReusePack, type SessionCommand, StopSearch } from "../../domain/session/SessionCommand.ts"
import * as CallSearch from "./CallSearch.ts"
import type * as Deadline from "./Deadline.ts"
import { decideSearch } from "./DecideSearch.ts"
import { planQueries } from "./PlanQueries.ts"
import { rankEvidence } from "./RankEvidence.ts"
import { readPages } from "./ReadPages.ts"
import type { PerformedStep } from "./Step.ts"
import { writePack } from "./WritePack.ts"

/** For one run of one request: it knows which calls that run has reserved. */
export const make = Effect.fnUntraced(function*(
  { deadline, requestId, tenantId }: {
    readonly requestId: string
    readonly tenantId: string
    readonly deadline: Deadline.Deadline
  }
) {
  const calls = yield* CallSearch.make(tenantId)

  /** `undefined`: nothing to record yet, look at the log again. */
  const perform = Effect.fnUntraced(function*(step: PerformedStep) {
    switch (step._tag) {
      case "Reuse":
        return ReusePack.make({ request_id: requestId, from_request_id: step.fromRequestId })
      case "Decide":
        return yield* decideSearch(step, deadline)
      case "Plan":
        return yield* planQueries(step, deadline)
      case "Search":
        return yield* calls.open(step, deadline)
      case "AwaitCall":
        return yield* calls.settle(step, deadline)
      case "StopSearch":
        return StopSearch.make({ request_id: requestId, reason: step.reason })
      case "Read":
        return yield* readPages(step, deadline)
      case "Rank":
        return yield* rankEvidence(step, deadline)
      case "Write":
        return yield* writePack(step, deadline)
    }
  })

  /** What to record when the run is interrupted in the middle of the step. */
  const abandon = (step: PerformedStep): Effect.Effect<SessionCommand | undefined> =>
    step._tag === "AwaitCall" ? calls.abandoned(step) : Effect.undefined

  return { perform, abandon, recorded: calls.recorded, close: calls.close }
})
