/** Reads what the searches found into pages that can be quoted, numbered `s1`, `s2`, … */
import { Array, Clock, Effect, Option } from "effect"
import * as PageDates from "../../domain/page/Page.ts"
import type { Page } from "../../domain/page/Page.ts"
import * as PageOrigin from "../../domain/page/PageOrigin.ts"
import type { FusedHit } from "../../domain/retrieval/HitFusion.ts"
import type { SearchHit } from "../../domain/search/SearchStatus.ts"
import * as WebAddress from "../../domain/search/WebAddress.ts"
import { isOfficial } from "../../domain/search/WebAddress.ts"
import type { Rung } from "../../domain/session/EngineDetail.ts"
import { type Grounding, isTextKept } from "../../domain/session/Grounding.ts"
import { EvidenceRead } from "../../domain/session/SessionEvent.ts"
import { sourceKeyOf } from "../../domain/store/Entry.ts"
import * as PageMaterial from "../../domain/store/PageMaterial.ts"
import { PagesToCollect, waitingMax } from "../evidence/PagesToCollect.ts"
import {
  type EngineInfo,
  type Extracted,
  ExtractPages,
  onBug,
  type PageReader,
  PageReaders,
  type PageText,
  storable
} from "../ports/Engines.ts"
import { Limits } from "../ports/Limits.ts"
import { Digest, Sites } from "../ports/Platform.ts"
import * as Deadline from "./Deadline.ts"
import { isUnread } from "./ExtractPages.ts"
import * as RungWalk from "./RungWalk.ts"
import type { StepOf } from "./Step.ts"

/** Pages read at the same time. */
const concurrentReadsMax = 5

/**
 * Reads all hits at once within the time, pays for extraction where it is allowed, and makes the
 * event.
 */
export const readPages = Effect.fn("ReadPages.readPages")(
  function*({ grounding, hits }: StepOf<"Read">, deadline: Deadline.Deadline) {
    const readers = yield* PageReaders
    const { readTimeoutMs } = yield* Limits
    const { sha256 } = yield* Digest
    const { siteOf } = yield* Sites
    const { chunk_size } = grounding.request.overrides ?? {}
    const cutting = chunk_size === undefined ? {} : { chunkCharsMin: chunk_size }
    const { extract, info } = yield* ExtractPages
    const nowMs = yield* Clock.currentTimeMillis
    const shareMs = yield* Deadline.shareMs(deadline, "Read")
    // As one of several readers would: what stands behind is left half of the time.
    const untilMs = nowMs + (info === undefined ? shareMs : shareMs / 2)

    const { urls } = grounding.request.listing ?? {}
    const wanted = urls === undefined ? hits.map(wantedOf) : namedOf(urls, siteOf)

    const walked = yield* Effect.forEach(
      wanted.slice(0, grounding.policy.pages_max),
      Effect.fnUntraced(function*(wanted) {
        const read = <E>(reader: PageReader<E>) => reader.read({ ...wanted.hit, ...cutting })
        // A page that had to wait for its turn has only what is left of the step's time.
        const leftMs = untilMs - (yield* Clock.currentTimeMillis)
        const time = { leftMs, timeoutMs: readTimeoutMs }
        const { answer, rung } = yield* RungWalk.walk(
          readers,
          read,
          (last) =>
            Effect.suspend(() => read(last)).pipe(
              onBug({ engine: last.info.engine }, () => Effect.undefined)
            ),
          time
        )
        return { wanted, text: answer, rung }
      }),
      { concurrency: concurrentReadsMax }
    )

    const hasReaders = readers.preferred.length > 0
    const unread = walked.filter(({ rung }) => isUnread(rung, readers.last.info, hasReaders))
    // What was paid for is not bought again where the step is done once more after a bug.
    const isLeft = info === undefined || unread.length === 0 || (yield* RungWalk.LocalAlone)
    const extracted = isLeft
      ? undefined
      : yield* extract({
        urls: unread.map(({ wanted }) => wanted.hit.url),
        leftMs: nowMs + shareMs - (yield* Clock.currentTimeMillis),
        timeoutMs: readTimeoutMs,
        ...cutting
      }).pipe(onBug({ engine: info.engine }, () => Effect.undefined))
    const readings = info === undefined || extracted === undefined
      ? walked
      : walked.map((reading) =>
        unread.includes(reading) ? joined(reading, extracted, info) : reading
      )

    const pages = readings.flatMap(({ text, wanted }, index) =>
      text === undefined ? [] : [pageOf({
        source_id: `s${index + 1}`,
        wanted,
        read: text,
        text_sha256: sha256(text.text),
        siteOf,
        now: grounding.requestedAt
      })]
    )
    return EvidenceRead.make({
      request_id: grounding.request.request_id,
      // Each page that was named is answered for.
      pages: urls === undefined ? PageOrigin.merged(pages) : pages,
      ...(urls === undefined ? {} : { unread: readings.flatMap(unreadOf) }),
      rung: commonRung(readings.map(({ rung }) => rung), readers.last.info)
    })
  }
)

/** Evidence as the log may keep it. Texts that are left out serve this run alone. */
export const keptOf = (
  grounding: Grounding,
  { pages, ...facts }: typeof EvidenceRead.Type
): typeof EvidenceRead.Type =>
  EvidenceRead.make({
    ...facts,
    pages: pages.map(({ text, ...page }) =>
      page.reader !== "snippet" && isTextKept(grounding, page) && text !== undefined
        ? { ...page, text }
        : page
    )
  })

/** A page that is to be read, and who named it. */
interface Wanted {
  readonly hit: Pick<
    SearchHit,
    "url" | "title" | "content" | "site" | "official" | "published_date"
  >
  readonly providers: Page["providers"]
}

const wantedOf = ({ hit, provenances }: FusedHit): Wanted => ({
  hit,
  providers: Array.dedupe(Array.map(provenances, ({ provider }) => provider))
})

/** There is no snippet to fall back on. */
const namedOf = (
  urls: ReadonlyArray<string>,
  siteOf: PageOrigin.SiteOf
): ReadonlyArray<Wanted> =>
  urls.flatMap((url) =>
    Option.toArray(Option.map(WebAddress.canonical(url), ({ host, href }): Wanted => ({
      hit: { url: href, title: host, content: "", site: siteOf(host), official: isOfficial(host) },
      providers: ["caller"]
    })))
  )

interface Walked {
  readonly wanted: Wanted
  readonly text: PageText | undefined
  readonly rung: Rung
}

/** The last reader's word, which says most of the page itself. */
const unreadOf = ({ rung: { faults }, text, wanted }: Walked) => {
  if (text !== undefined) return []
  const fault = faults.at(-1)
  const reason = fault === undefined ? "not_configured" : fault.detail ?? fault.reason
  return [{ url: wanted.hit.url, reason }]
}

/**
 * Joins extracted texts in the place of snippets; why there are none is told with the other faults.
 */
const joined = (
  { rung, text, wanted }: Walked,
  { faults, texts }: Extracted,
  { engine, version }: EngineInfo
): Walked => {
  const { url } = wanted.hit
  const extracted = storable(texts.get(url))
  if (extracted !== undefined) {
    return { wanted, text: extracted, rung: { ...rung, engine, version } }
  }
  const fault = faults.get(url)
  return fault === undefined
    ? { wanted, text, rung }
    : { wanted, text, rung: { ...rung, faults: [...rung.faults, fault] } }
}

interface Reading {
  readonly source_id: string
  readonly wanted: Wanted
  readonly read: PageText
  readonly text_sha256: string
  readonly siteOf: PageOrigin.SiteOf
  /** The clock by which dates are believed. */
  readonly now: string
}

/** Page of a reading. Facts that the page states take precedence over those of the search. */
const pageOf = ({ now, read, siteOf, source_id, text_sha256, wanted }: Reading): Page => {
  const { hit, providers } = wanted
  const {
    address,
    canonical_url,
    modified_date,
    published_date = hit.published_date,
    title,
    ...text
  } = read
  const origin = PageOrigin.originOf(hit, read, siteOf)
  const told = { ...origin, ...(canonical_url === undefined ? {} : { canonical_url }) }
  const dates = {
    ...(published_date === undefined ? {} : { published_date }),
    ...(modified_date === undefined ? {} : { modified_date })
  }
  return {
    source_id,
    ...origin,
    // A hit's own title was cleaned when it was found, before it was recorded.
    title: title === undefined ? hit.title : PageDates.clean(title, origin.url),
    ...PageOrigin.plausibleDates(dates, now),
    ...Option.match(PageOrigin.canonicalOf(told, siteOf), {
      onNone: () => ({}),
      onSome: (canonical_url) => ({ canonical_url })
    }),
    providers,
    ...text,
    text_sha256
  }
}

/** The engine that read most pages, and every fault met on the way, each once. */
const commonRung = (
  rungs: ReadonlyArray<Rung>,
  last: { readonly engine: string; readonly version: string }
): Rung => {
  const groups = Object.values(Array.groupBy(rungs, ({ engine }) => engine))
  const largest = groups.toSorted((left, right) => right.length - left.length)[0]?.[0]
  const faults = new Map(
    rungs.flatMap((rung) =>
      rung.faults.map((fault) =>
        [`${fault.engine} ${fault.reason} ${fault.detail ?? ""}`, fault] as const
      )
    )
  )
  return { ...last, ...largest, faults: [...faults.values()] }
}

// Leaves the pages of a request to be collected later, where caller and operator allow it. They
// are left before the log is told that they were read: a run that dies in between reads them
// again, and one that dies later has left them. A queue that fails costs the answer nothing.

/** The answer waits no longer for the queue. */
const queueMsMax = 1_000

/**
 * Puts pages that were read over the web into the queue of the evidence store. Never fails a
 * grounding.
 */
export const leavePages = Effect.fn("LeavePages.leavePages")(
  function*(
    tenantId: string,
    { grounding }: StepOf<"Read">,
    { pages }: typeof EvidenceRead.Type,
    deadline: Deadline.Deadline
  ) {
    const { policy, request, requestedAt } = grounding
    if (policy.collects_pages !== true) return
    const { put } = yield* PagesToCollect
    const { sha256 } = yield* Digest
    const waiting = pages.flatMap(({ text = "", ...page }) =>
      Option.match(PageMaterial.ofPage({ ...page, text }, requestedAt), {
        onNone: () => [],
        onSome: (read) => [{
          key: sourceKeyOf({ ...read.material, source_id: read.material.source_url }, sha256),
          page: read
        }]
      })
    )
    if (waiting.length === 0) return
    // Nobody has the answer before the deadline, at the latest.
    const leftMs = Math.ceil(yield* Deadline.leftMs(deadline))
    const count = yield* put(tenantId, request.session_id, waiting, leftMs)
    if (count >= waitingMax) yield* Effect.logWarning("pages are left uncollected: too many wait")
  },
  Effect.timeoutOption(queueMsMax),
  Effect.catch((cause) => Effect.logWarning("pages are left uncollected", cause)),
  Effect.asVoid
)
