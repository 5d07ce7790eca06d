/**
 * Asks the providers in order, each with its keys in turn, until one answers well enough.
 *
 * Ends in a status, never in a failure. This is the one place that dials: cool-downs of keys and
 * open circuits are checked here and nowhere else.
 */
import { Clock, Context, DateTime, Effect, Layer, Option, Ref } from "effect"
import * as KeyPool from "../../domain/search/KeyPool.ts"
import {
  isAnswered,
  type ProviderName,
  type SearchAttempt,
  type SearchHit,
  type SearchStatus
} from "../../domain/search/SearchStatus.ts"
import { Limits } from "../ports/Limits.ts"
import {
  type KeySlots,
  type SearchProvider,
  SearchProviders,
  type SearchRequest
} from "../ports/SearchProvider.ts"
import * as AttemptSearch from "./AttemptSearch.ts"
import * as Fallback from "./Fallback.ts"
import { KeyRing } from "./KeyRing.ts"

/** How long after a search's time its last attempt may still be written down. */
const bookkeepingMsMax = 100

/** Result of one search over all providers. */
export interface Searched {
  readonly status: SearchStatus
  readonly detail?: string
  /** Attempts in the order they were made. Empty when there was no time for any. */
  readonly attempts: ReadonlyArray<SearchAttempt>
  /** Every address once, best first; scarce answers of several providers are kept together. */
  readonly hits: ReadonlyArray<SearchHit>
  /** The provider whose answer ended the search. */
  readonly tool_used?: ProviderName
  readonly fallback_used: boolean
  readonly duration_ms: number
}

type Made = ReadonlyArray<AttemptSearch.Attempted>

/** Fallback chain of the search providers and their keys. */
export class SearchWeb extends Context.Service<SearchWeb, {
  /** Milliseconds of the longest search: every key of every provider, each until its time is up. */
  readonly durationMsMax: number
  /** Done within `leftMs` and `durationMsMax`; sockets still open then are closed. */
  readonly search: (request: SearchRequest, leftMs: number) => Effect.Effect<Searched>
}>()("web-grounding/application/steps/SearchWeb") {}

export const layer = Layer.effect(
  SearchWeb,
  Effect.gen(function*() {
    const providers = yield* SearchProviders
    const { attemptTimeoutMs, hitsScarceMax } = yield* Limits
    const attempt = yield* AttemptSearch.make
    const keyRing = yield* KeyRing

    yield* Effect.forEach(providers, (slots) => keyRing.loaded(slots[0].name, numbersOf(slots)), {
      discard: true
    })

    const search = Effect.fn("SearchWeb.search")(function*(request: SearchRequest, leftMs: number) {
      const startMs = yield* Clock.currentTimeMillis
      const elapsed = Effect.map(Clock.currentTimeMillis, (nowMs) => Math.max(0, nowMs - startMs))
      const timeoutMs = Math.min(attemptTimeoutMs, request.attemptTimeoutMs ?? attemptTimeoutMs)
      const finished = yield* Ref.make<Made>([])

      /**
       * Asks with one key after another until one is not refused: another key would be told the
       * same about the query.
       */
      const askKeys = (
        [key, ...others]: ReadonlyArray<SearchProvider>,
        limitMs: number
      ): Effect.Effect<Made> =>
        Effect.gen(function*() {
          if (key === undefined || limitMs < Fallback.attemptMsMin) return []
          const latest = yield* attempt(key, request, Math.min(limitMs, timeoutMs))
          yield* Ref.update(finished, (made) => [...made, latest])
          yield* keyRing.learn(latest.attempt)
          const { detail, duration_ms, status } = latest.attempt
          return KeyPool.isAboutKey(status, detail)
            ? [latest, ...(yield* askKeys(others, limitMs - duration_ms))]
            : [latest]
        })

      const askProvider = (slots: KeySlots, limitMs: number): Effect.Effect<Made> =>
        Effect.flatMap(readyKeys(slots), (keys) =>
          keys.length === 0
            ? Effect.map(resting(slots[0]), (attempted) => [attempted])
            : askKeys(keys, limitMs))

      const asked = Fallback.walk(
        providers,
        // Each key of a provider may take an attempt's time.
        { leftMs, timeoutMs: leftMs },
        askProvider,
        (made) => {
          const latest = made.at(-1)
          // Who was asked for few and gave them all has nothing missing.
          return latest?.attempt.status === "success" &&
            latest.hits.length > Math.min(hitsScarceMax, request.hitsMax - 1)
        }
      )

      // Ledger and key ring may wait for the database: what was answered by then must not be lost.
      const inTime = yield* Effect.timeoutOption(asked, Math.max(0, leftMs) + bookkeepingMsMax)
      const made = Option.isSome(inTime) ? inTime.value.flat() : yield* Ref.get(finished)
      return summarise(made, request.hitsMax, yield* elapsed)
    })

    const readyKeys = (slots: KeySlots): Effect.Effect<ReadonlyArray<SearchProvider>> =>
      slots[0].keySlot === undefined
        ? Effect.succeed(slots)
        : Effect.map(
          keyRing.usable(slots[0].name, numbersOf(slots)),
          (ready) => ready.flatMap((slot) => slots.filter(({ keySlot }) => keySlot === slot))
        )

    const keysCount = providers.reduce((sum, slots) => sum + slots.length, 0)
    return SearchWeb.of({ durationMsMax: keysCount * attemptTimeoutMs, search })
  })
)

const numbersOf = (slots: KeySlots): ReadonlyArray<number> =>
  slots.flatMap(({ keySlot }) => keySlot ?? [])

/** Every key cools down or is disabled: no request is made, and nobody waits for one. */
const resting = ({ name }: SearchProvider): Effect.Effect<AttemptSearch.Attempted> =>
  Effect.map(DateTime.now, (now) => ({
    hits: [],
    attempt: {
      provider: name,
      status: "rate_limited" as const,
      detail: "keys_resting",
      started_at: DateTime.formatIso(now),
      duration_ms: 0,
      hits_count: 0
    }
  }))

const summarise = (made: Made, hitsMax: number, durationMs: number): Searched => {
  const attempts = made.map(({ attempt }) => attempt)
  const telling = tellingAttempt(attempts)
  return {
    status: telling?.status ?? "timeout",
    ...(telling?.detail === undefined ? {} : { detail: telling.detail }),
    attempts,
    hits: distinct(made.flatMap(({ hits }) => hits)).slice(0, hitsMax),
    ...(telling !== undefined && isAnswered(telling.status) ? { tool_used: telling.provider } : {}),
    fallback_used: telling !== undefined && telling.provider !== attempts[0]?.provider,
    duration_ms: durationMs
  }
}

/**
 * The attempt that says how the search went: the last with hits, else the last that searched and
 * found nothing, else the last failure that was more than a missing key.
 */
const tellingAttempt = (attempts: ReadonlyArray<SearchAttempt>): SearchAttempt | undefined =>
  attempts.findLast(({ status }) => status === "success") ??
    attempts.findLast(({ status }) => status === "no_results") ??
    attempts.findLast(({ status }) => status !== "api_key_missing") ??
    attempts.at(-1)

/** The first of each address: providers are asked in the order of preference. */
const distinct = (hits: ReadonlyArray<SearchHit>): ReadonlyArray<SearchHit> =>
  hits.filter(({ url }, index) => hits.findIndex((other) => other.url === url) === index)
