/** Keys of the providers as all processes see them. */
import { Context, DateTime, Effect, Layer, Random, Ref } from "effect"
import * as KeyPool from "../../domain/search/KeyPool.ts"
import type { ProviderName, SearchAttempt } from "../../domain/search/SearchStatus.ts"
import { EventStore } from "../ports/EventStore.ts"
import type { Credits, KeyMonth } from "../ports/SearchProvider.ts"
import { stateOf } from "../ports/ServiceState.ts"

const turnMax = 1_000_000

/** Keys belong to the deployment, not to a tenant. */
export const keyStates = stateOf("key", KeyPool.KeyState)

export const keyOf = (provider: ProviderName, slot: number): string => `${provider} ${slot}`

/** Time that an answer waits for the ledger to take a refund; without it the price is kept. */
const correctMsMax = 500

export const corrected = ({ correct }: Credits["Service"], month: KeyMonth, by: number) =>
  by === 0 ? Effect.void : Effect.ignore(Effect.timeout(correct(month, by), correctMsMax))

/** Shared states of a provider's keys: which may be used, are cooling down or disabled. */
export class KeyRing extends Context.Service<KeyRing, {
  /** Slots that may be used now, in the order to try them. All of them when the store is down. */
  readonly usable: (
    provider: ProviderName,
    slots: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyArray<number>>
  /** Status of a search for which no key is usable. */
  readonly restingStatus: (
    provider: ProviderName,
    slots: ReadonlyArray<number>
  ) => Effect.Effect<ReturnType<typeof KeyPool.restingStatus>>
  /** Learns from an attempt. Never fails: the next attempt repeats what the store missed. */
  readonly learn: (attempt: SearchAttempt) => Effect.Effect<void>
  /** Loads the keys at a start, and enables disabled ones: they may have been replaced. */
  readonly loaded: (provider: ProviderName, slots: ReadonlyArray<number>) => Effect.Effect<void>
}>()("web-grounding/application/steps/KeyRing") {}

export const layer = Layer.effect(
  KeyRing,
  Effect.gen(function*() {
    const { now } = yield* EventStore
    const states = yield* keyStates
    /** Keys as last read: an attempt that changes nothing reads nothing. */
    const known = yield* Ref.make<ReadonlyArray<KeyPool.KeyState>>([])
    const at = Effect.map(now, (ms) => DateTime.formatIso(DateTime.makeUnsafe(ms)))

    const read = Effect.map(states.rows(), (rows) => rows.map(({ value }) => value)).pipe(
      Effect.tap((keys) => Ref.set(known, keys))
    )

    const recorded = <E>(change: Effect.Effect<void, E>) =>
      Effect.catchCause(
        change,
        (cause) => Effect.logWarning("a key's state was not recorded", cause)
      )

    const usable = Effect.fn("KeyRing.usable")(
      function*(provider: ProviderName, slots: ReadonlyArray<number>) {
        const keys = (yield* read).filter((key) => key.provider === provider)
        const turn = yield* Random.nextIntBetween(0, turnMax)
        return KeyPool.usable(keys, slots, yield* now, turn)
      },
      (chosen, _, slots) => Effect.orElseSucceed(chosen, () => slots)
    )

    const restingStatus: KeyRing["Service"]["restingStatus"] = (provider, slots) =>
      Effect.map(Ref.get(known), (keys) =>
        KeyPool.restingStatus(
          keys.filter((key) => key.provider === provider && slots.includes(key.key_slot))
        ))

    const learn = Effect.fn("KeyRing.learn")(function*(attempt: SearchAttempt) {
      const { key_slot: slot, provider } = attempt
      if (slot === undefined) return
      const moment = { at: yield* at, jitter: yield* Random.next }
      const next = (key: KeyPool.KeyState | undefined) => KeyPool.afterAttempt(key, attempt, moment)
      const last = (yield* Ref.get(known)).find((key) =>
        key.provider === provider && key.key_slot === slot
      )
      if (next(last) === undefined) return
      const changed = yield* states.change(keyOf(provider, slot), next)
      if (changed !== undefined && changed.state !== "usable") {
        yield* Effect.annotateLogs(Effect.logWarning("a key is not used"), changed)
      }
      yield* read
    }, recorded)

    const loaded = Effect.fn("KeyRing.loaded")(
      function*(provider: ProviderName, slots: ReadonlyArray<number>) {
        const startedAt = yield* at
        for (const slot of slots) {
          yield* states.change(keyOf(provider, slot), (key) => KeyPool.afterStart(key, startedAt))
        }
      },
      recorded
    )

    return KeyRing.of({ usable, restingStatus, learn, loaded })
  })
)
