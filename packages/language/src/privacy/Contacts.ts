/** Patterns of addresses, handles and keys, also where they are spelt to be read by people only. */
import type { NamedPattern } from "./PrivacyWords.ts"

const unspaced = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}"

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

const spelled = pairs.map(([at, dotted]) =>
  new RegExp(
    `${local}(?:${dotted}${local}){0,3}${at}${noHost}${label}(?:${dotted}${label}){0,4}` +
      `${dotted}${ending}(?![\\p{L}\\p{N}])`,
    "giu"
  )
)

export const contacts: ReadonlyArray<NamedPattern> = [
  {
    name: "address with a clear at",
    language: "any",
    pattern: new RegExp(`${local}${clearAt}${label}(?:${dot}${label}){1,6}`, "giu"),
    example: "jane.doe(at)example.com",
    counterexample: "Is @ allowed in usernames?"
  },
  ...spelled.map((pattern, at): NamedPattern => ({
    name: `address in words ${at}`,
    language: "any",
    pattern,
    example: [
      "jane at example dot com",
      "jane bei example punkt de",
      "jane arobase example point fr",
      "jane arroba example punto com"
    ][at] ?? "",
    counterexample: "Is the visa point at Heathrow point to point?"
  })),
  {
    name: "address of a mail host",
    language: "any",
    pattern: new RegExp(
      `${local}${spoken}${mailHosts}(?: ?\\. ?| |${spokenDot})${ending}(?![\\p{L}\\p{N}])`,
      "giu"
    ),
    example: "jane.doe at gmail com",
    counterexample: "What is a salary at booking.com?"
  },
  {
    name: "address that is said to be one",
    language: "en",
    pattern: new RegExp(
      "(?<!\\p{L})(?:my|our) e-?mail(?: address)?(?: is|:|=)? *" +
        `${local}${spoken}${label}(?:${dot}${label}){1,6}`,
      "giu"
    ),
    example: "My e-mail is jane at example.com",
    counterexample: "My e-mail at work is slow"
  },
  {
    name: "address without its host's dot",
    language: "any",
    pattern: new RegExp(
      `${local}(?:${boxed(`${atWords}|${atSigns}`)}| ?(?:골뱅이|アットマーク|艾特) ?)` +
        `${label}(?:(?: ?(?:dot|punkt|point|punto|ponto|점|쩜|닷|ドット|点|點|\\.) ?)[\\p{L}]{2,4})?`,
      "giu"
    ),
    example: "haneul 골뱅이 daum 점 넷",
    counterexample: "메일 쓰는 법"
  },
  {
    name: "handle",
    language: "any",
    pattern: /(?<![\p{L}\p{N}])@[\p{L}\p{N}_.]{2,40}/gu,
    example: "DM @jane_doe99 now",
    counterexample: "Is @ allowed?"
  },
  {
    name: "name of a user with an underscore or a number sign",
    language: "any",
    pattern:
      /(?<![\p{Script=Latin}\p{N}_]|\/)(?![A-Z]+(?:_[A-Z]+)+(?![A-Za-z\d_]))[A-Za-z][A-Za-z\d.]{1,40}_[\w.]{0,40}(?<=[A-Za-z\d])(?![\p{Script=Latin}\d_(])|(?<!\p{L})u\/\w{2,40}|(?<![\p{L}\p{N}])[A-Za-z]\w{1,40}#\d{3,6}(?![ .-]?\d)/gu,
    example: "my nick is wolf_im_wald93",
    counterexample: "snake case or camel case"
  },
  {
    name: "key or token",
    language: "any",
    pattern:
      /(?<!\p{L})(?:sk|pk|ghp|gho|xox[abp]|tvly|jina|AKIA|Bearer)[-_ ]?[A-Za-z0-9_-]{12,200}|(?<![A-Za-z0-9])eyJ[A-Za-z0-9_.-]{10,400}|(?<![A-Za-z0-9_-])(?=[A-Za-z_-]{0,200}\d)(?=[\d_-]{0,200}[A-Za-z])[A-Za-z0-9_-]{24,400}/gu,
    example: "my api key sk-proj-abcdEFGH1234567890",
    counterexample: "What is Donaudampfschifffahrtsgesellschaft?"
  }
]
