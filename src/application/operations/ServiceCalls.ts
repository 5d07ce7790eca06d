/** All operations, each under the concurrency limit of its kind, shared by HTTP, RPC and MCP. */
import { Context, Effect, Layer, Schedule } from "effect"
import type { ListingInput } from "../../contract/Input.ts"
import {
  type Forbidden,
  InvalidInput,
  type LimitReached,
  type Overloaded,
  type PublicFailure,
  type StoreUnavailable
} from "../../contract/PublicFailure.ts"
import {
  type InputOf,
  type OperationName,
  serviceOperations
} from "../../contract/ServiceOperations.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import type { GroundingOutcome } from "../../domain/session/GroundingOutcome.ts"
import { granted, type RemoteCaller } from "../Access.ts"
import { AccessTokens } from "../AccessTokens.ts"
import * as LimitTenants from "../Admission.ts"
import { Admission } from "../Admission.ts"
import { healthSeenBy } from "../AskHealth.ts"
import { MakeReceipt } from "../audit/MakeReceipt.ts"
import { VerifyLog } from "../audit/VerifyLog.ts"
import { AuditApi } from "../AuditApi.ts"
import { CheckReadiness } from "../CheckReadiness.ts"
import * as EraseSubject from "../EraseSessions.ts"
import { EraseSessions } from "../EraseSessions.ts"
import { EvidenceApi } from "../EvidenceApi.ts"
import type { Report } from "../GroundQuestion.ts"
import * as InPublic from "../InPublic.ts"
import { ProjectionRunner } from "../projections/ProjectionRunner.ts"
import { RebuildModels } from "../projections/RebuildModels.ts"
import { PublicApi } from "../PublicApi.ts"
import { QueryReadModels } from "../QueryReadModels.ts"
import { ResearchTopic } from "../ResearchTopic.ts"
import { WatchAlerts } from "../WatchAlerts.ts"
import { askedBy, type AskedCalls, type Calls, callsOf } from "./Calls.ts"

type Placed = (name: OperationName, caller: RemoteCaller) => <A, E, R>(
  call: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | Unplaced, R>

type Unplaced =
  | Forbidden
  | LimitReached
  | Overloaded
  | StoreUnavailable

export class ServiceCalls extends Context.Service<ServiceCalls, {
  readonly calls: Calls
  /** Calls that decode their input, for faces that do not. */
  readonly askedBy: (caller: RemoteCaller) => AskedCalls
  readonly list: (
    input: typeof ListingInput.Type,
    caller: RemoteCaller
  ) => ReturnType<PublicApi["Service"]["list"]>
}>()("web-grounding/application/operations/ServiceCalls") {}

export type ObservedCall = (
  name: OperationName
) => <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

export const layer = (observed: ObservedCall = () => (call) => call) =>
  Layer.effect(
    ServiceCalls,
    Effect.gen(function*() {
      const useCases = yield* UseCases
      const { list } = yield* PublicApi
      const { admit } = yield* Admission
      const { within } = yield* LimitTenants.make

      const placed: Placed = (name, caller) => (call) => {
        const { cost, scope } = serviceOperations[name]
        const run = cost === "grounding" ? within(caller.tenantId)(call) : call
        const allowed = granted(scope)(caller)
        return observed(name)(Effect.andThen(allowed, admit(cost)(run)))
      }

      const isRecorded = (
        { request_id, session_id }: InputOf<"Ground">,
        caller: RemoteCaller
      ): Effect.Effect<boolean> =>
        request_id === undefined
          ? Effect.succeed(false)
          : Effect.isSuccess(useCases.GetPack({ session_id, request_id }, caller))

      /** Grounds within the tenant's limits. A repeated request costs nothing in any case. */
      const ground: Calls["Ground"] = (input, caller, report) => {
        const grounding = useCases.Ground(input, caller, report)
        return placed("Ground", caller)(grounding).pipe(
          Effect.catchTag("LimitReached", (reached) =>
            admit("read")(
              Effect.flatMap(
                isRecorded(input, caller),
                (recorded): Effect.Effect<GroundingOutcome, PublicFailure> =>
                  recorded ? grounding : Effect.fail(reached)
              )
            ))
        )
      }

      const calls: Calls = {
        ...callsOf((name) => (input, caller) =>
          placed(name, caller)(useCases[name](input, caller))
        ),
        Ground: ground
      }
      return ServiceCalls.of({
        calls,
        askedBy: (caller) => askedBy(calls, caller),
        list: (input, caller) => placed("Ground", caller)(list(input, caller))
      })
    })
  ).pipe(Layer.provide(layerUseCases))

/** Use cases by name, for callers in this process; without permissions and limits. */
export class UseCases extends Context.Service<UseCases, Calls>()(
  "web-grounding/application/operations/ServiceCalls/UseCases"
) {}

const silent: Report = () => Effect.void

const make = Effect.gen(function*() {
  const api = yield* PublicApi
  const records = yield* QueryReadModels
  const evidence = yield* EvidenceApi
  const tokens = yield* AccessTokens
  const { check } = yield* CheckReadiness
  const { lags } = yield* ProjectionRunner
  const { rebuild } = yield* RebuildModels

  return UseCases.of({
    ...api,
    ...records,
    ...evidence,
    ...tokens,
    ...yield* ResearchTopic,
    ...yield* AuditApi,
    ...yield* WatchAlerts,
    ...yield* EraseSessions,
    Ground: (input, caller, report = silent) => api.Ground(input, caller, report),
    GetHealth: (input, caller) => api.GetHealth(input, healthSeenBy(caller)),
    GetSessionTimeline: (input, caller) =>
      records.GetSessionTimeline(input, caller).pipe(
        Effect.catchTag("SessionNotFound", () =>
          // The log says where a session was erased; a new one is soon in the read models.
          Effect.andThen(
            api.ReplaySession(input, caller),
            Effect.retry(records.GetSessionTimeline(input, caller), behind)
          ))
      ),
    GetReceipt: yield* receipted,
    VerifyLog: yield* verified,
    EraseSubject: yield* EraseSubject.make,
    CheckReadiness: (_, caller) => check(caller.tenantId),
    GetProjections: () =>
      Effect.map(lags, (projections) => ({ projections })).pipe(
        InPublic.inPublic("the read models were not looked at")
      ),
    RebuildProjections: (_, caller) =>
      Effect.map(rebuild(caller.tenantId), (rebuilt) => ({ rebuilt })).pipe(
        InPublic.inPublic("the read models were not built anew")
      ),
    GatherEvidence: (_, caller) => evidence.gather(caller),
    GetEvidenceStatus: (_, caller) => evidence.status(caller),
    ListTokens: () => tokens.list
  })
})

/** Looks again at read models that lag by at most 2 s. */
const behind = {
  times: 20,
  schedule: Schedule.spaced("100 millis"),
  while: ({ _tag }: { readonly _tag: string }) => _tag === "SessionNotFound"
}

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
        const of = { tenantId: caller.tenantId, ...asGiven({ sessionId: session_id }) }
        return yield* verify(of, { mode })
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

export const layerUseCases = Layer.effect(UseCases, make)
