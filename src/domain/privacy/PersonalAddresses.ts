/** Finds e-mail addresses and handles, also where they are spelt to be read by people only. */
import { compiled, lead, unspaced } from "./PersonalPatterns.ts"

/** A part of an address. Text without blanks runs into it, so Chinese and Japanese stand alone. */
const partOf = (marks: string, most: number): string =>
  `(?:(?:(?![${unspaced}])[\\p{L}\\p{N}${marks}]){1,${most}}|[${unspaced}]{1,24})`
const local = partOf("._%+-", 64)
const label = partOf("-", 63)

const opened = "[(\\[{<|*_«「【〔]"
const closed = "[)\\]}>|*_»」】〕]"
const boxed = (words: string): string => ` {0,2}${opened} ?(?:${words}) ?${closed} {0,2}`
const loose = (words: string): string => `(?<=[^ ]) {1,2}(?:${words}) {1,2}(?=[^ ])`

const atWords = "at|ät|bei|arroba|arobase|chiocciola|a commercial|malpa|małpa"
/** No word of a sentence; blanks around them may be missing. */
const atSigns = "@|%40|&#0{0,4}64;|&#x0{0,4}40;|&commat;|골뱅이|앳|アットマーク|アット|艾特|圈a"
const dotWords = "dot|punkt|point|punto|ponto|kropka"
const dotSigns = "\\.|点|點|ドット|닷|쩜"

/** An `@` that nobody writes by chance, so that any dot behind it may be disguised. */
const clearAt = `(?: {0,2}(?:${atSigns}) {0,2}|${boxed(`${atWords}|${atSigns}`)})`
const dot = `(?: ?(?:${dotSigns})(?=[\\p{L}\\p{N}])|${boxed(`${dotWords}|${dotSigns}`)}|` +
  `${loose(dotWords)})`
const spoken = `(?:${loose("at")}|${boxed(atWords)})`
/** A dot in words alone: a sentence may hold "at" and "point", but not these two as a pair. */
const spokenDot = `(?:${boxed(`${dotWords}|\\.`)}|${loose("dot")})`
const pairs: ReadonlyArray<readonly [at: string, dot: string]> = [
  [spoken, spokenDot],
  [loose("ät|at|bei"), loose("punkt")],
  [loose("arobase|arrobase"), loose("point")],
  [loose("arroba|chiocciola"), loose("punto|ponto")]
]
const ending = "(?:com|org|net|edu|gov|info|biz|mail|email|online|example|test|[a-z]{2}|co\\.uk)"
const mailHosts =
  "(?:gmail|googlemail|yahoo|hotmail|outlook|live|icloud|proton|protonmail|gmx|web|" +
  "aol|mail|naver|daum|hanmail|kakao|qq|163|126|sina|yandex|zoho|posteo|orange|libero|wanadoo)"
/** Articles before a "dot" that is meant. */
const noHost = "(?!(?:the|a|an|this|that|which|what|each|every|one|any) )"

export const addressPatterns = compiled([
  [`${lead}${local}${clearAt}${label}(?:${dot}${label}){1,6}`, "giu"],
  ...pairs.map(([at, dotted]) =>
    [
      `${lead}${local}(?:${dotted}${local}){0,3}${at}${noHost}${label}(?:${dotted}${label}){0,4}` +
      `${dotted}${ending}(?![\\p{L}\\p{N}])`,
      "giu"
    ] as const
  ),
  // "jane at gmail.com", "jane at gmail com": a host where only letters are kept for people.
  [
    `${lead}${local}${spoken}${mailHosts}(?: ?\\. ?| |${spokenDot})${ending}(?![\\p{L}\\p{N}])`,
    "giu"
  ],
  // "My e-mail is jane at example.com": said to be an address.
  [
    "(?<!\\p{L})(?:my|our) e-?mail(?: address)?(?: is|:|=)? *" +
    `${local}${spoken}${label}(?:${dot}${label}){1,6}`,
    "giu"
  ],
  [`${lead}(?<![\\p{L}\\p{N}])@[\\p{L}\\p{N}_.]{2,}`, "giu"]
])
