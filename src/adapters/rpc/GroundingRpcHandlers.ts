/** Answers `GroundingRpc` by the calls of the service; no rule lives here. */
import { type Cause, Effect, Queue, Stream } from "effect"
import * as SessionPages from "../../application/log/SessionPages.ts"
import { ServiceCalls } from "../../application/ServiceCalls.ts"
import type { GroundProgress } from "../../contract/Operations.ts"
import type { PublicFailure } from "../../contract/PublicFailure.ts"
import { GroundingRpc } from "./GroundingRpc.ts"
import { withCaller } from "./RpcCaller.ts"

/** More than a grounding records: a slow reader never keeps it from going on. */
const waitingFactsMax = 256

export const layer = GroundingRpc.toLayer(
  Effect.map(ServiceCalls, ({ calls, ground }) => {
    const grounding = (
      input: unknown,
      queue: Queue.Queue<GroundProgress, PublicFailure | Cause.Done>
    ) =>
      withCaller((caller) =>
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
      GetSession: (input) => withCaller((caller) => calls.GetSession(input, caller)),
      GetPack: (input) => withCaller((caller) => calls.GetPack(input, caller)),
      GetPackView: (input) => withCaller((caller) => calls.GetPackView(input, caller)),
      RecordShown: (input) => withCaller((caller) => calls.RecordShown(input, caller)),
      Research: (input) => withCaller((caller) => calls.Research(input, caller)),
      Outline: (input) => withCaller((caller) => calls.Outline(input, caller)),
      GetHealth: (input) => withCaller((caller) => calls.GetHealth(input, caller)),
      SearchEvidence: (input) => withCaller((caller) => calls.SearchEvidence(input, caller))
    })
  })
)
