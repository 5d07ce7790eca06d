/**
 * A search in two facts: the intent, which reserves budget, then the outcome. The run that recorded
 * the intent makes the call. Others wait until its lease or time is over, then record it as in
 * doubt: spent and not sent again. Its query may be reserved once more.
 */
import { DateTime, Effect, Equal, Ref, Struct } from "effect"
import * as Page from "../../domain/page/Page.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import { freshMsOf, type QueryCacheEntry } from "../../domain/search/QueryCacheEntry.ts"
import {
  isAnswered,
  isPublished,
  type ProviderName,
  type SearchHit
} from "../../domain/search/SearchStatus.ts"
import * as SitePolicy from "../../domain/search/SitePolicy.ts"
import { type Call, type Grounding, isTaken } from "../../domain/session/Grounding.ts"
import { tellFact } from "../../domain/session/Session.ts"
import {
  CacheUsed,
  Called,
  CallStarted,
  SearchStopped,
  type SessionEvent
} from "../../domain/session/SessionEvent.ts"
import type { Fact } from "../log/SessionLog.ts"
import { EventStore } from "../ports/EventStore.ts"
import { Limits } from "../ports/Limits.ts"
import { Ids, Instance } from "../ports/Platform.ts"
import type { SearchRequest } from "../ports/SearchProvider.ts"
import { CoalesceSearch } from "../sharing/CoalesceSearch.ts"
import * as SingleFlight from "../sharing/SingleFlight.ts"
import { TenantLimits } from "../sharing/TenantLimits.ts"
import * as Deadline from "./Deadline.ts"
import { SearchWeb } from "./SearchWeb.ts"
import { needed, type OutsideStep, type StepOf } from "./Step.ts"

/** Time beyond a search's own in which its outcome may be recorded. */
const graceMs = 2_000

const pollEvery = "100 millis"

/**
 * `open` reserves a planned query or answers it from the cache; `settle` sends what this run
 * reserved and waits for calls of others.
 */
export const make = Effect.fnUntraced(function*(tenantId: string) {
  const ids = yield* Ids
  const instance = yield* Instance
  const { now } = yield* EventStore
  const searchWeb = yield* SearchWeb
  const coalesce = yield* CoalesceSearch
  const { takeSearch } = yield* TenantLimits
  const reserved = yield* Ref.make<ReadonlySet<string>>(new Set())
  const { close, leading, noting } = yield* SingleFlight.leadOf(coalesce.release)

  const open = Effect.fn("CallSearch.open")(
    function*(step: StepOf<"Search">, deadline: Deadline.Deadline) {
      // Another run may have taken the search that this run was to make.
      yield* close
      const leftMs = (yield* Deadline.shareMs(deadline, "Search")) - Deadline.startMsMin
      const stop = SearchStopped.make({
        request_id: step.grounding.request.request_id,
        reason: "deadline"
      })
      if (leftMs < 0) return stop
      const request = searchRequestOf(step.grounding, step.query)
      const turn = yield* noting(coalesce.turn(tenantId, request, leftMs))
      if (turn._tag === "Ready") return cached(step, turn.ready.entry, turn.ready.ageMs)
      if (!(yield* takeSearch(tenantId))) return SearchStopped.make({ ...stop, reason: "budget" })
      return yield* reserve(step, deadline)
    }
  )

  const reserve = Effect.fnUntraced(
    function*({ grounding, query, queryIndex }: StepOf<"Search">, deadline: Deadline.Deadline) {
      const call_id = yield* ids.uuid
      yield* Ref.update(reserved, (before) => new Set(before).add(call_id))
      const lead = yield* Ref.get(leading)
      return CallStarted.make({
        request_id: grounding.request.request_id,
        call_id,
        query_index: queryIndex,
        query,
        owner: lead?.held === undefined ? instance.id : `${lead.held.owner} ${lead.key.key}`,
        expires_at: DateTime.formatIso(DateTime.makeUnsafe(yield* endOfSearch(deadline)))
      })
    }
  )

  /** A run that waits for another's call waits no longer than the search itself may take. */
  const endOfSearch = Effect.fnUntraced(function*(deadline: Deadline.Deadline) {
    const leftMs = yield* Deadline.shareMs(deadline, "Search")
    return (yield* now) + Math.min(Math.floor(leftMs), searchWeb.durationMsMax)
  })

  const isOwn = (call: Call): Effect.Effect<boolean> =>
    Effect.map(Ref.get(reserved), (own) => own.has(call.call_id))

  const send = Effect.fn("CallSearch.send")(
    function*({ call, grounding }: StepOf<"AwaitCall">, deadline: Deadline.Deadline) {
      const request = searchRequestOf(grounding, call.query)
      // After that, other runs take the call for dead.
      const expiresInMs = millisOf(call.expires_at) - (yield* now)
      const shareMs = yield* Deadline.shareMs(deadline, "Search")
      const searched = yield* searchWeb.search(request, {
        leftMs: Math.max(0, Math.min(expiresInMs, shareMs)),
        tenantId,
        timedOut: timedOutIn(grounding)
      })
      const lead = yield* Ref.get(leading)
      const { status } = searched
      const called = { ...identityOf(call), ...searched, ...usable(grounding, searched.hits) }
      if (isAnswered(status)) {
        if (lead === undefined) return Called.make(called)
        const { key } = lead.key
        const fresh_ms = freshMsOf(status, request.topic, key)
        return Called.make({ ...called, cache: { key, fresh_ms } })
      }
      const older = yield* coalesce.bearable(tenantId, request)
      if (older === undefined) return Called.make(called)
      const stale = usable(grounding, older.entry.hits.map(Page.withClean))
      return Called.make({ ...called, ...stale, stale_age_ms: older.ageMs })
    }
  )

  /** `undefined`: another run is making the call; look again. */
  const settle = Effect.fn("CallSearch.settle")(
    function*(step: StepOf<"AwaitCall">, deadline: Deadline.Deadline) {
      if (yield* isOwn(step.call)) return yield* send(step, deadline)
      // Process, and number and key of its lease where it leads.
      const [owner, , key] = step.call.owner.split(" ")
      const isDead = instance.sole
        ? owner !== instance.id
        : key !== undefined && !(yield* coalesce.isLed({ tenantId, key }))
      if (isDead || (yield* now) > millisOf(step.call.expires_at) + graceMs) {
        return unanswered(step.call, "in_doubt")
      }
      return yield* Effect.as(Effect.sleep(pollEvery), undefined)
    }
  )

  /** Fact to record when the caller goes away during its own call. */
  const abandoned = (step: StepOf<"AwaitCall">): Effect.Effect<SessionEvent | undefined> =>
    Effect.map(isOwn(step.call), (own) => own ? unanswered(step.call, "interrupted") : undefined)

  const recorded = Effect.fnUntraced(function*(facts: ReadonlyArray<Fact>) {
    const lead = yield* Ref.get(leading)
    if (lead === undefined) return
    for (const { event, stored } of facts) {
      if (event._tag !== "WEB_GROUNDING_CALLED") continue
      yield* Ref.set(leading, undefined)
      return yield* coalesce.release(lead, { event, stored })
    }
  })

  return { open, settle, abandoned, recorded, close }
})

const cached = (
  { grounding, query, queryIndex }: StepOf<"Search">,
  { event_id, hits, honoured, status }: QueryCacheEntry,
  age_ms: number
): SessionEvent =>
  CacheUsed.make({
    request_id: grounding.request.request_id,
    query_index: queryIndex,
    query,
    status,
    ...usable(grounding, hits.map(Page.withClean)),
    age_ms,
    ...asGiven({ honoured }),
    source_event_id: event_id
  })

/** Hits that request and policy allow: engines mix in other days. Others are not recorded. */
const usable = (
  grounding: Grounding,
  found: ReadonlyArray<SearchHit>
): Pick<typeof Called.Type, "hits" | "left_out" | "left_out_by_date"> => {
  const { sites, ...published } = searchRequestOf(grounding, "")
  const { kept, ...left } = SitePolicy.keep(sites, found, ({ url }) => [url])
  const hits = kept.filter((hit) => isPublished(published, hit))
  const others = kept.length - hits.length
  return { hits, ...left, ...(others === 0 ? {} : { left_out_by_date: others }) }
}

/** Shorter attempts end for other reasons than a hanging provider. */
const hungMsMin = 1_000

/** Providers that hung in an earlier search of the request: most would again. */
const timedOutIn = ({ calls }: Grounding): ReadonlySet<ProviderName> =>
  new Set(
    calls.flatMap(({ outcome }) => outcome?.attempts ?? [])
      .filter(({ duration_ms, status }) => status === "timeout" && duration_ms >= hungMsMin)
      .map(({ provider }) => provider)
  )

const millisOf = (iso: string): number => DateTime.makeUnsafe(iso).epochMilliseconds

const identityOf = (call: Call) => Struct.pick(call, ["request_id", "call_id", "query_index"])

const unanswered = (call: Call, detail: "in_doubt" | "interrupted"): SessionEvent =>
  Called.make({
    ...identityOf(call),
    status: "unknown_error",
    detail,
    attempts: [],
    hits: [],
    fallback_used: false,
    duration_ms: 0
  })

// How replay and what-if answer these steps from the record.

export const search: OutsideStep<"Search"> = {
  perform: (step, { search }) => search(step),
  replay: ({ query, queryIndex: query_index }, event) => {
    switch (event._tag) {
      case "WEB_GROUNDING_CALL_STARTED":
        return Effect.succeed(tellFact(CallStarted.make({ ...event, query, query_index })))
      case "WEB_GROUNDING_CACHE_USED":
        return Effect.succeed(tellFact(CacheUsed.make({ ...event, query, query_index })))
      case "WEB_GROUNDING_SEARCH_STOPPED":
        return Effect.succeed(tellFact(event))
      default:
        return Effect.undefined
    }
  },
  suppose: ({ grounding, query, queryIndex: query_index }, recorded, { score_min }) => {
    const isSame = Equal.equals(
      searchRequestOf(grounding, query),
      searchRequestOf(recorded, query)
    )
    const call = recorded.calls.find((one) =>
      one.query === query && !grounding.calls.some(({ call_id }) => call_id === one.call_id)
    )
    if (isSame && call !== undefined) {
      return Effect.succeed(
        tellFact(CallStarted.make({ ...Struct.omit(call, ["outcome"]), query_index }))
      )
    }
    const cached = recorded.cached.find((one) => one.query === query)
    if (isSame && cached !== undefined) {
      const hits = wellScored(cached.hits, score_min)
      const status = hits.length === 0 ? "no_results" : cached.status
      return Effect.succeed(tellFact(CacheUsed.make({ ...cached, query_index, hits, status })))
    }
    // Time had run out, or the tenant's searches had, before a query that is the next one here too.
    const { stopped } = recorded
    return stopped !== undefined && !isTaken(recorded, query_index)
      ? Effect.succeed(tellFact(stopped))
      : needed("Search", "search", query)
  }
}

export const awaitCall: OutsideStep<"AwaitCall"> = {
  perform: (step, { settle }) => settle(step),
  replay: (_, event) =>
    Effect.succeed(event._tag === "WEB_GROUNDING_CALLED" ? tellFact(event) : undefined),
  suppose: Effect.fnUntraced(function*({ call }, recorded, { score_min }) {
    const { hitsScarceMax } = yield* Limits
    const called = recorded.calls.find(({ call_id }) => call_id === call.call_id)?.outcome
    if (called === undefined) return yield* needed("Search", "search", call.query)
    const { query_index } = call
    if (score_min === undefined || called.status !== "success") {
      return tellFact(Called.make({ ...called, query_index }))
    }
    const hits = wellScored(called.hits, score_min)
    // Below the worst recorded hit there may be others, which were left out.
    const isHidden = hiddenIn(called) > 0 &&
      called.hits.every(({ score = Infinity }) => score_min < score)
    const isScarce = hits.length < called.hits.length && hits.length <= hitsScarceMax
    if (isHidden || isScarce) return yield* needed("Search", "hits", call.query)
    return tellFact(Called.make({ ...called, query_index, hits }))
  })
}

const wellScored = (hits: ReadonlyArray<SearchHit>, least = 0): ReadonlyArray<SearchHit> =>
  hits.filter(({ score }) => score === undefined || score >= least)

const hiddenIn = ({ attempts, hits }: typeof Called.Type): number =>
  attempts.filter(({ status }) => status === "success")
    .reduce((sum, { hits_count }) => sum + hits_count, -hits.length)

const searchRequestOf = (
  { decision, policy: { sites }, request }: Grounding,
  query: string
): SearchRequest => {
  const { overrides, region } = request
  return {
    query,
    hitsMax: request.listing?.hits_max ?? decision?.need.max_sources_per_query ?? 5,
    depth: decision?.need.search_depth ?? "basic",
    topic: decision?.need.topic ?? "general",
    locale: request.locale,
    ...asGiven({
      region,
      timeRange: overrides?.time_range,
      from: overrides?.published_from,
      until: overrides?.published_until
    }),
    includeDomains: overrides?.include_domains ?? [],
    excludeDomains: overrides?.exclude_domains ?? [],
    ...asGiven({ sites, attemptTimeoutMs: overrides?.search_timeout_ms })
  }
}
