/** Use cases asked with input as a caller sends it: decoded as the faces do, then passed on. */
import { Effect } from "effect"
import * as AccessTokensReal from "../../src/application/AccessTokens.ts"
import * as AuditApiReal from "../../src/application/AuditApi.ts"
import * as EvidenceApiReal from "../../src/application/EvidenceApi.ts"
import * as ListResultsReal from "../../src/application/ListResults.ts"
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
    caller: Parameters<typeof api.ground>[1],
    seen: Parameters<typeof api.ground>[2] = () => Effect.void
  ) => decoding("Ground")(api.ground)(input, caller, seen),
  session: decoding("GetSession")(api.session),
  pack: decoding("GetPack")(api.pack),
  view: decoding("GetPackView")(api.view),
  shown: decoding("RecordShown")(api.shown),
  replay: decoding("ReplaySession")(api.replay),
  health: decoding("GetHealth")(api.health)
})

export const PublicApi = Effect.map(PublicApiReal.PublicApi, sentApi)

export const sentTopic = (topic: ResearchTopicReal.ResearchTopic["Service"]) => ({
  research: decoding("Research")(topic.research),
  outline: decoding("Outline")(topic.outline)
})

export const ResearchTopic = Effect.map(ResearchTopicReal.ResearchTopic, sentTopic)

export const sentEvidence = (api: EvidenceApiReal.EvidenceApi["Service"]) => ({
  ...api,
  collect: decoding("CollectEvidence")(api.collect),
  collectPage: decoding("CollectPage")(api.collectPage),
  search: decoding("SearchEvidence")(api.search),
  promote: decoding("PromoteEvidence")(api.promote),
  remove: decoding("RemoveEvidence")(api.remove),
  report: decoding("ReportPage")(api.report),
  reembed: decoding("ReembedEvidence")(api.reembed)
})

export const EvidenceApi = Effect.map(EvidenceApiReal.EvidenceApi, sentEvidence)

export const QueryReadModels = Effect.map(QueryReadModelsReal.QueryReadModels, (records) => ({
  sessions: decoding("ListSessions")(records.sessions),
  timeline: decoding("GetSessionTimeline")(records.timeline),
  citedPack: decoding("GetCitedPack")(records.citedPack),
  activity: decoding("GetActivity")(records.activity),
  usage: decoding("GetUsage")(records.usage),
  tenants: decoding("ListTenants")(records.tenants)
}))

export const WatchAlerts = Effect.map(WatchAlertsReal.WatchAlerts, (watch) => ({
  look: watch.look,
  list: decoding("ListAlerts")(watch.list)
}))

export const AuditApi = Effect.map(AuditApiReal.AuditApi, (audit) => ({
  replays: decoding("ReplaySessions")(audit.replays),
  whatIf: decoding("WhatIfSession")(audit.whatIf),
  exported: decoding("ExportSessions")(audit.exported)
}))

export const sentTokens = (tokens: AccessTokensReal.AccessTokens["Service"]) => ({
  ...tokens,
  create: decoding("CreateToken")(tokens.create),
  revoke: decoding("RevokeToken")(tokens.revoke)
})

export const AccessTokens = Effect.map(AccessTokensReal.AccessTokens, sentTokens)

const decodeListing = Input.decode(Input.ListingInput)

export const ListResults = Effect.map(ListResultsReal.ListResults, ({ list }) => ({
  list: (input: unknown, caller: Parameters<typeof list>[1]) =>
    Effect.flatMap(decodeListing(input), (decoded) => list(decoded, caller))
}))
