/**
 * Asks the providers in order, each with its keys in turn, until one answers well enough. Returns a
 * status, never fails. Cool-downs and open circuits are checked here alone.
 */
import {
  Clock,
  Context,
  DateTime,
  Duration,
  Effect,
  Layer,
  Option,
  Ref,
  Result,
  Schedule
} from "effect"
import * as Page from "../../domain/page/Page.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
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
  type KeySlots,
  providersBy,
  type SearchAnswer,
  SearchFailed,
  type SearchProvider,
  SearchProviders,
  type SearchRequest
} from "../ports/SearchProvider.ts"
import { corrected, KeyRing } from "./KeyRing.ts"
import * as RungWalk from "./RungWalk.ts"

/** Time after a search in which its last attempt may still be recorded. */
const bookkeepingMsMax = 100

export interface Searched {
  readonly status: SearchStatus
  readonly detail?: string
  /** In the order they were made. Empty when there was no time for any. */
  readonly attempts: ReadonlyArray<SearchAttempt>
  /** Every address once, best first; scarce answers of several providers are merged. */
  readonly hits: ReadonlyArray<SearchHit>
  readonly tool_used?: ProviderName
  readonly honoured?: Honoured
  readonly fallback_used: boolean
  readonly duration_ms: number
}

interface SearchOptions {
  readonly leftMs: number
  readonly tenantId: string
  /** Providers to ask after the others. */
  readonly timedOut?: ReadonlySet<ProviderName>
}

type Made = ReadonlyArray<Attempted>

export class SearchWeb extends Context.Service<SearchWeb, {
  /** Milliseconds of the longest search: every key of every provider uses its whole time. */
  readonly durationMsMax: number
  /** Done within `leftMs` and `durationMsMax`; sockets still open then are closed. */
  readonly search: (request: SearchRequest, options: SearchOptions) => Effect.Effect<Searched>
}>()("web-grounding/application/steps/SearchWeb") {}

export const layer = Layer.effect(
  SearchWeb,
  Effect.gen(function*() {
    const providersOf = yield* providersBy
    const { byTenant, everyone } = yield* SearchProviders
    const chains = [everyone, ...byTenant.values()]
    const { attemptTimeoutMs, hitsScarceMax } = yield* Limits
    const attempt = yield* make
    const keyRing = yield* KeyRing

    yield* Effect.forEach(
      new Set(chains.flat()),
      (slots) => keyRing.loaded(slots[0].name, numbersOf(slots)),
      { discard: true }
    )

    const search: SearchWeb["Service"]["search"] = Effect.fn("SearchWeb.search")(function*(
      request,
      { leftMs, tenantId, timedOut = new Set() }
    ) {
      const chain = providersOf(tenantId)
      const isLate = ([{ name }]: KeySlots) => timedOut.has(name)
      const startMs = yield* Clock.currentTimeMillis
      const elapsed = Effect.map(Clock.currentTimeMillis, (nowMs) => Math.max(0, nowMs - startMs))
      const timeoutMs = Math.min(attemptTimeoutMs, request.attemptTimeoutMs ?? attemptTimeoutMs)
      const finished = yield* Ref.make<Made>([])

      /** Tries key after key until one is not refused: about the query all keys answer alike. */
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
        chain.toSorted((left, right) => Number(isLate(left)) - Number(isLate(right))),
        // Each key of a provider may take an attempt's time.
        { leftMs, timeoutMs: leftMs },
        askProvider,
        (made) => {
          const latest = made.at(-1)
          // Returned as many hits as requested: no need to ask the next provider.
          return latest?.attempt.status === "success" &&
            latest.hits.filter((hit) => SitePolicy.isUsable(request, hit)).length >
              Math.min(hitsScarceMax, request.hitsMax - 1)
        }
      )

      // Ledger and key ring may wait for the database: answers so far must not be lost.
      const inTime = yield* Effect.timeoutOption(asked, Math.max(0, leftMs) + bookkeepingMsMax)
      const made = Option.isSome(inTime) ? inTime.value.flat() : yield* Ref.get(finished)
      const summary = summarise(made, request, chain[0]?.[0].name, yield* elapsed)
      // An attempt under way may have been sent, and is paid then.
      return storable(Option.isSome(inTime) ? summary : { ...summary, detail: "interrupted" })
    })

    const readyKeys = (slots: KeySlots): Effect.Effect<ReadonlyArray<SearchProvider>> =>
      slots[0].keySlot === undefined
        ? Effect.succeed(slots)
        : Effect.map(
          keyRing.usable(slots[0].name, numbersOf(slots)),
          (ready) => ready.flatMap((slot) => slots.filter(({ keySlot }) => keySlot === slot))
        )

    const resting = Effect.fnUntraced(function*(slots: KeySlots) {
      const provider = slots[0].name
      const status = yield* keyRing.restingStatus(provider, numbersOf(slots))
      const started_at = DateTime.formatIso(yield* DateTime.now)
      const unmade = { detail: "keys_resting", duration_ms: 0, hits_count: 0 } as const
      const rest: Attempted = { hits: [], attempt: { provider, status, started_at, ...unmade } }
      return rest
    })

    const keysMax = chains.reduce((most, slots) => Math.max(most, slots.flat().length), 0)
    return SearchWeb.of({ durationMsMax: keysMax * attemptTimeoutMs, search })
  })
)

const numbersOf = (slots: KeySlots): ReadonlyArray<number> =>
  slots.flatMap(({ keySlot }) => keySlot ?? [])

const summarise = (
  made: Made,
  request: SearchRequest,
  preferred: ProviderName | undefined,
  durationMs: number
): Searched => {
  const attempts = made.map(({ attempt }) => attempt)
  const hits = SitePolicy.usableFirst(request, distinct(made.flatMap(({ hits }) => hits)))
  const telling = tellingAttempt(attempts)
  const honoured = made.find(({ attempt }) => attempt === telling)?.honoured
  return {
    status: telling?.status ?? "timeout",
    ...asGiven({ detail: telling?.detail }),
    attempts,
    hits: hits.slice(0, request.hitsMax),
    ...(telling !== undefined && isAnswered(telling.status) ? { tool_used: telling.provider } : {}),
    ...asGiven({ honoured }),
    fallback_used: telling !== undefined && (telling.provider !== preferred ||
      !isAnswered(telling.status) && attempts.some(({ provider }) => provider !== preferred)),
    duration_ms: durationMs
  }
}

/** The last attempt with hits, else without any, else the last failure but a missing key. */
const tellingAttempt = (attempts: ReadonlyArray<SearchAttempt>): SearchAttempt | undefined =>
  attempts.findLast(({ status }) => status === "success") ??
    attempts.findLast(({ status }) => status === "no_results") ??
    attempts.findLast(({ status }) => status !== "api_key_missing") ??
    attempts.at(-1)

/** The first of each address. */
const distinct = (hits: ReadonlyArray<SearchHit>): ReadonlyArray<SearchHit> =>
  hits.filter(({ url }, index) => hits.findIndex((other) => other.url === url) === index)

const retriesMax = 2
const retryBackoff = Schedule.jittered(Schedule.exponential("50 millis"))

interface Attempted {
  readonly attempt: SearchAttempt
  readonly hits: ReadonlyArray<SearchHit>
  readonly honoured?: Honoured
}

interface Answered {
  readonly answer: SearchAnswer
  readonly doubt?: CreditsDoubt
}

type Outcome = Result.Result<Answered, SearchFailed>

export const make = Effect.gen(function*() {
  const { guard } = yield* Breakers
  const credits = yield* Credits
  const { scoreMin } = yield* Limits
  const quota = yield* makeRetryQuota

  const ask = (provider: SearchProvider, request: SearchRequest, timeoutMs: number) =>
    guard(
      Effect.suspend(() => provider.search(request)).pipe(
        onBug({ engine: provider.name }, () => failedBy(provider, SearchFault.badBody)),
        // Only a request that provably was not sent is retried: a second one must not be charged.
        Effect.retry({
          times: retriesMax,
          schedule: retryBackoff,
          while: ({ detail }) => detail === "unsent" ? quota.spend(provider.name) : false
        }),
        Effect.timeoutOrElse({
          duration: Duration.millis(timeoutMs),
          orElse: () => new SearchFailed({ provider: provider.name, status: "timeout" })
        }),
        Effect.tap(() => quota.earn(provider.name))
      ),
      {
        key: provider.name,
        faultOf: (failed) => SearchFault.isBroken(failed) ? "broken" as const : "none" as const,
        resting: new SearchFailed({ provider: provider.name, status: "circuit_open" })
      }
    ).pipe(Effect.map((answer): Answered => ({ answer })), Effect.result)

  /** Reserves the price first, and corrects it by the provider's report if that is plausible. */
  const paid = Effect.fnUntraced(
    function*(provider: SearchProvider, request: SearchRequest, timeoutMs: number) {
      const { creditsByDepth, keySlot, name } = provider
      if (keySlot === undefined || creditsByDepth === undefined) {
        return yield* ask(provider, request, timeoutMs)
      }
      const price = creditsByDepth[request.depth]
      const month = yield* credits.reserve(name, keySlot, price)
      if (month === undefined) return unsent(provider, ceilingReached)
      const outcome = believed(yield* ask(provider, request, timeoutMs), price)
      if (Result.isSuccess(outcome) && outcome.success.doubt !== undefined) {
        const { doubt } = outcome.success
        yield* Effect.logWarning("a provider's report of its charge was counted by the price").pipe(
          Effect.annotateLogs({ provider: name, key_slot: keySlot, doubt })
        )
      }
      yield* corrected(credits, month, chargedOf(outcome, price) - price)
      return outcome
    },
    // Without the ledger nothing is bought.
    (outcome, provider) =>
      Effect.catchTag(
        outcome,
        "EventStoreUnavailable",
        () => Effect.succeed(unsent(provider, uncountable))
      )
  )

  return Effect.fn("AttemptSearch.attempt")(
    function*(provider: SearchProvider, request: SearchRequest, timeoutMs: number) {
      const startedAt = yield* DateTime.now
      const outcome = yield* paid(provider, request, timeoutMs)
      const durationMs = (yield* Clock.currentTimeMillis) - startedAt.epochMilliseconds
      const { fields, ...found } = Result.isSuccess(outcome)
        ? answered(outcome.success, scoreMin)
        : failed(outcome.failure)
      yield* Effect.annotateCurrentSpan({
        provider: provider.name,
        status: fields.status,
        hits_count: fields.hits_count
      })
      const attempted: Attempted = {
        ...found,
        attempt: {
          provider: provider.name,
          ...asGiven({ key_slot: provider.keySlot }),
          ...fields,
          started_at: DateTime.formatIso(startedAt),
          duration_ms: Math.max(0, durationMs)
        }
      }
      // An attempt that was held back has no line: the log says when that began.
      if (Result.isFailure(outcome) && SearchFault.wasMade(attempted.attempt)) {
        const about = { ...attempted.attempt, reason: fields.status }
        yield* Effect.annotateLogs(Effect.logWarning("a search was not answered"), about)
      }
      return attempted
    }
  )
})

const failedBy = ({ name }: SearchProvider, fault: SearchFault.SearchFault): SearchFailed =>
  new SearchFailed({ provider: name, ...fault })

const unsent = (provider: SearchProvider, fault: SearchFault.SearchFault): Outcome =>
  Result.fail(failedBy(provider, fault))

const ceilingReached = { status: "quota_exhausted", detail: KeyPool.ownCeiling } as const
const uncountable = { status: "unknown_error", detail: "credits_unknown" } as const

/** The price, where the report is implausible. */
const believed = (outcome: Outcome, price: number): Outcome =>
  Result.map(outcome, ({ answer }) => {
    if (answer.credits === undefined) return { answer }
    const doubt = doubtOf(answer.credits, answer.hits.length > 0 ? price : 0, price)
    return doubt === undefined ? { answer } : { answer: { ...answer, credits: price }, doubt }
  })

const doubtOf = (credits: number, least: number, most: number): CreditsDoubt | undefined => {
  if (!Number.isFinite(credits)) return "not_a_number"
  if (credits > most) return "above_price"
  return credits < least ? "below_price" : undefined
}

/** An answer without a figure, and a failure that may have come after the work, cost the price. */
const chargedOf = (outcome: Outcome, price: number): number => {
  if (Result.isSuccess(outcome)) return outcome.success.answer.credits ?? price
  return SearchFault.mayBeCharged(outcome.failure) ? price : 0
}

const failed = ({ detail, http_status, retry_after_ms, status }: SearchFailed) => ({
  hits: [],
  fields: { status, hits_count: 0, ...asGiven({ detail, http_status, retry_after_ms }) }
})

const answered = (
  { answer: { credits, hits, honoured, upstreamRequestId }, doubt }: Answered,
  scoreMin: number
) => {
  const good = hits.filter(({ score }) => score === undefined || score >= scoreMin)
  const status: SearchStatus = good.length === 0 ? "no_results" : "success"
  return {
    hits: good.map(Page.withClean),
    ...asGiven({ honoured }),
    fields: {
      status,
      hits_count: hits.length,
      // The report of a provider without a ledger is not checked, and may be no number.
      ...(credits === undefined || !Number.isFinite(credits) ? {} : { credits }),
      ...asGiven({ credits_doubt: doubt, upstream_request_id: upstreamRequestId })
    }
  }
}

// Retry quota per provider, filled by successes: an outage soon empties it.

/** Quota as in the AWS SDKs: five retries, then one for every fourteen successes. */
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
    spend: (provider: ProviderName) => add(provider, -retryTokens),
    earn: (provider: ProviderName) => add(provider, successTokens)
  }
})
