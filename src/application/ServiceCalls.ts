/**
 * Every operation as a call in a place of its kind, for each face that answers over a network: what
 * is asked over one is what is asked over the other.
 */
import { Context, Effect, Layer } from "effect"
import { operations } from "../contract/Operations.ts"
import { operatorOperations } from "../contract/OperatorOperations.ts"
import type { PublicFailure } from "../contract/PublicFailure.ts"
import type { GroundingOutcome } from "../domain/session/GroundingOutcome.ts"
import { Admission } from "./Admission.ts"
import { CheckReadiness } from "./CheckReadiness.ts"
import { EvidenceApi } from "./EvidenceApi.ts"
import type { Caller, Report } from "./GroundQuestion.ts"
import * as InPublic from "./InPublic.ts"
import { ProjectionRunner } from "./projections/ProjectionRunner.ts"
import { PublicApi } from "./PublicApi.ts"
import { ResearchTopic } from "./ResearchTopic.ts"

/** What callers ask, then what operators do. */
export const serviceOperations = { ...operations, ...operatorOperations } as const

export type OperationName = keyof typeof serviceOperations

/** All but `Ground`, which tells its progress. */
export type CallName = Exclude<OperationName, "Ground">

type Call<Name extends CallName> = (
  input: unknown,
  caller: Caller
) => Effect.Effect<
  typeof serviceOperations[Name]["output"]["Type"],
  typeof serviceOperations[Name]["failure"]["Type"]
>

export type Calls = { readonly [Name in CallName]: Call<Name> }

export class ServiceCalls extends Context.Service<ServiceCalls, {
  readonly ground: (
    input: unknown,
    caller: Caller,
    report: Report
  ) => Effect.Effect<GroundingOutcome, PublicFailure>
  readonly calls: Calls
}>()("web-grounding/application/ServiceCalls") {}

/** `quiet` is waited for before a call begins that may search or ask models. */
export const layer = ({ quiet }: { readonly quiet: Effect.Effect<void> }) =>
  Layer.effect(
    ServiceCalls,
    Effect.gen(function*() {
      const api = yield* PublicApi
      const research = yield* ResearchTopic
      const evidence = yield* EvidenceApi
      const { check } = yield* CheckReadiness
      const { lags } = yield* ProjectionRunner
      const { admit } = yield* Admission

      /** In the place that the operation's row names. */
      const placed = (name: OperationName) => <A, E, R>(call: Effect.Effect<A, E, R>) => {
        const { cost } = serviceOperations[name]
        return admit(cost)(cost === "grounding" ? Effect.andThen(quiet, call) : call)
      }

      const projections = Effect.map(lags, (projections) => ({ projections })).pipe(
        Effect.mapError(() => InPublic.storeDown())
      )

      const calls: Calls = {
        GetSession: (input, caller) => placed("GetSession")(api.session(input, caller)),
        GetPack: (input, caller) => placed("GetPack")(api.pack(input, caller)),
        GetPackView: (input, caller) => placed("GetPackView")(api.view(input, caller)),
        RecordShown: (input, caller) => placed("RecordShown")(api.shown(input, caller)),
        Research: (input, caller) => placed("Research")(research.research(input, caller)),
        Outline: (input, caller) => placed("Outline")(research.outline(input, caller)),
        GetHealth: (input) => placed("GetHealth")(api.health(input)),
        SearchEvidence: (input, caller) => placed("SearchEvidence")(evidence.search(input, caller)),
        ReplaySession: (input, caller) => placed("ReplaySession")(api.replay(input, caller)),
        CheckReadiness: (_, { tenantId }) => placed("CheckReadiness")(check(tenantId)),
        GetProjections: () => placed("GetProjections")(projections),
        CollectEvidence: (input, caller) =>
          placed("CollectEvidence")(evidence.collect(input, caller)),
        CollectPage: (input, caller) => placed("CollectPage")(evidence.collectPage(input, caller)),
        PromoteEvidence: (input, caller) =>
          placed("PromoteEvidence")(evidence.promote(input, caller)),
        RemoveEvidence: (input, caller) => placed("RemoveEvidence")(evidence.remove(input, caller)),
        ReembedEvidence: (input, caller) =>
          placed("ReembedEvidence")(evidence.reembed(input, caller)),
        GatherEvidence: (_, caller) => placed("GatherEvidence")(evidence.gather(caller)),
        GetEvidenceStatus: (_, caller) => placed("GetEvidenceStatus")(evidence.status(caller))
      }
      return ServiceCalls.of({
        ground: (input, caller, report) => placed("Ground")(api.ground(input, caller, report)),
        calls
      })
    })
  )
