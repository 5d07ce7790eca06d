/**
 * Extracts the pages that no reader could read by a paid provider: one request for all, paid from
 * the key's month like a search, its keys in turn.
 *
 * Returns texts and faults, never fails. A page whose site refused us is not requested in other
 * ways.
 */
import { Clock, DateTime, Duration, Effect, Layer } from "effect"
import { asGiven } from "../../domain/request/GivenFields.ts"
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
import { Breakers, Credits, SearchFailed } from "../ports/SearchProvider.ts"
import { corrected, KeyRing } from "./KeyRing.ts"
import * as RungWalk from "./RungWalk.ts"

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

    const ask = (extractor: PageExtractor, wanted: PagesWanted, timeoutMs: number) =>
      guard(
        extractor.extract(requestOf(wanted, timeoutMs)).pipe(
          Effect.timeoutOrElse({
            duration: Duration.millis(timeoutMs),
            orElse: () => Effect.fail(failure(extractor, { status: "timeout" }))
          })
        ),
        {
          // Not the search's circuit: pages that cannot be read say nothing about searching.
          key: info.engine,
          faultOf: (failed) => SearchFault.isBroken(failed) ? "broken" as const : "none" as const,
          resting: failure(extractor, { status: "circuit_open" })
        }
      ).pipe(Effect.match({
        onFailure: (failed): Outcome => ({ failed }),
        onSuccess: (answer): Outcome => ({ answer })
      }))

    /** Reserves the price of all pages first, and refunds those that failed. */
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
        yield* corrected(credits, month, chargedOf(outcome, price, pagesPerCredit) - price)
        return outcome
      },
      // Without the ledger nothing is bought.
      (outcome, extractor) =>
        Effect.catchTag(outcome, "EventStoreUnavailable", () =>
          Effect.succeed<Outcome>({
            failed: failure(extractor, { status: "unknown_error", detail: "credits_unknown" })
          }))
    )

    /** Tries key after key until one is not refused: on the pages all keys get the same answer. */
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
        const result = resultOf(outcome)
        yield* keyRing.learn({
          provider,
          key_slot: key.keySlot,
          ...result,
          started_at: DateTime.formatIso(startedAt),
          duration_ms: Math.max(0, (yield* Clock.currentTimeMillis) - startedAt.epochMilliseconds),
          hits_count: 0
        })
        if (!KeyPool.isAboutKey(result.status, result.detail)) return outcome
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
          Effect.annotateLogs({ provider, status, ...asGiven({ detail }) })
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
  const fault = { engine, reason, ...asGiven({ detail }) }
  return { texts: new Map(), faults: new Map(urls.map((url) => [url, fault])) }
}

const requestOf = (
  { chunkCharsMin, urls }: PagesWanted,
  timeoutMs: number
): ExtractRequest => ({ urls, timeoutMs, ...asGiven({ chunkCharsMin }) })

/** Result of a request, as the key ring learns it. */
const resultOf = (
  outcome: Outcome
): { status: SearchStatus; detail?: SearchFault.SearchDetail; retry_after_ms?: number } => {
  if ("answer" in outcome) return { status: "success" }
  const { detail, retry_after_ms, status } = outcome.failed
  return { status, ...asGiven({ detail, retry_after_ms }) }
}

/**
 * The provider sums pages over requests, so one may cost a credit more or less than its own pages.
 * A missing or implausible report counts as the price of the pages read.
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

/** The page could not be had, or not in time, or gave no text. */
const unreadReasons: ReadonlySet<EngineFault> = new Set<EngineFault>([
  "timeout",
  "truncated",
  "unreachable"
])

/**
 * Whether to extract a page for payment: only its snippet was read (by `last`), and the readers
 * before failed in a way that another one may not.
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
