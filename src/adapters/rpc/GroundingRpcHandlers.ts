/**
 * Answers `GroundingRpc` by calling the public API, each call in a place of its kind; no rule lives
 * here.
 */
import { type Cause, Effect, Queue, Stream } from "effect"
import { Admission } from "../../application/Admission.ts"
import { EvidenceApi } from "../../application/EvidenceApi.ts"
import type { Caller } from "../../application/GroundQuestion.ts"
import { PublicApi } from "../../application/PublicApi.ts"
import { ResearchTopic } from "../../application/ResearchTopic.ts"
import * as SessionPages from "../../application/SessionPages.ts"
import type { GroundProgress } from "../../contract/Operations.ts"
import type { PublicFailure } from "../../contract/PublicFailure.ts"
import { ArrivedAt } from "./ArrivedAt.ts"
import { GroundingRpc } from "./GroundingRpc.ts"

/** More than a grounding records: a slow reader never keeps it from going on. */
const waitingFactsMax = 256

/** `quiet` is waited for before a grounding begins: see `Connections`. */
export const layer = (
  { quiet, tenantId }: { readonly tenantId: string; readonly quiet: Effect.Effect<void> }
) =>
  GroundingRpc.toLayer(Effect.gen(function*() {
    const api = yield* PublicApi
    const research = yield* ResearchTopic
    const evidence = yield* EvidenceApi
    const { admit } = yield* Admission
    const grounding = <A, E, R>(call: Effect.Effect<A, E, R>) =>
      admit("grounding")(Effect.andThen(quiet, call))
    const read = admit("read")
    const caller: Caller = { tenantId, actor: "rpc" }
    const arrived = <A, E, R>(call: (caller: Caller) => Effect.Effect<A, E, R>) =>
      Effect.flatMap(
        ArrivedAt,
        (arrivedAtMs) => call(arrivedAtMs === undefined ? caller : { ...caller, arrivedAtMs })
      )

    const ground = (
      input: unknown,
      queue: Queue.Queue<GroundProgress, PublicFailure | Cause.Done>
    ) =>
      arrived((caller) =>
        grounding(
          api.ground(
            input,
            caller,
            ({ stored }) =>
              Effect.asVoid(
                Queue.offer(queue, { _tag: "Fact", event: SessionPages.viewOf(stored) })
              )
          )
        )
      ).pipe(
        Effect.flatMap((outcome) => Queue.offer(queue, { _tag: "Outcome", outcome })),
        Effect.andThen(Queue.end(queue)),
        Effect.catch((failure) => Queue.fail(queue, failure))
      )

    return GroundingRpc.of({
      Ground: (input) =>
        Stream.callback<GroundProgress, PublicFailure>((queue) => ground(input, queue), {
          bufferSize: waitingFactsMax,
          strategy: "dropping"
        }),
      GetSession: (input) => read(api.session(input, caller)),
      GetPack: (input) => read(api.pack(input, caller)),
      GetPackView: (input) => read(api.view(input, caller)),
      RecordShown: (input) => read(api.shown(input, caller)),
      Research: (input) => arrived((caller) => grounding(research.research(input, caller))),
      Outline: (input) => arrived((caller) => grounding(research.outline(input, caller))),
      GetHealth: (input) => admit("health")(api.health(input)),
      SearchEvidence: (input) => read(evidence.search(input, caller))
    })
  }))
