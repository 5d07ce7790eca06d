/** Parts of a text: what asks, what is quoted beside it, sentences, numbers, names. */
import * as GateWords from "./GateWords.ts"

/** UTF-16 code units read at a text's start and end; the middle is not read. */
const startCharsMax = 700
const endCharsMax = 300

/** A shorter quotation names a thing. */
const quotedWordsMin = 3
const quotedUnspacedMin = 8

export interface TextShape {
  readonly language: GateWords.Language
  /** The text without greetings, courtesy and what is handed in. Lower case. */
  readonly asking: GateWords.Worded
  /** All of it but greetings and courtesy. */
  readonly whole: GateWords.Worded
  /**
   * Parts that may hold orders: the beginnings of sentences, or their ends in languages whose verb
   * stands last.
   */
  readonly orders: GateWords.Worded
  /** Quoted, or introduced by a colon or a line break. */
  readonly material: "none" | "quoted" | "introduced"
  readonly greets: boolean
  /** Hardly a letter is of a script that any of the languages is written in. */
  readonly isUnread: boolean
  readonly isAsked: boolean
  readonly sentences: number
  readonly hasLines: boolean
  readonly hasCode: boolean
  readonly numbers: number
  readonly years: ReadonlyArray<number>
  readonly operators: number
  readonly names: number
  readonly hasMoney: boolean
  /** Words; in scripts without spaces, half of the characters. */
  readonly length: number
}

const code = /```|[{};]\s*$|=>|\w\(\w*\)\s*[{:]|[!=]=|<\/?\w+>|\w\(["'\d]|\bselect\b.+\bfrom\b/m

/** Two letters side by side of a script that some language here has. */
const known = new RegExp(
  ["Latin", "Cyrillic", "Hangul", "Han", "Hiragana", "Katakana"]
    .map((script) => `\\p{Script=${script}}{2}`).join("|"),
  "u"
)

export const shapeOf = (text: string): TextShape => {
  const trimmed = bounded(text.normalize("NFKC").replace(/[ \t]+/g, " ").trim())
  const language = GateWords.languageOf(GateWords.wordedOf(trimmed))
  const { body, greets } = withoutCourtesy(trimmed, language)
  const { asking, material } = partsOf(body, language)
  const spoken = sentencesOf(asking)
  const numbers = body.match(/\d+(?:[.,]\d+)*/g) ?? []
  const bare = asking.replace(/["“”„«»「」『』'’]/g, "")
  return {
    language,
    asking: GateWords.wordedOf(asking),
    whole: GateWords.wordedOf(body),
    orders: GateWords.wordedOf(spoken.map((one) => orderOf(one, language)).join(" . ")),
    material,
    greets,
    isUnread: /\p{L}/u.test(body) && !known.test(body),
    isAsked: /[?？؟¿]/.test(asking),
    sentences: spoken.length,
    hasLines: body.includes("\n"),
    hasCode: code.test(body.toLowerCase()),
    numbers: numbers.length,
    years: yearsOf(body),
    operators: (body.match(/\d\s?[+×*÷=^√%]|\d\s[-−/:]\s\d/g) ?? []).length,
    names: namesIn(bare, language),
    hasMoney: /[$€£¥₩]/.test(body),
    length: GateWords.isUnspaced(language)
      ? Math.round([...asking].length / 2)
      : asking.split(/\s+/).filter((word) => word !== "").length
  }
}

const bounded = (text: string): string =>
  text.length <= startCharsMax + endCharsMax
    ? text
    : `${text.slice(0, startCharsMax)} ${text.slice(-endCharsMax)}`

/** Courtesy stands in front at most this often. */
const courtesiesMax = 4

interface Courtesy {
  readonly body: string
  readonly greets: boolean
}

const withoutCourtesy = (text: string, language: GateWords.Language): Courtesy => {
  const start: Courtesy = { body: text, greets: false }
  return Array.from({ length: courtesiesMax }).reduce<Courtesy>(({ body, greets }) => {
    const plain = GateWords.plainOf(body)
    const greeting = GateWords.opening(plain, language, "court")
    const found = greeting ?? GateWords.opening(plain, language, "polite")
    if (found === undefined) return { body, greets }
    const after = body.slice(found.length)
    // "ありがとうの語源" asks for the word itself.
    if (GateWords.isUnspaced(language) && /^[\p{L}\p{M}]/u.test(after)) return { body, greets }
    const rest = after.replace(/^[\s,.!~。、，！—–-]+/u, "")
    // A greeting that is all there is stays.
    return rest.length < 3
      ? { body, greets: true }
      : { body: rest, greets: greets || greeting !== undefined }
  }, start)
}

const quotation =
  /"[^"\n]{2,}"|“[^”\n]{2,}”|„[^“”\n]{2,}[“”]|«[^»\n]{2,}»|「[^」]{2,}」|『[^』]{2,}』|《[^》]{2,}》/gu

interface Parts {
  readonly asking: string
  readonly material: TextShape["material"]
}

/**
 * Splits the material off the text: material that is given to be worked on is no question, whatever
 * it says.
 */
const partsOf = (body: string, language: GateWords.Language): Parts => {
  const quoted = body.match(quotation)?.some((part) => isLong(part, language)) ?? false
  const unquoted = body.replace(
    quotation,
    (part) => isLong(part, language) ? " \u25a0 " : part
  )
  const [head = "", ...after] = unquoted.split(/:\s+|:(?=[\u25a0"“„«「]|\p{Lo})|\n+/u)
  const rest = after.join(" ")
  const isIntroduced = isLong(rest, language) && works(head, language)
  if (isIntroduced) return { asking: `${head} \u25a0`, material: "introduced" }
  return { asking: unquoted, material: quoted ? "quoted" : "none" }
}

const isLong = (part: string, language: GateWords.Language): boolean =>
  GateWords.isUnspaced(language)
    ? [...part].length >= quotedUnspacedMin
    : part.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length >= quotedWordsMin

/** Whether what stands before a colon is done to what stands behind it. */
const works = (head: string, language: GateWords.Language): boolean => {
  const worded = GateWords.wordedOf(head)
  return working.some((field) => GateWords.hasWord(worded, language, field)) &&
    !breaking.some((field) => GateWords.hasWord(worded, language, field))
}
const working = ["edit", "given", "manner", "work"] as const
const breaking = ["verify", "play"] as const

const sentencesOf = (text: string): ReadonlyArray<string> =>
  text.split(/(?<=[.!?…])\s+|(?<=[。？！!?])|\n+/u).filter((part) => /[\p{L}\p{N}]/u.test(part))

const orderWordsMax = 3
const orderEndCharsMax = 14
const orderStartCharsMax = 8

const orderOf = (sentence: string, language: GateWords.Language): string => {
  if (GateWords.isVerbLast(language)) return sentence.slice(-orderEndCharsMax)
  if (language === "zh") return sentence.slice(0, orderStartCharsMax)
  return sentence.trim().split(/\s+/).slice(0, orderWordsMax).join(" ")
}

const yearsOf = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/(?<![\d.,-])(?:1[5-9]|20)\d\d(?![\d-]|[.,]\d)/g)].map(([digits]) =>
    Number(digits)
  )

/** Capitalised within a sentence. German nouns all are, so only whole capitals count there. */
const namesIn = (text: string, language: GateWords.Language): number => {
  if (GateWords.isUnspaced(language)) {
    return (text.match(/[A-Z][A-Za-z]{2,}|[\p{Script=Katakana}ー]{4,}/gu) ?? []).length
  }
  const inner = sentencesOf(text).map((one) => one.replace(/^\P{L}*\S+/u, "")).join(" ")
  const capital = language === "de" ? /(?<!\p{L})\p{Lu}{2,}(?!\p{L})/gu : /(?<!\p{L})\p{Lu}\p{L}+/gu
  return (inner.match(capital) ?? []).filter((found) => !/^I(?:'|$)/.test(found)).length
}
