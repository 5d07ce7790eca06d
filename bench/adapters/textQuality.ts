/** Text tools, ranker, writer and checks in the form the offline quality harness asks for. */
import { Option } from "effect"
import { chunksOfText } from "../../packages/language/src/passages/Chunking.ts"
import type { Passage } from "../../packages/language/src/passages/PassageWords.ts"
import * as Relevance from "../../packages/language/src/passages/Relevance.ts"
import * as KeySentences from "../../packages/language/src/statements/KeySentences.ts"
import * as QuotedPassage from "../../packages/language/src/statements/QuotedPassage.ts"
import * as Contradiction from "../../src/domain/pack/Contradiction.ts"

export { sentences } from "../../packages/language/src/text/Sentences.ts"

/** A passage as the harness gives it. */
interface HarnessChunk {
  readonly text: string
  readonly title?: string
  readonly url?: string
}

/** Without a URL there is no search whose order could matter. */
const passagesOf = (chunks: ReadonlyArray<HarnessChunk>): ReadonlyArray<Passage> => {
  const pages = Array.from(new Set(chunks.map(({ url }) => url)))
  return chunks.map(({ text, title = "", url }, place) => ({
    title,
    text,
    page: url ?? (title === "" ? String(place) : title),
    ...(url === undefined ? {} : { rank: pages.indexOf(url) })
  }))
}

export const chunk = (text: string) =>
  chunksOfText(text).map(({ end, start }) => ({ text: text.slice(start, end), start, end }))

export const rerank = (question: string, chunks: ReadonlyArray<HarnessChunk>) =>
  Relevance.scores(question, passagesOf(chunks))

export const keyPoints = (
  question: string,
  chunks: ReadonlyArray<HarnessChunk>,
  limit: number
): ReadonlyArray<string> =>
  KeySentences.select(question, passagesOf(chunks), limit).map(({ text }) => text)

/** A page is made ready once for all its quotations, as the service does. */
const ready = new Map<string, QuotedPassage.Searchable>()
const readyMax = 500

export const locateQuote = (text: string, quote: string): QuotedPassage.Location | null => {
  const whole = [{ start: 0, end: text.length }]
  const page = ready.get(text) ?? QuotedPassage.searchable(text, whole)
  if (ready.size < readyMax) ready.set(text, page)
  return Option.getOrNull(QuotedPassage.find(page, quote))
}

/** As between the passages behind two claims: 0 agree, 1 disagree. */
export const conflict = Contradiction.disagreement
