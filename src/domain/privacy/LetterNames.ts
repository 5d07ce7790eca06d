/** Finds names at both ends of a letter: whom it greets, and who signs it. */
import { nameAt, pastTitles, skip, wordSpans } from "./NameReading.ts"
import { type Name, type PrivateText } from "./PrivateText.ts"

const vocativeEnd = /^(?:\s*[,!:\n—–]|\.\s|\s-\s| (?:here|hier)[,.!]|\s*$)/u

/** Names that are addressed: "Hi Martin,", "Herr Dr. Klein, …", "Dear Ms Okafor". */
export const addressed = (text: PrivateText): ReadonlyArray<Name> => [
  ...wordSpans(text, "greet").flatMap(({ end, start }) => {
    if (!/(?:^|[.!?\n,] ?)$/u.test(text.low.slice(0, start))) return []
    const at = skip(text, end, /^,?\s+/u)
    const names = nameAt(text, at, text.isSmall || text.raw[end] !== "," ? "any" : "capital")
    return names.filter((name) => vocativeEnd.test(text.low.slice(name.end, name.end + 8)))
  }),
  ...text.clauses.slice(0, 3).flatMap(({ start }) => {
    const at = start + (/^\s*/u.exec(text.low.slice(start, start + 4))?.[0].length ?? 0)
    const past = pastTitles(text, at)
    if (past === at) return []
    return nameAt(text, at, "capital").filter((name) => /^\s*,/u.test(text.low.slice(name.end)))
  })
]

const dashed = /(?:^|\n|\s)(?:[—–-]{1,2}|xx?|\/)\s?(?=\p{Lu})/gu

/** Names that end a letter: "Thanks, Julia Brandt", "—M. Osei", a last line that is a name. */
export const signed = (text: PrivateText): ReadonlyArray<Name> => [
  ...wordSpans(text, "sign").flatMap(({ end, start }) => {
    const at = skip(text, end, /^[\s,.!:;—–-]+/u)
    const isLate = /(?:[.!?\n][\s\p{P}]*|^)(?:[\p{L} ]{0,20})$/u.test(
      text.low.slice(Math.max(0, end - 40), end)
    )
    const isClosing = /[,\n]\s*$/u.test(text.low.slice(0, start))
    if (at === end || !isClosing && !isLate && !/[,.!\n—]/u.test(text.low.slice(end, at))) return []
    return nameAt(text, at, text.isSmall ? "any" : "capital").filter((name) =>
      /^(?:["”]?\s*(?:[.,!?;)(:\n]|$)|\s+(?:ps|ah|p\.s)|\s*[—–-]|\s*\()/u.test(
        text.low.slice(name.end, name.end + 8)
      )
    )
  }),
  ...Array.from(text.raw.matchAll(dashed)).flatMap((match) =>
    nameAt(text, match.index + match[0].length, "capital")
      .filter((name) => /^\.?\s*(?:\n|$)/u.test(text.raw.slice(name.end)))
  ),
  ...Array.from(text.raw.matchAll(/(?<=\n)\s*(?=\p{Lu})/gu)).flatMap((match) =>
    nameAt(text, match.index + match[0].length, "capital")
      .filter((name) => /^[.!]?\s*(?:\n|$)/u.test(text.raw.slice(name.end)))
  )
]
