/** Which sentences of the passages answer the question best, each of them able to stand alone. */
import { things } from "../evidence/Agreement.ts"
import * as AnswerKind from "../evidence/AnswerKind.ts"
import type { Span } from "../evidence/Evidence.ts"
import * as InjectionFlag from "../evidence/InjectionFlag.ts"
import { type Passage, type PassageWords, poolOf } from "../evidence/PassageWords.ts"
import { type Asked, share } from "../evidence/QuestionTerms.ts"
import * as Relevance from "../evidence/Relevance.ts"
import * as PlainText from "./PlainText.ts"

export interface KeySentence extends Span {
  /** Place in the passages given. */
  readonly passage: number
  readonly text: string
  /** 0 to about 2: how well it answers. */
  readonly score: number
  /** 0 to 1: share of the question's terms it holds, its neighbours and title counted in part. */
  readonly coverage: number
}

interface Candidate extends KeySentence {
  readonly terms: ReadonlySet<string>
  readonly page: string
  /** Names and numbers that may answer. */
  readonly things: ReadonlySet<string>
}

const charsMin = 25
const cjkCharsMin = 12
const charsMax = 600
const passagesMax = 24
const weights = { passage: 0.3, answer: 0.45, before: 0.5, after: 0.3 } as const
/** How much a sentence loses by repeating one already chosen. */
const repetitionWeight = 0.35
const samePageRepetition = 0.4
/** Of a sentence that repeats the words but names something new: another answer, perhaps. */
const otherAnswerShare = 0.3
/** What rarity adds to is worth this much for every word. */
const evenWeight = 2
/** A sentence that points back at what is not with it, and a row of a table, are second best. */
const formWeights = { whole: 1, dangling: 0.7, fragment: 0.6 } as const
/** So many sentences before one may be quoted along. */
const sentencesBefore = 2

/** At most `limit`, best first; what was not said yet, and by another page, is preferred. */
export const select = (
  question: string,
  passages: ReadonlyArray<Passage>,
  limit: number
): ReadonlyArray<KeySentence> => {
  const pool = poolOf(passages)
  const view = Relevance.viewOf(pool, question)
  const ranked = view.scores
    .map((score, place) => ({ score, place }))
    .sort((left, right) => right.score - left.score)
    .slice(0, passagesMax)
  const best = ranked[0]?.score ?? 0
  const worst = ranked.at(-1)?.score ?? 0
  const evened = withEvenWeights(view.sought)
  const candidates = ranked.flatMap(({ place, score }) => {
    const read = pool.passages[place]
    const share = best > worst ? (score - worst) / (best - worst) : 1
    return read === undefined
      ? []
      : candidatesOf(read, place, { ...view, evened, rankShare: share })
  })
  return chosen(candidates, limit)
}

interface Look extends Relevance.View {
  /** The question with its words' weights drawn together. */
  readonly evened: Asked
  /** 0 to 1: the passage's place between the best and the worst. */
  readonly rankShare: number
}

/** Which passage is meant hangs on rare words; which sentence of it answers, on all of them. */
const withEvenWeights = (sought: Asked): Asked => {
  const weights = new Map(
    Array.from(sought.weights, ([term, weight]) => [term, weight + evenWeight])
  )
  const total = Array.from(weights.values()).reduce((sum, weight) => sum + weight, 0)
  return { ...sought, weights, total }
}

const candidatesOf = (
  { passage, sentences, title }: PassageWords,
  place: number,
  { evened, kind, rankShare, sought }: Look
): ReadonlyArray<Candidate> =>
  sentences.flatMap((sentence, index) => {
    const whole = standingAlone(passage.text, sentences, index)
    if (whole === undefined) return []
    const coverage = share(evened, (term) => {
      if (sentence.held.has(term)) return 1
      if (sentences[index - 1]?.held.has(term) === true || title.has(term)) return weights.before
      return sentences[index + 1]?.held.has(term) === true ? weights.after : 0
    })
    const answer = AnswerKind.holds(kind, sentence.text, sought.words)
    const said = coverage + weights.passage * rankShare +
      weights.answer * answer * Math.min(1, 2 * coverage)
    const text = passage.text.slice(whole.start, whole.end)
    return [{
      start: whole.start,
      end: whole.end,
      passage: place,
      text,
      score: said * formWeights[whole.form],
      coverage,
      terms: sentence.held,
      page: passage.page,
      things: new Set(things({ kind, words: sought.words }, sentence.text))
    }]
  })

const chosen = (
  candidates: ReadonlyArray<Candidate>,
  limit: number
): ReadonlyArray<KeySentence> => {
  const list: Array<Candidate> = []
  const left = new Set(candidates)
  while (list.length < limit && left.size > 0) {
    const next = Array.from(left).reduce((best, candidate) =>
      worth(candidate, list) > worth(best, list) ? candidate : best
    )
    left.delete(next)
    if (!list.some((other) => overlaps(other, next))) list.push(next)
  }
  return list
}

const worth = (candidate: Candidate, list: ReadonlyArray<Candidate>): number =>
  candidate.score -
  repetitionWeight * Math.max(0, ...list.map((other) => repetition(candidate, other)))

const repetition = (left: Candidate, right: Candidate): number => {
  const shared = Array.from(left.terms).filter((term) => right.terms.has(term)).length
  const share = shared / Math.max(1, Math.min(left.terms.size, right.terms.size))
  if (left.page === right.page) return Math.max(share, samePageRepetition)
  const isOther = Array.from(left.things).some((thing) => !right.things.has(thing))
  return isOther ? otherAnswerShare * share : share
}

const overlaps = (left: KeySentence, right: KeySentence): boolean =>
  left.passage === right.passage && left.start < right.end && right.start < left.end

/** A list's mark, or the note of the sentence before. */
const bullet = /^(?:[-*•▪・‣>]\s*|\[\d{1,3}\]\s*)+/
const ends = /[.!。！．…"”’」』)）\]]\s*$/
const cutOff = /(?:\.{3}|…)\s*$/
const question = /[?？]["”’」』)）]?\s*$/
/** Points at something said before; "It is customary to …" does not. */
const dangling = new RegExp(
  "^(?:it(?! is (?:\\w+ ){1,3}(?:to|for|that) )|they|he|she|its|their|his|her|this|that|these|" +
    "those|such|the (?:former|latter|same|above)|" +
    "both|neither|in (?:that|this|such) (?:case|event)|otherwise|then|there(?:fore|after)|thus|" +
    "hence|" +
    "so|and|but|or|yet|nor|however|instead|nevertheless|nonetheless|for (?:example|instance)|" +
    "as a result|because of (?:this|that)|on the other hand|by contrast|conversely|similarly|" +
    "likewise)\\b|" +
    "^(?:これ|それ|その|この|あの|そこ|こう|そう|ここ|しかし|ただし|ただ、|そして|一方|だから|したがって|例えば|" +
    "たとえば|そのため|同じ|なお、)|" +
    "^(?:이는|이것|이를|이 |그(?:는|것|런|래|리| )|하지만|다만|따라서|예를 들|또는|반면|단,)|" +
    "^(?:这|那|它|他|她|其|但|因此|所以|例如|此外)",
  "iu"
)
const boilerplate = new RegExp(
  "\\b(?:cookies?|subscribe|sign up|sign in|log in|all rights reserved|click here|read more|" +
    "learn more|" +
    "privacy policy|terms of (?:use|service)|newsletter|advertis\\w+|contact us|follow us|share " +
    "this|" +
    "table of contents|last updated|skip to|download (?:the|our) app|related articles)\\b|©|" +
    "利用規約|プライバシー|お問い合わせ|詳しくはこちら|会員登録|無断転載|ログイン|개인정보|로그인|회원가입|무단전재|" +
    "구독|문의하기|자세히 보기|版权所有|点击",
  "iu"
)

interface Quotable extends Span {
  readonly form: keyof typeof formWeights
}

/** The sentence, with those before where it points back; `undefined` when it is none to quote. */
const standingAlone = (
  text: string,
  spans: ReadonlyArray<Span>,
  index: number
): Quotable | undefined => {
  const span = spans[index]
  if (span === undefined) return undefined
  const lead = bullet.exec(text.slice(span.start, span.end))?.[0].length ?? 0
  const bare = { start: span.start + lead, end: span.end }
  const sentence = text.slice(bare.start, bare.end)
  if (!isQuotable(sentence)) return undefined
  if (!isWhole(sentence)) return { ...bare, form: "fragment" }
  if (!dangling.test(sentence)) return { ...bare, form: "whole" }
  const start = startBefore(text, spans.slice(Math.max(0, index - sentencesBefore), index + 1))
  return start === undefined
    ? { ...bare, form: "dangling" }
    : { start, end: span.end, form: "whole" }
}

/** Where the last sentence before begins that needs none before it, in the same paragraph. */
const startBefore = (text: string, spans: ReadonlyArray<Span>): number | undefined => {
  const last = spans.at(-1)
  if (last === undefined) return undefined
  for (const { end, start } of spans.slice(0, -1).toReversed()) {
    const previous = text.slice(start, end)
    const isNear = !/\n/.test(text.slice(end, last.start)) && last.end - start <= charsMax
    if (!isNear || !isQuotable(previous) || !isWhole(previous)) return undefined
    if (!dangling.test(previous)) return start
  }
  return undefined
}

/** What a reader would take for a full sentence. */
const isWhole = (sentence: string): boolean =>
  ends.test(sentence) && !cutOff.test(sentence) &&
  !/^(?:\p{Ll}|[^\p{L}\p{N}"“‘「『(（¿¡$€£¥₩])/u.test(sentence)

const isQuotable = (sentence: string): boolean => {
  const isCjk = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]{4}/u.test(sentence)
  return sentence.length >= (isCjk ? cjkCharsMin : charsMin) && sentence.length <= charsMax &&
    !question.test(sentence) && !/^\s*(?:#|\|)/.test(sentence) &&
    !boilerplate.test(sentence) && !InjectionFlag.isSuspicious(sentence) &&
    !PlainText.hasLink(sentence)
}
