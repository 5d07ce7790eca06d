/** Which sentences may be quoted, and what must be quoted along for one to stand alone. */
import * as InjectionFlag from "../injection/InjectionFlag.ts"
import type { Span } from "../page/Page.ts"
import * as PlainText from "../text/PlainText.ts"

const charsMin = 25
const cjkCharsMin = 12
/** Of one sentence, and of sentences quoted together. */
export const charsMax = 600
/** So many sentences before one may be quoted along. */
const sentencesBefore = 2

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

export interface Quotable extends Span {
  /** Whole; pointing back at what is not with it; or a row of a table and the like. */
  readonly form: "whole" | "dangling" | "fragment"
}

/** The sentence, with those before where it points back; `undefined` when it is none to quote. */
export const standingAlone = (
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
