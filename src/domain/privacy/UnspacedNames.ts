/** Finds the names that an asker introduces in Korean, Japanese and Chinese. */
import { chinesePatterns } from "./ChineseNames.ts"
import { japanesePatterns } from "./JapaneseNames.ts"
import { koreanPatterns } from "./KoreanNames.ts"
import type { NamePattern } from "./NamedPattern.ts"
import { clauseAt, count, type Name, type PrivateText, type Span } from "./PrivateText.ts"

const patterns = { ko: koreanPatterns, ja: japanesePatterns, zh: chinesePatterns } as const

export const unspacedNamesIn = (text: PrivateText): ReadonlyArray<Name> => {
  const { low, plain, unspaced } = text
  if (unspaced === undefined) return []
  const isTold = (["me", "kin", "role", "code"] as const)
    .some((field) => count(low, unspaced, field) > 0)
  const isHere = ({ start }: Span, { where }: NamePattern) =>
    where === "anywhere" || isTold || clauseAt(text, start)?.isAsking !== true
  return patterns[unspaced].flatMap((rule) =>
    Array.from(plain.matchAll(rule.pattern)).flatMap((match): ReadonlyArray<Name> => {
      const name = match.groups?.["secret"] ?? match[0]
      const start = match.index + match[0].lastIndexOf(name)
      const span = { start, end: start + name.length }
      if (name === "" || rule.not?.test(name) === true || !isHere(span, rule)) return []
      return [rule.goes === undefined ? span : { ...span, from: match.index }]
    })
  )
}
