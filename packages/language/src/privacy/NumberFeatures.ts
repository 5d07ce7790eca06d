/** Features of tokens with digits, by which the fitted tagger tells identifiers from amounts. */
import type { Token } from "./NameTokens.ts"

/** Surroundings of a number, as `NameFeatures` reads them. */
export interface NumberSurroundings {
  readonly raw: string
  readonly tokens: ReadonlyArray<Token>
  /** Whether the text speaks of the one who writes, and of which kind its clause is. */
  readonly isOwn: boolean
  readonly clause: string
  /** Words before and after it. */
  readonly before: string
  readonly after: string
  /** Fields of cues that stand before and behind it, with their distance. */
  readonly cues: ReadonlyArray<string>
}

/** Tokens on each side that may be parts of one number. */
const runReach = 8
const patternCharsMax = 14
const digitsMax = 14
const lengthMax = 12

export const hasDigits = (token: Token | undefined): boolean =>
  token !== undefined && /\d/.test(token.low)

export const ofNumber = (
  { after, before, clause, cues, isOwn, raw, tokens }: NumberSurroundings,
  at: number
): ReadonlyArray<string> => {
  const token = tokens[at]
  if (token === undefined) return []
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
    `#3${kind}${own}${clause}`,
    `#r${size}`,
    `#r${size}${own}`,
    `#rk${size}${kind}`,
    `#rf${size}${patternOf(tokens[first]?.word ?? "")}`,
    `#u${after}|${start}`,
    `#p${before}|${start}`,
    `#n${hasDigits(tokens[at + 1])}${hasDigits(tokens[at - 1])}${kind}`,
    `#b${left}${start}`,
    `#a${right}${start}`,
    `#ba${left}${right}`,
    ...cues.flatMap((cue) => [cue, `${cue}${kind}`, `${cue}${digits}${own}`])
  ]
}

/** The tokens with digits that stand together with the one at `at`, and their digits. */
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

/** Letters of the kinds, with the shape of each; what fits none is told by its length. */
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
