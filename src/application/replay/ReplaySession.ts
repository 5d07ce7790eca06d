/**
 * Recomputes a recorded session with the network unplugged and says where it first differs.
 *
 * Every event must be what `NextStep` calls for on the facts before it, and what the same code
 * derives from the recorded inputs: eligibility, plan, budget, pages, ranking, checks, pack.
 * Answers from outside (providers, models, callers) are taken from the record.
 */
import { Context, Effect, Layer, References, Result, Schema } from "effect"
import * as Difference from "../../domain/audit/Difference.ts"
import * as HashChain from "../../domain/audit/HashChain.ts"
import * as NextStep from "../../domain/session/NextStep.ts"
import * as Session from "../../domain/session/Session.ts"
import type { SessionEvent } from "../../domain/session/SessionEvent.ts"
import type { EventErased, EventUnreadable } from "../EventCodec.ts"
import { Digest } from "../ports/Digest.ts"
import type { EventStore, EventStoreUnavailable, StreamRef } from "../ports/EventStore.ts"
import { SessionNotFound } from "../PublicFailure.ts"
import * as SessionLog from "../SessionLog.ts"
import * as RecomputeStep from "./RecomputeStep.ts"

const JsonOrAbsent = Schema.UndefinedOr(Schema.Json)

/** The first event that is not what the program makes of the facts before it. */
export const ReplayDifference = Schema.Struct({
  /** 1-based place in the session. */
  version: Schema.Int,
  type: Schema.String,
  /** Keys joined by dots; empty: the event as a whole. */
  path: Schema.String,
  recorded: JsonOrAbsent,
  recomputed: JsonOrAbsent
})

export const Replayed = Schema.Struct({
  session_id: Schema.String,
  stream_id: Schema.String,
  events: Schema.Int,
  requests: Schema.Int,
  /** `undefined`: each event's hash follows from its predecessor's. */
  chain_fault: Schema.UndefinedOr(Schema.Struct({ version: Schema.Int, kind: Schema.String })),
  /** `undefined`: identical. */
  difference: Schema.UndefinedOr(ReplayDifference)
})
export type Replayed = typeof Replayed.Type

export type ReplayFailed =
  | SessionNotFound
  | EventErased
  | EventUnreadable
  | EventStoreUnavailable

type Needs = RecomputeStep.Needs | EventStore | Digest

export class ReplaySession extends Context.Service<ReplaySession, {
  readonly replay: (ref: StreamRef) => Effect.Effect<Replayed, ReplayFailed>
}>()("web-grounding/application/replay/ReplaySession") {}

export const layer = Layer.effect(
  ReplaySession,
  Effect.gen(function*() {
    const services = yield* Effect.context<Needs>()
    return ReplaySession.of({
      replay: (ref) => replay(ref).pipe(Effect.provide(services))
    })
  })
)

const replay = Effect.fn("ReplaySession.replay")(
  function*(ref: StreamRef) {
    const { facts, head } = yield* SessionLog.facts(ref)
    if (facts.length === 0) return yield* new SessionNotFound({ session_id: ref.session_id })
    const verified = HashChain.verify(yield* Digest, head, facts.map(({ stored }) => stored))
    return {
      session_id: ref.session_id,
      stream_id: head.streamId,
      events: facts.length,
      requests: new Set(facts.map(({ event }) => event.request_id)).size,
      chain_fault: Result.isFailure(verified) ? verified.failure : undefined,
      difference: yield* firstDifference(facts, Session.initial)
    } satisfies Replayed
  },
  // Engines that failed then fail again now; that is no news.
  Effect.provideService(References.MinimumLogLevel, "None")
)

type Found = typeof ReplayDifference.Type | undefined

const firstDifference = (
  facts: ReadonlyArray<SessionLog.Fact>,
  session: Session.Session
): Effect.Effect<Found, never, RecomputeStep.Needs> =>
  Effect.suspend(() => {
    const [fact, ...rest] = facts
    if (fact === undefined) return Effect.succeed(undefined)
    return Effect.flatMap(compare(fact, session), (found) =>
      found === undefined
        ? firstDifference(rest, Session.evolve(session, fact.event))
        : Effect.succeed(found))
  })

const compare = Effect.fnUntraced(
  function*({ event, stored }: SessionLog.Fact, session: Session.Session) {
    const at = { version: stored.version, type: stored.type }
    const step = NextStep.next(session, event.request_id)
    const recomputed = yield* RecomputeStep.recompute(step, session, event)
    if (recomputed === undefined) {
      return { ...at, path: "", recorded: stored.type, recomputed: step._tag }
    }
    const difference = Difference.first(stored.data ?? undefined, yield* dataOf(recomputed))
    return difference === undefined ? undefined : { ...at, ...difference }
  }
)

const dataOf = (event: SessionEvent) =>
  SessionLog.codec.encode(event, "", { correlation_id: "", causation_id: "", actor: "" }).pipe(
    Effect.map(({ data }) => data)
  )
