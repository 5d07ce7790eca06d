/**
 * The evidence of an answer as data: its sources, and the passages that the writer was handed.
 *
 * An answer is recorded without the words of the passages, which the log holds once, where it may:
 * of snippets, and of pages that were read with consent. They are put in when it is given.
 */
import { clean } from "@web-grounding/language/Sentences"
import type { Page } from "../page/Page.ts"
import * as SourceTitle from "../page/SourceTitle.ts"
import { type Grounding, isTextKept } from "./Grounding.ts"
import type { GroundingOutcome } from "./GroundingOutcome.ts"

type Evidence = NonNullable<GroundingOutcome["evidence"]>

/** Evidence as it is recorded. `undefined` when nothing was ranked. */
export const evidenceOf = ({ evidence, ranking }: Grounding): Evidence | undefined => {
  if (evidence === undefined || ranking === undefined || evidence.pages.length === 0) {
    return undefined
  }
  const { pages } = evidence
  return {
    sources: pages.map(sourceOf),
    chunks: ranking.ranked.flatMap(({ index, score, source_id }) => {
      const source_index = pages.findIndex((page) => page.source_id === source_id)
      const span = pages[source_index]?.chunks[index]
      return span === undefined ? [] : [{ source_index, ...span, score }]
    })
  }
}

/** The answer with the words that the log may hold; where they were erased, without. */
export const withTexts = (grounding: Grounding, outcome: GroundingOutcome): GroundingOutcome => {
  const { evidence } = outcome
  if (evidence === undefined) return outcome
  const pages = new Map(grounding.evidence?.pages.map((page) => [page.source_id, page]))
  const chunks = evidence.chunks.map((chunk) => {
    const page = pages.get(evidence.sources[chunk.source_index]?.source_id ?? "")
    if (page === undefined || !isTextKept(grounding, page) || page.text === "") return chunk
    return { ...chunk, text: clean(page.text.slice(chunk.start, chunk.end)).text }
  })
  return { ...outcome, evidence: { ...evidence, chunks } }
}

const sourceOf = (page: Page): Evidence["sources"][number] => {
  const { official, published_date, reader, site, source_id, title, url } = SourceTitle.withClean(
    page
  )
  return {
    source_id,
    url,
    title,
    site,
    official,
    ...(published_date === undefined ? {} : { published_date }),
    reader
  }
}
