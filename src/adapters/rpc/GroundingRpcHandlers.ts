/** Answers `GroundingRpc` by the calls of the service; no rule lives here. */
import { type Cause, Effect, Queue, Stream } from "effect"
import type { Caller } from "../../application/GroundQuestion.ts"
import { ServiceCalls } from "../../application/ServiceCalls.ts"
import * as SessionPages from "../../application/SessionPages.ts"
import type { GroundProgress } from "../../contract/Operations.ts"
import type { PublicFailure } from "../../contract/PublicFailure.ts"
import { ArrivedAt } from "./ArrivedAt.ts"
import { GroundingRpc } from "./GroundingRpc.ts"

/** More than a grounding records: a slow reader never keeps it from going on. */
const waitingFactsMax = 256

export const layer = ({ tenantId }: { readonly tenantId: string }) =>
  GroundingRpc.toLayer(Effect.gen(function*() {
    const { calls, ground } = yield* ServiceCalls
    const caller: Caller = { tenantId, actor: "rpc" }
    const arrived = <A, E, R>(call: (caller: Caller) => Effect.Effect<A, E, R>) =>
      Effect.flatMap(
        ArrivedAt,
        (arrivedAtMs) => call(arrivedAtMs === undefined ? caller : { ...caller, arrivedAtMs })
      )

    const grounding = (
      input: unknown,
      queue: Queue.Queue<GroundProgress, PublicFailure | Cause.Done>
    ) =>
      arrived((caller) =>
        ground(
          input,
          caller,
          ({ stored }) =>
            Effect.asVoid(Queue.offer(queue, { _tag: "Fact", event: SessionPages.viewOf(stored) }))
        )
      ).pipe(
        Effect.flatMap((outcome) => Queue.offer(queue, { _tag: "Outcome", outcome })),
        Effect.andThen(Queue.end(queue)),
        Effect.catch((failure) => Queue.fail(queue, failure))
      )

    return GroundingRpc.of({
      Ground: (input) =>
        Stream.callback<GroundProgress, PublicFailure>((queue) => grounding(input, queue), {
          bufferSize: waitingFactsMax,
          strategy: "dropping"
        }),
      GetSession: (input) => calls.GetSession(input, caller),
      GetPack: (input) => calls.GetPack(input, caller),
      GetPackView: (input) => calls.GetPackView(input, caller),
      RecordShown: (input) => calls.RecordShown(input, caller),
      Research: (input) => arrived((caller) => calls.Research(input, caller)),
      Outline: (input) => arrived((caller) => calls.Outline(input, caller)),
      GetHealth: (input) => calls.GetHealth(input, caller),
      SearchEvidence: (input) => calls.SearchEvidence(input, caller)
    })
  }))
