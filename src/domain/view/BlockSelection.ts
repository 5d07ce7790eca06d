/**
 * Selects the sentences of all pages for the evidence block: the best at a price for their length,
 * each whole and with the one before it, until the block is full.
 */
import { passagesOf, poolOf } from "@web-grounding/language/PassageWords"
import * as Relevance from "@web-grounding/language/Relevance"
import type { Chunk, Page, Span } from "../page/Page.ts"
import * as EvidenceBlock from "./EvidenceBlock.ts"

/** Points that a sentence loses for every hundred of its characters. */
const priceOfHundred = 1
/** A sentence with less than this share of the best one's score would only fill the block. */
const scoreShareMin = 0.35
/** Passages whose sentences are compared: the answer is seldom in another. */
const chunksMax = 24
/** Sentences tried, the best first. */
const triesMax = 60

export interface BlockMaterials {
  /** Best first; what stands beyond `chunksMax` is not looked at. */
  readonly chunks: ReadonlyArray<Chunk>
  readonly question: string
  readonly boundary: string
  /** Longest block, in UTF-16 code units. */
  readonly charsMax: number
  /** Spans of each source that the pack holds to be disputed or outdated, by `source_id`. */
  readonly doubted: ReadonlyMap<string, ReadonlyArray<Span>>
}

/**
 * Excerpts for the block, grouped by page: the page with the best sentence first, excerpts in their
 * place within the page.
 */
export const select = (materials: BlockMaterials): ReadonlyArray<EvidenceBlock.Excerpt> => {
  const { boundary, charsMax, question } = materials
  const chunks = materials.chunks.slice(0, chunksMax)
  const read = Array.from(
    Map.groupBy(chunks, ({ page }) => page),
    ([page, own]) => readOf(page, own.toSorted((left, right) => left.start - right.start))
  )
  const scored = Relevance.sentenceScores(question, read.map(({ words }) => words))
  const best = Math.max(0, ...scored.flat())
  const candidates = read.flatMap(({ page: { text }, spans }, page) =>
    spans.flatMap((span, place) => {
      const score = scored[page]?.[place] ?? 0
      const worth = score - priceOfHundred * (span.end - span.start) / 100
      return score < scoreShareMin * best
        ? []
        : [{ page, place, worth, text: text.slice(span.start, span.end) }]
    })
  ).toSorted((left, right) => right.worth - left.worth)
  const distinct = Array.from(
    new Map(candidates.toReversed().map((one) => [one.text, one])).values()
  ).toReversed().slice(0, triesMax)
  const taken = distinct.reduce<ReadonlyArray<Place>>((chosen, { page, place }) => {
    const fitting = (more: ReadonlyArray<Place>) => {
      const grown = [
        ...chosen,
        ...more.filter((one) =>
          one.place >= 0 && !chosen.some((held) => held.page === page && held.place === one.place)
        )
      ]
      const length = EvidenceBlock.lengthOf(excerptsOf(read, grown, materials), boundary)
      return length <= charsMax ? grown : undefined
    }
    return fitting([{ page, place }, { page, place: place - 1 }]) ?? fitting([{ page, place }]) ??
      chosen
  }, [])
  return excerptsOf(read, taken, materials)
}

interface Place {
  readonly page: number
  readonly place: number
}

interface ReadPage {
  readonly page: Page
  readonly words: Relevance.ScoredPage
  /** Spans of the sentences in the page's text. */
  readonly spans: ReadonlyArray<Span>
}

/**
 * The given passages of one page together, sentence by sentence: no sentence runs across two
 * passages.
 */
const readOf = (page: Page, chunks: ReadonlyArray<Chunk>): ReadPage => {
  const { passages } = poolOf(passagesOf(chunks))
  return {
    page,
    words: {
      passage: { title: page.title, text: page.text, page: page.source_id },
      sentences: passages.flatMap(({ sentences }) => sentences),
      title: passages[0]?.title ?? new Set()
    },
    spans: passages.flatMap(({ sentences }, index) => {
      const offset = chunks[index]?.start ?? 0
      return sentences.map(({ end, start }) => ({ start: offset + start, end: offset + end }))
    })
  }
}

/** Sentences beside each other are one excerpt. */
const excerptsOf = (
  read: ReadonlyArray<ReadPage>,
  places: ReadonlyArray<Place>,
  { doubted }: Pick<BlockMaterials, "doubted">
): ReadonlyArray<EvidenceBlock.Excerpt> =>
  Array.from(Map.groupBy(places, ({ page }) => read[page])).flatMap(([from, chosen]) => {
    if (from === undefined) return []
    const { page, spans } = from
    const ordered = chosen.flatMap(({ place }) => spans[place] ?? [])
      .toSorted((left, right) => left.start - right.start)
    const runs = ordered.reduce<ReadonlyArray<Span>>((list, span) => {
      const last = list.at(-1)
      const isNext = last !== undefined && page.text.slice(last.end, span.start).trim() === ""
      return isNext && isInOneChunk(page, last, span)
        ? list.with(-1, { start: last.start, end: span.end })
        : [...list, span]
    }, [])
    const doubts = doubted.get(page.source_id) ?? []
    return runs.map((run) => ({
      page,
      text: page.text.slice(run.start, run.end),
      isDoubted: doubts.some(({ end, start }) => start < run.end && run.start < end)
    }))
  })

const isInOneChunk = ({ chunks, reader }: Page, left: Span, right: Span): boolean =>
  reader !== "snippet" ||
  chunks.some(({ end, start }) => start <= left.start && right.end <= end)
