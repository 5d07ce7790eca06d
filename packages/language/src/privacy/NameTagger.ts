/**
 * The fitted tagger of private names: for each word, the log-odds that it belongs to one. A linear
 * chain with whole-number weights. Certainty is the best path with the word private minus the best
 * with it open; sums and comparisons give the same result on every machine.
 */
import type { Span } from "../text/Sentences.ts"
import { featuresOf } from "./NameFeatures.ts"
import { commonness, isPublic, type Token } from "./NameTokens.ts"
import fitted from "./NameWeights.json" with { type: "json" }
import type { Patterns } from "./NumberShapes.ts"
import {
  isOf,
  type PrivateText,
  relationsOf,
  spacedLanguages,
  spansOf,
  type UnspacedLanguage,
  wordsOf
} from "./PrivateText.ts"

export interface Tagged extends Token {
  /** Thousandths of a log-odd; from 0, private is the likelier class. */
  readonly certainty: number
  /** Whether it is in an introduction: after "my wife", before "課長". */
  readonly isIntroduced: boolean
}

export type NameWeights = typeof shipped

/** Character code of level 0 in the file; each bucket is one letter. */
const zeroCode = 80

const letters = fitted.hashed.join("")

export const shipped = {
  /** Thousandths of a log-odd of each level of `levels`. */
  unit: fitted.unit,
  bias: fitted.bias,
  /** Transition weights between open and private, within a phrase and across a break. */
  steps: fitted.steps,
  levels: new Int8Array(letters.length).map((_, at) => letters.charCodeAt(at) - zeroCode)
}

/** Whether a mark precedes the word, so that another phrase likely begins. */
export const isBreak = ({ mark }: Token): boolean => mark !== "" && mark !== " " && mark !== "-"

/** Best sums up to a word, or from it on, in which it is open, and in which it is private. */
type Best = readonly [open: number, secret: number]

/** Words of a text, each with the certainty that it belongs to something private. */
export const tagged = (text: PrivateText, weights: NameWeights): ReadonlyArray<Tagged> => {
  const { features, introduced, tokens } = featuresOf(text)
  const { bias, levels, steps, unit } = weights
  const scores = features.map((some) =>
    some.reduce((sum, bucket) => sum + (levels[bucket] ?? 0), 0) * unit + bias
  )
  const stepsTo = tokens.map((token) => isBreak(token) ? steps.slice(4) : steps.slice(0, 4))
  const ahead = scores.reduce<Array<Best>>((all, score, at) => {
    const [open, secret] = all.at(-1) ?? [0, 0]
    const [stay = 0, enter = 0, leave = 0, keep = 0] = at === 0 ? [] : stepsTo[at] ?? []
    all.push([
      Math.max(open + stay, secret + leave),
      score + Math.max(open + enter, secret + keep)
    ])
    return all
  }, [])
  const behind = scores.reduceRight<Array<Best>>((all, _, at) => {
    const [open, secret] = all.at(-1) ?? [0, 0]
    const [stay = 0, enter = 0, leave = 0, keep = 0] = stepsTo[at + 1] ?? []
    const score = scores[at + 1] ?? 0
    all.push([
      Math.max(stay + open, enter + score + secret),
      Math.max(leave + open, keep + score + secret)
    ])
    return all
  }, []).toReversed()
  return tokens.map((token, at) => {
    const [before = [0, 0], after = [0, 0]] = [ahead[at], behind[at]]
    const certainty = before[1] + after[1] - before[0] - after[0]
    return { ...token, certainty, isIntroduced: introduced[at] === true }
  })
}

const partsMax = 40

export const spreadNames = (text: PrivateText, names: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const parts = [
    ...new Set(names.flatMap(({ end, start }) => partsOf(text.raw.slice(start, end), text)))
  ]
  return [
    ...parts.slice(0, partsMax).flatMap((part) => placesOf(part, text)),
    ...names.flatMap((name) => inOtherLetters(text.raw, name))
  ]
}

/** "Yuki (山本雄樹)", "김유림 (Yurim Kim)": the same name in another script. */
const inOtherLetters = (raw: string, { end, start }: Span): ReadonlyArray<Span> => {
  const shape = eastern.test(raw.slice(start, end)) ? latinAside : easternAside
  const found = shape.exec(raw.slice(end, end + 40))?.[0]
  return found === undefined ? [] : [{ start: end, end: end + found.length }]
}
const latinAside = /^ ?\(\p{Lu}[\p{Script=Latin}' -]{1,30}\)/u
const easternAside =
  /^ ?\([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー・ ]{2,16}\)/u

const eastern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const partsOf = (name: string, { spaced }: PrivateText): ReadonlyArray<string> => {
  if (eastern.test(name)) {
    const given = /^[가-힣]{3}$/u.test(name) ? [name.slice(1)] : []
    const chinese = /^\p{Script=Han}{3}$/u.test(name) ? [name.slice(1)] : []
    return [name, ...given, ...chinese, ...name.split(/[ ・]/u)].filter((part) => part.length > 1)
  }
  return name.split(/[\s.&]+/u).map((part) => part.replace(/['’]s?$/u, "")).filter((part) => {
    const low = part.toLowerCase()
    return part.length > 2 && !isOf(spaced, "plain", low) && !isOf(spaced, "kin", low) &&
      !isOf(spaced, "org", low) && !isOf(spaced, "role", low) && !isPublic(part)
  })
}

const placesOf = (part: string, { low, raw, spaced }: PrivateText): ReadonlyArray<Span> => {
  if (eastern.test(part)) return found(raw, part)
  const stem = spaced === "ru" && part.length > 4 ? part.replace(/[аяйьоеиыу]+$/u, "") : part
  const isSmall = /^\p{Ll}/u.test(part)
  return found(
    isSmall || part.length > 4 ? low : raw,
    isSmall || part.length > 4 ? stem.toLowerCase() : stem
  )
    .flatMap(({ end, start }) => {
      const tail = /^(?:['’]?s?|[\p{Script=Cyrillic}]{0,3})(?![\p{L}\p{N}])/u.exec(
        raw.slice(end, end + 5)
      )
      const isWord = !/[\p{L}\p{N}]$/u.test(raw.slice(Math.max(0, start - 2), start))
      return tail === null || !isWord ? [] : [{ start, end: end + tail[0].length }]
    })
}

const found = (text: string, part: string): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
    spans.push({ start: at, end: at + part.length })
  }
  return spans
}

// Names in the plainest introductions are removed whatever the weights say.

const nameWordsMax = 5
const particle = /^(?:van|von|vom|der|den|de|da|do|dos|del|della|di|du|la|le|bin|al|el)$/u

export const unspacedIntroductions: Readonly<Record<UnspacedLanguage, Patterns>> = {
  ko: {
    "Korean: said to be called":
      /(?<![가-힣])(?<secret>[가-힣]{2,4}?)(?=이?라고 ?(?:합니다|해요|하는데|불러))/gu
  },
  ja: {
    "Japanese: I am, in Katakana":
      /(?:私|僕|俺)は(?<secret>[ァ-ヴー]+(?:・[ァ-ヴー]+)+)(?=です|と申|といい)/gu
  },
  zh: {}
}

/**
 * A single word after a relation is removed only in a text with other secrets; else it may be a
 * thing: "my wife Medicare".
 */
export const introducedIn = (
  text: PrivateText,
  words: ReadonlyArray<Token>,
  hasSecrets: boolean
): ReadonlyArray<Span> => [
  ...(text.unspaced === undefined
    ? []
    : Object.values(unspacedIntroductions[text.unspaced])
      .flatMap((pattern) => spansOf(text.raw, pattern))),
  ...Array.from(text.low.matchAll(wordsOf(text.spaced, "am")))
    // "It's Brooklyn" introduces no person.
    .filter(([cue]) => isOf(text.spaced, "me", cue.split(/[ ,]/)[0] ?? ""))
    .map((cue) => nameBehind(text, words, cue.index + cue[0].length, "capitals"))
    .flatMap((name) => isGiven(name[0]) ? name : []),
  ...spacedLanguages.flatMap((language) => [
    ...Array.from(text.low.matchAll(wordsOf(language, "self")))
      .flatMap((cue) => nameBehind(text, words, cue.index + cue[0].length, "any")),
    ...Array.from(text.low.matchAll(relationsOf(language)))
      .map((cue) => nameBehind(text, words, cue.index + cue[0].length, "capitals"))
      .flatMap((name) => name.length > 1 || hasSecrets ? name : [])
  ])
]

const isGiven = (token: Token | undefined): boolean =>
  token !== undefined && token.shape.startsWith("X") && commonness(token.low) > 0

const gaps = { any: /^[^\p{L}\p{N}\n.!?。？！]{1,4}$/u, capitals: /^[\s,("'“«„]{1,3}$/u }

const nameBehind = (
  { low }: PrivateText,
  words: ReadonlyArray<Token>,
  end: number,
  form: keyof typeof gaps
): ReadonlyArray<Token> => {
  const first = words.findIndex(({ start }) => start > end)
  if (first === -1 || !gaps[form].test(low.slice(end, words[first]?.start))) return []
  const some = words.slice(first, first + nameWordsMax)
  const isName = ({ fields, low: word, shape }: Token, at: number): boolean => {
    if (fields.includes("public") || fields.includes("ask")) return false
    if (shape.startsWith("X")) return !fields.includes("plain")
    return form === "any" && at < 2 && /^xX?$/.test(shape) && word.length > 2 &&
      fields.length === 0
  }
  const past = some.findIndex((word, at) =>
    at > 0 && word.mark !== " " && !(word.mark === "." && some[at - 1]?.word.length === 1) ||
    !isName(word, at) && !particle.test(word.low)
  )
  const named = past === -1 ? some : some.slice(0, past)
  return named.slice(0, named.findLastIndex((word, at) => isName(word, at)) + 1)
}
