/**
 * Every operation as a call in a place of its kind, for each face that answers over a network: what
 * is asked over one is what is asked over the other.
 */
import { Context, Effect, Layer } from "effect"
import type { ListingInput } from "../../contract/Input.ts"
import type {
  Forbidden,
  LimitReached,
  Overloaded,
  PublicFailure,
  StoreUnavailable
} from "../../contract/PublicFailure.ts"
import {
  type InputOf,
  type OperationName,
  serviceOperations
} from "../../contract/ServiceOperations.ts"
import type { GroundingOutcome } from "../../domain/session/GroundingOutcome.ts"
import { granted, type RemoteCaller } from "../Access.ts"
import { Admission } from "../Admission.ts"
import * as LimitTenants from "../LimitTenants.ts"
import { ListResults } from "../ListResults.ts"
import { askedBy, type AskedCalls, type Calls, callsOf } from "./Calls.ts"
import * as UseCases from "./UseCases.ts"

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
  /** Calls of faces that decode input themselves. */
  readonly calls: Calls
  /** Calls that decode what they are sent, of faces that do not. */
  readonly askedBy: (caller: RemoteCaller) => AskedCalls
  /** Calls `ListResults.list` in one of the places for groundings. */
  readonly list: (
    input: typeof ListingInput.Type,
    caller: RemoteCaller
  ) => ReturnType<ListResults["Service"]["list"]>
}>()("web-grounding/application/operations/ServiceCalls") {}

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
      const useCases = yield* UseCases.UseCases
      const { list } = yield* ListResults
      const { admit } = yield* Admission
      const { within } = yield* LimitTenants.make

      const placed: Placed = (name, caller) => (call) => {
        const { cost, scope } = serviceOperations[name]
        const run = cost === "grounding"
          ? within(caller.tenantId)(Effect.andThen(quiet, call))
          : call
        const allowed = granted(scope)(caller)
        return observed(name)(Effect.andThen(allowed, admit(cost)(run)))
      }

      /** Whether the request that the input names has its answer. */
      const isRecorded = (
        { request_id, session_id }: InputOf<"Ground">,
        caller: RemoteCaller
      ): Effect.Effect<boolean> =>
        request_id === undefined
          ? Effect.succeed(false)
          : Effect.isSuccess(useCases.GetPack({ session_id, request_id }, caller))

      /**
       * Grounds within the tenant's limits. Repeating a request costs nothing and gives the
       * recorded answer whatever is left.
       */
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
  ).pipe(Layer.provide(UseCases.layer))
