/**
 * Asks the gates whether the request needs the web. Phase and budget are applied by the session.
 */
import { Effect } from "effect"
import * as NeedRules from "../../domain/need/NeedRules.ts"
import { proposeNeed } from "../../domain/session/SessionCommand.ts"
import { Limits } from "../ports/Limits.ts"
import { NeedGates } from "../ports/NeedGate.ts"
import * as Deadline from "./Deadline.ts"
import * as RungWalk from "./RungWalk.ts"
import type { StepOf } from "./Step.ts"

/** Walks the gates and makes the command with the need that one of them proposes. */
export const decideSearch = Effect.fn("DecideSearch.decideSearch")(
  function*({ grounding: { request } }: StepOf<"Decide">, deadline: Deadline.Deadline) {
    const gates = yield* NeedGates
    const { engineTimeoutMs } = yield* Limits
    const { answer, rung } = yield* RungWalk.walk(
      // With its queries fixed there is nothing for a model to decide.
      request.overrides?.queries === undefined ? gates : { preferred: [], last: gates.last },
      (gate) => gate.decide(request),
      (gate) => gate.decide(request),
      { leftMs: yield* Deadline.shareMs(deadline, "Decide"), timeoutMs: engineTimeoutMs }
    )
    const hasFailed = rung.faults.length > 0 && rung.engine === gates.last.info.engine
    return proposeNeed({
      request_id: request.request_id,
      proposed: hasFailed ? NeedRules.afterFailure(request, answer) : answer,
      rung
    })
  }
)
