/** Makes one attempt with one key of one provider: bounded, guarded, paid for and recorded. */
import { Clock, DateTime, Duration, Effect, Schedule } from "effect"
import * as Page from "../../domain/page/Page.ts"
import * as KeyPool from "../../domain/search/KeyPool.ts"
import * as SearchFault from "../../domain/search/SearchStatus.ts"
import type {
  CreditsDoubt,
  SearchAttempt,
  SearchHit,
  SearchStatus
} from "../../domain/search/SearchStatus.ts"
import { Breakers } from "../ports/Breakers.ts"
import { Credits, type KeyMonth } from "../ports/Credits.ts"
import { Limits } from "../ports/Limits.ts"
import {
  type SearchAnswer,
  SearchFailed,
  type SearchProvider,
  type SearchRequest
} from "../ports/SearchProvider.ts"
import * as RetryQuota from "./RetryQuota.ts"

/** How long a search waits for the ledger to take a refund; without it the price stands. */
const correctMsMax = 500

const retriesMax = 2
const retryBackoff = Schedule.jittered(Schedule.exponential("50 millis"))

/** An attempt as it is recorded, and the hits that it brought. */
export interface Attempted {
  readonly attempt: SearchAttempt
  readonly hits: ReadonlyArray<SearchHit>
}

type Outcome =
  | { readonly answer: SearchAnswer; readonly doubt?: CreditsDoubt }
  | { readonly failed: SearchFailed }

export const make = Effect.gen(function*() {
  const { guard } = yield* Breakers
  const credits = yield* Credits
  const { scoreMin } = yield* Limits
  const quota = yield* RetryQuota.make

  const ask = (provider: SearchProvider, request: SearchRequest, timeoutMs: number) =>
    guard(
      provider.search(request).pipe(
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
      const { fields, hits } = "answer" in outcome
        ? answered(outcome, scoreMin)
        : failed(outcome.failed)
      yield* Effect.annotateCurrentSpan({
        provider: provider.name,
        status: fields.status,
        hits_count: fields.hits_count
      })
      const attempted: Attempted = {
        hits,
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
  { answer: { credits, hits, upstreamRequestId }, doubt }: Extract<Outcome, { answer: unknown }>,
  scoreMin: number
) => {
  const good = hits.filter(({ score }) => score === undefined || score >= scoreMin)
  const status: SearchStatus = good.length === 0 ? "no_results" : "success"
  return {
    hits: good.map(Page.withClean),
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
