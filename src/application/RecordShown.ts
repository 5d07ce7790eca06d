/** Records that a caller showed a pack to somebody. */
import { DateTime, Effect, Option } from "effect"
import { PackNotFound } from "../contract/PublicFailure.ts"
import { tellFact } from "../domain/session/Session.ts"
import { ShownToUser } from "../domain/session/SessionEvent.ts"
import type { Caller } from "./GroundQuestion.ts"
import { SessionTurns } from "./sharing/SessionTurns.ts"

export type Audience = (typeof ShownToUser.Type)["audience"]

/** Shown twice to the same audience is recorded once. */
export const recordShown = Effect.fn("RecordShown.recordShown")(
  function*(
    shown: {
      readonly session_id: string
      readonly request_id: string
      readonly audience: Audience
    },
    { actor, tenantId }: Caller
  ) {
    const { audience, request_id, session_id } = shown
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
      () => Effect.fail(new PackNotFound({ session_id, request_id }))
    )
)
