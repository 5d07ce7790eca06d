/** Answers `OperatorRpc` by calling the use cases, each call in a place of its kind. */
import { Effect } from "effect"
import { Admission } from "../../application/Admission.ts"
import { CheckReadiness } from "../../application/CheckReadiness.ts"
import { EvidenceApi } from "../../application/EvidenceApi.ts"
import * as InPublic from "../../application/InPublic.ts"
import { ProjectionRunner } from "../../application/projections/ProjectionRunner.ts"
import { PublicApi } from "../../application/PublicApi.ts"
import { OperatorRpc } from "./ServiceRpc.ts"

export const layer = ({ tenantId }: { readonly tenantId: string }) =>
  OperatorRpc.toLayer(Effect.gen(function*() {
    const { replay } = yield* PublicApi
    const { check } = yield* CheckReadiness
    const { lags } = yield* ProjectionRunner
    const evidence = yield* EvidenceApi
    const { admit } = yield* Admission
    const read = admit("read")
    const grounding = admit("grounding")
    const caller = { tenantId, actor: "rpc" }

    return OperatorRpc.of({
      ReplaySession: (input) => read(replay(input, caller)),
      CheckReadiness: () => grounding(check(tenantId)),
      GetProjections: () =>
        admit("health")(
          Effect.map(lags, (projections) => ({ projections })).pipe(
            Effect.mapError(() => InPublic.storeDown())
          )
        ),
      CollectEvidence: (input) => read(evidence.collect(input, caller)),
      CollectPage: (input) => grounding(evidence.collectPage(input, caller)),
      PromoteEvidence: (input) => read(evidence.promote(input, caller)),
      RemoveEvidence: (input) => read(evidence.remove(input, caller)),
      ReembedEvidence: (input) => grounding(evidence.reembed(input, caller)),
      GatherEvidence: () => grounding(evidence.gather(caller)),
      GetEvidenceStatus: () => read(evidence.status(caller))
    })
  }))
