/**
 * Asks the providers in order until one answers well enough. Ends in a status, never in a failure.
 */
import { Clock, Context, DateTime, Duration, Effect, Layer } from "effect"
import type { ProviderName, SearchAttempt, SearchHit } from "../domain/search/SearchHit.ts"
import { isAnswered, type SearchStatus } from "../domain/search/SearchStatus.ts"
import { Limits } from "./ports/Limits.ts"
import {
  type SearchAnswer,
  SearchFailed,
  type SearchProvider,
  SearchProviders,
  type SearchRequest
} from "./ports/SearchProvider.ts"

/** An attempt with less time than this is not made. */
const attemptMsMin = 200

export interface Searched {
  readonly status: SearchStatus
  readonly detail?: string
  /** In the order they were made. Empty when there was no time for any. */
  readonly attempts: ReadonlyArray<SearchAttempt>
  /** Every address once, best first; scarce answers of several providers are kept together. */
  readonly hits: ReadonlyArray<SearchHit>
  /** The provider whose answer ended the search. */
  readonly tool_used?: ProviderName
  readonly fallback_used: boolean
  readonly duration_ms: number
}

interface Attempted {
  readonly attempt: SearchAttempt
  readonly hits: ReadonlyArray<SearchHit>
}

export class SearchWeb extends Context.Service<SearchWeb, {
  /** What the longest search takes: every provider asked in turn, each until its time is up. */
  readonly durationMsMax: number
  /** Done within `leftMs` and `durationMsMax`; sockets still open then are closed. */
  readonly search: (request: SearchRequest, leftMs: number) => Effect.Effect<Searched>
}>()("web-grounding/application/SearchWeb") {}

export const layer = Layer.effect(
  SearchWeb,
  Effect.gen(function*() {
    const providers = yield* SearchProviders
    const { attemptTimeoutMs, hitsScarceMax, scoreMin } = yield* Limits

    const attempt = Effect.fn("SearchWeb.attempt")(
      function*(provider: SearchProvider, request: SearchRequest, timeoutMs: number) {
        const startedAt = yield* DateTime.now
        const outcome = yield* provider.search(request).pipe(
          Effect.timeoutOrElse({
            duration: Duration.millis(timeoutMs),
            orElse: () =>
              Effect.fail(new SearchFailed({ provider: provider.name, status: "timeout" }))
          }),
          Effect.match({ onFailure: failed, onSuccess: answered(scoreMin) })
        )
        const durationMs = (yield* Clock.currentTimeMillis) - startedAt.epochMilliseconds
        yield* Effect.annotateCurrentSpan({
          provider: provider.name,
          status: outcome.fields.status
        })
        return {
          hits: outcome.hits,
          attempt: {
            provider: provider.name,
            ...(provider.keySlot === undefined ? {} : { key_slot: provider.keySlot }),
            ...outcome.fields,
            started_at: DateTime.formatIso(startedAt),
            duration_ms: Math.max(0, durationMs)
          }
        } satisfies Attempted
      }
    )

    const search = Effect.fn("SearchWeb.search")(function*(request: SearchRequest, leftMs: number) {
      const startMs = yield* Clock.currentTimeMillis
      const elapsed = Effect.map(Clock.currentTimeMillis, (nowMs) => Math.max(0, nowMs - startMs))

      const descend: (
        index: number,
        made: ReadonlyArray<Attempted>
      ) => Effect.Effect<ReadonlyArray<Attempted>> = Effect.fnUntraced(function*(index, made) {
        const provider = providers[index]
        const timeoutMs = Math.min(attemptTimeoutMs, leftMs - (yield* elapsed))
        if (provider === undefined || timeoutMs < attemptMsMin) return made
        const latest = yield* attempt(provider, request, timeoutMs)
        const all = [...made, latest]
        const enough = latest.attempt.status === "success" && latest.hits.length > hitsScarceMax
        return enough ? all : yield* descend(index + 1, all)
      })

      const attempted = yield* descend(0, [])
      return summarise(attempted, request.hitsMax, yield* elapsed)
    })

    return SearchWeb.of({ durationMsMax: providers.length * attemptTimeoutMs, search })
  })
)

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

const answered = (scoreMin: number) => ({ credits, hits, upstreamRequestId }: SearchAnswer) => {
  const good = hits.filter(({ score }) => score === undefined || score >= scoreMin)
  const status: SearchStatus = good.length === 0 ? "no_results" : "success"
  return {
    hits: good,
    fields: {
      status,
      hits_count: hits.length,
      ...(credits === undefined ? {} : { credits }),
      ...(upstreamRequestId === undefined ? {} : { upstream_request_id: upstreamRequestId })
    }
  }
}

const summarise = (
  attempted: ReadonlyArray<Attempted>,
  hitsMax: number,
  durationMs: number
): Searched => {
  const attempts = attempted.map(({ attempt }) => attempt)
  const telling = tellingAttempt(attempts)
  return {
    status: telling?.status ?? "timeout",
    ...(telling?.detail === undefined ? {} : { detail: telling.detail }),
    attempts,
    hits: distinct(attempted.flatMap(({ hits }) => hits)).slice(0, hitsMax),
    ...(telling !== undefined && isAnswered(telling.status) ? { tool_used: telling.provider } : {}),
    fallback_used: attempts.findIndex((attempt) => attempt === telling) > 0,
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

const distinct = (hits: ReadonlyArray<SearchHit>): ReadonlyArray<SearchHit> =>
  [
    ...new Map(hits.toReversed().map((hit) => [hit.url, hit])).values()
  ].toReversed()
