/**
 * Grapheme clusters, which a reader takes for one character: base and marks, joined emoji, flags.
 * Never cut in two.
 */

/** Offsets are UTF-16 code-unit indices; `end` is exclusive. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" })
/**
 * Whether a code unit joins with no other, CR and LF apart: letters and signs of Latin scripts,
 * quotation marks, dashes and Han.
 */
const isAlone = (code: number): boolean =>
  code < 0x300 || code >= 0x2010 && code <= 0x2027 || code >= 0x4e00 && code <= 0x9fff

/** Whether `offset` is a place where the text may be cut. */
const parts = (text: string, offset: number): boolean => {
  const before = text.charCodeAt(offset - 1)
  const after = text.charCodeAt(offset)
  if (offset <= 0 || offset >= text.length) return true
  if (isAlone(before) && isAlone(after)) return before !== 0x0d || after !== 0x0a
  const near = Math.max(0, offset - 2)
  const { index } = segmenter.segment(text.slice(near, offset + 2)).containing(offset - near) ?? {}
  return index === offset - near
}

/** Whether a code unit is white space, as `trim` sees it. */
const isBlank = (code: number): boolean =>
  code <= 0x20 ? code === 0x20 || code >= 0x09 && code <= 0x0d : code >= 0xa0 && blanks.has(code)
const blanks: ReadonlySet<number> = new Set(
  "\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff".split("").map((char) => char.charCodeAt(0))
    .concat(Array.from({ length: 11 }, (_, place) => 0x2000 + place))
)

/** Stretch without white space around; a blank one leaves nothing. */
export const trimmed = (text: string, { end, start }: Stretch): ReadonlyArray<Stretch> => {
  let from = start
  while (from < end && isBlank(text.charCodeAt(from))) from++
  if (from >= end) return []
  let to = end
  while (isBlank(text.charCodeAt(to - 1))) to--
  // A mark may stand on the white space before it, and white space on a sign before it.
  return [{
    start: from > start && !parts(text, from) ? from - 1 : from,
    end: to < end && !parts(text, to) ? to + 1 : to
  }]
}

/**
 * Last offset at or before `offset` where the text may be cut without breaking a character. One
 * that is longer than `offset` itself is cut all the same, between code points.
 */
export const cutAt = (text: string, offset: number): number => {
  if (offset >= text.length || parts(text, offset)) return Math.min(offset, text.length)
  const { index } = segmenter.segment(text).containing(offset) ?? { index: 0 }
  if (index > 0) return index
  return /[\uD800-\uDBFF]/.test(text.charAt(offset - 1)) ? offset - 1 : offset
}
