/**
 * Superscripts and subscripts, written on the line. A power is `10^6`, never superscript digits:
 * NFKC would turn those into 106.
 */

/** A footnote mark: its number or sign, alone, in brackets, or several of them. */
const noteMark = /^(?:\([\d*]{1,3}\)|[*†‡§¶]{1,3}|\d{1,3}(?:[,;–-]\s?\d{1,3}){0,4})$/
/** Several footnote marks, which are no exponent. */
const noteMarks = /^\d{1,3}[,;–-]/
const bracketed = /^\[.*\]$/s
/** Hundredths of a price in small digits: `5<sup>,49</sup>`. */
const cents = /^[.,]\d/
/** Money, a share, the end of a sentence, a word, a script without powers. */
const noBase = new RegExp(
  "(?:\\p{Sc}\\s?\\d[\\d.,' ]*|\\d\\s?(?:%|‰|\\p{Sc})|[.,;:!?…。、，！？\"”’»\\]]|\\p{L}{3}|" +
    "[^\\P{L}\\p{Script=Latin}\\p{Script=Greek}])$",
  "u"
)
/** Words that do have exponents. */
const poweredWord =
  /(?:met(?:er|re)s?|inch(?:es)?|feet|yards?|miles?|quadrat|carr[ée]s?|(?<!\p{L})(?:sin|cos|tan|cot|log|exp|mol|rad|yds?))$/iu
/** Text examined before the sign. In UTF-16 code units. */
const lookCharsMax = 40

/** Nothing for a footnote mark, `^6` for a power. Letters, as in 1st, are unchanged. */
export const raised = (text: string, sign: string): string => {
  const shown = sign.trim()
  const before = text.slice(-lookCharsMax)
  if (bracketed.test(shown)) return ""
  if (!/[\p{N}*†‡§¶]/u.test(shown) || cents.test(shown)) return sign
  const isSeveral = noteMarks.test(shown) && /\p{L}$/u.test(before)
  if (noteMark.test(shown) && (!/\d/.test(shown) || isSeveral || isNoted(before))) return ""
  return /[\p{L}\p{N})\]]$/u.test(before) ? `^${shown}` : sign
}

const isNoted = (before: string): boolean => noBase.test(before) && !poweredWord.test(before)

/** What a subscript adds: `H2O`, but `10_2`. */
export const lowered = (text: string, sign: string): string =>
  /\p{N}$/u.test(text) && /^\s*\p{N}/u.test(sign) ? `_${sign.trim()}` : sign

/** Text after a sign or an omission: separated where two digits would meet. */
export const behind = (text: string, next: string): string =>
  /\p{N}$/u.test(text) && /^\p{N}/u.test(next) ? ` ${next}` : next

/** An expression of several parts is put in brackets. */
export const grouped = (text: string): string =>
  /^-?[\p{L}\p{N}.,]*$/u.test(text) ? text : `(${text})`

/** `3/4`, separated from a number before it. */
export const fraction = (text: string, over: string, under: string): string =>
  behind(text, `${grouped(over)}/${grouped(under)}`)

const texCommands: Readonly<Record<string, string>> = {
  cdot: "·",
  times: "×",
  pm: "±",
  leq: "≤",
  le: "≤",
  geq: "≥",
  ge: "≥",
  neq: "≠",
  approx: "≈",
  pi: "π",
  infty: "∞"
}

export const ofTex = (tex: string): string => {
  const body = tex.replace(/^\s*\$+|\$+\s*$/g, "").replace(/\\(?:display|text)style(?![a-z])/g, "")
    .replace(/\\(?:math[a-z]+|text|operatorname)\s*\{([^{}]*)\}/g, "$1")
    .replace(
      /\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g,
      (_, over: string, under: string) => fraction("", over.trim(), under.trim())
    )
    .replace(
      /([_^])\s*\{([^{}]*)\}/g,
      (_, sign: string, inner: string) => sign + grouped(inner.trim())
    )
    .replace(/\\(?:[,;:! ]|(?:quad|left|right)(?![a-z]))/g, " ")
    .replace(/\\([a-z]+)/gi, (whole, name: string) => texCommands[name] ?? whole)
    .replace(/^\s*\{([^{}]*)\}\s*$/, "$1").replace(/\s+/g, " ").trim()
  return /[\\{}]/.test(body) ? "" : body
}
