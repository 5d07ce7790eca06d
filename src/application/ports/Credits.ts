/** Ledger of what providers charge, by key and calendar month, and a ceiling that holds. */
import { Context, type Effect } from "effect"
import type { ProviderName } from "../../domain/search/SearchStatus.ts"
import type { EventStoreUnavailable } from "./EventStore.ts"
import type { SearchFailed } from "./SearchProvider.ts"

/**
 * Credits a month for each key of a provider, the same for all or slot by slot. A provider or slot
 * that is not named has no ceiling.
 */
export type CreditCeilings = Readonly<
  Partial<Record<ProviderName, number | ReadonlyMap<number, number>>>
>

/** Monthly ceiling of a key, in credits; `undefined` when there is none. */
export const ceilingOf = (
  ceilings: CreditCeilings,
  provider: ProviderName,
  keySlot: number
): number | undefined => {
  const ceiling = ceilings[provider]
  return typeof ceiling === "object" ? ceiling.get(keySlot) : ceiling
}

/** A key's calendar month, the unit that a ceiling is set for. */
export interface KeyMonth {
  readonly provider: ProviderName
  readonly keySlot: number
  /** `YYYY-MM` in UTC, by the clock of the ledger. */
  readonly month: string
}

/**
 * Ledger of credits in the providers' own units. Reserving comes before the call, correcting after
 * it.
 */
export class Credits extends Context.Service<Credits, {
  /**
   * Takes `credits` out of the key's month, or nothing when the ceiling would be passed. Holds
   * under any number of processes. `undefined`: refused.
   */
  readonly reserve: (
    provider: ProviderName,
    keySlot: number,
    credits: number
  ) => Effect.Effect<KeyMonth | undefined, EventStoreUnavailable>
  /** Corrects what was reserved by what was charged; negative gives back. */
  readonly correct: (month: KeyMonth, credits: number) => Effect.Effect<void, EventStoreUnavailable>
}>()("web-grounding/application/ports/Credits") {}

/** Credits that one key has used in one month. */
export interface SpentInMonth extends Pick<KeyMonth, "month"> {
  /** Reserved and charged; 0 for a key that was not used in it. */
  readonly credits: number
}

/** Reads the ledger, to compare it with the provider's own count. */
export class CreditsSpent extends Context.Service<CreditsSpent, {
  /** Credits spent in the current month. */
  readonly spent: (
    provider: ProviderName,
    keySlot: number
  ) => Effect.Effect<SpentInMonth, EventStoreUnavailable>
}>()("web-grounding/application/ports/CreditsSpent") {}

/** A provider's own count of what a key has used in the month. */
export interface CreditReport {
  /** Credits since the provider's month began. Not negative. */
  readonly used: number
  /** Credits that the key may use in the month; absent where the provider names no limit. */
  readonly limit?: number
}

/** Asks a provider what it has counted for one key. */
export interface CreditReporter {
  readonly provider: ProviderName
  readonly keySlot: number
  /** Asks the provider in one request, which costs no credit. Interrupting it closes the socket. */
  readonly report: Effect.Effect<CreditReport, SearchFailed>
}

/**
 * The reporters, one for each key whose provider counts credits for us; empty without such a key.
 */
export class CreditReporters
  extends Context.Service<CreditReporters, ReadonlyArray<CreditReporter>>()(
    "web-grounding/application/ports/CreditReporters"
  )
{}
