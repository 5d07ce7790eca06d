/**
 * Has a provider extract the pages that no reader could read: one request for all of them, paid out
 * of the key's month like a search, with the provider's keys in turn.
 *
 * Ends in texts and faults, never in a failure. A page whose site refused us is not asked for by
 * way of others.
 */
import { Clock, DateTime, Duration, Effect, Layer } from "effect"
import * as KeyPool from "../../domain/search/KeyPool.ts"
import * as SearchFault from "../../domain/search/SearchStatus.ts"
import type { SearchStatus } from "../../domain/search/SearchStatus.ts"
import {
  type EngineDetail,
  type EngineFault,
  outlookOf,
  type Rung
} from "../../domain/session/EngineDetail.ts"
import {
  type EngineInfo,
  type ExtractAnswer,
  type Extracted,
  ExtractPages,
  type ExtractRequest,
  type PageExtractor,
  PageExtractors,
  type PagesWanted
} from "../ports/Engines.ts"
import { Breakers, Credits, type KeyMonth, SearchFailed } from "../ports/SearchProvider.ts"
import { KeyRing } from "./KeyRing.ts"
import * as RungWalk from "./RungWalk.ts"

/** How long the answer waits for the ledger to take a refund; without it the price stands. */
const correctMsMax = 500

const nothing: Extracted = { texts: new Map(), faults: new Map() }

type Outcome = { readonly answer: ExtractAnswer } | { readonly failed: SearchFailed }

export const layer = Layer.effect(
  ExtractPages,
  Effect.gen(function*() {
    const extractors = yield* PageExtractors
    const { guard } = yield* Breakers
    const credits = yield* Credits
    const keyRing = yield* KeyRing
    const [first] = extractors
    if (first === undefined) return ExtractPages.none
    const { info, provider } = first

    const correct = (month: KeyMonth, by: number) =>
      by === 0
        ? Effect.void
        : Effect.ignore(Effect.timeout(credits.correct(month, by), correctMsMax))

    const ask = (extractor: PageExtractor, wanted: PagesWanted, timeoutMs: number) =>
      guard(
        extractor.extract(requestOf(wanted, timeoutMs)).pipe(
          Effect.timeoutOrElse({
            duration: Duration.millis(timeoutMs),
            orElse: () => Effect.fail(failure(extractor, { status: "timeout" }))
          })
        ),
        {
          // Not the search's: pages that cannot be read say nothing about searching.
          key: info.engine,
          faultOf: (failed) => SearchFault.isBroken(failed) ? "broken" as const : "none" as const,
          resting: failure(extractor, { status: "circuit_open" })
        }
      ).pipe(Effect.match({
        onFailure: (failed): Outcome => ({ failed }),
        onSuccess: (answer): Outcome => ({ answer })
      }))

    /** Takes the price of all pages first, and gives back what those that failed did not cost. */
    const paid = Effect.fnUntraced(
      function*(extractor: PageExtractor, wanted: PagesWanted, timeoutMs: number) {
        const { keySlot, pagesPerCredit } = extractor
        const price = Math.ceil(wanted.urls.length / pagesPerCredit)
        const month = yield* credits.reserve(provider, keySlot, price)
        if (month === undefined) {
          const refused = { status: "quota_exhausted", detail: KeyPool.ownCeiling } as const
          return { failed: failure(extractor, refused) }
        }
        const outcome = yield* ask(extractor, wanted, timeoutMs)
        yield* correct(month, chargedOf(outcome, price, pagesPerCredit) - price)
        return outcome
      },
      // Nothing is bought that cannot be counted.
      (outcome, extractor) =>
        Effect.catchTag(outcome, "EventStoreUnavailable", () =>
          Effect.succeed<Outcome>({
            failed: failure(extractor, { status: "unknown_error", detail: "credits_unknown" })
          }))
    )

    /**
     * Asks with one key after another until one is not refused: another key would be told the same
     * about the pages.
     */
    const askKeys = (
      [key, ...others]: ReadonlyArray<PageExtractor>,
      wanted: PagesWanted,
      untilMs: number
    ): Effect.Effect<Outcome | undefined> =>
      Effect.gen(function*() {
        const startedAt = yield* DateTime.now
        const leftMs = untilMs - startedAt.epochMilliseconds
        if (key === undefined || leftMs < RungWalk.attemptMsMin) return undefined
        const outcome = yield* paid(key, wanted, Math.min(leftMs, wanted.timeoutMs))
        const told = toldOf(outcome)
        yield* keyRing.learn({
          provider,
          key_slot: key.keySlot,
          ...told,
          started_at: DateTime.formatIso(startedAt),
          duration_ms: Math.max(0, (yield* Clock.currentTimeMillis) - startedAt.epochMilliseconds),
          hits_count: 0
        })
        if (!KeyPool.isAboutKey(told.status, told.detail)) return outcome
        return (yield* askKeys(others, wanted, untilMs)) ?? outcome
      })

    const extract = Effect.fn("ExtractPages.extract")(function*(all: PagesWanted) {
      const untilMs = (yield* Clock.currentTimeMillis) + all.leftMs
      const allowed = [...new Set(all.urls)].filter(first.mayBeTold)
      const urls = allowed.slice(0, first.urlsMax)
      if (urls.length === 0) return nothing
      const ready = yield* keyRing.usable(provider, extractors.map(({ keySlot }) => keySlot))
      const keys = ready.flatMap((slot) => extractors.filter(({ keySlot }) => keySlot === slot))
      if (keys.length === 0) return failedAll(info, urls, "refused", "keys_resting")
      const outcome = yield* askKeys(keys, { ...all, urls }, untilMs)
      if (outcome === undefined) return failedAll(info, urls, "timeout")
      if ("failed" in outcome) {
        const { detail, status } = outcome.failed
        yield* Effect.logWarning("pages were not extracted").pipe(
          Effect.annotateLogs({ provider, status, ...(detail === undefined ? {} : { detail }) })
        )
        return failedAll(info, urls, reasonOf(status), detail ?? status)
      }
      const { pages } = outcome.answer
      const unread = urls.filter((url) => !pages.has(url))
      return { ...failedAll(info, unread, "refused", "not_extracted"), texts: pages }
    })

    return { info, extract }
  })
)

const failure = ({ provider }: PageExtractor, fault: SearchFault.SearchFault): SearchFailed =>
  new SearchFailed({ provider, ...fault })

const failedAll = (
  { engine }: EngineInfo,
  urls: ReadonlyArray<string>,
  reason: EngineFault,
  detail?: EngineDetail
): Extracted => {
  const fault = { engine, reason, ...(detail === undefined ? {} : { detail }) }
  return { texts: new Map(), faults: new Map(urls.map((url) => [url, fault])) }
}

const requestOf = (
  { chunkCharsMin, urls }: PagesWanted,
  timeoutMs: number
): ExtractRequest => ({
  urls,
  timeoutMs,
  ...(chunkCharsMin === undefined ? {} : { chunkCharsMin })
})

/** Result of a request, as the key's ring is to learn it. */
const toldOf = (
  outcome: Outcome
): { status: SearchStatus; detail?: SearchFault.SearchDetail; retry_after_ms?: number } => {
  if ("answer" in outcome) return { status: "success" }
  const { detail, retry_after_ms, status } = outcome.failed
  return {
    status,
    ...(detail === undefined ? {} : { detail }),
    ...(retry_after_ms === undefined ? {} : { retry_after_ms })
  }
}

/**
 * The provider adds up pages over its requests, so that one may cost a credit more or less than its
 * own pages do. A report that cannot be true, and none, count as the price of what was read.
 */
const chargedOf = (outcome: Outcome, price: number, pagesPerCredit: number): number => {
  if ("failed" in outcome) return SearchFault.mayBeCharged(outcome.failed) ? price : 0
  const { credits, pages } = outcome.answer
  const least = Math.floor(pages.size / pagesPerCredit)
  return credits !== undefined && credits >= least && credits <= price
    ? credits
    : Math.ceil(pages.size / pagesPerCredit)
}

const reasonOf = (status: SearchStatus): EngineFault => {
  switch (status) {
    case "timeout":
      return "timeout"
    case "network_error":
      return "unreachable"
    case "unknown_error":
      return "malformed"
    default:
      return "refused"
  }
}

/** The page was not to be had, or not in time, or gave no text. */
const unreadReasons: ReadonlySet<EngineFault> = new Set<EngineFault>([
  "timeout",
  "truncated",
  "unreachable"
])

/**
 * Whether a page is left to be extracted for payment: `last`, the reader that only has the snippet,
 * gave it, and the readers before it failed in a way that another one may not.
 */
export const isUnread = (
  { engine, faults }: Rung,
  last: EngineInfo,
  hasReaders: boolean
): boolean =>
  engine === last.engine &&
  !faults.some(({ detail }) => outlookOf(detail) === "barred") &&
  (!hasReaders || faults.some(({ detail, reason }) =>
    unreadReasons.has(reason) || outlookOf(detail) === "unread"
  ))
