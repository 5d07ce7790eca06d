/** Answers `OperatorRpc` by the calls of the service; no rule lives here. */
import { Effect } from "effect"
import { ServiceCalls } from "../../application/ServiceCalls.ts"
import { OperatorRpc } from "./ServiceRpc.ts"

export const layer = ({ tenantId }: { readonly tenantId: string }) =>
  OperatorRpc.toLayer(Effect.gen(function*() {
    const { calls } = yield* ServiceCalls
    const caller = { tenantId, actor: "rpc" }

    return OperatorRpc.of({
      ReplaySession: (input) => calls.ReplaySession(input, caller),
      CheckReadiness: (input) => calls.CheckReadiness(input, caller),
      GetProjections: (input) => calls.GetProjections(input, caller),
      CollectEvidence: (input) => calls.CollectEvidence(input, caller),
      CollectPage: (input) => calls.CollectPage(input, caller),
      PromoteEvidence: (input) => calls.PromoteEvidence(input, caller),
      RemoveEvidence: (input) => calls.RemoveEvidence(input, caller),
      ReembedEvidence: (input) => calls.ReembedEvidence(input, caller),
      GatherEvidence: (input) => calls.GatherEvidence(input, caller),
      GetEvidenceStatus: (input) => calls.GetEvidenceStatus(input, caller)
    })
  }))
