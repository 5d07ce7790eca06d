/**
 * Features of words for the fitted tagger of private names: texts with prefix letters. After a
 * change, fit it again (`fit/fitNames.ts`).
 */
import type { Span } from "../text/Sentences.ts"
import {
  commonness,
  letterClasses,
  markOf,
  surnameLengths,
  type Token,
  tokensOf
} from "./NameTokens.ts"
import { clauseAt, type PrivacyWords, type PrivateText, wordsOf } from "./PrivateText.ts"

/** Number of weights, a power of two. */
export const buckets = 2 ** 18

/** Bucket of a feature: FNV-1a with a final mix. */
const bucketOf = (feature: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < feature.length; at++) {
    hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193)
  }
  hash = Math.imul(hash ^ hash >>> 15, 0x2c1b3c6d)
  return (hash ^ hash >>> 12) & buckets - 1
}

/** Word fields with entries of several words, found in the text instead of in tokens. */
const cues = [
  ...["self", "am", "called", "job", "home", "greet", "sign", "kin", "role"] as const,
  ...["code", "pass", "street", "born"] as const
] as const
const cuesUnspaced = [...cues, "title", "org", "me", "ask"] as const
/** Distance within which a relation may name a word. In UTF-16 code units. */
const nearChars = 40

type Read = ReturnType<typeof readOf>

/**
 * Cues before a name, in Korean, Japanese and Chinese after it; roles only in statements about the
 * writer, as public lawyers exist.
 */
const introducing: ReadonlySet<string> = new Set(["self", "kin", "title"])
const gapAhead = /[\s,:("'“„«「(：（]/u
const gapBehind = /[\s,)]/u

const readOf = (text: PrivateText) => {
  const tokens = tokensOf(text.raw)
  /** Fields of the cues that end directly before an offset, and that begin directly after one. */
  const ended = new Map<number, Array<string>>()
  const opened = new Map<number, Array<string>>()
  const introductions: Array<Span> = []
  const relations: Array<number> = []
  const language = text.unspaced ?? text.spaced
  const fields: ReadonlyArray<keyof PrivacyWords> = text.unspaced === undefined
    ? cues
    : cuesUnspaced
  for (const field of fields) {
    for (const match of text.low.matchAll(wordsOf(language, field))) {
      let end = match.index + match[0].length
      while (gapAhead.test(text.low.charAt(end))) end++
      let start = match.index
      while (gapBehind.test(text.low.charAt(start - 1))) start--
      ended.set(end, [...ended.get(end) ?? [], field])
      opened.set(start, [...opened.get(start) ?? [], field])
      if (introducing.has(field) || field === "role" && text.isOwn) {
        introductions.push({ start, end })
      }
      if (field === "kin" || field === "role") relations.push(match.index)
    }
  }
  const counts = new Map<string, number>()
  for (const { word } of tokens) counts.set(word, (counts.get(word) ?? 0) + 1)
  const context = `${text.isOwn ? "1" : "0"}${text.isSmall ? "s" : "c"}${
    relations.length > 0 ? "k" : "-"
  }`
  const classes = text.unspaced === undefined ? undefined : letterClasses[text.unspaced]
  return {
    text,
    language,
    tokens,
    ended,
    opened,
    introductions,
    relations,
    counts,
    context,
    classes
  }
}

/** Most letters between such a cue and the last letter of a name after it, or before it. */
const introducedLetters = { behind: 4, before: 2 }

export const featuresOf = (text: PrivateText) => {
  const read = readOf(text)
  /** Features of each token, as indexes below `buckets`. */
  const features = read.tokens.map((token, at) =>
    [
      ...(token.isLetter ? ofLetter(read, at) : ofWord(read, token, at)),
      ...(hasDigits(token) ? ofNumber(read, token, at) : []),
      ...ofCues(read, at)
    ].map(bucketOf)
  )
  return { tokens: read.tokens, features, introduced: introducedOf(read) }
}

const introducedOf = ({ introductions, tokens }: Read): ReadonlyArray<boolean> =>
  tokens.map(({ end, isLetter, shape, start }) =>
    introductions.some((cue) =>
      isLetter
        ? start >= cue.end && start - cue.end <= introducedLetters.behind ||
          cue.start >= end && cue.start - end <= introducedLetters.before
        : start === cue.end && shape.startsWith("X")
    )
  )

const wordAt = ({ tokens }: Read, at: number): string =>
  at < 0 ? "<s>" : tokens[at]?.low.replace(/\d/g, "0") ?? "</s>"
const shapeAt = ({ tokens }: Read, at: number): string => at < 0 ? "<" : tokens[at]?.shape ?? ">"
const fieldsAt = ({ tokens }: Read, at: number): ReadonlyArray<string> =>
  at < 0 ? ["<"] : tokens[at]?.fields ?? [">"]
const markAt = ({ text, tokens }: Read, at: number): string =>
  at < 0
    ? ""
    : tokens[at]?.mark ?? (at > tokens.length
      ? ""
      : markOf(text.raw.slice(tokens.at(-1)?.end ?? 0)) || "$")
const knownAt = ({ tokens }: Read, at: number): string => {
  const token = tokens[at]
  return token === undefined || token.isLetter ? "-" : `${commonness(token.low)}`
}

const clauseKind = ({ text }: Read, at: number): string => {
  const clause = clauseAt(text, at)
  return (clause?.isOfQuestion === true ? "q" : "t") + (clause?.isAsking === true ? "a" : "-")
}

const ofWord = (
  read: Read,
  { low, shape, start, word }: Token,
  at: number
): ReadonlyArray<string> => {
  const [word2, word1, next1, next2] = [-2, -1, 1, 2].map((by) => wordAt(read, at + by))
  const [before, after] = [markAt(read, at), markAt(read, at + 1)]
  const first = shape.slice(0, 1)
  const own = read.text.isOwn ? "1" : "0"
  const asks = clauseKind(read, start)
  const known = knownAt(read, at)
  const isNew = fieldsAt(read, at).length === 0
  const isBeside = (fields: ReadonlyArray<string>) =>
    fields.includes("kin") || fields.includes("role")
  const fields = [-3, -2, -1, 1, 2, 3].map((by) => [by, fieldsAt(read, at + by)] as const)
  const [third = [], second = [], nearest = []] = fields.map(([, some]) => some)
  const isNear = read.relations.some((relation) => Math.abs(relation - start) < nearChars)
  return [
    `N${known}${shape}`,
    `N${known}${shape}${asks}${read.context}`,
    `N2${knownAt(read, at - 1)}${known}${knownAt(read, at + 1)}${shape}`,
    `N3${known}${shape}${before}${after}`,
    `w${wordAt(read, at)}`,
    `s${shape}`,
    `s${shape}${asks}${read.context}`,
    `S${shapeAt(read, at - 1)}${shape}${shapeAt(read, at + 1)}`,
    `P${before}${shape}${after}`,
    `L${read.language}${shape}${own}`,
    `-1${word1}|${first}`,
    `+1${next1}|${first}`,
    `-2${word2}`,
    `+2${next2}`,
    `-12${word2}_${word1}`,
    `+12${next1}_${next2}`,
    `-+${word1}_${next1}`,
    `x2${low.slice(-2)}${first}`,
    `x3${low.slice(-3)}`,
    `x4${low.slice(-4)}`,
    `h2${low.slice(0, 2)}`,
    `h3${low.slice(0, 3)}`,
    `n${Math.min(word.length, 10)}`,
    ...fieldsAt(read, at).flatMap((field) => [`l${field}`, `l${field}${shape}`]),
    ...(isNew ? [`l0${shape}${asks}${own}`, `l0${shape}${before}${after}${own}`] : []),
    ...fields.flatMap(([by, some]) => some.map((field) => `l${by}${field}${first}`)),
    ...nearest.map((field) => `l-1${field}${before}${shape}${isNew}`),
    `C${(read.counts.get(word) ?? 0) > 1 ? "m" : "1"}${shape}`,
    ...(at === 0 || before === "." || before === "n" ? [`b${shape}${isNew}`] : []),
    ...([third, second, nearest].some((some) => some.includes("my"))
      ? [`my${shape}${isNew}`]
      : []),
    ...[nearest, second].flatMap((some, by) => {
      const isMine = [by + 2, by + 3].some((far) => fieldsAt(read, at - far).includes("my"))
      return isBeside(some) ? [`myk${by}${shape}${isMine}${isNew}${before}`] : []
    }),
    `K${isNear}${shape}${isNew}`
  ]
}

// Numbers: what separates identifiers from amounts.

/** Cues that classify a number, up to this distance before it, or half of it after. */
const numberCues = ["code", "pass", "street", "home", "born", "title", "kin"] as const
const numberCueChars = 48
const nearCueChars = 12

/** Tokens on each side that may be parts of one number. */
const runReach = 8
const patternCharsMax = 14
const digitsMax = 14
const lengthMax = 12

const hasDigits = (token: Token | undefined): boolean => token !== undefined && /\d/.test(token.low)

const ofNumber = (read: Read, token: Token, at: number): ReadonlyArray<string> => {
  const { text: { isOwn, raw }, tokens } = read
  const { digits, first, last } = runAt(raw, tokens, at)
  const kind = kindOf(token.word)
  const start = kind.slice(0, 1)
  const own = isOwn ? "1" : "0"
  const size = `${digits}/${last - first}`
  const pattern = patternOf(token.word)
  const left = raw.slice(0, token.start).trimEnd().slice(-1)
  const right = raw.slice(token.end).trimStart().slice(0, 1)
  return [
    `#1${pattern}`,
    `#2${pattern.replace(/(.)\1+/g, "$1")}`,
    `#3${kind}`,
    `#3${kind}${own}`,
    `#3${kind}${own}${clauseKind(read, token.start)}`,
    `#r${size}`,
    `#r${size}${own}`,
    `#rk${size}${kind}`,
    `#rf${size}${patternOf(tokens[first]?.word ?? "")}`,
    `#u${wordAt(read, at + 1)}|${start}`,
    `#p${wordAt(read, at - 1)}|${start}`,
    `#n${hasDigits(tokens[at + 1])}${hasDigits(tokens[at - 1])}${kind}`,
    `#b${left}${start}`,
    `#a${right}${start}`,
    `#ba${left}${right}`,
    ...cuesNear(read, token).flatMap((cue) => [cue, `${cue}${kind}`, `${cue}${digits}${own}`])
  ]
}

const cuesNear = ({ ended, opened }: Read, { end, start }: Span): ReadonlyArray<string> =>
  numberCues.flatMap((field) => {
    const gap = Array.from(ended).find(([place, fields]) =>
      fields.includes(field) && place <= start && start - place < numberCueChars
    )?.[0]
    const isAhead = Array.from(opened).some(([place, fields]) =>
      fields.includes(field) && place >= end && place - end < numberCueChars / 2
    )
    const far = start - (gap ?? 0)
    return [
      ...(gap === undefined ? [] : [`#c${field}${far === 0 ? 0 : far < nearCueChars ? 1 : 2}`]),
      ...(isAhead ? [`#C${field}`] : [])
    ]
  })

/** Adjacent tokens with digits around the one at `at`, and their digits. */
const runAt = (raw: string, tokens: ReadonlyArray<Token>, at: number) => {
  const isJoined = (left: number): boolean => {
    const [one, next] = [tokens[left], tokens[left + 1]]
    return one !== undefined && next !== undefined && hasDigits(one) && hasDigits(next) &&
      next.mark !== "n" && next.mark !== "." && !/[,，、;:]\s/.test(raw.slice(one.end, next.start))
  }
  let first = at
  while (at - first < runReach && isJoined(first - 1)) first--
  let last = at
  while (last - at < runReach && isJoined(last)) last++
  const digits = tokens.slice(first, last + 1)
    .reduce((sum, { word }) => sum + digitsOf(word), 0)
  return { first, last, digits: Math.min(digitsMax, digits) }
}

const digitsOf = (word: string): number => word.replace(/\D/g, "").length

const patternOf = (word: string): string =>
  word.replace(/\p{Lu}/gu, "A").replace(/\p{Ll}/gu, "a").replace(/\d/g, "9")
    .slice(0, patternCharsMax)

/** Kinds by letter, with the shape of each; other numbers are classified by length. */
const kinds: ReadonlyArray<readonly [string, RegExp]> = [
  ["y", /^(?:1[5-9]|20)\d\d$/],
  ["yy", /^(?:(?:1[5-9]|20)\d\d[/-])+(?:1[5-9]|20)?\d\d$/],
  ["D", /^\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})$|^(?:19|20)\d\d([./-])\d{1,2}\2\d{1,2}$/],
  ["g0", /^\d{1,3}(?:[.,]\d{3})*[.,]\d?[1-9]?0{2,3}$/],
  ["g", /^\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?$/],
  ["t", /^\d{1,2}:\d\d$/],
  ["f", /^\d+[.,]\d+$/],
  ["l", /^\d{1,4}\/\d{1,4}$/],
  ["l+", /^\d+\/\d+$/],
  ["z", /^[1-9]\d*0{2,}$/]
]

const kindOf = (word: string): string => {
  const found = kinds.find(([, shape]) => shape.test(word))?.[0]
  if (found !== undefined) return found
  const digits = Math.min(lengthMax, digitsOf(word))
  if (/^\d+$/.test(word)) return `${word.startsWith("0") ? "0" : "d"}${digits}`
  if (/^[\d.,/:·_-]+$/.test(word)) return `n${digits}`
  return `x${Math.min(digits, 6)}${/^\p{L}/u.test(word) ? "l" : "f"}${/-/.test(word) ? "-" : ""}`
}

/** Letters on each side that are features of a letter. */
const reach = 3

const ofLetter = (read: Read, at: number): ReadonlyArray<string> => {
  const { classes, language, text, tokens } = read
  const letterAt = (place: number): string => {
    const token = tokens[place]
    if (token === undefined) return place < 0 ? "<" : ">"
    return (place === at ? "" : token.mark) + (token.isLetter ? token.word : "L")
  }
  const classAt = (place: number): string => {
    const token = tokens[place]
    if (token === undefined) return "<"
    const plain = text.plain.slice(token.start, token.end)
    return (token.mark !== "" && place !== at ? "|" : "") +
      (classes?.family.has(plain) === true ? "S" : "-") +
      (classes?.given.has(plain) === true ? "g" : "-")
  }
  const around = Array.from({ length: 2 * reach + 1 }, (_, place) => at + place - reach)
  const [c3, c2, c1, own, d1, d2, d3] = around.map(letterAt)
  const kinds = around.map(classAt)
  const [s3, s2, s1, shape, t1, t2, t3] = around.map((place) => shapeAt(read, place))
  const joined = (from: number, to: number) => kinds.slice(reach + from, reach + to + 1).join("")
  const [b1, before, after, a1] = [-1, 0, 1, 2].map((by) => markAt(read, at + by))
  const asks = clauseKind(read, tokens[at]?.start ?? 0)
  const isOwn = text.isOwn ? "1" : "0"
  return [
    `H0${language}${joined(0, 0)}${isOwn}`,
    `H1${language}${joined(-1, 1)}`,
    `H2${language}${joined(-2, 0)}`,
    `H3${language}${joined(0, 2)}`,
    `H4${language}${joined(-2, 2)}`,
    `H5${language}${joined(0, 3)}${before !== "" ? "^" : ""}`,
    `c0${own}`,
    `c0${language}${shape}${isOwn}`,
    `c-1${c1}`,
    `c+1${d1}`,
    `c-2${c2}`,
    `c+2${d2}`,
    `d-${c1}${own}`,
    `d+${own}${d1}`,
    `d--${c2}${c1}`,
    `d++${d1}${d2}`,
    `e-${c3}${c2}${c1}`,
    `e+${d1}${d2}${d3}`,
    `e0${c1}${own}${d1}`,
    `T${language}${s2}${s1}${shape}${t1}${t2}`,
    `T3${language}${shape}${t1}${t2}${t3}`,
    `T-${language}${s3}${s2}${s1}${shape}`,
    `p${language}${before}${after}`,
    `p2${language}${b1}${before}${after}${a1}`,
    `q${language}${asks}${read.context}`,
    ...behindCues(read, at, kinds),
    ...familyNames(read, at),
    ...(shape === "G" ? inWord(read, at) : [])
  ]
}

/** A cue up to three letters before, and the classes of the letters since. */
const behindCues = (
  { ended, language, tokens }: Read,
  at: number,
  kinds: ReadonlyArray<string>
): ReadonlyArray<string> =>
  Array.from({ length: reach + 1 }, (_, by) => by).flatMap((by) =>
    (ended.get(tokens[at - by]?.start ?? -1) ?? []).flatMap((field) => [
      `B${by}${field}${language}${kinds.slice(reach - by, 2 * reach - by).join("")}`,
      `B${by}${field}${language}${tokens[at - by]?.mark}`
    ])
  )

const familyNames = ({ language, text, tokens }: Read, at: number): ReadonlyArray<string> =>
  language !== "ja" ? [] : [0, 1, 2].flatMap((by) => {
    const start = tokens[at - by]?.start ?? -1
    return start < 0
      ? []
      : surnameLengths(text.raw, start).filter((length) => length > by)
        .map((length) => `J${length}${by}`)
  })

/** Most letters read before a letter; no word has so many. */
const lettersBackMax = 40

/** Position of a Korean letter in its word, and the previous word. */
const inWord = (read: Read, at: number): ReadonlyArray<string> => {
  const { text, tokens } = read
  const isInner = (place: number) =>
    tokens[place]?.mark === "" && tokens[place]?.shape === "G" && shapeAt(read, place - 1) === "G"
  let first = at
  while (at - first < lettersBackMax && isInner(first)) first--
  let last = at
  while (isInner(last + 1) && last - first < wordLettersMax) last++
  const by = at - first
  const word = tokens.slice(first, last + 1).map((token) => token.word).join("")
  const start = tokens[first]?.start ?? 0
  const before = /\S{1,6}(?=\s*$)/u.exec(text.raw.slice(Math.max(0, start - 12), start))?.[0] ?? ""
  return [
    `gp${by}/${Math.min(word.length, 6)}`,
    `gt${by}${word.slice(by + 1)}`,
    `gw${word}`,
    `gv${by}${before}`,
    `gv2${by}${before.slice(-2)}${word.slice(by + 1)}`
  ]
}
const wordLettersMax = 12

/** Cues that end directly before the token or one of the two before it, or begin directly after. */
const ofCues = (read: Read, at: number): ReadonlyArray<string> => {
  const { ended, language, opened, text, tokens } = read
  const shape = shapeAt(read, at)
  const before = shapeAt(read, at - 1)
  const mark = markAt(read, at)
  const [here, one, two] = [0, 1, 2].map((by) => ended.get(tokens[at - by]?.start ?? -1) ?? [])
  const [next, next1, next2] = [0, 1, 2].map((by) => opened.get(tokens[at + by]?.end ?? -1) ?? [])
  return [
    ...(here ?? []).flatMap((field) => [
      `A${field}${shape}`,
      `A${field}${language}${text.isOwn}${mark}`
    ]),
    ...(one ?? []).map((field) => `A1${field}${shape}${before}${mark}`),
    ...(two ?? []).map((field) => `A2${field}${shape}${before}${mark}`),
    ...(next ?? []).flatMap((field) => [
      `Z${field}${shape}`,
      `Z${field}${language}${text.isOwn}`
    ]),
    ...(next1 ?? []).map((field) => `Z1${field}${shape}`),
    ...(next2 ?? []).map((field) => `Z2${field}${shape}`)
  ]
}
