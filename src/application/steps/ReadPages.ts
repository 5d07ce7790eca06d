/** Reads what the searches found into pages that can be quoted, numbered `s1`, `s2`, … */
import { Array, Effect } from "effect"
import type { Page } from "../../domain/evidence/Evidence.ts"
import type { FusedHit } from "../../domain/search/HitFusion.ts"
import { type Grounding, isTextKept, readingOf } from "../../domain/session/Grounding.ts"
import { RecordEvidence } from "../../domain/session/SessionCommand.ts"
import type { Rung } from "../../domain/session/SessionEvent.ts"
import { Digest } from "../ports/Digest.ts"
import { Limits } from "../ports/Limits.ts"
import { type PageReader, PageReaders, type PageText } from "../ports/PageReader.ts"
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
    const leftMs = yield* Deadline.leftMs(deadline)

    const readings = yield* Effect.forEach(
      hits.slice(0, grounding.policy.pages_max),
      (fused) => {
        const read = <E>(reader: PageReader<E>) => reader.read(fused.hit)
        return RungWalk.walk(readers, read, read, { leftMs, timeoutMs: readTimeoutMs }).pipe(
          Effect.map(({ answer, rung }) => ({ fused, text: answer, rung }))
        )
      },
      { concurrency: concurrentReadsMax }
    )

    const pages = readings.flatMap(({ fused, text }, index) =>
      text === undefined ? [] : [pageOf(`s${index + 1}`, fused, text, sha256(text.text))]
    )
    return RecordEvidence.make({
      request_id: grounding.request.request_id,
      reading: readingOf(grounding),
      pages,
      rung: commonRung(readings.map(({ rung }) => rung), readers.last.info)
    })
  }
)

/** What the log is given: the other texts are for this run alone, and go with it. */
export const keptOf = (
  grounding: Grounding,
  { pages, ...facts }: typeof RecordEvidence.Type
): typeof RecordEvidence.Type =>
  RecordEvidence.make({
    ...facts,
    pages: pages.map(({ text, ...page }) =>
      page.reader !== "snippet" && isTextKept(grounding, page) && text !== undefined
        ? { ...page, text }
        : page
    )
  })

/** What the page says of itself goes before what the search said of it. */
const pageOf = (
  source_id: string,
  { hit, provenances }: FusedHit,
  { title, ...read }: PageText,
  text_sha256: string
): Page => ({
  source_id,
  url: hit.url,
  title: title ?? hit.title,
  site: hit.site,
  official: hit.official,
  ...(hit.published_date === undefined ? {} : { published_date: hit.published_date }),
  providers: Array.dedupe(Array.map(provenances, ({ provider }) => provider)),
  ...read,
  text_sha256
})

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
