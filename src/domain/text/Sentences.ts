/** Sentences of a text as exact spans: what writers quote and what chunks are cut between. */
import { all } from "../language/Languages.ts"
import { remembered } from "../language/Remembered.ts"
import { type Stretch, trimmed } from "./Clusters.ts"

/** Enough to see an abbreviation behind a boundary and the first word after it. */
const lookCharsMax = 40
/** A sentence that ends in a number, as "It was 1998.", has more words than a heading, as "3.". */
const headingWordsMax = 2

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" })

/** Entries of a field in all languages: whose a text is need not be known. */
const entries = (field: "abbreviations" | "abbreviationsOfNumbers" | "beforeOrdinals" | "months") =>
  [...new Set(all.flatMap((language) => (language[field] ?? "").split("|")))]
    .filter((entry) => entry !== "")
    .map((entry) =>
      /^\p{Ll}/u.test(entry) ? `[${entry[0]}${entry[0]?.toUpperCase()}]${entry.slice(1)}` : entry
    )
    .join("|")

/** A short form, an initial or a number before a dot. */
const abbreviation = new RegExp(
  `(?:(?<!\\p{L})(?:${entries("abbreviations")}|\\p{Lu}|\\p{Script=Latin})|\\d)\\.\\s*$`,
  "u"
)
const ofNumber = new RegExp(`(?<!\\p{L})(?:${entries("abbreviationsOfNumbers")})\\.\\s*$`, "u")
const ordinal = new RegExp(`(?<!\\p{L})(?:${entries("beforeOrdinals")}) \\d{1,2}\\.\\s*$`, "u")
const month = new RegExp(`^(?:${entries("months")})(?!\\p{L})`, "u")

/** Whether a dot behind a number stands for "th": "am 4. Mai", "im 19. Jahrhundert". */
const isOrdinal = (before: string, next: string): boolean =>
  ordinal.test(before) || /(?<!\d)\d{1,2}\.\s*$/.test(before) && month.test(next)

/** Sentences without surrounding white space, in order, not overlapping; none is empty. */
export const sentences = remembered((text: string): ReadonlyArray<Stretch> => {
  const spans: Array<Stretch> = []
  let start = 0
  for (const { index, segment } of segmenter.segment(text)) {
    const end = index + segment.length - (opening.exec(segment)?.[0].length ?? 0)
    if (goesOn(text, start, end, segment)) continue
    spans.push(...trimmed(text, { start, end }))
    start = end
  }
  return [...spans, ...trimmed(text, { start, end: text.length })]
})

/** The sentences themselves, in order. */
export const sentenceTexts = (text: string): ReadonlyArray<string> =>
  sentences(text).map(({ end, start }) => text.slice(start, end))

/**
 * Opening quotation marks, which belong to the sentence after them; ICU leaves them with the one
 * before.
 */
const opening = /[「『（【《〈“‘([]\s*$/
/** 「…。」と言った: the quotation is a part of the sentence. */
const quotationGoesOn = /^[とってはがをにでもの、，,]/

const goesOn = (text: string, start: number, end: number, segment: string): boolean => {
  if (/\n\s*$/.test(segment.slice(-lookCharsMax))) return false
  const before = text.slice(Math.max(start, end - lookCharsMax), end)
  const next = text.slice(end, end + lookCharsMax).trimStart()
  if (/[」』]\s*$/.test(before) && quotationGoesOn.test(next)) return true
  if (/^\p{Ll}/u.test(next) && !/[!?]\s*$/.test(before)) return true
  if (next === "") return false
  if (isOrdinal(before, next) || /^\d/.test(next) && ofNumber.test(before)) return true
  if (!abbreviation.test(before)) return false
  const words = text.slice(start, end).trim().split(/\s+/, headingWordsMax + 1)
  const endsInNumber = /\d\.\s+$/.test(before) && words.length > headingWordsMax
  return !(endsInNumber && /^\p{Lu}/u.test(next))
}
