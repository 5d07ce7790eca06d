/**
 * Circuit breakers: what keeps failing, or asks not to be asked, is left alone for a while.
 *
 * The one cool-down policy for whatever is asked from outside: search providers and engines. Keys
 * of a provider cool down apart from it, see `KeyPool`.
 */
import { Context, type Effect } from "effect"

/** Meaning of a failure for the one that was asked. */
export type Fault =
  /** Nothing: another request may well be answered. */
  | "none"
  /** It does not work; a few of these in a row open the circuit. */
  | "broken"
  /** It asked to be left alone for so many milliseconds. */
  | { readonly restMs: number }

/**
 * Key of a guarded call, which of its failures count, and its failure while the circuit is open.
 */
export interface GuardOptions<E> {
  /** Names the one that is asked; those of one key cool down together. */
  readonly key: string
  readonly faultOf: (failure: E) => Fault
  /** The failure of what was not asked. */
  readonly resting: E
}

/** Longest cool-down, in milliseconds, even if a server asks for more: its limits may change. */
export const restMsMax = 15 * 60_000

/** Circuit breakers of this process, one for each key. */
export class Breakers extends Context.Service<Breakers, {
  /** Asks, or fails at once with `resting` without asking. */
  readonly guard: <A, E>(
    ask: Effect.Effect<A, E>,
    options: GuardOptions<E>
  ) => Effect.Effect<A, E>
}>()("web-grounding/application/ports/Breakers") {}

/**
 * Circuit breakers that never open, so that whoever is asked is asked each time: for a replay, and
 * for a single probe.
 */
export const none: Breakers["Service"] = { guard: (ask) => ask }
