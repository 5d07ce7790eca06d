/**
 * Signs above and below the line of a text, written on it: no digit joins one of another line.
 *
 * A power is written `10^6`, never with superscript digits: where compatible characters are folded,
 * those would become 106.
 */

/** Sign of a note: its number or mark, alone, in brackets, or several of them. */
const noteMark = /^(?:\([\d*]{1,3}\)|[*†‡§¶]{1,3}|\d{1,3}(?:[,;–-]\s?\d{1,3}){0,4})$/
const bracketed = /^\[.*\]$/s
/** Money, a share, the end of a sentence, a long word, a script without powers. */
const noBase = new RegExp(
  "(?:\\p{Sc}\\s?\\d[\\d.,' ]*|\\d\\s?(?:%|‰|\\p{Sc})|[.,;:!?…。、，！？\"”’»\\]]|\\p{L}{5}|" +
    "[^\\P{L}\\p{Script=Latin}\\p{Script=Greek}])$",
  "u"
)
/** Long words that are raised to a power all the same. */
const longUnit = /(?:met(?:er|re)s?|inch(?:es)?|yards?|miles?|quadrat|carr[ée]s?)$/iu
/** Of the text before, as much as is looked at. In UTF-16 code units. */
const lookCharsMax = 40

/**
 * What a raised sign adds to the text before it: nothing for the mark of a note, `^6` for a power.
 * Letters, as in 1st, stand as they are.
 */
export const raised = (text: string, sign: string): string => {
  const shown = sign.trim()
  const before = text.slice(-lookCharsMax)
  if (bracketed.test(shown)) return ""
  if (!/[\p{N}*†‡§¶]/u.test(shown)) return sign
  if (noteMark.test(shown) && (!/\d/.test(shown) || isNoted(before))) return ""
  return /[\p{L}\p{N})\]]$/u.test(before) ? `^${shown}` : sign
}

const isNoted = (before: string): boolean => noBase.test(before) && !longUnit.test(before)

/** What a lowered sign adds: `H2O`, but `10_2`. */
export const lowered = (text: string, sign: string): string =>
  /\p{N}$/u.test(text) && /^\s*\p{N}/u.test(sign) ? `_${sign.trim()}` : sign

/** Text behind a sign or what was left out: apart where two digits would meet. */
export const behind = (text: string, next: string): string =>
  /\p{N}$/u.test(text) && /^\p{N}/u.test(next) ? ` ${next}` : next

/** What has several parts stands in brackets. */
export const grouped = (text: string): string =>
  /^-?[\p{L}\p{N}.,]*$/u.test(text) ? text : `(${text})`

/** `3/4`, apart from a number before it. */
export const fraction = (text: string, over: string, under: string): string =>
  behind(text, `${grouped(over)}/${grouped(under)}`)
