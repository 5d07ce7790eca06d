/** Reads what the searches found into pages that can be quoted, numbered `s1`, `s2`, … */
import { Array, Clock, Effect, Option } from "effect"
import type { Page } from "../../domain/page/Page.ts"
import * as PageDates from "../../domain/page/PageDates.ts"
import * as PageOrigin from "../../domain/page/PageOrigin.ts"
import * as SourceTitle from "../../domain/page/SourceTitle.ts"
import type { FusedHit } from "../../domain/retrieval/HitFusion.ts"
import { type Grounding, isTextKept } from "../../domain/session/Grounding.ts"
import type { Rung } from "../../domain/session/Rung.ts"
import { EvidenceRead } from "../../domain/session/SessionEvent.ts"
import { Digest } from "../ports/Digest.ts"
import { Limits } from "../ports/Limits.ts"
import { type PageReader, PageReaders, type PageText } from "../ports/PageReader.ts"
import { Sites } from "../ports/Sites.ts"
import * as Deadline from "./Deadline.ts"
import * as RungWalk from "./RungWalk.ts"
import type { StepOf } from "./Step.ts"

/** Pages read at the same time. */
const concurrentReadsMax = 5

export const readPages = Effect.fn("ReadPages.readPages")(
  function*({ grounding, hits }: StepOf<"Read">, deadline: Deadline.Deadline) {
    const readers = yield* PageReaders
    const { readTimeoutMs } = yield* Limits
    const { sha256 } = yield* Digest
    const { siteOf } = yield* Sites
    const { chunk_size } = grounding.request.overrides ?? {}
    const cutting = chunk_size === undefined ? {} : { chunkCharsMin: chunk_size }
    const untilMs = (yield* Clock.currentTimeMillis) + (yield* Deadline.shareMs(deadline, "Read"))

    const readings = yield* Effect.forEach(
      hits.slice(0, grounding.policy.pages_max),
      Effect.fnUntraced(function*(fused) {
        const read = <E>(reader: PageReader<E>) => reader.read({ ...fused.hit, ...cutting })
        // A page that had to wait for its turn has only what is left of the step's time.
        const leftMs = untilMs - (yield* Clock.currentTimeMillis)
        const time = { leftMs, timeoutMs: readTimeoutMs }
        const { answer, rung } = yield* RungWalk.walk(readers, read, read, time)
        return { fused, text: answer, rung }
      }),
      { concurrency: concurrentReadsMax }
    )

    const pages = readings.flatMap(({ fused, text }, index) =>
      text === undefined ? [] : [pageOf({
        source_id: `s${index + 1}`,
        fused,
        read: text,
        text_sha256: sha256(text.text),
        siteOf,
        now: grounding.requestedAt
      })]
    )
    return EvidenceRead.make({
      request_id: grounding.request.request_id,
      pages: PageOrigin.merged(pages),
      rung: commonRung(readings.map(({ rung }) => rung), readers.last.info)
    })
  }
)

/** What the log is given: the other texts are for this run alone, and go with it. */
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

interface Reading {
  readonly source_id: string
  readonly fused: FusedHit
  readonly read: PageText
  readonly text_sha256: string
  readonly siteOf: PageOrigin.SiteOf
  /** The clock by which dates are believed. */
  readonly now: string
}

/** What the page says of itself goes before what the search said of it. */
const pageOf = ({ fused, now, read, siteOf, source_id, text_sha256 }: Reading): Page => {
  const { hit, provenances } = fused
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
    title: title === undefined ? hit.title : SourceTitle.clean(title, origin.url),
    ...PageDates.believed(dates, now),
    ...Option.match(PageOrigin.canonicalOf(told, siteOf), {
      onNone: () => ({}),
      onSome: (canonical_url) => ({ canonical_url })
    }),
    providers: Array.dedupe(Array.map(provenances, ({ provider }) => provider)),
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
