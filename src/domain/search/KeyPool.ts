/**
 * Decider of one provider's keys: which may be used, and how long a refused one cools down.
 *
 * A key is usable, cooling down or disabled. A rate limit or a spent quota cools it down; an
 * invalid key, or one that is forbidden twice, stays disabled until a process starts with it again.
 * Time and chance come in with the command, so that the same facts always give the same state.
 *
 * ```ts
 * import { DateTime, Result } from "effect"
 * import { fold } from "../Decider.ts"
 * import * as KeyPool from "./KeyPool.ts"
 *
 * const at = "2026-01-15T12:00:00.000Z"
 * const limited = KeyPool.ReportRefusal.make({
 *   provider: "tavily",
 *   key_slot: 1,
 *   at,
 *   status: "rate_limited",
 *   jitter: 0
 * })
 * const pool = fold(KeyPool, Result.getOrThrow(KeyPool.decide(limited, KeyPool.initial)))
 * const nowMs = DateTime.makeUnsafe(at).epochMilliseconds
 * KeyPool.usable(pool, [1, 2], nowMs, 0) // => [2]
 * KeyPool.usable(pool, [1, 2], nowMs + KeyPool.coolDownMsMin, 0) // => [1, 2]
 * ```
 */
import { DateTime, Result, Schema } from "effect"
import {
  KeyCooledDown,
  KeyDisabled,
  KeyPoolEvent,
  KeyRecovered,
  KeysLoaded
} from "./KeyPoolEvent.ts"
import { ProviderName, type SearchDetail, SearchStatus } from "./SearchStatus.ts"

/** Shortest cool-down of a refused key. */
export const coolDownMsMin = 60_000
/** A rate limit is never believed for longer. */
const rateLimitMsMax = 15 * 60_000
/** The cool-down grows by this factor while an exhausted key goes on refusing. */
const exhaustedFactor = 5
/** Largest share added to a cool-down, so that keys do not all come back at once. */
const jitterShareMax = 0.1
/** Refusals (403) in a row after which a key is taken to lack a right and is disabled. */
const forbiddenStrikesMax = 2

/** Absent from the pool: fresh and usable. */
export interface KeyState {
  /** Milliseconds since the epoch; usable from then on. */
  readonly cooledUntilMs: number
  readonly strikes: number
  readonly disabled: boolean
}

export interface KeyPool {
  /** States of the keys by slot. A slot without an entry is fresh and usable. */
  readonly keys: ReadonlyMap<number, KeyState>
}

const of = { provider: ProviderName, key_slot: Schema.Int, at: Schema.String }

export const LoadKeys = Schema.TaggedStruct("LoadKeys", {
  provider: ProviderName,
  key_slots: Schema.Array(Schema.Int),
  at: Schema.String
})
export const ReportRefusal = Schema.TaggedStruct("ReportRefusal", {
  ...of,
  status: SearchStatus,
  detail: Schema.optionalKey(Schema.String),
  retry_after_ms: Schema.optionalKey(Schema.Int),
  /** 0 to 1, drawn by the caller. */
  jitter: Schema.Finite
})
export const ReportSuccess = Schema.TaggedStruct("ReportSuccess", of)

export const KeyPoolCommand = Schema.Union([LoadKeys, ReportRefusal, ReportSuccess]).pipe(
  Schema.toTaggedUnion("_tag")
)
export type KeyPoolCommand = typeof KeyPoolCommand.Type

export const initial: KeyPool = { keys: new Map() }

const fresh: KeyState = { cooledUntilMs: 0, strikes: 0, disabled: false }

type Decision = Result.Result<ReadonlyArray<KeyPoolEvent>, never>

const nothing: Decision = Result.succeed([])

/**
 * Events that a report about a key adds. Never refused; empty where the report says nothing new.
 */
export const decide = (command: KeyPoolCommand, pool: KeyPool): Decision =>
  KeyPoolCommand.match(command, {
    LoadKeys: ({ _tag, ...facts }) =>
      facts.key_slots.some((slot) => stateOf(pool, slot).disabled)
        ? Result.succeed([KeysLoaded.make(facts)])
        : nothing,
    ReportRefusal: (refusal) => {
      const key = stateOf(pool, refusal.key_slot)
      // A call that was under way when the key began to cool down says nothing new.
      if (key.disabled || key.cooledUntilMs > millis(refusal.at)) return nothing
      return Result.succeed(refused(refusal, key))
    },
    ReportSuccess: ({ _tag, ...facts }) => {
      const key = stateOf(pool, facts.key_slot)
      const tested = key.strikes > 0 && !key.disabled && key.cooledUntilMs <= millis(facts.at)
      return tested ? Result.succeed([KeyRecovered.make(facts)]) : nothing
    }
  })

/** Pool after one more event. */
export const evolve = (pool: KeyPool, event: KeyPoolEvent): KeyPool =>
  KeyPoolEvent.match(event, {
    WEB_GROUNDING_KEYS_LOADED: ({ key_slots }) =>
      key_slots.reduce(
        (before, slot) => put(before, slot, { ...stateOf(before, slot), disabled: false }),
        pool
      ),
    WEB_GROUNDING_KEY_COOLED_DOWN: ({ key_slot, strikes, until }) =>
      put(pool, key_slot, { cooledUntilMs: millis(until), strikes, disabled: false }),
    WEB_GROUNDING_KEY_DISABLED: ({ key_slot }) =>
      put(pool, key_slot, { ...stateOf(pool, key_slot), disabled: true }),
    WEB_GROUNDING_KEY_RECOVERED: ({ key_slot }) => put(pool, key_slot, fresh)
  })

/** Slots that may be used now, in the order to try them: `turn` spreads the load over them. */
export const usable = (
  pool: KeyPool,
  slots: ReadonlyArray<number>,
  nowMs: number,
  turn: number
): ReadonlyArray<number> => {
  const ready = slots.filter((slot) => {
    const key = stateOf(pool, slot)
    return !key.disabled && key.cooledUntilMs <= nowMs
  })
  const first = ready.length === 0 ? 0 : turn % ready.length
  return [...ready.slice(first), ...ready.slice(0, first)]
}

/** Detail of an attempt that was not made: the key's month is spent by our own ceiling. */
export const ownCeiling = "own_ceiling" satisfies SearchDetail
/** Detail of a refusal that is about the key's rights. */
const forbidden = "forbidden" satisfies SearchDetail

/** Whether the provider refused the key, not the query. Our own ceiling is no refusal. */
export const isRefusal = (status: SearchStatus, detail: string | undefined): boolean =>
  detail !== ownCeiling &&
  (status === "invalid_key" || status === "rate_limited" || status === "quota_exhausted" ||
    detail === forbidden)

/** Whether another key may be answered where this one was not. */
export const isAboutKey = (status: SearchStatus, detail: string | undefined): boolean =>
  detail === ownCeiling || isRefusal(status, detail)

const refused = (
  { at, detail, jitter, key_slot, provider, retry_after_ms = 0, status }: typeof ReportRefusal.Type,
  { strikes }: KeyState
): ReadonlyArray<KeyPoolEvent> => {
  const of = { provider, key_slot, at }
  if (status === "invalid_key") return [KeyDisabled.make({ ...of, reason: "invalid_key" })]
  if (detail === forbidden && strikes + 1 >= forbiddenStrikesMax) {
    return [KeyDisabled.make({ ...of, reason: "forbidden" })]
  }
  if (!isRefusal(status, detail)) return []
  const rest = status === "quota_exhausted"
    ? Math.min(
      Math.max(coolDownMsMin * exhaustedFactor ** strikes, retry_after_ms),
      Math.max(coolDownMsMin, monthTurnMs(at) - millis(at))
    )
    : Math.min(Math.max(coolDownMsMin, retry_after_ms), rateLimitMsMax)
  const until = millis(at) + Math.round(rest * (1 + jitter * jitterShareMax))
  return [KeyCooledDown.make({
    ...of,
    status,
    ...(detail === undefined ? {} : { detail }),
    until: DateTime.formatIso(DateTime.makeUnsafe(until)),
    strikes: strikes + 1
  })]
}

const stateOf = ({ keys }: KeyPool, slot: number): KeyState => keys.get(slot) ?? fresh

const put = ({ keys }: KeyPool, slot: number, state: KeyState): KeyPool => ({
  keys: new Map(keys).set(slot, state)
})

const millis = (iso: string): number => DateTime.makeUnsafe(iso).epochMilliseconds

/** Providers count by calendar months in UTC. */
const monthTurnMs = (iso: string): number =>
  DateTime.makeUnsafe(iso).pipe(
    DateTime.startOf("month"),
    DateTime.add({ months: 1 })
  ).epochMilliseconds
