/**
 * Operations of the service for every face (RPC, CLI and others): input is checked here, and
 * failures become the few that a caller may see.
 */
import { Context, Effect, Layer, Predicate } from "effect"
import type * as EventView from "../contract/EventView.ts"
import type { HealthView } from "../contract/HealthView.ts"
import * as Input from "../contract/Input.ts"
import {
  InternalFailure,
  type InvalidInput,
  type PublicFailure,
  SessionErased,
  StoreUnavailable
} from "../contract/PublicFailure.ts"
import type { Replayed } from "../contract/Replayed.ts"
import type { GroundingRequest } from "../domain/request/GroundingRequest.ts"
import type { GroundingOutcome } from "../domain/session/GroundingOutcome.ts"
import type { SessionRejection } from "../domain/session/Session.ts"
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
import type { EventErased, EventUnreadable } from "./log/EventCodec.ts"
import type {
  EventNotStorable,
  EventStore,
  EventStoreUnavailable,
  LogTampered,
  StreamConflict
} from "./ports/EventStore.ts"
import { Ids } from "./ports/Ids.ts"
import type { Limits } from "./ports/Limits.ts"
import type { ReadModelsUnavailable } from "./ports/ReadModels.ts"
import type { RowsUnreadable } from "./projections/ReadRows.ts"
import { recordShown } from "./RecordShown.ts"
import { ReplaySession } from "./replay/ReplaySession.ts"
import type { SessionTurns } from "./sharing/SessionTurns.ts"

type Answer<A> = Effect.Effect<A, PublicFailure>

/**
 * Groundings, sessions, packs and their audit on untrusted input. Every failure is a
 * `PublicFailure`.
 */
export class PublicApi extends Context.Service<PublicApi, {
  /** `input`: a `GroundingRequest`; a `request_id` is made up when there is none. */
  readonly ground: (input: unknown, caller: Caller, report: Report) => Answer<GroundingOutcome>
  /** `input`: `{ session_id, after?, limit? }`. A page of its events, oldest first. */
  readonly session: (input: unknown, caller: Caller) => Answer<EventView.SessionPage>
  /** `input`: `{ session_id, request_id }`. */
  readonly pack: (input: unknown, caller: Caller) => Answer<GroundingOutcome>
  /** `input`: `{ session_id, request_id, audience }`. The pack as a roleplay or a coach uses it. */
  readonly view: (input: unknown, caller: Caller) => Answer<PackView>
  /** `input`: `{ session_id, request_id, audience }`. */
  readonly shown: (input: unknown, caller: Caller) => Answer<{ readonly recorded: boolean }>
  /** `input`: `{ session_id }`. */
  readonly replay: (input: unknown, caller: Caller) => Answer<Replayed>
  /** `input`: `{ hours }`. */
  readonly health: (input: unknown, of: HealthOf) => Answer<HealthView>
}>()("web-grounding/application/PublicApi") {}

const decodeRequest = Input.decode(Input.IdentifiedGroundInput)
const decodeSession = Input.decode(Input.SessionInput)
const decodePage = Input.decode(Input.SessionPageInput)
const decodePack = Input.decode(Input.PackInput)
const decodeView = Input.decode(Input.ViewInput)
const decodeHealth = Input.decode(Input.HealthInput)
const decodeShown = Input.decode(Input.ShownInput)

export const layer = Layer.effect(
  PublicApi,
  Effect.gen(function*() {
    const services = yield* Effect.context<EventStore | Ids | Limits | SessionTurns>()
    const ground = yield* grounding(decodeRequest)
    const { replay } = yield* ReplaySession
    const { health } = yield* AskHealth

    return PublicApi.of({
      ground,
      session: (input, { tenantId }) =>
        decodePage(input).pipe(
          Effect.flatMap(({ after, limit, session_id }) =>
            AskSession.page({ tenant_id: tenantId, session_id }, { after, limit }).pipe(
              Effect.provide(services),
              inPublic(session_id)
            )
          )
        ),
      pack: (input, { tenantId }) =>
        decodePack(input).pipe(
          Effect.flatMap(({ request_id, session_id }) =>
            AskSession.outcome({ tenant_id: tenantId, session_id }, request_id).pipe(
              Effect.provide(services),
              inPublic(session_id)
            )
          )
        ),
      view: (input, { tenantId }) =>
        decodeView(input).pipe(
          Effect.flatMap(({ audience, request_id, session_id }) =>
            AskSession.view({ tenant_id: tenantId, session_id }, request_id, audience).pipe(
              Effect.provide(services),
              inPublic(session_id)
            )
          )
        ),
      shown: (input, caller) =>
        decodeShown(input).pipe(
          Effect.flatMap((shown) =>
            recordShown(shown, caller).pipe(Effect.provide(services), inPublic(shown.session_id))
          )
        ),
      replay: (input, { tenantId }) =>
        decodeSession(input).pipe(
          Effect.flatMap(({ session_id }) =>
            replay({ tenant_id: tenantId, session_id }).pipe(inPublic(session_id))
          )
        ),
      health: (input, of) =>
        decodeHealth(input).pipe(
          Effect.flatMap(({ hours }) => health(hours, of).pipe(inPublic("")))
        )
    })
  })
)

/** A request of the form that `decode` knows is grounded; its id is made up when there is none. */
export const grounding = Effect.fnUntraced(function*(
  decode: (input: unknown) => Effect.Effect<GroundingRequest, InvalidInput>
) {
  const { ground } = yield* GroundQuestion
  const { uuid } = yield* Ids
  const { guard } = yield* Draining
  return (input: unknown, caller: Caller, report: Report): Answer<GroundingOutcome> =>
    Effect.flatMap(
      uuid,
      (fresh) =>
        Effect.flatMap(
          decode(withRequestId(input, fresh)),
          (request) =>
            ground(request, caller, report).pipe(
              // Under an id that was made up here nobody can have searched before.
              Effect.catchTag(
                "GroundingUnrecorded",
                (unrecorded) => failUnrecorded(unrecorded, request.request_id === fresh)
              ),
              guard(request.request_id),
              inPublic(request.session_id)
            )
        )
    )
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

const withRequestId = (input: unknown, fresh: string): unknown =>
  Predicate.isObject(input) && !("request_id" in input) ? { ...input, request_id: fresh } : input

type Failed =
  | PublicFailure
  | SessionRejection
  | EventStoreUnavailable
  | ReadModelsUnavailable
  | RowsUnreadable
  | StreamConflict
  | EventErased
  | EventUnreadable
  | EventNotStorable
  | LogTampered

const inPublic = (session_id: string) =>
  InPublic.inPublic((error: Failed) => toPublic(error, session_id), "a request failed")

const toPublic = (error: Failed, session_id: string): PublicFailure => {
  switch (error._tag) {
    case "EventStoreUnavailable":
    case "ReadModelsUnavailable":
    case "RowsUnreadable":
    case "StreamConflict":
      return InPublic.storeDown()
    case "EventErased":
      return new SessionErased({
        session_id,
        ...(error.erased_at === undefined ? {} : { erased_at: error.erased_at })
      })
    case "EventNotStorable":
    case "EventUnreadable":
    case "LogTampered":
    case "BudgetRefused":
    case "CommandRefused":
      return new InternalFailure()
    case "InvalidInput":
    case "RequestConflict":
    case "RequestInProgress":
    case "SessionNotFound":
    case "PackNotFound":
    case "SessionErased":
    case "StoreUnavailable":
    case "Overloaded":
    case "Interrupted":
    case "Forbidden":
    case "LimitReached":
    case "VersionMismatch":
    case "InternalFailure":
      return error
  }
}
