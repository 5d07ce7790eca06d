/** Keys of one provider as all processes see them: their states are facts of the log. */
import { Context, DateTime, Effect, Layer, Option, Random } from "effect"
import * as KeyPool from "../../domain/search/KeyPool.ts"
import { KeyPoolEvent } from "../../domain/search/KeyPoolEvent.ts"
import type { ProviderName, SearchAttempt } from "../../domain/search/SearchStatus.ts"
import * as CommandHandler from "../log/CommandHandler.ts"
import * as EventCodec from "../log/EventCodec.ts"
import * as KnownStreams from "../log/KnownStreams.ts"
import { EventStore, type StreamRef } from "../ports/EventStore.ts"
import { Ids } from "../ports/Ids.ts"

/** Spreads the order in which ready keys are tried. */
const turnMax = 1_000_000

const { catchUp, handle, load } = CommandHandler.make({
  name: "KeyPoolLog",
  decider: KeyPool,
  codec: EventCodec.make(KeyPoolEvent),
  correlationOf: ({ provider }) => `keys-${provider}`
})

/** Keys belong to the deployment, not to a tenant. */
const streamOf = (provider: ProviderName): StreamRef => ({
  tenant_id: "_service",
  session_id: `keys-${provider}`
})

/**
 * Shared states of a provider's keys: which may be used, and which are cooling down or disabled.
 */
export class KeyRing extends Context.Service<KeyRing, {
  /** Slots that may be used now, in the order to try them. All of them when the log is down. */
  readonly usable: (
    provider: ProviderName,
    slots: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyArray<number>>
  /** Learns from an attempt. Never fails: what the log misses, the next attempt tells again. */
  readonly learn: (attempt: SearchAttempt) => Effect.Effect<void>
  /** Loads the keys at a start: what was disabled may have been mended. */
  readonly loaded: (
    provider: ProviderName,
    slots: ReadonlyArray<number>
  ) => Effect.Effect<void>
}>()("web-grounding/application/steps/KeyRing") {}

export const layer = Layer.effect(
  KeyRing,
  Effect.gen(function*() {
    const services = yield* Effect.context<EventStore | Ids>()

    const { now } = yield* EventStore
    const { current, keep, known } = yield* KnownStreams.make({ catchUp, load, streamOf })

    /** Decides on what is known; an append that this is too old for is decided anew. */
    const tell = (provider: ProviderName, command: KeyPool.KeyPoolCommand) =>
      Effect.gen(function*() {
        const loaded = yield* Option.match(yield* known(provider), {
          onNone: () => current(provider),
          onSome: Effect.succeed
        })
        yield* keep(provider, yield* handle(loaded, command, "service"))
      }).pipe(
        Effect.provide(services),
        Effect.catchCause((cause) => Effect.logWarning("a key's state was not recorded", cause))
      )

    const usable = Effect.fn("KeyRing.usable")(
      function*(provider: ProviderName, slots: ReadonlyArray<number>) {
        const { state } = yield* current(provider).pipe(Effect.provide(services))
        const nowMs = yield* now
        const turn = yield* Random.nextIntBetween(0, turnMax)
        return KeyPool.usable(state, slots, nowMs, turn)
      },
      (chosen, _, slots) => Effect.orElseSucceed(chosen, () => slots)
    )

    const learn = Effect.fn("KeyRing.learn")(function*(attempt: SearchAttempt) {
      if (attempt.key_slot === undefined) return
      const of = {
        provider: attempt.provider,
        key_slot: attempt.key_slot,
        at: isoOf(yield* now)
      }
      const { detail, retry_after_ms, status } = attempt
      if (status === "success" || status === "no_results") {
        return yield* tell(attempt.provider, KeyPool.ReportSuccess.make(of))
      }
      if (!KeyPool.isRefusal(status, detail)) return
      yield* tell(
        attempt.provider,
        KeyPool.ReportRefusal.make({
          ...of,
          status,
          ...(detail === undefined ? {} : { detail }),
          ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
          jitter: yield* Random.next
        })
      )
    })

    return KeyRing.of({
      usable,
      learn,
      loaded: (provider, key_slots) =>
        Effect.flatMap(
          now,
          (nowMs) =>
            tell(provider, KeyPool.LoadKeys.make({ provider, key_slots, at: isoOf(nowMs) }))
        )
    })
  })
)

const isoOf = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms))
