/** Replays many sessions of a tenant, a page at a time, and says of each how it went. */
import { Context, Effect, Layer } from "effect"
import type { Replayed, SessionVerdict, SessionVerdicts } from "../../contract/Replayed.ts"
import type { SessionRange } from "../../contract/SessionRange.ts"
import {
  EventStore,
  type EventStoreUnavailable,
  type LogTampered,
  type StreamSummary
} from "../ports/EventStore.ts"
import { ReplaySession } from "./ReplaySession.ts"
import * as SessionPage from "./SessionRange.ts"

/** Replays a range of sessions and gives a verdict on each. */
export class ReplaySessions extends Context.Service<ReplaySessions, {
  /** Fails when the log cannot be reached, and goes on over sessions that cannot be replayed. */
  readonly replay: (
    tenantId: string,
    range: SessionRange
  ) => Effect.Effect<SessionVerdicts, EventStoreUnavailable>
}>()("web-grounding/application/replay/ReplaySessions") {}

export const layer = Layer.effect(
  ReplaySessions,
  Effect.gen(function*() {
    const store = yield* EventStore
    const { replay } = yield* ReplaySession

    const one = ({ createdAt, ref, streamId }: StreamSummary) => {
      const about = { session_id: ref.session_id, stream_id: streamId, began_at: createdAt }
      const without = (verdict: SessionVerdict["verdict"]) => Effect.succeed({ ...about, verdict })
      return replay(ref).pipe(
        Effect.map((replayed): SessionVerdict => ({
          ...about,
          verdict: verdictOf(replayed),
          replayed
        })),
        Effect.catchTags({
          EventErased: () => without("erased"),
          EventUnreadable: () => without("unreadable"),
          // Replay reads on; whoever still refuses has not let it see the events.
          LogTampered: (_: LogTampered) => without("different"),
          // The stream was listed a moment ago, and holds nothing any more.
          SessionNotFound: () => without("different")
        })
      )
    }

    return ReplaySessions.of({
      replay: Effect.fn("ReplaySessions.replay")(function*(tenantId, range) {
        const { streams, ...rest } = yield* SessionPage.page(tenantId, range)
        return { sessions: yield* Effect.forEach(streams, one), ...rest }
      }, Effect.provideService(EventStore, store))
    })
  })
)

const verdictOf = (
  { chain_fault, difference, other_rules }: Replayed
): SessionVerdict["verdict"] => {
  if (chain_fault !== undefined || difference !== undefined) return "different"
  return other_rules === undefined ? "identical" : "other_rules"
}
