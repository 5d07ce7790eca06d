/** Operations of the service for every face (RPC, CLI and others). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ListingInput } from "../contract/Input.ts"
import {
  InvalidInput,
  PackNotFound,
  type PublicFailure,
  SessionNotFound,
  StoreUnavailable
} from "../contract/PublicFailure.ts"
import type { InputOf, UseCase } from "../contract/ServiceOperations.ts"
import { asGiven } from "../domain/request/GivenFields.ts"
import type { GroundingRequest } from "../domain/request/GroundingRequest.ts"
import type { GroundingOutcome } from "../domain/session/GroundingOutcome.ts"
import * as NextStep from "../domain/session/NextStep.ts"
import * as Outcome from "../domain/session/Outcome.ts"
import { tellFact } from "../domain/session/Session.ts"
import { ShownToUser } from "../domain/session/SessionEvent.ts"
import * as CoachView from "../domain/view/CoachView.ts"
import { isOpenTo, type ViewAudience } from "../domain/view/ViewSchemas.ts"
import { AskHealth, type HealthOf } from "./AskHealth.ts"
import { Draining } from "./CheckServing.ts"
import { findHits, type Listed } from "./FindHits.ts"
import {
  type Caller,
  type GroundingUnrecorded,
  GroundQuestion,
  type Report
} from "./GroundQuestion.ts"
import * as InPublic from "./InPublic.ts"
import * as SessionLog from "./log/SessionLog.ts"
import * as SessionPages from "./log/SessionPages.ts"
import {
  EventStore,
  type StoredEvent,
  type StreamHead,
  type StreamRef
} from "./ports/EventStore.ts"
import type { Limits } from "./ports/Limits.ts"
import { Ids } from "./ports/Platform.ts"
import { ReplaySession } from "./replay/ReplaySession.ts"
import { SessionTurns } from "./sharing/SessionTurns.ts"

type Services = EventStore | Ids | Limits | SessionTurns

type PublicAnswer<A> = Effect.Effect<A, PublicFailure>

/** Groundings, sessions, packs and their audit. Every failure is a `PublicFailure`. */
export class PublicApi extends Context.Service<PublicApi, {
  readonly Ground: (
    input: InputOf<"Ground">,
    caller: Caller,
    report: Report
  ) => PublicAnswer<GroundingOutcome>
  /** Hits or page texts alone: a grounding that ends before any pack. */
  readonly list: (input: typeof ListingInput.Type, caller: Caller) => PublicAnswer<Listed>
  readonly GetSession: UseCase<"GetSession", Caller>
  readonly GetPack: UseCase<"GetPack", Caller>
  readonly GetPackView: UseCase<"GetPackView", Caller>
  readonly RecordShown: UseCase<"RecordShown", Caller>
  readonly ReplaySession: UseCase<"ReplaySession", Caller>
  readonly GetHealth: UseCase<"GetHealth", HealthOf>
}>()("web-grounding/application/PublicApi") {}

export const layer = Layer.effect(
  PublicApi,
  Effect.gen(function*() {
    const services = yield* Effect.context<Services>()
    const inSession = <A, E extends InPublic.Tellable>(
      session_id: string,
      asked: Effect.Effect<A, E, Services>
    ) => asked.pipe(Effect.provide(services), inPublic(session_id))
    const { replay } = yield* ReplaySession
    const { health } = yield* AskHealth
    const ground = yield* grounding

    return PublicApi.of({
      Ground: ground,
      list: (input, caller) =>
        findHits((report) => ground(input, caller, report), () => Effect.void),
      GetSession: ({ after, limit, session_id }, { tenantId }) =>
        inSession(session_id, page({ tenant_id: tenantId, session_id }, { after, limit })),
      GetPack: ({ request_id, session_id }, { tenantId }) =>
        inSession(session_id, outcome({ tenant_id: tenantId, session_id }, request_id)),
      GetPackView: ({ audience, request_id, session_id }, { tenantId }) =>
        inSession(session_id, view({ tenant_id: tenantId, session_id }, request_id, audience)),
      RecordShown: (shown, caller) => inSession(shown.session_id, recordShown(shown, caller)),
      ReplaySession: ({ session_id }, { tenantId }) =>
        inSession(session_id, replay({ tenant_id: tenantId, session_id })),
      GetHealth: ({ hours }, of) => health(hours, of).pipe(inPublic(""))
    })
  })
)

type SentGrounding = Omit<GroundingRequest, "request_id"> & { readonly request_id?: string }

const grounding = Effect.gen(function*() {
  const { ground } = yield* GroundQuestion
  const { uuid } = yield* Ids
  const { guard } = yield* Draining
  return (input: SentGrounding, caller: Caller, report: Report): PublicAnswer<GroundingOutcome> =>
    Effect.flatMap(uuid, (fresh) => {
      const request = { ...input, request_id: input.request_id ?? fresh }
      return ground(request, caller, report).pipe(
        // No earlier run can have searched under an id that was generated here.
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
    new StoreUnavailable({
      retry_after_ms: InPublic.storeRetryAfterMs,
      request_id,
      may_have_searched: has_searched ?? !isFreshId
    })
  )

const inPublic = (session_id: string) => InPublic.inPublic("a request failed", session_id)

/** Events read at once for a page: few, as a single one may hold the texts of pages. */
const sliceEventsMax = 16

export const page = Effect.fn("AskSession.page")(
  function*(
    ref: StreamRef,
    { after, limit }: { readonly after: number; readonly limit: number }
  ) {
    const store = yield* EventStore
    const events: Array<StoredEvent> = []
    let head: StreamHead
    do {
      const wanted = Math.min(sliceEventsMax, limit - events.length)
      const slice = yield* store.read(ref, events.at(-1)?.version ?? after, wanted)
      head = slice.head
      if (head.version === 0) {
        return yield* new SessionNotFound({ session_id: ref.session_id })
      }
      events.push(...slice.events)
      if (slice.events.length < wanted) break
    } while (events.length < limit && !SessionPages.isPageFull(events))
    const page = SessionPages.pageOf(ref.session_id, events, head.version)
    return { ...page, ...asGiven({ erased_at: head.erasedAt }) }
  }
)

export const outcome = (ref: StreamRef, requestId: string) =>
  Effect.map(finished(ref, requestId), Outcome.outcomeOf)

export const view = Effect.fn("AskSession.view")(
  function*(ref: StreamRef, requestId: string, audience: ViewAudience) {
    const grounding = yield* finished(ref, requestId)
    const { boundary, request, tier } = grounding
    if (!isOpenTo(audience, tier)) {
      return yield* new InvalidInput({
        field: "audience",
        problem: `Expected "roleplay_background": the session is of tier ${tier}`
      })
    }
    return CoachView.viewOf(Outcome.outcomeOf(grounding).pack, audience, {
      boundary,
      locale: request.locale
    })
  }
)

const finished = Effect.fn("AskSession.finished")(
  function*(ref: StreamRef, requestId: string) {
    const { state: session } = yield* SessionLog.load(ref)
    return NextStep.answered(session, requestId) ??
      (yield* new PackNotFound({ session_id: ref.session_id, request_id: requestId }))
  }
)

/** Idempotent for an audience. */
const recordShown = Effect.fn("RecordShown.recordShown")(
  function*(
    { audience, request_id, session_id }: InputOf<"RecordShown">,
    { actor, tenantId }: Caller
  ) {
    const { join } = yield* SessionTurns
    const shared = yield* join({ tenant_id: tenantId, session_id })
    const command = tellFact(ShownToUser.make({
      request_id,
      audience,
      shown_at: DateTime.formatIso(yield* DateTime.now)
    }))
    const { facts, rejected } = yield* shared.handleAll([command], actor)
    if (Option.isSome(rejected)) return yield* Effect.fail(rejected.value)
    return { recorded: facts.length > 0 }
  },
  (recorded, { request_id, session_id }) =>
    Effect.catchTag(
      Effect.scoped(recorded),
      "CommandRefused",
      () => new PackNotFound({ session_id, request_id })
    )
)
