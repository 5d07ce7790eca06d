/**
 * Asks the providers in order, each with its keys in turn, until one answers well enough.
 *
 * Ends in a status, never in a failure. This is the one place that dials: cool-downs of keys and
 * open circuits are checked here and nowhere else.
 */
import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Ref, Schedule } from "effect"
import * as Page from "../../domain/page/Page.ts"
import * as KeyPool from "../../domain/search/KeyPool.ts"
import * as SearchFault from "../../domain/search/SearchStatus.ts"
import {
  type CreditsDoubt,
  type Honoured,
  isAnswered,
  type ProviderName,
  type SearchAttempt,
  type SearchHit,
  type SearchStatus
} from "../../domain/search/SearchStatus.ts"
import * as SitePolicy from "../../domain/search/SitePolicy.ts"
import { onBug, storable } from "../ports/Engines.ts"
import { Limits } from "../ports/Limits.ts"
import {
  Breakers,
  Credits,
  type KeyMonth,
  type KeySlots,
  type SearchAnswer,
  SearchFailed,
  type SearchProvider,
  SearchProviders,
  type SearchRequest
} from "../ports/SearchProvider.ts"
import { KeyRing } from "./KeyRing.ts"
import * as RungWalk from "./RungWalk.ts"

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
  readonly honoured?: Honoured
  readonly fallback_used: boolean
  readonly duration_ms: number
}

type Made = ReadonlyArray<Attempted>

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
    const attempt = yield* make
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
          if (key === undefined || limitMs < RungWalk.attemptMsMin) return []
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
            ? Effect.map(resting(slots), (attempted) => [attempted])
            : askKeys(keys, limitMs))

      const asked = RungWalk.walkCandidates(
        providers,
        // Each key of a provider may take an attempt's time.
        { leftMs, timeoutMs: leftMs },
        askProvider,
        (made) => {
          const latest = made.at(-1)
          // Who was asked for few and gave them all has nothing missing.
          return latest?.attempt.status === "success" &&
            latest.hits.filter((hit) => SitePolicy.isUsable(request, hit)).length >
              Math.min(hitsScarceMax, request.hitsMax - 1)
        }
      )

      // Ledger and key ring may wait for the database: what was answered by then must not be lost.
      const inTime = yield* Effect.timeoutOption(asked, Math.max(0, leftMs) + bookkeepingMsMax)
      const made = Option.isSome(inTime) ? inTime.value.flat() : yield* Ref.get(finished)
      return storable(summarise(made, request, yield* elapsed))
    })

    const readyKeys = (slots: KeySlots): Effect.Effect<ReadonlyArray<SearchProvider>> =>
      slots[0].keySlot === undefined
        ? Effect.succeed(slots)
        : Effect.map(
          keyRing.usable(slots[0].name, numbersOf(slots)),
          (ready) => ready.flatMap((slot) => slots.filter(({ keySlot }) => keySlot === slot))
        )

    /** Every key cools down or was refused: no request is made, and none is waited for. */
    const resting = Effect.fnUntraced(function*(slots: KeySlots) {
      const { name } = slots[0]
      const areRefused = yield* keyRing.areRefused(name, numbersOf(slots))
      const attempted: Attempted = {
        hits: [],
        attempt: {
          provider: name,
          status: areRefused ? "invalid_key" : "rate_limited",
          detail: "keys_resting",
          started_at: DateTime.formatIso(yield* DateTime.now),
          duration_ms: 0,
          hits_count: 0
        }
      }
      return attempted
    })

    const keysCount = providers.reduce((sum, slots) => sum + slots.length, 0)
    return SearchWeb.of({ durationMsMax: keysCount * attemptTimeoutMs, search })
  })
)

const numbersOf = (slots: KeySlots): ReadonlyArray<number> =>
  slots.flatMap(({ keySlot }) => keySlot ?? [])

const summarise = (made: Made, request: SearchRequest, durationMs: number): Searched => {
  const attempts = made.map(({ attempt }) => attempt)
  const hits = SitePolicy.usableFirst(request, distinct(made.flatMap(({ hits }) => hits)))
  const telling = tellingAttempt(attempts)
  const honoured = made.find(({ attempt }) => attempt === telling)?.honoured
  return {
    status: telling?.status ?? "timeout",
    ...(telling?.detail === undefined ? {} : { detail: telling.detail }),
    attempts,
    hits: hits.slice(0, request.hitsMax),
    ...(telling !== undefined && isAnswered(telling.status) ? { tool_used: telling.provider } : {}),
    ...(honoured === undefined ? {} : { honoured }),
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

// Makes one attempt with one key of one provider: bounded, guarded, paid for and recorded.

/** How long a search waits for the ledger to take a refund; without it the price stands. */
const correctMsMax = 500

const retriesMax = 2
const retryBackoff = Schedule.jittered(Schedule.exponential("50 millis"))

/** An attempt as it is recorded, and the hits that it brought. */
interface Attempted {
  readonly attempt: SearchAttempt
  readonly hits: ReadonlyArray<SearchHit>
  readonly honoured?: Honoured
}

type Outcome =
  | { readonly answer: SearchAnswer; readonly doubt?: CreditsDoubt }
  | { readonly failed: SearchFailed }

export const make = Effect.gen(function*() {
  const { guard } = yield* Breakers
  const credits = yield* Credits
  const { scoreMin } = yield* Limits
  const quota = yield* makeRetryQuota

  const ask = (provider: SearchProvider, request: SearchRequest, timeoutMs: number) =>
    guard(
      Effect.suspend(() => provider.search(request)).pipe(
        onBug(
          { engine: provider.name },
          () => Effect.fail(new SearchFailed({ provider: provider.name, ...SearchFault.badBody }))
        ),
        // Only what provably never left is tried again: a second try must not be charged twice.
        Effect.retry({
          times: retriesMax,
          schedule: retryBackoff,
          while: ({ detail }) => detail === "unsent" ? quota.spend(provider.name) : false
        }),
        Effect.timeoutOrElse({
          duration: Duration.millis(timeoutMs),
          orElse: () =>
            Effect.fail(new SearchFailed({ provider: provider.name, status: "timeout" }))
        }),
        Effect.tap(() => quota.earn(provider.name))
      ),
      {
        key: provider.name,
        faultOf: (failed) => SearchFault.isBroken(failed) ? "broken" as const : "none" as const,
        resting: new SearchFailed({ provider: provider.name, status: "circuit_open" })
      }
    ).pipe(Effect.match({
      onFailure: (failed): Outcome => ({ failed }),
      onSuccess: (answer): Outcome => ({ answer })
    }))

  /** Takes the price first, and corrects it by what the provider reports where that can be true. */
  const paid = Effect.fnUntraced(
    function*(provider: SearchProvider, request: SearchRequest, timeoutMs: number) {
      const { creditsByDepth, keySlot, name } = provider
      if (keySlot === undefined || creditsByDepth === undefined) {
        return yield* ask(provider, request, timeoutMs)
      }
      const price = creditsByDepth[request.depth]
      const month = yield* credits.reserve(name, keySlot, price)
      if (month === undefined) return ceilingReached(provider)
      const outcome = believed(yield* ask(provider, request, timeoutMs), price)
      if ("answer" in outcome && outcome.doubt !== undefined) {
        yield* Effect.logWarning("a provider's report of its charge was counted by the price").pipe(
          Effect.annotateLogs({ provider: name, key_slot: keySlot, doubt: outcome.doubt })
        )
      }
      yield* correct(month, chargedOf(outcome, price) - price)
      return outcome
    },
    // Nothing is bought that cannot be counted.
    (outcome, provider) =>
      Effect.catchTag(outcome, "EventStoreUnavailable", () => Effect.succeed(uncountable(provider)))
  )

  const correct = (month: KeyMonth, by: number) =>
    by === 0 ? Effect.void : Effect.ignore(Effect.timeout(credits.correct(month, by), correctMsMax))

  return Effect.fn("AttemptSearch.attempt")(
    function*(provider: SearchProvider, request: SearchRequest, timeoutMs: number) {
      const startedAt = yield* DateTime.now
      const outcome = yield* paid(provider, request, timeoutMs)
      const durationMs = (yield* Clock.currentTimeMillis) - startedAt.epochMilliseconds
      const { fields, ...found } = "answer" in outcome
        ? answered(outcome, scoreMin)
        : failed(outcome.failed)
      yield* Effect.annotateCurrentSpan({
        provider: provider.name,
        status: fields.status,
        hits_count: fields.hits_count
      })
      const attempted: Attempted = {
        ...found,
        attempt: {
          provider: provider.name,
          ...(provider.keySlot === undefined ? {} : { key_slot: provider.keySlot }),
          ...fields,
          started_at: DateTime.formatIso(startedAt),
          duration_ms: Math.max(0, durationMs)
        }
      }
      return attempted
    }
  )
})

const ceilingReached = ({ name }: SearchProvider): Outcome => ({
  failed: new SearchFailed({
    provider: name,
    status: "quota_exhausted",
    detail: KeyPool.ownCeiling
  })
})

const uncountable = ({ name }: SearchProvider): Outcome => ({
  failed: new SearchFailed({ provider: name, status: "unknown_error", detail: "credits_unknown" })
})

/** The price in the place of a report that cannot be true. */
const believed = (outcome: Outcome, price: number): Outcome => {
  if (!("answer" in outcome) || outcome.answer.credits === undefined) return outcome
  const { answer } = outcome
  const doubt = doubtOf(outcome.answer.credits, answer.hits.length > 0 ? price : 0, price)
  return doubt === undefined ? outcome : { answer: { ...answer, credits: price }, doubt }
}

const doubtOf = (credits: number, least: number, most: number): CreditsDoubt | undefined => {
  if (!Number.isFinite(credits)) return "not_a_number"
  if (credits > most) return "above_price"
  return credits < least ? "below_price" : undefined
}

/** An answer without a figure, and a failure that may have come after the work, cost the price. */
const chargedOf = (outcome: Outcome, price: number): number => {
  if ("answer" in outcome) return outcome.answer.credits ?? price
  return SearchFault.mayBeCharged(outcome.failed) ? price : 0
}

const failed = ({ detail, http_status, retry_after_ms, status }: SearchFailed) => ({
  hits: [],
  fields: {
    status,
    hits_count: 0,
    ...(detail === undefined ? {} : { detail }),
    ...(http_status === undefined ? {} : { http_status }),
    ...(retry_after_ms === undefined ? {} : { retry_after_ms })
  }
})

const answered = (
  { answer: { credits, hits, honoured, upstreamRequestId }, doubt }: Extract<
    Outcome,
    { answer: unknown }
  >,
  scoreMin: number
) => {
  const good = hits.filter(({ score }) => score === undefined || score >= scoreMin)
  const status: SearchStatus = good.length === 0 ? "no_results" : "success"
  return {
    hits: good.map(Page.withClean),
    ...(honoured === undefined ? {} : { honoured }),
    fields: {
      status,
      hits_count: hits.length,
      // Of who counts nothing here the report is not checked, and may be no number.
      ...(credits === undefined || !Number.isFinite(credits) ? {} : { credits }),
      ...(doubt === undefined ? {} : { credits_doubt: doubt }),
      ...(upstreamRequestId === undefined ? {} : { upstream_request_id: upstreamRequestId })
    }
  }
}

// How often a provider may be asked again: retries are paid from a purse that successes fill.
// While all is well a retry costs little; while a provider is down the purse is soon empty, so
// that retries add at most a few per cent to the load.

/**
 * Tokens of the retry quota, as in the AWS SDKs: five retries, then one for every fourteen
 * successes.
 */
const tokensMax = 70
const retryTokens = 14
const successTokens = 1

const makeRetryQuota = Effect.gen(function*() {
  const purses = yield* Ref.make<ReadonlyMap<ProviderName, number>>(new Map())

  const add = (provider: ProviderName, tokens: number) =>
    Ref.modify(purses, (before) => {
      const left = (before.get(provider) ?? tokensMax) + tokens
      if (left < 0) return [false, before]
      return [true, new Map(before).set(provider, Math.min(tokensMax, left))]
    })

  return {
    /** Whether the retry may be made; if so it is paid. */
    spend: (provider: ProviderName): Effect.Effect<boolean> => add(provider, -retryTokens),
    earn: (provider: ProviderName): Effect.Effect<void> =>
      Effect.asVoid(add(provider, successTokens))
  }
})
