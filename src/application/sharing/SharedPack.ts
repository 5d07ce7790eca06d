/**
 * Shares answers between a run and other sessions: those it is given, makes for others, and leaves
 * to them.
 */
import { DateTime, Effect, Ref } from "effect"
import type { Grounding } from "../../domain/session/Grounding.ts"
import * as PackSharing from "../../domain/session/PackSharing.ts"
import { type SessionCommand, tellFact } from "../../domain/session/Session.ts"
import { CachedPackUsed, Finished } from "../../domain/session/SessionEvent.ts"
import type { Fact } from "../log/SessionLog.ts"
import { SharePacks, sourceOf } from "./SharePacks.ts"
import type { Lead } from "./SingleFlight.ts"

/** Sharing for one run of one tenant, with at most one lead at a time. */
export const make = Effect.fnUntraced(function*(tenantId: string) {
  const share = yield* SharePacks
  const leading = yield* Ref.make<Lead | undefined>(undefined)
  /** Grounding whose answer this run concludes. */
  const concluded = yield* Ref.make<Grounding | undefined>(undefined)

  /** Gives back a lead that led to no answer for others. */
  const close = Effect.uninterruptible(
    Effect.flatMap(
      Ref.getAndSet(leading, undefined),
      (lead) => lead === undefined ? Effect.void : share.end(lead)
    )
  )

  /** `left`: milliseconds that the run has left. `undefined`: the need is its own to answer. */
  const open = Effect.fn("SharedPack.open")(
    function*(grounding: Grounding, left: Effect.Effect<number>) {
      yield* close
      const turn = yield* Effect.uninterruptible(
        // A lead must be noted before anything can end this run, or nobody would give it back.
        Effect.tap(
          Effect.flatMap(
            left,
            (leftMs) => share.turn(tenantId, grounding, leftMs)
          ),
          (turn) => turn._tag === "Leads" ? Ref.set(leading, turn.lead) : Effect.void
        )
      )
      if (turn._tag !== "Ready") return undefined
      const { ageMs, pack: { answer, event_id, made_at_ms, stream_id } } = turn.ready
      return CachedPackUsed.make({
        request_id: grounding.request.request_id,
        source_stream_id: stream_id,
        source_event_id: event_id,
        made_at: DateTime.formatIso(DateTime.makeUnsafe(made_at_ms)),
        age_ms: ageMs,
        answer
      })
    }
  )

  /** The answer with what it is known by, where others may be given it. */
  const marked = (grounding: Grounding, command: SessionCommand | undefined) =>
    Effect.gen(function*() {
      if (command?._tag !== "TellFact" || command.fact._tag !== "WEB_GROUNDING_FINISHED") {
        return command
      }
      yield* Ref.set(concluded, grounding)
      const cache = share.cacheOf(tenantId, grounding, command.fact)
      return cache === undefined ? command : tellFact(Finished.make({ ...command.fact, cache }))
    })

  /** Keeps a recorded answer for others, and lets the next caller go where there will be none. */
  const recorded = Effect.fnUntraced(function*(facts: ReadonlyArray<Fact>) {
    for (const { event, stored } of facts) {
      if (event._tag === "WEB_GROUNDING_DECIDED" && !event.need.need_search) yield* close
      if (event._tag !== "WEB_GROUNDING_FINISHED") continue
      const grounding = yield* Ref.get(concluded)
      const pack = grounding === undefined
        ? undefined
        : PackSharing.packOf(event, sourceOf(grounding, stored))
      if (event.cache !== undefined && pack !== undefined) {
        yield* share.keep(tenantId, event.cache.key, pack)
      }
      yield* close
    }
  })

  return { open, marked, recorded, close }
})
