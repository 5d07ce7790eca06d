/**
 * Operations of the service for every face (RPC, CLI and others): failures become the few that a
 * caller may see.
 */
import { Context, Effect, Layer } from "effect"
import type * as EventView from "../contract/EventView.ts"
import type { HealthView } from "../contract/HealthView.ts"
import { type PublicFailure, StoreUnavailable } from "../contract/PublicFailure.ts"
import type { Replayed } from "../contract/Replayed.ts"
import type { InputOf } from "../contract/ServiceOperations.ts"
import type { GroundingRequest } from "../domain/request/GroundingRequest.ts"
import type { GroundingOutcome } from "../domain/session/GroundingOutcome.ts"
import type { PackView } from "../domain/view/ViewSchemas.ts"
import { AskHealth, type HealthOf } from "./AskHealth.ts"
import * as AskSession from "./AskSession.ts"
import { Draining } from "./Draining.ts"
import {
  type Caller,
  type GroundingUnrecorded,
  GroundQuestion,
  type Report
} from "./GroundQuestion.ts"
import * as InPublic from "./InPublic.ts"
import type { EventStore } from "./ports/EventStore.ts"
import { Ids } from "./ports/Ids.ts"
import type { Limits } from "./ports/Limits.ts"
import { recordShown } from "./RecordShown.ts"
import { ReplaySession } from "./replay/ReplaySession.ts"
import type { SessionTurns } from "./sharing/SessionTurns.ts"

type Answer<A> = Effect.Effect<A, PublicFailure>

/** Groundings, sessions, packs and their audit. Every failure is a `PublicFailure`. */
export class PublicApi extends Context.Service<PublicApi, {
  /** A `request_id` is made up when there is none. */
  readonly ground: (
    input: InputOf<"Ground">,
    caller: Caller,
    report: Report
  ) => Answer<GroundingOutcome>
  /** A page of the session's events, oldest first. */
  readonly session: (input: InputOf<"GetSession">, caller: Caller) => Answer<EventView.SessionPage>
  readonly pack: (input: InputOf<"GetPack">, caller: Caller) => Answer<GroundingOutcome>
  /** The pack as a roleplay or a coach uses it. */
  readonly view: (input: InputOf<"GetPackView">, caller: Caller) => Answer<PackView>
  readonly shown: (
    input: InputOf<"RecordShown">,
    caller: Caller
  ) => Answer<{ readonly recorded: boolean }>
  readonly replay: (input: InputOf<"ReplaySession">, caller: Caller) => Answer<Replayed>
  readonly health: (input: InputOf<"GetHealth">, of: HealthOf) => Answer<HealthView>
}>()("web-grounding/application/PublicApi") {}

export const layer = Layer.effect(
  PublicApi,
  Effect.gen(function*() {
    const services = yield* Effect.context<EventStore | Ids | Limits | SessionTurns>()
    const ground = yield* grounding
    const { replay } = yield* ReplaySession
    const { health } = yield* AskHealth

    return PublicApi.of({
      ground,
      session: ({ after, limit, session_id }, { tenantId }) =>
        AskSession.page({ tenant_id: tenantId, session_id }, { after, limit }).pipe(
          Effect.provide(services),
          inPublic(session_id)
        ),
      pack: ({ request_id, session_id }, { tenantId }) =>
        AskSession.outcome({ tenant_id: tenantId, session_id }, request_id).pipe(
          Effect.provide(services),
          inPublic(session_id)
        ),
      view: ({ audience, request_id, session_id }, { tenantId }) =>
        AskSession.view({ tenant_id: tenantId, session_id }, request_id, audience).pipe(
          Effect.provide(services),
          inPublic(session_id)
        ),
      shown: (shown, caller) =>
        recordShown(shown, caller).pipe(Effect.provide(services), inPublic(shown.session_id)),
      replay: ({ session_id }, { tenantId }) =>
        replay({ tenant_id: tenantId, session_id }).pipe(inPublic(session_id)),
      health: ({ hours }, of) => health(hours, of).pipe(inPublic(""))
    })
  })
)

/** A request whose id is made up when there is none. */
type Asked = Omit<GroundingRequest, "request_id"> & { readonly request_id?: string }

/** Grounds requests, those for hits or page texts alone included. */
export const grounding = Effect.gen(function*() {
  const { ground } = yield* GroundQuestion
  const { uuid } = yield* Ids
  const { guard } = yield* Draining
  return (input: Asked, caller: Caller, report: Report): Answer<GroundingOutcome> =>
    Effect.flatMap(uuid, (fresh) => {
      const request = { ...input, request_id: input.request_id ?? fresh }
      return ground(request, caller, report).pipe(
        // Under an id that was made up here nobody can have searched before.
        Effect.catchTag(
          "GroundingUnrecorded",
          (unrecorded) => failUnrecorded(unrecorded, request.request_id === fresh)
        ),
        guard(request.request_id),
        inPublic(request.session_id)
      )
    })
})

const failUnrecorded = (
  { cause, has_searched, request_id }: GroundingUnrecorded,
  isFreshId: boolean
) =>
  Effect.andThen(
    Effect.logError("a request was not recorded", cause),
    Effect.fail(
      new StoreUnavailable({
        retry_after_ms: InPublic.storeRetryAfterMs,
        request_id,
        may_have_searched: has_searched ?? !isFreshId
      })
    )
  )

const inPublic = (session_id: string) => InPublic.inPublic("a request failed", session_id)
