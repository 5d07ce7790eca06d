/** Answers `OperatorRpc` by the calls of the service; no rule lives here. */
import { Effect } from "effect"
import { ServiceCalls } from "../../application/ServiceCalls.ts"
import { calling } from "./RpcCaller.ts"
import { OperatorRpc } from "./ServiceRpc.ts"

export const layer = OperatorRpc.toLayer(
  Effect.map(ServiceCalls, ({ calls }) =>
    OperatorRpc.of({
      ListSessions: (input) => calling((caller) => calls.ListSessions(input, caller)),
      GetSessionTimeline: (input) => calling((caller) => calls.GetSessionTimeline(input, caller)),
      GetCitedPack: (input) => calling((caller) => calls.GetCitedPack(input, caller)),
      GetActivity: (input) => calling((caller) => calls.GetActivity(input, caller)),
      GetUsage: (input) => calling((caller) => calls.GetUsage(input, caller)),
      ListAlerts: (input) => calling((caller) => calls.ListAlerts(input, caller)),
      GetReceipt: (input) => calling((caller) => calls.GetReceipt(input, caller)),
      ReplaySession: (input) => calling((caller) => calls.ReplaySession(input, caller)),
      ReplaySessions: (input) => calling((caller) => calls.ReplaySessions(input, caller)),
      WhatIfSession: (input) => calling((caller) => calls.WhatIfSession(input, caller)),
      WhatIfSessions: (input) => calling((caller) => calls.WhatIfSessions(input, caller)),
      ExportSessions: (input) => calling((caller) => calls.ExportSessions(input, caller)),
      VerifyLog: (input) => calling((caller) => calls.VerifyLog(input, caller)),
      EraseSubject: (input) => calling((caller) => calls.EraseSubject(input, caller)),
      EraseSession: (input) => calling((caller) => calls.EraseSession(input, caller)),
      SetLegalHold: (input) => calling((caller) => calls.SetLegalHold(input, caller)),
      ListErasures: (input) => calling((caller) => calls.ListErasures(input, caller)),
      CheckReadiness: (input) => calling((caller) => calls.CheckReadiness(input, caller)),
      GetProjections: (input) => calling((caller) => calls.GetProjections(input, caller)),
      RebuildProjections: (input) => calling((caller) => calls.RebuildProjections(input, caller)),
      CollectEvidence: (input) => calling((caller) => calls.CollectEvidence(input, caller)),
      CollectPage: (input) => calling((caller) => calls.CollectPage(input, caller)),
      PromoteEvidence: (input) => calling((caller) => calls.PromoteEvidence(input, caller)),
      RemoveEvidence: (input) => calling((caller) => calls.RemoveEvidence(input, caller)),
      ReembedEvidence: (input) => calling((caller) => calls.ReembedEvidence(input, caller)),
      GatherEvidence: (input) => calling((caller) => calls.GatherEvidence(input, caller)),
      GetEvidenceStatus: (input) => calling((caller) => calls.GetEvidenceStatus(input, caller)),
      CreateToken: (input) => calling((caller) => calls.CreateToken(input, caller)),
      ListTokens: (input) => calling((caller) => calls.ListTokens(input, caller)),
      RevokeToken: (input) => calling((caller) => calls.RevokeToken(input, caller))
    }))
)
