/** Supposes the same of many sessions of a tenant, a page at a time. */
import { Context, Effect, Layer } from "effect"
import type { SessionRange } from "../../contract/SessionRange.ts"
import type { SessionWhatIf, SessionWhatIfs, WhatIf } from "../../contract/WhatIf.ts"
import type { Supposition } from "../../domain/audit/OutcomeChange.ts"
import { EventStore, type EventStoreUnavailable, type StreamSummary } from "../ports/EventStore.ts"
import * as SessionPage from "../replay/SessionRange.ts"
import { WhatIfSession } from "./WhatIfSession.ts"

/** Applies one supposition to a range of sessions and says what would have changed. */
export class WhatIfSessions extends Context.Service<WhatIfSessions, {
  /** Fails when the log cannot be reached, and goes on over sessions that cannot be computed. */
  readonly suppose: (
    tenantId: string,
    range: SessionRange,
    supposition: Supposition
  ) => Effect.Effect<SessionWhatIfs, EventStoreUnavailable>
}>()("web-grounding/application/whatif/WhatIfSessions") {}

export const layer = Layer.effect(
  WhatIfSessions,
  Effect.gen(function*() {
    const store = yield* EventStore
    const { suppose } = yield* WhatIfSession

    const one = (supposition: Supposition) => ({ createdAt, ref, streamId }: StreamSummary) => {
      const about = { session_id: ref.session_id, stream_id: streamId, began_at: createdAt }
      const without = (verdict: SessionWhatIf["verdict"]) => Effect.succeed({ ...about, verdict })
      return suppose(ref, supposition).pipe(
        Effect.map((what_if): SessionWhatIf => ({
          ...about,
          verdict: verdictOf(what_if),
          what_if
        })),
        Effect.catchTags({
          EventErased: () => without("erased"),
          EventUnreadable: () => without("unreadable"),
          LogTampered: () => without("tampered"),
          // The stream was listed a moment ago, and holds nothing any more.
          SessionNotFound: () => without("tampered")
        })
      )
    }

    return WhatIfSessions.of({
      suppose: Effect.fn("WhatIfSessions.suppose")(function*(tenantId, range, supposition) {
        const { streams, ...rest } = yield* SessionPage.page(tenantId, range)
        return { sessions: yield* Effect.forEach(streams, one(supposition)), ...rest }
      }, Effect.provideService(EventStore, store))
    })
  })
)

const verdictOf = ({ requests }: WhatIf): SessionWhatIf["verdict"] => {
  const has = (wanted: WhatIf["requests"][number]["verdict"]) =>
    requests.some(({ verdict }) => verdict === wanted)
  if (has("changed")) return "changed"
  return has("undetermined") ? "undetermined" : "same"
}
