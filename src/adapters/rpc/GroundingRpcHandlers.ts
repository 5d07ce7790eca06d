/** Answers `GroundingRpc` by calling the public API; no rule lives here. */
import { Effect, Queue, Stream } from "effect"
import * as EventView from "../../application/EventView.ts"
import { EvidenceApi } from "../../application/evidence/EvidenceApi.ts"
import type { Caller } from "../../application/GroundQuestion.ts"
import { PublicApi } from "../../application/PublicApi.ts"
import type { PublicFailure } from "../../application/PublicFailure.ts"
import { ResearchTopic } from "../../application/ResearchTopic.ts"
import { GroundingRpc, type GroundProgress } from "./GroundingRpc.ts"

/**
 * Facts waiting for a slow reader; a full queue slows the grounding's reports, not its deadline.
 */
const waitingFactsMax = 64

export const layer = ({ tenantId }: { readonly tenantId: string }) =>
  GroundingRpc.toLayer(Effect.gen(function*() {
    const api = yield* PublicApi
    const research = yield* ResearchTopic
    const evidence = yield* EvidenceApi
    const caller: Caller = { tenantId, actor: "rpc" }
    return GroundingRpc.of({
      Ground: (input) =>
        Stream.callback<GroundProgress, PublicFailure>(
          (queue) =>
            api.ground(input, caller, ({ stored }) =>
              Effect.asVoid(Queue.offer(queue, { _tag: "Fact", event: EventView.of(stored) })))
              .pipe(
                Effect.flatMap((outcome) =>
                  Queue.offer(queue, { _tag: "Outcome", outcome })
                ),
                Effect.andThen(Queue.end(queue)),
                Effect.catch((failure) =>
                  Queue.fail(queue, failure)
                )
              ),
          { bufferSize: waitingFactsMax, strategy: "suspend" }
        ),
      GetSession: (input) => api.session(input, caller),
      GetPack: (input) => api.pack(input, caller),
      GetPackView: (input) => api.view(input, caller),
      RecordShown: (input) => api.shown(input, caller),
      Research: (input) => research.research(input, caller),
      Outline: (input) => research.outline(input, caller),
      GetHealth: (input) => api.health(input),
      SearchEvidence: (input) => evidence.search(input, caller)
    })
  }))
