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
import type {
  EventStore,
  EventStoreUnavailable,
  LogTampered,
  StreamRef
} from "../ports/EventStore.ts"
import { SessionNotFound } from "../PublicFailure.ts"
import * as SessionLog from "../SessionLog.ts"
import * as VerifiedLog from "../VerifiedLog.ts"
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
  /** Taken from the record: they rest on page texts that the log was not allowed to keep. */
  not_recomputed: Schema.Int,
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
  | LogTampered

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
    // Replay names what was changed itself, so it must see it.
    const { facts, head } = yield* Effect.provideService(
      SessionLog.facts(ref),
      VerifiedLog.WhenTampered,
      "read on"
    )
    if (facts.length === 0) return yield* new SessionNotFound({ session_id: ref.session_id })
    const verified = HashChain.verify(yield* Digest, head, facts.map(({ stored }) => stored))
    const comparison = yield* compareAll(facts, { session: Session.initial, notRecomputed: 0 })
    return {
      session_id: ref.session_id,
      stream_id: head.streamId,
      events: facts.length,
      requests: new Set(facts.map(({ event }) => event.request_id)).size,
      not_recomputed: comparison.notRecomputed,
      chain_fault: Result.isFailure(verified) ? verified.failure : undefined,
      difference: comparison.difference
    } satisfies Replayed
  },
  // Engines that failed then fail again now; that is no news.
  Effect.provideService(References.MinimumLogLevel, "None")
)

type Found = typeof ReplayDifference.Type | undefined

interface Compared {
  readonly notRecomputed: number
  readonly difference?: Found
}

/** Up to the first difference. */
const compareAll = (
  facts: ReadonlyArray<SessionLog.Fact>,
  { notRecomputed, session }: {
    readonly session: Session.Session
    readonly notRecomputed: number
  }
): Effect.Effect<Compared, never, RecomputeStep.Needs> =>
  Effect.suspend(() => {
    const [fact, ...rest] = facts
    if (fact === undefined) return Effect.succeed({ notRecomputed })
    const step = NextStep.next(session, fact.event.request_id)
    const isTaken = RecomputeStep.isUnseen(step) &&
      fact.event._tag !== "WEB_GROUNDING_EVIDENCE_READ"
    const counted = notRecomputed + (isTaken ? 1 : 0)
    return Effect.flatMap(compare(fact, session, step), (difference) =>
      difference === undefined
        ? compareAll(rest, {
          session: Session.evolve(session, fact.event),
          notRecomputed: counted
        })
        : Effect.succeed({ difference, notRecomputed: counted }))
  })

const compare = Effect.fnUntraced(
  function*(
    { event, stored }: SessionLog.Fact,
    session: Session.Session,
    step: NextStep.NextStep
  ) {
    const at = { version: stored.version, type: stored.type }
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
