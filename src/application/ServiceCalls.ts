/**
 * Every operation as a call in a place of its kind, for each face that answers over a network: what
 * is asked over one is what is asked over the other.
 */
import { Context, Effect, Layer, Option, Schema } from "effect"
import * as Input from "../contract/Input.ts"
import { VerifyLogInput } from "../contract/LogVerification.ts"
import { operations } from "../contract/Operations.ts"
import { operatorOperations } from "../contract/OperatorOperations.ts"
import {
  type Forbidden,
  InternalFailure,
  InvalidInput,
  type LimitReached,
  type Overloaded,
  type PublicFailure,
  type ReceiptFailure,
  SessionErased,
  type StoreUnavailable
} from "../contract/PublicFailure.ts"
import type { GroundingOutcome } from "../domain/session/GroundingOutcome.ts"
import { granted, type RemoteCaller } from "./Access.ts"
import { AccessTokens } from "./AccessTokens.ts"
import { Admission } from "./Admission.ts"
import { healthSeenBy } from "./AskHealth.ts"
import { MakeReceipt, type ReceiptFailed } from "./audit/MakeReceipt.ts"
import { VerifyLog } from "./audit/VerifyLog.ts"
import { AuditApi } from "./AuditApi.ts"
import { CheckReadiness } from "./CheckReadiness.ts"
import { EraseSessions } from "./EraseSessions.ts"
import * as EraseSubject from "./EraseSubject.ts"
import { EvidenceApi } from "./EvidenceApi.ts"
import type { Report } from "./GroundQuestion.ts"
import * as InPublic from "./InPublic.ts"
import * as LimitTenants from "./LimitTenants.ts"
import { ListResults } from "./ListResults.ts"
import { ProjectionRunner } from "./projections/ProjectionRunner.ts"
import { RebuildModels } from "./projections/RebuildModels.ts"
import { PublicApi } from "./PublicApi.ts"
import { QueryReadModels } from "./QueryReadModels.ts"
import { ResearchTopic } from "./ResearchTopic.ts"

/** All operations: the callers' first, then the operators'. */
export const serviceOperations = { ...operations, ...operatorOperations } as const

export type OperationName = keyof typeof serviceOperations

/** All but `Ground`, which tells its progress. */
export type CallName = Exclude<OperationName, "Ground">

type Call<Name extends CallName> = (
  input: unknown,
  caller: RemoteCaller
) => Effect.Effect<
  typeof serviceOperations[Name]["output"]["Type"],
  typeof serviceOperations[Name]["failure"]["Type"]
>

export type Calls = { readonly [Name in CallName]: Call<Name> }

/** Runs a call for whom the operation's row allows it, within limits, in the place it names. */
type Placed = (name: OperationName, caller: RemoteCaller) => <A, E, R>(
  call: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | Unplaced, R>

/** Why a call did not begin. */
type Unplaced =
  | Forbidden
  | LimitReached
  | Overloaded
  | StoreUnavailable

/** Operations as callers from outside ask them, with the scope checked and a place taken first. */
export class ServiceCalls extends Context.Service<ServiceCalls, {
  readonly ground: (
    input: unknown,
    caller: RemoteCaller,
    report: Report
  ) => Effect.Effect<GroundingOutcome, PublicFailure>
  /** Calls `ListResults.list` in one of the places for groundings. */
  readonly list: (
    input: unknown,
    caller: RemoteCaller
  ) => ReturnType<ListResults["Service"]["list"]>
  readonly calls: Calls
  /** Places a call of a face that calls the use cases itself. */
  readonly placed: Placed
}>()("web-grounding/application/ServiceCalls") {}

/** Sees a call from before it waits for a place until it ends. */
export type ObservedCall = (
  name: OperationName
) => <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Wait before a call that may search or ask models, and the observer of every call. */
export interface CallsOptions {
  readonly quiet: Effect.Effect<void>
  /** Default: nobody does. */
  readonly observed?: ObservedCall
}

/**
 * Every operation for every face. `quiet` is waited for before a call begins that may search or ask
 * models.
 */
export const layer = ({ observed = () => (call) => call, quiet }: CallsOptions) =>
  Layer.effect(
    ServiceCalls,
    Effect.gen(function*() {
      const api = yield* PublicApi
      const research = yield* ResearchTopic
      const records = yield* QueryReadModels
      const evidence = yield* EvidenceApi
      const audit = yield* AuditApi
      const { check } = yield* CheckReadiness
      const { lags } = yield* ProjectionRunner
      const { list } = yield* ListResults
      const { rebuild } = yield* RebuildModels
      const { admit } = yield* Admission
      const tokens = yield* AccessTokens
      const erasures = yield* EraseSessions
      const eraseSubject = yield* EraseSubject.make
      const { verify } = yield* VerifyLog
      const { receipt } = yield* MakeReceipt
      const { within } = yield* LimitTenants.make

      const placed: Placed = (name, caller) => (call) => {
        const { cost, scope } = serviceOperations[name]
        const run = cost === "grounding"
          ? within(caller.tenantId)(Effect.andThen(quiet, call))
          : call
        const allowed = granted(scope)(caller)
        return observed(name)(Effect.andThen(allowed, admit(cost)(run)))
      }

      /**
       * Grounds within the tenant's limits. Repeating a request costs nothing and gives the
       * recorded answer whatever is left.
       */
      const ground: ServiceCalls["Service"]["ground"] = (input, caller, report) => {
        const grounding = api.ground(input, caller, report)
        return placed("Ground", caller)(grounding).pipe(
          Effect.catchTag("LimitReached", (reached) =>
            admit("read")(
              Effect.flatMap(
                isRecorded(api, input, caller),
                (recorded): Effect.Effect<GroundingOutcome, PublicFailure> =>
                  recorded ? grounding : Effect.fail(reached)
              )
            ))
        )
      }

      const projections = Effect.map(lags, (projections) => ({ projections })).pipe(
        Effect.mapError(() => InPublic.storeDown())
      )
      const rebuilt = ({ tenantId }: RemoteCaller) =>
        Effect.map(rebuild(tenantId), (rebuilt) => ({ rebuilt })).pipe(
          InPublic.inPublic(() => InPublic.storeDown(), "the read models were not built anew")
        )

      const verified = Effect.fnUntraced(
        function*(input: unknown, caller: RemoteCaller) {
          const { anchor, reach, session_id } = yield* Input.decode(VerifyLogInput)(input)
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
        Effect.catchTags({
          EventStoreUnavailable: () => Effect.fail(InPublic.storeDown()),
          AnchorsUnavailable: () => Effect.fail(InPublic.storeDown()),
          AnchorNotShipped: (failure) =>
            Effect.andThen(
              Effect.logError("the anchors outside cannot be read", failure),
              Effect.fail(InPublic.storeDown())
            )
        })
      )

      const receipted = Effect.fnUntraced(function*(input: unknown, { tenantId }: RemoteCaller) {
        const { claim, request_id, session_id } = yield* Input.decode(Input.ReceiptInput)(input)
        const made = receipt({ tenant_id: tenantId, session_id }, request_id, claim)
        return yield* InPublic.inPublic(
          (failed: Effect.Error<typeof made>) => receiptFailure(failed, session_id),
          "no receipt was made"
        )(made)
      })

      const calls: Calls = {
        GetSession: (input, caller) => placed("GetSession", caller)(api.session(input, caller)),
        GetPack: (input, caller) => placed("GetPack", caller)(api.pack(input, caller)),
        GetPackView: (input, caller) => placed("GetPackView", caller)(api.view(input, caller)),
        RecordShown: (input, caller) => placed("RecordShown", caller)(api.shown(input, caller)),
        Research: (input, caller) => placed("Research", caller)(research.research(input, caller)),
        Outline: (input, caller) => placed("Outline", caller)(research.outline(input, caller)),
        GetHealth: (input, caller) =>
          placed("GetHealth", caller)(api.health(input, healthSeenBy(caller))),
        SearchEvidence: (input, caller) =>
          placed("SearchEvidence", caller)(evidence.search(input, caller)),
        ListSessions: (input, caller) =>
          placed("ListSessions", caller)(records.sessions(input, caller)),
        GetSessionTimeline: (input, caller) =>
          placed("GetSessionTimeline", caller)(records.timeline(input, caller)),
        GetCitedPack: (input, caller) =>
          placed("GetCitedPack", caller)(records.citedPack(input, caller)),
        GetActivity: (input, caller) =>
          placed("GetActivity", caller)(records.activity(input, caller)),
        GetUsage: (input, caller) => placed("GetUsage", caller)(records.usage(input, caller)),
        ListAlerts: (input, caller) => placed("ListAlerts", caller)(records.alerts(input)),
        GetReceipt: (input, caller) => placed("GetReceipt", caller)(receipted(input, caller)),
        ReplaySession: (input, caller) =>
          placed("ReplaySession", caller)(api.replay(input, caller)),
        ReplaySessions: (input, caller) =>
          placed("ReplaySessions", caller)(audit.replays(input, caller)),
        WhatIfSession: (input, caller) =>
          placed("WhatIfSession", caller)(audit.whatIf(input, caller)),
        WhatIfSessions: (input, caller) =>
          placed("WhatIfSessions", caller)(audit.whatIfs(input, caller)),
        ExportSessions: (input, caller) =>
          placed("ExportSessions", caller)(audit.exported(input, caller)),
        VerifyLog: (input, caller) => placed("VerifyLog", caller)(verified(input, caller)),
        EraseSession: (input, caller) =>
          placed("EraseSession", caller)(erasures.erase(input, caller)),
        EraseSubject: (input, caller) =>
          placed("EraseSubject", caller)(eraseSubject(input, caller)),
        SetLegalHold: (input, caller) =>
          placed("SetLegalHold", caller)(erasures.hold(input, caller)),
        ListErasures: (input, caller) =>
          placed("ListErasures", caller)(erasures.list(input, caller)),
        CheckReadiness: (_, caller) => placed("CheckReadiness", caller)(check(caller.tenantId)),
        GetProjections: (_, caller) => placed("GetProjections", caller)(projections),
        RebuildProjections: (_, caller) => placed("RebuildProjections", caller)(rebuilt(caller)),
        CollectEvidence: (input, caller) =>
          placed("CollectEvidence", caller)(evidence.collect(input, caller)),
        CollectPage: (input, caller) =>
          placed("CollectPage", caller)(evidence.collectPage(input, caller)),
        PromoteEvidence: (input, caller) =>
          placed("PromoteEvidence", caller)(evidence.promote(input, caller)),
        RemoveEvidence: (input, caller) =>
          placed("RemoveEvidence", caller)(evidence.remove(input, caller)),
        ReembedEvidence: (input, caller) =>
          placed("ReembedEvidence", caller)(evidence.reembed(input, caller)),
        GatherEvidence: (_, caller) => placed("GatherEvidence", caller)(evidence.gather(caller)),
        GetEvidenceStatus: (_, caller) =>
          placed("GetEvidenceStatus", caller)(evidence.status(caller)),
        CreateToken: (input, caller) => placed("CreateToken", caller)(tokens.create(input, caller)),
        ListTokens: (_, caller) => placed("ListTokens", caller)(tokens.list),
        RevokeToken: (input, caller) => placed("RevokeToken", caller)(tokens.revoke(input, caller))
      }
      return ServiceCalls.of({
        ground,
        list: (input, caller) => placed("Ground", caller)(list(input, caller)),
        calls,
        placed
      })
    })
  )

const receiptFailure = (failed: ReceiptFailed, session_id: string): ReceiptFailure => {
  switch (failed._tag) {
    case "PackNotFound":
    case "ReceiptUnavailable":
    case "SessionErased":
      return failed
    case "EventErased":
      return new SessionErased({ session_id })
    case "AnchorsUnavailable":
    case "EventStoreUnavailable":
      return InPublic.storeDown()
    case "EventUnreadable":
    case "LogTampered":
      return new InternalFailure()
  }
}

const decodeIds = Schema.decodeUnknownOption(Input.PackInput)

/** Whether the request that the input names has its answer. */
const isRecorded = (
  api: PublicApi["Service"],
  input: unknown,
  caller: RemoteCaller
): Effect.Effect<boolean> =>
  Option.match(decodeIds(input), {
    onNone: () => Effect.succeed(false),
    onSome: (ids) => Effect.isSuccess(api.pack(ids, caller))
  })
