/**
 * Finds names behind the plainest introductions, which go whatever the fitted weights say: behind
 * "my name is", and of two words or more behind "my wife".
 */
import type { Token } from "./NameTokens.ts"
import type { NamedPattern } from "./PrivacyWords.ts"
import {
  type PrivateText,
  relationsOf,
  spacedLanguages,
  type Span,
  spansOf,
  wordsOf
} from "./PrivateText.ts"

const nameWordsMax = 5
const particle = /^(?:van|von|vom|der|den|de|da|do|dos|del|della|di|du|la|le|bin|al|el)$/u

export const unspacedIntroductions: ReadonlyArray<NamedPattern> = [
  {
    name: "Korean: said to be called",
    language: "ko",
    pattern: /(?<![가-힣])(?<secret>[가-힣]{2,4}?)(?=이?라고 ?(?:합니다|해요|하는데|불러))/gu,
    example: "저는 김민지라고 합니다",
    counterexample: "뭐라고 말해요"
  },
  {
    name: "Japanese: I am, in Katakana",
    language: "ja",
    pattern: /(?:私|僕|俺)は(?<secret>[ァ-ヴー]+(?:・[ァ-ヴー]+)+)(?=です|と申|といい)/gu,
    example: "私はジョン・スミスです",
    counterexample: "私はラーメンです"
  }
]

/**
 * Words of the names that somebody is introduced by. One word alone behind a relation goes only in
 * a text that holds other secrets; else it may be a thing: "my wife Medicare".
 */
export const introducedIn = (
  text: PrivateText,
  words: ReadonlyArray<Token>,
  hasSecrets: boolean
): ReadonlyArray<Span> => [
  ...(text.unspaced === undefined
    ? []
    : unspacedIntroductions.filter(({ language }) => language === text.unspaced)
      .flatMap(({ pattern }) => spansOf(text.raw, pattern))),
  ...spacedLanguages.flatMap((language) => [
    ...Array.from(text.low.matchAll(wordsOf(language, "self")))
      .flatMap((cue) => nameBehind(text, words, cue.index + cue[0].length, "any")),
    ...Array.from(text.low.matchAll(relationsOf(language)))
      .map((cue) => nameBehind(text, words, cue.index + cue[0].length, "capitals"))
      .flatMap((name) => name.length > 1 || hasSecrets ? name : [])
  ])
]

const gaps = { any: /^[^\p{L}\p{N}\n.!?。？！]{1,4}$/u, capitals: /^[\s,("'“«„]{1,3}$/u }

const nameBehind = (
  { low }: PrivateText,
  words: ReadonlyArray<Token>,
  end: number,
  form: keyof typeof gaps
): ReadonlyArray<Span> => {
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
