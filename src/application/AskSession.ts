/** Questions about what a session holds, answered from the log alone. */
import { Effect } from "effect"
import * as NextStep from "../domain/session/NextStep.ts"
import * as Outcome from "../domain/session/Outcome.ts"
import type { StreamRef } from "./ports/EventStore.ts"
import { EventStore } from "./ports/EventStore.ts"
import { PackNotFound, SessionNotFound } from "./PublicFailure.ts"
import * as SessionLog from "./SessionLog.ts"

/** Every event of the session as recorded, oldest first; erased ones without their data. */
export const events = Effect.fn("AskSession.events")(function*(ref: StreamRef) {
  const store = yield* EventStore
  const history = yield* store.read(ref)
  if (history.events.length === 0) {
    return yield* new SessionNotFound({ session_id: ref.session_id })
  }
  return history.events
})

/** The answer to a finished request, the same as it was given then. */
export const outcome = Effect.fn("AskSession.outcome")(
  function*(ref: StreamRef, requestId: string) {
    const { state: session } = yield* SessionLog.load(ref)
    const step = NextStep.next(session, requestId)
    if (step._tag === "Finish") return Outcome.of(step.grounding)
    return yield* new PackNotFound({ session_id: ref.session_id, request_id: requestId })
  }
)
