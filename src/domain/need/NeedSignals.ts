/** What a text says about itself: its form, its subject and how fast its answer changes. */
import { type Cue, type CuesOf, heard } from "./Cues.ts"
import { english } from "./EnglishCues.ts"
import { englishTime } from "./EnglishTimeCues.ts"
import { german, isGerman } from "./GermanCues.ts"
import { japanese } from "./JapaneseCues.ts"
import { korean } from "./KoreanCues.ts"
import { further, romance } from "./OtherCues.ts"
import { isSum } from "./Sums.ts"

const languages: ReadonlyArray<CuesOf> = [
  english,
  englishTime,
  korean,
  japanese,
  german,
  romance,
  further
]
/** Of a German text. */
const withoutEnglishTime = languages.filter((cues) => cues !== englishTime)

/** Where words are looked for: what follows is material, not the request. UTF-16 code units. */
const headCharsMax = 400
/** Where sums and opening sentences are looked for. In UTF-16 code units. */
const bodyCharsMax = 1_500
const openingsMax = 4
const shortCharsMax = 40
/** A keyword query has this many words; in scripts without spaces, twice as many characters. */
const topicWordsMin = 4

export interface NeedSignals {
  /** How often a cue is heard in the head; for cues of order, in how many opening sentences. */
  readonly count: (cue: Cue) => number
  readonly isQuestion: boolean
  /** A wh-word, an auxiliary or "tell me" opens it. */
  readonly opensAsking: boolean
  /** It orders a device or an assistant about. */
  readonly isCommand: boolean
  readonly isSum: boolean
  /** Neither asks nor orders nor speaks of the speaker, yet has words enough: a keyword query. */
  readonly isTopic: boolean
  readonly isShort: boolean
  /** More lines than one: material was handed in. */
  readonly hasMaterial: boolean
  /** Capitalised or quoted within a sentence. */
  readonly names: number
  readonly years: ReadonlyArray<number>
  /** Different currencies named. */
  readonly currencies: number
}

export const signalsOf = (text: string): NeedSignals => {
  const whole = text.trim().replace(greetingLine, "").slice(0, bodyCharsMax)
  const head = whole.slice(0, headCharsMax)
  const sentences = whole.split(/(?<=[.!?。？！])\s+|\n+/).filter((part) => part.trim() !== "")
  const openings = sentences.slice(0, openingsMax).map(withoutOpener)
  const first = openings[0] ?? ""
  const names = namesOf(head)
  const acts = names.filter((found) => namedAct.test(found)).length
  const spoken = isGerman(head) ? withoutEnglishTime : languages
  const count = (cue: Cue): number =>
    opening.has(cue)
      ? openings.filter((sentence) => heard(sentence, cue, languages) > 0).length
      : heard(head, cue, spoken) + (cue === "legal" ? acts : 0)
  const opensAsking = asks.test(first) || asksIndirectly.test(first) || asksWithin.test(head)
  const ending = whole.slice(-headCharsMax)
  return {
    count,
    opensAsking,
    isQuestion: opensAsking || heard(ending, "question", languages) > 0,
    isCommand: heard(first, "command", languages) > 0,
    isSum: isSum(whole, sentences.length, heard(whole, "arithmetic", languages)),
    isTopic: isTopic(whole) && first.length >= whole.length - 1,
    isShort: whole.length <= shortCharsMax,
    hasMaterial: /\n/.test(whole),
    names: names.length,
    years: [...head.matchAll(year)].map(([digits]) => Number(digits)),
    currencies: new Set(head.toLowerCase().match(currency) ?? []).size
  }
}

/** Names as they stand: capitalised within a sentence, or quoted in Chinese and Japanese. */
export const namesOf = (text: string): ReadonlyArray<string> =>
  (text.match(name) ?? []).filter((found) => !/^I(?:['’]\p{L}+)?$/u.test(found))

/** The last word of a named law, e.g. "the Data Protection Act". */
const namedAct = /^(?:Act|Bill|Law|Code|Directive|Regulation|Ordinance|Amendment|Convention)$/

/** Heard at the start of sentences only. */
const opening: ReadonlySet<Cue> = new Set<Cue>(["knowledge", "make"])

const greetingLine = /^(?:hi|hello|hey|dear)\b[^\n]{0,20}\n+/i

const asks = new RegExp(
  "^(?:(?:and|but|so|then|also|in|on|at|by|for|to|from|with|of|the) )*" +
    "(?:who|whom|whose|what|what['’]s|whats|when|where|which|why|how|is|are|was|were|do|does|did|" +
    "can|could|should|would|will|has|have|had|may|might|must|am|isn['’]t|aren['’]t|doesn['’]t|" +
    "don['’]t)(?!\\p{L})",
  "iu"
)
const asksIndirectly = new RegExp(
  "^(?:(?:tell|show|give|ask|advise) (?:me|us)|let me know|know|find out|wonder|learn|understand|" +
    "i(?:['’]d| would) (?:like|love) to know|i(?:['’]m| am) (?:wondering|curious))(?!\\p{L})",
  "iu"
)
const asksWithin = new RegExp(
  "^if\\b.*(?<!\\p{L})(?:would|do|does|can|could|should|what|how|which|who|will) |" +
    "(?:wanna|(?:want|need|like|love) to) know(?!\\p{L})|" +
    "(?:your|an?) (?:opinion|advice) (?:on|about)|" +
    ",\\s+(?:and |so |but )?(?:what|how|where|when|which|who|why|can|could|should|is|are|do|does|" +
    "did|will|would|am) (?:\\p{L})",
  "iu"
)
const opener = new RegExp(
  "^(?:please|pls|hey|hi|hello|ok|okay|so|well|siri|alexa|(?:can|could|would|will|may) you|" +
    "i(?:['’]d| would) like you to|i need you to|i want you to|help me(?: to)?|help|" +
    "you (?:should|will|need to|must|have to)(?: be required to)?|we (?:need|want) to|" +
    "i (?:need|want|wanna|gotta|would like) to|i['’]d like to|i wanna|i gotta|" +
    "let['’]s(?! (?:say|imagine|suppose|assume))|kindly|go ahead and|just)(?!\\p{L})[\\s,]*",
  "iu"
)
/** Politeness stands in front at most this often. */
const openersMax = 4

const withoutOpener = (sentence: string): string =>
  Array.from({ length: openersMax }).reduce<string>(
    (rest) => rest.replace(opener, ""),
    sentence.trim()
  )

const ofTheSpeaker =
  /(?<!\p{L})(?:i|me|my|i['’](?:d|m|ve)|id|needs? to be|should be)(?!\p{L})|내 |제 |나는|저는|私|僕|俺/iu
const startsOtherwise = new RegExp(
  "^(?:im|you|it|it['’]s|that|that['’]s|thats|this|my|we|let|there|please|don['’]t|if|maybe|" +
    "would)(?!\\p{L})",
  "iu"
)

const unspacedLetter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

const isTopic = (text: string): boolean => {
  const spaced = text.split(/\s+/).length
  const unspaced = text.match(unspacedLetter)
  return (spaced >= topicWordsMin || (unspaced?.length ?? 0) >= 2 * topicWordsMin) &&
    !ofTheSpeaker.test(text) && !startsOtherwise.test(text)
}

const name =
  /(?<!^|[.!?:;\n"“]\s*)(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’.-]*|[「『《][^」』》]{1,40}[」』》]/gu
const year = /(?<![\d.,-])(?:1[5-9]|20)\d\d(?![\d-]|[.,]\d)/g
const currency = new RegExp(
  "[$€£¥₩]|(?<!\\p{L})(?:dollars?|euros?|yen|pesos?|won|yuan|rupees?|francs?|pounds?|" +
    "usd|eur|gbp|jpy|krw|cad|aud|ils|mxn|cny|inr|chf)(?!\\p{L})",
  "giu"
)
