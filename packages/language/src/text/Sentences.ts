/** Sentences of a text as exact spans: the units of quotation and of chunking. */
import { all, remembered } from "../language/Languages.ts"

// Grapheme clusters: base and marks, joined emoji, flags. Never split.

/** Offsets are UTF-16 code units; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Code units read before a cut; a longer cluster is an attack. */
const clusterCharsMax = 256
const clusterSegmenter = new Intl.Segmenter("und", { granularity: "grapheme" })
/** Whether a code unit never combines: Latin letters and signs, quotes, dashes, Han. */
const isAlone = (code: number): boolean =>
  code < 0x300 || code >= 0x2010 && code <= 0x2027 || code >= 0x4e00 && code <= 0x9fff

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

/** Span without surrounding white space; empty list for a blank one. */
export const trimmed = (text: string, { end, start }: Span): ReadonlyArray<Span> => {
  const inside = text.slice(start, end)
  const from = end - inside.trimStart().length
  const to = start + inside.trimEnd().length
  if (from >= end) return []
  // A combining mark may follow white space, and white space may follow a joining sign.
  return [{
    start: from > start && !clusterParts(text, from) ? from - 1 : from,
    end: to < end && !clusterParts(text, to) ? to + 1 : to
  }]
}

/** At or before `offset`, within no grapheme cluster except an overlong one. */
export const cutAt = (text: string, offset: number): number => {
  if (offset >= text.length || clusterParts(text, offset)) return Math.min(offset, text.length)
  const near = Math.max(0, offset - clusterCharsMax)
  const { index = 0 } =
    clusterSegmenter.segment(text.slice(near, offset + 2)).containing(offset - near) ?? {}
  if (index > 0) return near + index
  return /[\uD800-\uDBFF]/.test(text.charAt(offset - 1)) ? offset - 1 : offset
}

/** Enough for an abbreviation before a boundary and the first word after it. */
const lookCharsMax = 40
/** A sentence that ends in a number ("It was 1998.") has more words than a heading ("3."). */
const headingWordsMax = 2

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" })

/** Entries in all languages, in both cases: the text's language need not be known. */
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

/** `sentences` without its cache, for a text that is read once. */
export const split = (text: string): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let start = 0
  for (const { index, segment } of segmenter.segment(text)) {
    const end = index + segment.length - (opening.exec(segment)?.[0].length ?? 0)
    const asked = Array.from(
      segment.matchAll(greekQuestion),
      (of) => index + of.index + of[0].length
    )
      .filter((to) => to < end)
    const isOpen = goesOn(text, asked.at(-1) ?? start, end, segment)
    for (const to of isOpen ? asked : [...asked, end]) {
      spans.push(...trimmed(text, { start, end: to }))
      start = to
    }
  }
  return [...spans, ...trimmed(text, { start, end: text.length })]
}

/** In Greek a semicolon asks; ICU knows it as a semicolon. */
const greekQuestion = /(?<=\p{Script=Greek}[»”"')]?)[;;]+[»”"')]*\s+/gu
/** Opening quotation marks belong to the next sentence; ICU leaves them with the previous one. */
const opening = /[「『（【《〈“‘([]\s*$/
/** 「…。」と言った: the quotation is a part of the sentence. */
const quotationGoesOn = /^[とってはがをにでもの、，,]/

/** Commas that Unicode counts among the ends of sentences: Burmese, Javanese, Balinese. */
const comma = /[၊꧈᭞]$/

const goesOn = (text: string, start: number, end: number, segment: string): boolean => {
  if (/\n\s*$/.test(segment.slice(-lookCharsMax))) return false
  const before = text.slice(Math.max(start, end - lookCharsMax), end).trimEnd()
  const next = text.slice(end, end + lookCharsMax).trimStart()
  if (comma.test(before)) return true
  if (/[」』]$/.test(before) && quotationGoesOn.test(next)) return true
  if (/^\p{Ll}/u.test(next) && !/[!?]$/.test(before)) return true
  if (next === "" || !before.endsWith(".")) return false
  const word = lastWord(before.slice(0, -1))
  if (isShortBeforeDanda(word, next, text.slice(end, end + dandaCharsMax))) return true
  const isNumber = word === "" && /\d\.$/.test(before)
  if (isNumber && isOrdinal(before, next)) return true
  if (isShort(abbreviationsOfNumbers, word) && /^\d/.test(next)) return true
  const isInitial = /(?:^|\.)(?:\p{Lu}|\p{Script=Latin})$/u.test(word)
  if (!isNumber && !isInitial && !isShort(abbreviations, word)) return false
  const words = text.slice(start, end).trim().split(/\s+/, headingWordsMax + 1)
  const endsInNumber = isNumber && /\s/.test(text.charAt(end - 1)) && words.length > headingWordsMax
  return !(endsInNumber && beginning.test(next))
}

/** Or a letter of a script without capitals; East Asian dates continue after dots. */
const beginning =
  /^(?:\p{Lu}|(?![\p{scx=Hangul}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}])\p{Lo})/u

const lastWord = (text: string): string => {
  let from = text.length
  while (from > 0 && /[\p{L}\p{M}.]/u.test(text.charAt(from - 1))) from--
  return text.slice(from)
}

/** UTF-16 code units after a dot that are searched for a danda. */
const dandaCharsMax = 400
const shortBrahmic = new RegExp(
  `^(?:${
    ["Deva", "Beng", "Guru", "Gujr", "Orya"].map((script) => `[\\p{scx=${script}}]`).join("|")
  }){1,4}$`,
  "u"
)

/** An abbreviation in text whose sentences end in dandas, or before a number: रु. १५०, डॉ. मीना. */
const isShortBeforeDanda = (word: string, next: string, behind: string): boolean =>
  shortBrahmic.test(word) && (/^\p{Nd}/u.test(next) || /[।॥]/.test(behind))

const isShort = (forms: ReadonlySet<string>, word: string): boolean =>
  word.split(".").some((_, place, parts) => forms.has(parts.slice(place).join(".")))

/** Whether a dot after a number marks an ordinal: "am 4. Mai", "im 19. Jahrhundert". */
const isOrdinal = (before: string, next: string): boolean => {
  const [, lead = "", digits = ""] = /(.*?)(\d+)\.$/su.exec(before) ?? []
  if (digits.length > 2) return false
  return months.has(/^[\p{L}]*/u.exec(next)?.[0] ?? "") ||
    lead.endsWith(" ") && beforeOrdinals.has(lastWord(lead.slice(0, -1)))
}

/** Sentences without surrounding white space, in order, not overlapping, none empty. */
export const sentences = remembered(split)

export const sentenceTexts = (text: string): ReadonlyArray<string> =>
  sentences(text).map(({ end, start }) => text.slice(start, end))

// Untrusted text without invisible characters: controls, default ignorables, bidi.

/** Controls except newline and tab, default ignorables, bidi; not a word's joiners. */
const hidden = "[[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}]--[\\n\\t]]"
/** Letters and marks whose spelling depends on a joiner. */
const joining = "[[\\p{L}\\p{M}]&&[" +
  "Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt".split(" ")
    .map((script) => `\\p{scx=${script}}`).join("") +
  "]]"
const picture = "\\p{Extended_Pictographic}"
/** One joiner within a word, and joiners of emoji sequences. */
const spelling = `(?<=${joining})[\\u200c\\u200d](?=${joining})|` +
  `(?<=${picture}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=${picture})|(?<=${picture})\\ufe0f`
const invisible = new RegExp(`(?!${spelling})${hidden}`, "gv")
const loneSurrogate = /\p{Surrogate}/gu
const replacement = "\u{FFFD}"

/**
 * Without control and invisible characters and lone surrogates. Idempotent. `removedCount`: removed
 * or replaced characters; CR and CR LF line breaks are not counted.
 */
export const clean = (text: string) => {
  const lines = text.replace(/\r\n?/g, "\n")
  const lone = lines.isWellFormed() ? 0 : (lines.match(loneSurrogate)?.length ?? 0)
  const wellFormed = lone === 0 ? lines : lines.replace(loneSurrogate, replacement)
  let removed = 0
  const kept = wellFormed.replace(invisible, () => {
    removed += 1
    return ""
  })
  return { text: kept, removedCount: lone + removed }
}

/** Cuts a text to at most `charsMax` UTF-16 code units, never within a surrogate pair. */
export const cut = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, "")

// Generated text as plain text: no markup, no invisible characters, no made-up address.

const escape = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g
const image = /!\[[^\]\n]{0,300}\](?:\([^)\n]{0,2000}\)?|\[[^\]\n]{0,300}\])?/g
const link = /\[([^\]\n]{1,300})\]\([^)\n]{0,2000}\)?/g
const referenceLink = /^[ \t]{0,3}\[[^\]\n]{1,300}\]:\s*\S.{0,2000}$/gm
const element = /<\/?[a-z!?][^<>]{0,2000}>?/gi
const markup = /```+|~~~+|`|\*\*|__|^\s{0,3}(?:#{1,6}|>+)\s+/gm

const scheme = new RegExp(
  "(?:[a-z0-9+.-]{0,20}:\\/\\/|\\bwww\\.|\\b(?:javascript|data|mailto|vbscript|tel|blob|" +
    "file):(?=\\S))" +
    "[^\\s\"'<>)\\]」』）]*",
  "giu"
)
/** Cheap test for an address, before the search at each letter. */
const schemeSign = /:|www\./iu
const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,62})\\."
/** A word joined to the next sentence is no host: only common TLDs, or a host with a path. */
const ending = "com|net|org|info|biz|gov|edu|mil|int|io|ai|app|dev|xyz|top|site|online|shop|" +
  "club|live|" +
  "link|click|page|store|tech|me|tv|cc|co|example|test|onion|jp|kr|cn|ru|uk|de|fr|us|eu|in|br|" +
  "au|ca|" +
  "it|es|nl|se|ch|tw|hk|sg|to|ly|gg"
const host = new RegExp(
  `(?<![\\p{L}\\p{N}.-])(?:${label}){1,8}` +
    `(?:(?:${ending}|${ending.toUpperCase()})(?![\\p{L}\\p{N}])` +
    "|xn--[a-z0-9-]{2,59}|[a-z]{2,24}(?=[/:]))(?::\\d{2,5})?(?:/[^\\s\"'<>)\\]]*)?",
  "gu"
)

/**
 * Text safe to display, cut between words. Addresses are removed; a host stays only where `isKnown`
 * confirms it.
 */
export const proseOf = (
  text: string,
  charsMax: number,
  isKnown: (host: string) => boolean
): string => {
  // Addresses may be written in full-width or mathematical letters.
  const bare = withoutMarkup(text.slice(0, charsMax * 4))
  const folded = bare.normalize("NFKC")
  const shown = folded !== bare && addressCount(folded) > addressCount(bare) ? folded : bare
  const schemeless = schemeSign.test(shown) ? shown.replace(scheme, " ") : shown
  const addressless = schemeless.replace(host, (name) => isKnown(name) ? name : " ")
  return cutBetweenWords(addressless.replace(/\s+/g, " ").trim(), charsMax)
}

/** Whether a text holds an address a reader could follow, full-width letters included. */
export const hasLink = (text: string): boolean => {
  const folded = text.normalize("NFKC")
  return schemeSign.test(folded) && folded.search(scheme) >= 0
}

const addressCount = (text: string): number =>
  (text.match(scheme)?.length ?? 0) + (text.match(host)?.length ?? 0)

const withoutMarkup = (text: string): string =>
  clean(text.replace(escape, "").replace(/[\t\u0085\u2028\u2029]+/g, "\n")).text
    .replace(image, " ").replace(link, "$1").replace(referenceLink, " ")
    .replace(element, " ").replace(markup, "")

/** Cuts a text between words if possible, and never within a grapheme cluster. */
export const cutBetweenWords = (text: string, charsMax: number): string => {
  if (text.length <= charsMax) return text
  const space = text.lastIndexOf(" ", charsMax)
  return cut(text, space > charsMax / 2 ? space : charsMax).trimEnd()
}
