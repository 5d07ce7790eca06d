/** The reading of a supposed run: from pages that were read, and snippets that were found. */
import { Effect } from "effect"
import type { Page } from "../../domain/page/Page.ts"
import { type Grounding, hitsOf } from "../../domain/session/Grounding.ts"
import { EvidenceRead } from "../../domain/session/SessionEvent.ts"
import { PageReaders } from "../ports/PageReader.ts"
import * as RecordedEngines from "../replay/RecordedEngines.ts"
import type * as Deadline from "../steps/Deadline.ts"
import { keptOf, readPages } from "../steps/ReadPages.ts"
import type { StepOf } from "../steps/Step.ts"
import { needed } from "./FactNeeded.ts"

/**
 * Reads hits of a supposed run from recorded pages and snippets. Fails with `FactNeeded` when none
 * was recorded.
 */
export const readRecorded = Effect.fnUntraced(
  function*(step: StepOf<"Read">, recorded: Grounding, deadline: Deadline.Deadline) {
    const { grounding } = step
    const evidence = recorded.evidence
    if (evidence === undefined) {
      return yield* needed("Read", "page", step.hits[0]?.hit.url)
    }
    const { rung } = evidence
    const { info } = (yield* PageReaders).last
    const stored = evidence.pages.filter(({ reader }) => reader === "store")
    // An entry of a page that was read stood back for it, and would stand beside the others now.
    if ((grounding.policy.entries_max ?? 0) > 0 && isLess(step, recorded)) {
      return yield* needed("Read", "store")
    }
    // Nobody but the local reader was there, which cuts whatever snippets there are.
    const isOfSnippets = RecordedEngines.isOf(rung, info) && rung.faults.length === 0 &&
      evidence.pages.every(({ reader }) => reader === "snippet" || reader === "store")
    const pages = isOfSnippets && grounding.request.listing?.urls === undefined
      ? [...(yield* readPages(step, deadline)).pages, ...stored]
      : yield* kept(step, recorded, evidence.pages)
    const { request_id } = grounding.request
    return keptOf(grounding, EvidenceRead.make({ request_id, pages, rung }))
  }
)

/** Whether a page that was read would not be. */
const isLess = ({ grounding, hits }: StepOf<"Read">, recorded: Grounding): boolean => {
  const wanted = new Set(urlsOf(hits, grounding))
  return urlsOf(hitsOf(recorded), recorded).some((url) => !wanted.has(url))
}

/** The recorded pages of the hits that would have been read, under the names they would bear. */
const kept = Effect.fnUntraced(function*(
  { grounding, hits }: StepOf<"Read">,
  recorded: Grounding,
  pages: ReadonlyArray<Page>
) {
  const wasRead = new Set(urlsOf(hitsOf(recorded), recorded))
  const byHit = new Map(pages.map((page) => [page.hit_url ?? page.url, page]))
  const stored = pages.filter(({ reader }) => reader === "store")
  // Pages that the caller named are the same whatever is supposed.
  if (grounding.request.listing?.urls !== undefined) return pages
  const found: Array<Page> = []
  for (const [index, url] of urlsOf(hits, grounding).entries()) {
    const page = byHit.get(url)
    if (page !== undefined) found.push({ ...page, source_id: `s${index + 1}` })
    // A page that was read and stands nowhere has become one with an earlier one.
    else if (!wasRead.has(url)) return yield* needed("Read", "page", url)
  }
  return [...found, ...stored]
})

const urlsOf = (
  hits: StepOf<"Read">["hits"],
  { policy }: Grounding
): ReadonlyArray<string> => hits.slice(0, policy.pages_max).map(({ hit }) => hit.url)
