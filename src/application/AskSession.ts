/** Questions about what a session holds, answered from the log alone. */
import { Effect } from "effect"
import { InvalidInput, PackNotFound, SessionNotFound } from "../contract/PublicFailure.ts"
import * as NextStep from "../domain/session/NextStep.ts"
import * as Outcome from "../domain/session/Outcome.ts"
import * as CoachView from "../domain/view/CoachView.ts"
import { isOpenTo, type ViewAudience } from "../domain/view/ViewSchemas.ts"
import * as SessionLog from "./log/SessionLog.ts"
import * as SessionPages from "./log/SessionPages.ts"
import { EventStore, type StoredEvent, type StreamRef } from "./ports/EventStore.ts"

/** Events read at once for a page: few, as a single one may hold the texts of pages. */
const sliceEventsMax = 16

/** A page of the events after a version, oldest first; erased ones without their data. */
export const page = Effect.fn("AskSession.page")(
  function*(
    ref: StreamRef,
    { after, limit }: { readonly after: number; readonly limit: number }
  ) {
    const store = yield* EventStore
    const events: Array<StoredEvent> = []
    let headVersion = 0
    let erasedAt: string | undefined
    do {
      const wanted = Math.min(sliceEventsMax, limit - events.length)
      const slice = yield* store.read(ref, events.at(-1)?.version ?? after, wanted)
      if (slice.head.version === 0) {
        return yield* new SessionNotFound({ session_id: ref.session_id })
      }
      headVersion = slice.head.version
      erasedAt = slice.head.erasedAt
      events.push(...slice.events)
      if (slice.events.length < wanted) break
    } while (events.length < limit && !SessionPages.isPageFull(events))
    const page = SessionPages.pageOf(ref.session_id, events, headVersion)
    return erasedAt === undefined ? page : { ...page, erased_at: erasedAt }
  }
)

/** The answer to a finished request, the same as it was given then. */
export const outcome = (ref: StreamRef, requestId: string) =>
  Effect.map(finished(ref, requestId), Outcome.outcomeOf)

/** View of a request's pack for the audience; a coach's view of a standard session is refused. */
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
    const step = NextStep.next(session, requestId)
    // An older release did not record the answer itself: it is derived.
    if (step._tag === "Finish" || step._tag === "Conclude") return step.grounding
    return yield* new PackNotFound({ session_id: ref.session_id, request_id: requestId })
  }
)
