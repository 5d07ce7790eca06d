/** Answers `OperatorRpc` by the calls of the service; no rule lives here. */
import { Effect } from "effect"
import { ServiceCalls } from "../../application/ServiceCalls.ts"
import { withCaller } from "./RpcCaller.ts"
import { OperatorRpc } from "./ServiceRpc.ts"

export const layer = OperatorRpc.toLayer(
  Effect.map(ServiceCalls, ({ calls }) =>
    OperatorRpc.of({
      ListSessions: (input) => withCaller((caller) => calls.ListSessions(input, caller)),
      GetSessionTimeline: (input) =>
        withCaller((caller) => calls.GetSessionTimeline(input, caller)),
      GetCitedPack: (input) => withCaller((caller) => calls.GetCitedPack(input, caller)),
      GetActivity: (input) => withCaller((caller) => calls.GetActivity(input, caller)),
      GetUsage: (input) => withCaller((caller) => calls.GetUsage(input, caller)),
      ListAlerts: (input) => withCaller((caller) => calls.ListAlerts(input, caller)),
      GetReceipt: (input) => withCaller((caller) => calls.GetReceipt(input, caller)),
      ReplaySession: (input) => withCaller((caller) => calls.ReplaySession(input, caller)),
      ReplaySessions: (input) => withCaller((caller) => calls.ReplaySessions(input, caller)),
      WhatIfSession: (input) => withCaller((caller) => calls.WhatIfSession(input, caller)),
      WhatIfSessions: (input) => withCaller((caller) => calls.WhatIfSessions(input, caller)),
      ExportSessions: (input) => withCaller((caller) => calls.ExportSessions(input, caller)),
      VerifyLog: (input) => withCaller((caller) => calls.VerifyLog(input, caller)),
      EraseSubject: (input) => withCaller((caller) => calls.EraseSubject(input, caller)),
      EraseSession: (input) => withCaller((caller) => calls.EraseSession(input, caller)),
      SetLegalHold: (input) => withCaller((caller) => calls.SetLegalHold(input, caller)),
      ListErasures: (input) => withCaller((caller) => calls.ListErasures(input, caller)),
      CheckReadiness: (input) => withCaller((caller) => calls.CheckReadiness(input, caller)),
      GetProjections: (input) => withCaller((caller) => calls.GetProjections(input, caller)),
      RebuildProjections: (input) =>
        withCaller((caller) => calls.RebuildProjections(input, caller)),
      CollectEvidence: (input) => withCaller((caller) => calls.CollectEvidence(input, caller)),
      CollectPage: (input) => withCaller((caller) => calls.CollectPage(input, caller)),
      PromoteEvidence: (input) => withCaller((caller) => calls.PromoteEvidence(input, caller)),
      RemoveEvidence: (input) => withCaller((caller) => calls.RemoveEvidence(input, caller)),
      ReembedEvidence: (input) => withCaller((caller) => calls.ReembedEvidence(input, caller)),
      GatherEvidence: (input) => withCaller((caller) => calls.GatherEvidence(input, caller)),
      GetEvidenceStatus: (input) => withCaller((caller) => calls.GetEvidenceStatus(input, caller)),
      CreateToken: (input) => withCaller((caller) => calls.CreateToken(input, caller)),
      ListTokens: (input) => withCaller((caller) => calls.ListTokens(input, caller)),
      RevokeToken: (input) => withCaller((caller) => calls.RevokeToken(input, caller))
    }))
)
