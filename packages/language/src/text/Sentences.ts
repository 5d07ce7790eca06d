/** Sentences of a text as exact spans: what writers quote and what chunks are cut between. */
import { all } from "../language/Languages.ts"
import { remembered } from "../language/Remembered.ts"

// Grapheme clusters, which a reader takes for one character: base and marks, joined emoji, flags.
// Never cut in two.

/** Offsets are UTF-16 code-unit indices; `end` is exclusive. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

const clusterSegmenter = new Intl.Segmenter("und", { granularity: "grapheme" })
/**
 * Whether a code unit joins with no other, CR and LF apart: letters and signs of Latin scripts,
 * quotation marks, dashes and Han.
 */
const isAlone = (code: number): boolean =>
  code < 0x300 || code >= 0x2010 && code <= 0x2027 || code >= 0x4e00 && code <= 0x9fff

/** Whether `offset` is a place where the text may be cut. */
const clusterParts = (text: string, offset: number): boolean => {
  const before = text.charCodeAt(offset - 1)
  const after = text.charCodeAt(offset)
  if (offset <= 0 || offset >= text.length) return true
  if (isAlone(before) && isAlone(after)) return before !== 0x0d || after !== 0x0a
  const near = Math.max(0, offset - 2)
  const { index } =
    clusterSegmenter.segment(text.slice(near, offset + 2)).containing(offset - near) ?? {}
  return index === offset - near
}

/** Stretch without white space around; a blank one leaves nothing. */
export const trimmed = (text: string, { end, start }: Stretch): ReadonlyArray<Stretch> => {
  const inside = text.slice(start, end)
  const from = end - inside.trimStart().length
  const to = start + inside.trimEnd().length
  if (from >= end) return []
  // A mark may stand on the white space before it, and white space on a sign before it.
  return [{
    start: from > start && !clusterParts(text, from) ? from - 1 : from,
    end: to < end && !clusterParts(text, to) ? to + 1 : to
  }]
}

/**
 * Last offset at or before `offset` where the text may be cut without breaking a character. One
 * that is longer than `offset` itself is cut all the same, between code points.
 */
export const cutAt = (text: string, offset: number): number => {
  if (offset >= text.length || clusterParts(text, offset)) return Math.min(offset, text.length)
  const { index } = clusterSegmenter.segment(text).containing(offset) ?? { index: 0 }
  if (index > 0) return index
  return /[\uD800-\uDBFF]/.test(text.charAt(offset - 1)) ? offset - 1 : offset
}

/** Enough to see an abbreviation behind a boundary and the first word after it. */
const lookCharsMax = 40
/** A sentence that ends in a number, as "It was 1998.", has more words than a heading, as "3.". */
const headingWordsMax = 2

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" })

/**
 * Entries of a field in all languages, with a small or a capital letter: whose a text is need not
 * be known.
 */
const entries = (
  field: "abbreviations" | "abbreviationsOfNumbers" | "beforeOrdinals" | "months"
): ReadonlySet<string> =>
  new Set(
    all.flatMap((language) => language[field].split("|"))
      .filter((entry) => entry !== "")
      .flatMap((entry) =>
        /^\p{Ll}/u.test(entry) ? [entry, `${entry[0]?.toUpperCase()}${entry.slice(1)}`] : [entry]
      )
  )

const abbreviations = entries("abbreviations")
const abbreviationsOfNumbers = entries("abbreviationsOfNumbers")
const beforeOrdinals = entries("beforeOrdinals")
const months = entries("months")

/** Sentences of a text that is read once; as `sentences`, which keeps what it found. */
export const split = (text: string): ReadonlyArray<Stretch> => {
  const spans: Array<Stretch> = []
  let start = 0
  for (const { index, segment } of segmenter.segment(text)) {
    const end = index + segment.length - (opening.exec(segment)?.[0].length ?? 0)
    if (goesOn(text, start, end, segment)) continue
    spans.push(...trimmed(text, { start, end }))
    start = end
  }
  return [...spans, ...trimmed(text, { start, end: text.length })]
}

/** Sentences without surrounding white space, in order, not overlapping; none is empty. */
export const sentences = remembered(split)

/** The sentences themselves, in order. */
export const sentenceTexts = (text: string): ReadonlyArray<string> =>
  sentences(text).map(({ end, start }) => text.slice(start, end))

/**
 * Opening quotation marks, which belong to the sentence after them; ICU leaves them with the one
 * before.
 */
const opening = /[「『（【《〈“‘([]\s*$/
/** 「…。」と言った: the quotation is a part of the sentence. */
const quotationGoesOn = /^[とってはがをにでもの、，,]/

const goesOn = (text: string, start: number, end: number, segment: string): boolean => {
  if (/\n\s*$/.test(segment.slice(-lookCharsMax))) return false
  const before = text.slice(Math.max(start, end - lookCharsMax), end).trimEnd()
  const next = text.slice(end, end + lookCharsMax).trimStart()
  if (/[」』]$/.test(before) && quotationGoesOn.test(next)) return true
  if (/^\p{Ll}/u.test(next) && !/[!?]$/.test(before)) return true
  if (next === "" || !before.endsWith(".")) return false
  const word = lastWord(before.slice(0, -1))
  const isNumber = word === "" && /\d\.$/.test(before)
  if (isNumber && isOrdinal(before, next)) return true
  if (isShort(abbreviationsOfNumbers, word) && /^\d/.test(next)) return true
  const isInitial = /(?:^|\.)(?:\p{Lu}|\p{Script=Latin})$/u.test(word)
  if (!isNumber && !isInitial && !isShort(abbreviations, word)) return false
  const words = text.slice(start, end).trim().split(/\s+/, headingWordsMax + 1)
  const endsInNumber = isNumber && /\s/.test(text.charAt(end - 1)) && words.length > headingWordsMax
  return !(endsInNumber && /^\p{Lu}/u.test(next))
}

/** Letters, and dots between them, that a text ends with. */
const lastWord = (text: string): string => {
  let from = text.length
  while (from > 0 && /[\p{L}.]/u.test(text.charAt(from - 1))) from--
  return text.slice(from)
}

/** Whether the word, or what stands behind one of its dots, is one of the short forms. */
const isShort = (forms: ReadonlySet<string>, word: string): boolean =>
  word.split(".").some((_, place, parts) => forms.has(parts.slice(place).join(".")))

/** Whether a dot behind a number stands for "th": "am 4. Mai", "im 19. Jahrhundert". */
const isOrdinal = (before: string, next: string): boolean => {
  const [, lead = "", digits = ""] = /(.*?)(\d+)\.$/su.exec(before) ?? []
  if (digits.length > 2) return false
  return months.has(/^[\p{L}]*/u.exec(next)?.[0] ?? "") ||
    lead.endsWith(" ") && beforeOrdinals.has(lastWord(lead.slice(0, -1)))
}
