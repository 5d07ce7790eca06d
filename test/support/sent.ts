/** Use cases asked with input as a caller sends it: decoded as the faces do, then passed on. */
import { Effect } from "effect"
import * as AccessTokensReal from "../../src/application/AccessTokens.ts"
import * as AuditApiReal from "../../src/application/AuditApi.ts"
import * as EvidenceApiReal from "../../src/application/EvidenceApi.ts"
import * as PublicApiReal from "../../src/application/PublicApi.ts"
import * as QueryReadModelsReal from "../../src/application/QueryReadModels.ts"
import * as ResearchTopicReal from "../../src/application/ResearchTopic.ts"
import * as WatchAlertsReal from "../../src/application/WatchAlerts.ts"
import * as Input from "../../src/contract/Input.ts"
import * as SentInput from "../../src/contract/SentInput.ts"
import type { InputOf, OperationName } from "../../src/contract/ServiceOperations.ts"

/** The same use case, for undecoded input. */
const decoding =
  <Name extends OperationName>(name: Name) =>
  <Rest extends ReadonlyArray<unknown>, A, E, R>(
    use: (input: InputOf<Name>, ...rest: Rest) => Effect.Effect<A, E, R>
  ) =>
  (input: unknown, ...rest: Rest) =>
    Effect.flatMap(SentInput.decode(name, input), (decoded) => use(decoded, ...rest))

export const sentApi = (api: PublicApiReal.PublicApi["Service"]) => ({
  /** Its facts are dropped if there is no listener. */
  ground: (
    input: unknown,
    caller: Parameters<typeof api.Ground>[1],
    seen: Parameters<typeof api.Ground>[2] = () => Effect.void
  ) => decoding("Ground")(api.Ground)(input, caller, seen),
  session: decoding("GetSession")(api.GetSession),
  pack: decoding("GetPack")(api.GetPack),
  view: decoding("GetPackView")(api.GetPackView),
  shown: decoding("RecordShown")(api.RecordShown),
  replay: decoding("ReplaySession")(api.ReplaySession),
  health: decoding("GetHealth")(api.GetHealth)
})

export const PublicApi = Effect.map(PublicApiReal.PublicApi, sentApi)

export const sentTopic = (topic: ResearchTopicReal.ResearchTopic["Service"]) => ({
  research: decoding("Research")(topic.Research),
  outline: decoding("Outline")(topic.Outline)
})

export const ResearchTopic = Effect.map(ResearchTopicReal.ResearchTopic, sentTopic)

export const sentEvidence = (api: EvidenceApiReal.EvidenceApi["Service"]) => ({
  ...api,
  collect: decoding("CollectEvidence")(api.CollectEvidence),
  collectPage: decoding("CollectPage")(api.CollectPage),
  search: decoding("SearchEvidence")(api.SearchEvidence),
  promote: decoding("PromoteEvidence")(api.PromoteEvidence),
  remove: decoding("RemoveEvidence")(api.RemoveEvidence),
  report: decoding("ReportPage")(api.ReportPage),
  reembed: decoding("ReembedEvidence")(api.ReembedEvidence)
})

export const EvidenceApi = Effect.map(EvidenceApiReal.EvidenceApi, sentEvidence)

export const QueryReadModels = Effect.map(QueryReadModelsReal.QueryReadModels, (records) => ({
  sessions: decoding("ListSessions")(records.ListSessions),
  timeline: decoding("GetSessionTimeline")(records.GetSessionTimeline),
  citedPack: decoding("GetCitedPack")(records.GetCitedPack),
  activity: decoding("GetActivity")(records.GetActivity),
  usage: decoding("GetUsage")(records.GetUsage),
  tenants: decoding("ListTenants")(records.ListTenants)
}))

export const WatchAlerts = Effect.map(WatchAlertsReal.WatchAlerts, (watch) => ({
  look: watch.look,
  list: decoding("ListAlerts")(watch.ListAlerts)
}))

export const AuditApi = Effect.map(AuditApiReal.AuditApi, (audit) => ({
  replays: decoding("ReplaySessions")(audit.ReplaySessions),
  whatIf: decoding("WhatIfSession")(audit.WhatIfSession),
  exported: decoding("ExportSessions")(audit.ExportSessions)
}))

export const sentTokens = (tokens: AccessTokensReal.AccessTokens["Service"]) => ({
  ...tokens,
  create: decoding("CreateToken")(tokens.CreateToken),
  revoke: decoding("RevokeToken")(tokens.RevokeToken)
})

export const AccessTokens = Effect.map(AccessTokensReal.AccessTokens, sentTokens)

const decodeListing = Input.decode(Input.ListingInput)

export const ListResults = Effect.map(PublicApiReal.PublicApi, ({ list }) => ({
  list: (input: unknown, caller: Parameters<typeof list>[1]) =>
    Effect.flatMap(decodeListing(input), (decoded) => list(decoded, caller))
}))
