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

/** Stretch without white space around; a blank one leaves nothing. */
export const trimmed = (text: string, { end, start }: Stretch): ReadonlyArray<Stretch> => {
  const inside = text.slice(start, end)
  const from = end - inside.trimStart().length
  const to = start + inside.trimEnd().length
  if (from >= end) return []
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
