/** Reads what the searches found into pages that can be quoted, numbered `s1`, `s2`, … */
import { Array, Clock, DateTime, Effect, Option, Struct } from "effect"
import * as PageDates from "../../domain/page/Page.ts"
import type { Page } from "../../domain/page/Page.ts"
import * as PageOrigin from "../../domain/page/PageOrigin.ts"
import { addressesOf } from "../../domain/page/PageOrigin.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import type { FusedHit } from "../../domain/retrieval/HitFusion.ts"
import type { SearchHit } from "../../domain/search/SearchStatus.ts"
import * as SitePolicy from "../../domain/search/SitePolicy.ts"
import { classFieldsOf, classOf } from "../../domain/search/SourceClass.ts"
import * as WebAddress from "../../domain/search/WebAddress.ts"
import type { Rung } from "../../domain/session/EngineDetail.ts"
import { type Grounding, hitsOf, isTextKept, readingOf } from "../../domain/session/Grounding.ts"
import { tellFact } from "../../domain/session/Session.ts"
import { EvidenceRead, type SessionEvent } from "../../domain/session/SessionEvent.ts"
import { crashed, type Engine, Engines, isOf, onBug, type PageText } from "../ports/Engines.ts"
import { Limits } from "../ports/Limits.ts"
import { Digest, Sites } from "../ports/Platform.ts"
import { PagesLeft } from "../ports/StoredEvidence.ts"
import * as AskStore from "./AskStore.ts"
import * as Deadline from "./Deadline.ts"
import * as RungWalk from "./RungWalk.ts"
import { type Given, needed, type OutsideStep, type Run, type StepOf } from "./Step.ts"

const concurrentReadsMax = 5

const readPages = Effect.fn("ReadPages.readPages")(
  function*({ grounding, hits }: StepOf<"Read">, deadline: Deadline.Deadline) {
    const { reader: readers } = yield* Engines
    const { readTimeoutMs } = yield* Limits
    const { sha256 } = yield* Digest
    const { siteOf } = yield* Sites
    const { chunk_size, exclude_domains = [], include_domains = [] } =
      grounding.request.overrides ?? {}
    const cutting = chunk_size === undefined ? {} : { chunkCharsMin: chunk_size }
    const { policy: { sites } } = grounding
    const leading = sites === undefined
      ? {}
      : { isAllowed: (address: string) => SitePolicy.allows(sites, [address]) }
    const nowMs = yield* Clock.currentTimeMillis
    const untilMs = nowMs + (yield* Deadline.shareMs(deadline, "Read"))

    const { urls } = grounding.request.listing ?? {}
    const named = urls === undefined ? hits.map(wantedOf) : namedOf(urls, siteOf, sites)
    const wanted = named.filter(({ hit }) => SitePolicy.allows(sites, [hit.url]))

    const readOne = Effect.fnUntraced(function*(wanted: Wanted) {
      // A page that waited has only what is left of the step's time.
      const leftMs = untilMs - (yield* Clock.currentTimeMillis)
      const { answer, rung } = yield* RungWalk.walk(
        { ...readers, last: withoutBugs(readers.last) },
        { ...wanted.hit, ...cutting, ...leading },
        { read: (page) => page, time: { leftMs, timeoutMs: readTimeoutMs } }
      )
      return { wanted, text: answer, rung }
    })
    const found = yield* Effect.forEach(
      seated(wanted, grounding.policy.pages_max),
      readOne,
      { concurrency: concurrentReadsMax }
    )
    // Where the caller named domains, links to others are not followed.
    const isOpen = urls === undefined && exclude_domains.length + include_domains.length === 0
    const credited = isOpen
      ? creditedBy(found, siteOf).filter(({ hit }) => SitePolicy.allows(sites, [hit.url]))
      : []
    const readings = [
      ...found,
      ...yield* Effect.forEach(credited, readOne, { concurrency: concurrentReadsMax })
    ]

    const led = readings.filter(isLedAway)
    const { kept: pages, left_out = 0 } = SitePolicy.keep(
      sites,
      readings.flatMap(({ rung, text, wanted }, index) =>
        text === undefined || isLedAway({ rung }) ? [] : [pageOf({
          source_id: `s${index + 1}`,
          wanted,
          read: text,
          text_sha256: sha256(text.text),
          siteOf,
          sites,
          now: grounding.requestedAt
        })]
      ),
      addressesOf
    )
    return EvidenceRead.make({
      request_id: grounding.request.request_id,
      pages: urls === undefined ? PageOrigin.merged(pages) : pages,
      ...(urls === undefined
        ? {}
        : { unread: [...readings.flatMap(unreadOf), ...barredIn(named, wanted, readings, pages)] }),
      ...(left_out + led.length === 0 ? {} : { left_out: left_out + led.length }),
      rung: commonRung(readings.map(({ rung }) => rung), readers.last.info)
    })
  }
)

/** Whether the page redirects to a forbidden site: its snippet is that site's, too. */
const isLedAway = ({ rung: { faults } }: Pick<Walked, "rung">): boolean =>
  faults.some(({ detail }) => detail === "site_not_allowed")

const barredIn = (
  named: ReadonlyArray<Wanted>,
  wanted: ReadonlyArray<Wanted>,
  readings: ReadonlyArray<Walked>,
  pages: ReadonlyArray<Page>
): ReadonlyArray<{ readonly url: string; readonly reason: string }> => {
  const kept = new Set(pages.flatMap(addressesOf))
  const led = readings.flatMap(({ text, wanted: { hit } }) =>
    text === undefined || kept.has(hit.url) ? [] : [hit.url]
  )
  const barred = named.filter((one) => !wanted.includes(one)).map(({ hit }) => hit.url)
  return [...barred, ...led].map((url) => ({ url, reason: "site_not_allowed" }))
}

const keptOf = (
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

/** A snippet that crashes the reader leaves that page out, and no other. */
const withoutBugs = (last: Engine<"reader", never>): Engine<"reader", never> => ({
  ...last,
  ask: (hit) =>
    Effect.suspend(() => last.ask(hit)).pipe(
      onBug({ engine: last.info.engine }, () => Effect.undefined)
    )
})

const perform = Effect.fnUntraced(function*(step: StepOf<"Read">, run: Run) {
  const { deadline, tenantId } = run
  const [read, recalled] = yield* Effect.all([
    readPages(step, deadline),
    AskStore.recall(tenantId, step.grounding, deadline)
  ], { concurrency: 2 })
  const evidence = AskStore.join(read, recalled)
  yield* run.keepTexts(evidence)
  yield* leavePages(step, evidence, run)
  const read_at = DateTime.formatIso(yield* DateTime.now)
  return { ...keptOf(step.grounding, evidence), read_at }
})

/** What was fetched from the web comes from the record; a snippet is cut again. */
const replay = Effect.fnUntraced(
  function*({ grounding, ...step }: StepOf<"Read">, event: SessionEvent, { deadline }: Given) {
    const isOfPages = event._tag === "WEB_GROUNDING_EVIDENCE_READ"
    const isFetched = grounding.request.listing?.urls !== undefined ||
      isOfPages && event.pages.some(({ reader }) => reader !== "snippet")
    if (isOfPages && isFetched) return event
    const read = keptOf(grounding, yield* readPages({ ...step, grounding }, deadline))
    if (!isOfPages) return read
    // Only the record says what the store's answer left out.
    const { left_out: _, pages, ...again } = read
    const recorded = new Set(event.pages.map(({ source_id }) => source_id))
    return EvidenceRead.make({
      ...again,
      pages: event.left_out === undefined
        ? pages
        : pages.filter(({ source_id }) => recorded.has(source_id)),
      ...Struct.pick(event, ["left_out", "read_at", "rung"])
    })
  }
)

/** The recorded pages of the hits that would have been read, with the ids they would have. */
const suppose = Effect.fnUntraced(
  function*(step: StepOf<"Read">, recorded: Grounding, { deadline }: Given) {
    const { grounding, hits } = step
    if (recorded.evidence === undefined) {
      return yield* needed("Read", "page", hits[0]?.hit.url)
    }
    const { pages, rung } = recorded.evidence
    const wanted = urlsOf(hits, grounding)
    const wasRead = urlsOf(hitsOf(recorded), recorded)
    // A stored entry was dropped for a page that was read; without the page it would be kept.
    if ((grounding.policy.entries_max ?? 0) > 0 && wasRead.some((url) => !wanted.includes(url))) {
      return yield* needed("Read", "store")
    }
    const { request_id } = grounding.request
    const evidenceOf = (pages: (typeof EvidenceRead.Type)["pages"]) =>
      keptOf(grounding, EvidenceRead.make({ request_id, pages, rung }))
    // Pages that the caller named are the same under every supposition.
    if (grounding.request.listing?.urls !== undefined) return evidenceOf(pages)
    const { reader } = yield* Engines
    const stored = pages.filter(({ reader }) => reader === "store")
    // Only the local reader was available, which cuts snippets.
    if (
      isOf(rung, reader.last.info) && rung.faults.length === 0 &&
      pages.every(({ reader }) => reader === "snippet" || reader === "store")
    ) {
      return evidenceOf([...(yield* readPages(step, deadline)).pages, ...stored])
    }
    const byHit = new Map(pages.map((page) => [page.hit_url ?? page.url, page]))
    // A page that was read and is missing was merged into an earlier one.
    const unread = wanted.find((url) => !byHit.has(url) && !wasRead.includes(url))
    if (unread !== undefined) return yield* needed("Read", "page", unread)
    const found = wanted.flatMap((url, index) => {
      const page = byHit.get(url)
      return page === undefined ? [] : [{ ...page, source_id: `s${index + 1}` }]
    })
    return evidenceOf([...found, ...stored])
  }
)

const urlsOf = (
  hits: StepOf<"Read">["hits"],
  { policy }: Grounding
): ReadonlyArray<string> => hits.slice(0, policy.pages_max).map(({ hit }) => hit.url)

const toLog = ({ grounding }: StepOf<"Read">) => (evidence: typeof EvidenceRead.Type) =>
  tellFact(evidence, readingOf(grounding))

export const read: OutsideStep<"Read"> = {
  perform: (step, run) => Effect.map(perform(step, run), toLog(step)),
  replay: (step, event, given) => Effect.map(replay(step, event, given), toLog(step)),
  suppose: (step, recorded, _, given) => Effect.map(suppose(step, recorded, given), toLog(step)),
  empty: (step, { rung }) => {
    const { request: { listing, request_id } } = step.grounding
    const unread = listing?.urls?.map((url) => ({ url, reason: crashed.detail }))
    return toLog(step)(EvidenceRead.make({ request_id, pages: [], ...asGiven({ unread }), rung }))
  }
}

interface Wanted {
  readonly hit: Pick<
    SearchHit,
    "url" | "title" | "content" | "site" | "official" | "source_class" | "published_date"
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
  siteOf: PageOrigin.SiteOf,
  sites: SitePolicy.SitePolicy | undefined,
  providers: Page["providers"] = ["caller"]
): ReadonlyArray<Wanted> =>
  urls.flatMap((url) =>
    Option.toArray(Option.map(WebAddress.canonical(url), ({ host, href }): Wanted => ({
      hit: {
        url: href,
        title: host,
        content: "",
        site: siteOf(host),
        ...classFieldsOf({ host, href }, sites)
      },
      providers
    })))
  )

/** Most pages of primary sources that are read although others rank before them. */
const primarySeatsMax = 2
/** Most pages of primary sources that are read because pages that were found link to them. */
const creditedMax = 2

const seated = (list: ReadonlyArray<Wanted>, max: number): ReadonlyArray<Wanted> => {
  const primary = list.filter(({ hit }) => classOf(hit) === "primary")
    .slice(0, Math.min(primarySeatsMax, max))
  const others = list.filter((one) => !primary.includes(one)).slice(0, max - primary.length)
  return list.filter((one) => primary.includes(one) || others.includes(one))
}

/** Pages of primary sources that the pages read link to, those of most links first. */
const creditedBy = (
  walked: ReadonlyArray<Walked>,
  siteOf: PageOrigin.SiteOf
): ReadonlyArray<Wanted> => {
  const known = new Set(walked.map(({ wanted }) => wanted.hit.url))
  const linked = walked.flatMap(({ text, wanted: { providers } }) =>
    namedOf((text?.links ?? []).map(({ url }) => url), siteOf, undefined, providers)
  ).filter(({ hit }) => hit.source_class === "primary" && !known.has(hit.url))
  return Object.values(Array.groupBy(linked, ({ hit }) => hit.url))
    .toSorted((left, right) => right.length - left.length).slice(0, creditedMax)
    .map(([one]) => one)
}

interface Walked {
  readonly wanted: Wanted
  readonly text: PageText | undefined
  readonly rung: Rung
}

/** The last reader's reason, which says most about the page itself. */
const unreadOf = ({ rung: { faults }, text, wanted }: Walked) => {
  if (text !== undefined) return []
  const fault = faults.at(-1)
  const reason = fault === undefined ? "not_configured" : fault.detail ?? fault.reason
  return [{ url: wanted.hit.url, reason }]
}

interface Reading {
  readonly source_id: string
  readonly wanted: Wanted
  readonly read: PageText
  readonly text_sha256: string
  readonly siteOf: PageOrigin.SiteOf
  readonly sites: SitePolicy.SitePolicy | undefined
  /** Time by which dates are checked for plausibility. */
  readonly now: string
}

/** Facts that the page states take precedence over those of the search. */
const pageOf = ({ now, read, siteOf, sites, source_id, text_sha256, wanted }: Reading): Page => {
  const { hit, providers } = wanted
  const {
    address,
    canonical_url,
    links = [],
    modified_date,
    published_date = hit.published_date,
    title,
    ...text
  } = read
  const origin = PageOrigin.originOf(hit, read, siteOf, sites)
  const stated = { ...origin, ...asGiven({ canonical_url }) }
  const dates = asGiven({ published_date, modified_date })
  return {
    source_id,
    ...origin,
    // A hit's own title was cleaned before it was recorded.
    title: title === undefined ? hit.title : PageDates.clean(title, origin.url),
    ...PageOrigin.plausibleDates(dates, now),
    ...asGiven({ canonical_url: PageOrigin.canonicalOf(stated, siteOf) }),
    providers,
    ...text,
    ...outwardOf(links, origin.site, siteOf),
    text_sha256
  }
}

const outwardOf = (
  links: NonNullable<PageText["links"]>,
  own: string,
  siteOf: PageOrigin.SiteOf
): Pick<Page, "links"> => {
  const outward = links.flatMap(({ end, start, url }) =>
    Option.toArray(WebAddress.canonical(url)).flatMap(({ host, href }) => {
      const site = siteOf(host)
      return site === own ? [] : [{ url: href, site, start, end }]
    })
  )
  return outward.length === 0 ? {} : { links: outward }
}

/** The engine that read most pages, and every fault, each once. */
const commonRung = (
  rungs: ReadonlyArray<Rung>,
  last: { readonly engine: string; readonly version: string }
): Rung => {
  const groups = Object.values(Array.groupBy(rungs, ({ engine }) => engine))
  const largest = groups.toSorted((left, right) => right.length - left.length)[0]?.[0]
  return { ...last, ...largest, faults: Array.dedupe(rungs.flatMap(({ faults }) => faults)) }
}

/** Where caller and operator allow it, before the log records the reading. */
const leavePages = Effect.fnUntraced(
  function*({ grounding }: StepOf<"Read">, { pages }: typeof EvidenceRead.Type, run: Run) {
    if (grounding.policy.collects_pages !== true) return
    const { leave } = yield* PagesLeft
    // The pages become due at the deadline, when the answer is out.
    const leftMs = Math.ceil(yield* Deadline.leftMs(run.deadline))
    const texts = pages.map(({ text = "", ...page }) => ({ ...page, text }))
    yield* leave({ tenantId: run.tenantId, ...grounding }, texts, leftMs)
  }
)
