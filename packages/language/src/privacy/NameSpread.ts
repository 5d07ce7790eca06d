/** Finds each part of a name that was introduced once wherever else it stands. */
import { isOf, type PrivateText, type Span } from "./PrivateText.ts"
import { isPublic } from "./PublicWords.ts"

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

/** "Yuki (山本雄樹)", "김유림 (Yurim Kim)": the same name again. */
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
