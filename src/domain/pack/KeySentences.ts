/** Which sentences of the passages answer the question best, each of them able to stand alone. */
import * as AnswerKind from "../evidence/AnswerKind.ts"
import type { Span } from "../evidence/Evidence.ts"
import * as InjectionFlag from "../evidence/InjectionFlag.ts"
import type { Passage } from "../evidence/PassageWords.ts"
import { questionTerms } from "../evidence/QuestionTerms.ts"
import * as Relevance from "../evidence/Relevance.ts"
import { sentences } from "../text/Sentences.ts"
import { terms, words } from "../text/Words.ts"
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
}

const charsMin = 25
const cjkCharsMin = 12
const charsMax = 500
const passagesMax = 24
const weights = { passage: 0.3, answer: 0.45, before: 0.5, after: 0.3 } as const
/** How much a sentence loses by repeating one already chosen. */
const repetitionWeight = 0.35
const samePageRepetition = 0.4

/** At most `limit`, best first; what was not said yet, and by another page, is preferred. */
export const select = (
  question: string,
  passages: ReadonlyArray<Passage>,
  limit: number
): ReadonlyArray<KeySentence> => {
  const asked = questionTerms(question)
  const scores = Relevance.scores(question, passages)
  const ranked = scores
    .map((score, place) => ({ score, place }))
    .sort((left, right) => right.score - left.score)
    .slice(0, passagesMax)
  const best = ranked[0]?.score ?? 0
  const worst = ranked.at(-1)?.score ?? 0
  const candidates = ranked.flatMap(({ place, score }) => {
    const passage = passages[place]
    const share = best > worst ? (score - worst) / (best - worst) : 1
    return passage === undefined ? [] : candidatesOf(passage, place, share, { question, asked })
  })
  return chosen(candidates, limit)
}

interface Asked {
  readonly question: string
  readonly asked: ReadonlyArray<string>
}

const candidatesOf = (
  passage: Passage,
  place: number,
  share: number,
  { asked, question }: Asked
): ReadonlyArray<Candidate> => {
  const kind = AnswerKind.kindOf(question)
  const asking = new Set(words(question))
  const spans = sentences(passage.text)
  const sets = spans.map(({ end, start }) => new Set(terms(passage.text.slice(start, end))))
  const title = new Set(terms(passage.title))
  return spans.flatMap((span, index) => {
    const whole = standingAlone(passage.text, spans, index)
    if (whole === undefined) return []
    const set = sets[index] ?? new Set<string>()
    const held = asked.map((term) => {
      if (set.has(term)) return 1
      if (sets[index - 1]?.has(term) === true || title.has(term)) return weights.before
      return sets[index + 1]?.has(term) === true ? weights.after : 0
    })
    const coverage = weighted(asked, held)
    const text = passage.text.slice(whole.start, whole.end)
    const answer = AnswerKind.holds(kind, passage.text.slice(span.start, span.end), asking)
    const score = coverage + weights.passage * share +
      weights.answer * answer * Math.min(1, 2 * coverage)
    return [{ ...whole, passage: place, text, score, coverage, terms: set, page: passage.page }]
  })
}

/** Long words say more than short ones. */
const weighted = (asked: ReadonlyArray<string>, held: ReadonlyArray<number>): number => {
  const weight = (term: string) => 0.5 + Math.min(term.length, 10) / 10
  const total = asked.reduce((sum, term) => sum + weight(term), 0)
  const found = asked.reduce((sum, term, place) => sum + weight(term) * (held[place] ?? 0), 0)
  return found / (total || 1)
}

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
  return left.page === right.page ? Math.max(share, samePageRepetition) : share
}

const overlaps = (left: KeySentence, right: KeySentence): boolean =>
  left.passage === right.passage && left.start < right.end && right.start < left.end

const bullet = /^(?:[-*•▪・‣>]\s*)+/
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

/** The sentence, with the one before where it points back; `undefined` when it cannot stand. */
const standingAlone = (
  text: string,
  spans: ReadonlyArray<Span>,
  index: number
): Span | undefined => {
  const span = spans[index]
  if (span === undefined) return undefined
  const lead = bullet.exec(text.slice(span.start, span.end))?.[0].length ?? 0
  const bare = { start: span.start + lead, end: span.end }
  const sentence = text.slice(bare.start, bare.end)
  if (!isWhole(sentence)) return undefined
  if (!dangling.test(sentence)) return bare
  const before = spans[index - 1]
  if (before === undefined || /\n/.test(text.slice(before.end, span.start))) return undefined
  const previous = text.slice(before.start, before.end)
  const isFit = isWhole(previous) && !dangling.test(previous) && span.end - before.start <= charsMax
  return isFit ? { start: before.start, end: span.end } : undefined
}

const isWhole = (sentence: string): boolean => {
  const isCjk = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]{4}/u.test(sentence)
  return sentence.length >= (isCjk ? cjkCharsMin : charsMin) && sentence.length <= charsMax &&
    ends.test(sentence) && !cutOff.test(sentence) && !question.test(sentence) &&
    !/^(?:\p{Ll}|[^\p{L}\p{N}"“‘「『(（¿¡$€£¥₩])/u.test(sentence) &&
    !/^\s*(?:#|\|)/.test(sentence) &&
    !boilerplate.test(sentence) && !InjectionFlag.isSuspicious(sentence) &&
    !PlainText.hasLink(sentence)
}
