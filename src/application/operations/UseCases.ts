/** Every operation's use case under its name. What may be asked, and when, is `ServiceCalls`. */
import { Context, Effect, Layer } from "effect"
import { InvalidInput } from "../../contract/PublicFailure.ts"
import type { InputOf } from "../../contract/ServiceOperations.ts"
import { granted, type RemoteCaller } from "../Access.ts"
import { AccessTokens } from "../AccessTokens.ts"
import { healthSeenBy } from "../AskHealth.ts"
import { MakeReceipt } from "../audit/MakeReceipt.ts"
import { VerifyLog } from "../audit/VerifyLog.ts"
import { AuditApi } from "../AuditApi.ts"
import { CheckReadiness } from "../CheckReadiness.ts"
import { EraseSessions } from "../EraseSessions.ts"
import * as EraseSubject from "../EraseSubject.ts"
import { EvidenceApi } from "../EvidenceApi.ts"
import type { Report } from "../GroundQuestion.ts"
import * as InPublic from "../InPublic.ts"
import { ProjectionRunner } from "../projections/ProjectionRunner.ts"
import { RebuildModels } from "../projections/RebuildModels.ts"
import { PublicApi } from "../PublicApi.ts"
import { QueryReadModels } from "../QueryReadModels.ts"
import { ResearchTopic } from "../ResearchTopic.ts"
import { WatchAlerts } from "../WatchAlerts.ts"
import type { Calls } from "./Calls.ts"

/** Use cases of all operations, for callers in this process. */
export class UseCases extends Context.Service<UseCases, Calls>()(
  "web-grounding/application/operations/UseCases"
) {}

const silent: Report = () => Effect.void

const make = Effect.gen(function*() {
  const api = yield* PublicApi
  const research = yield* ResearchTopic
  const records = yield* QueryReadModels
  const evidence = yield* EvidenceApi
  const audit = yield* AuditApi
  const tokens = yield* AccessTokens
  const alerts = yield* WatchAlerts
  const erasures = yield* EraseSessions
  const eraseSubject = yield* EraseSubject.make
  const { check } = yield* CheckReadiness
  const { lags } = yield* ProjectionRunner
  const { rebuild } = yield* RebuildModels

  return UseCases.of({
    Ground: (input, caller, report = silent) => api.ground(input, caller, report),
    GetSession: api.session,
    GetPack: api.pack,
    GetPackView: api.view,
    RecordShown: api.shown,
    Research: research.research,
    Outline: research.outline,
    GetHealth: (input, caller) => api.health(input, healthSeenBy(caller)),
    SearchEvidence: evidence.search,
    ListSessions: records.sessions,
    GetSessionTimeline: records.timeline,
    GetCitedPack: records.citedPack,
    GetActivity: records.activity,
    GetUsage: records.usage,
    ListAlerts: alerts.list,
    GetReceipt: yield* receipted,
    ReplaySession: api.replay,
    ReplaySessions: audit.replays,
    WhatIfSession: audit.whatIf,
    WhatIfSessions: audit.whatIfs,
    ExportSessions: audit.exported,
    VerifyLog: yield* verified,
    EraseSession: erasures.erase,
    EraseSubject: eraseSubject,
    SetLegalHold: erasures.hold,
    ListErasures: erasures.list,
    CheckReadiness: (_, caller) => check(caller.tenantId),
    GetProjections: () =>
      Effect.map(lags, (projections) => ({ projections })).pipe(
        InPublic.inPublic("the read models were not looked at")
      ),
    RebuildProjections: (_, caller) =>
      Effect.map(rebuild(caller.tenantId), (rebuilt) => ({ rebuilt })).pipe(
        InPublic.inPublic("the read models were not built anew")
      ),
    CollectEvidence: evidence.collect,
    CollectPage: evidence.collectPage,
    PromoteEvidence: evidence.promote,
    RemoveEvidence: evidence.remove,
    ReembedEvidence: evidence.reembed,
    GatherEvidence: (_, caller) => evidence.gather(caller),
    GetEvidenceStatus: (_, caller) => evidence.status(caller),
    CreateToken: tokens.create,
    ListTokens: () => tokens.list,
    RevokeToken: tokens.revoke
  })
})

const verified = Effect.map(VerifyLog, ({ verify }) =>
  Effect.fnUntraced(
    function*({ anchor, reach, session_id }: InputOf<"VerifyLog">, caller: RemoteCaller) {
      const mode = "full"
      if (reach === "deployment") {
        yield* granted("admin")(caller)
        if (session_id === undefined) return yield* verify({}, { mode, anchor })
        return yield* new InvalidInput({ field: "session_id", problem: "it has one tenant" })
      }
      if (anchor === undefined) {
        const { tenantId } = caller
        return yield* session_id === undefined
          ? verify({ tenantId }, { mode })
          : verify({ tenantId, sessionId: session_id }, { mode })
      }
      return yield* new InvalidInput({ field: "anchor", problem: "it covers all tenants" })
    },
    InPublic.inPublic("the log was not verified")
  ))

const receipted = Effect.map(
  MakeReceipt,
  ({ receipt }) =>
  ({ claim, request_id, session_id }: InputOf<"GetReceipt">, { tenantId }: RemoteCaller) =>
    receipt({ tenant_id: tenantId, session_id }, request_id, claim).pipe(
      InPublic.inPublic("no receipt was made", session_id)
    )
)

/** The record of use cases, over the services that hold them. */
export const layer = Layer.effect(UseCases, make)
