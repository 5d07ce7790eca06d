/** Whether what the caller already knows answers the question, so that no search is spent on it. */
import { isStopWord, terms, words } from "../text/Words.ts"

/** Fewer words than this say too little to compare. */
const questionTermsMin = 2
/** Words of answering that a fact need not repeat. */
const asking: ReadonlySet<string> = new Set(
  ["mani", "long", "old", "tell", "know", "pleas", "usual", "typic", "much"]
)

/**
 * Whether one known fact answers the question: it holds every content word and says something more.
 */
export const answers = (facts: ReadonlyArray<string>, question: string): boolean => {
  const asked = new Set(terms(question).filter((term) => !asking.has(term)))
  if (asked.size < questionTermsMin) return false
  const needsNumber = asksNumber.test(question)
  return facts.some((fact) => {
    const told = new Set(terms(fact))
    const extra = words(fact).filter((word) => !isStopWord(word) && !words(question).includes(word))
    return asked.isSubsetOf(told) && extra.length > 0 &&
      !unsure.test(fact) && (!needsNumber || numeral.test(fact))
  })
}

const asksNumber = new RegExp(
  "(?<!\\p{L})(?:how (?:many|much|long|old|far|often)|when|what (?:year|date|time|" +
    "percentage))(?!\\p{L})|몇|얼마|언제|いくら|いくつ|何(?:年|月|日|人|歳|時)|いつ",
  "iu"
)
const numeral =
  /\p{N}|(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|no|none)(?!\p{L})/iu
const unsure = new RegExp(
  "\\?|(?<!\\p{L})(?:unknown|unsure|not sure|maybe|perhaps|unclear|does(?:n['’]t| not)" +
    " know|wonders?)(?!\\p{L})|모름|모른|불명|不明|わからない",
  "iu"
)
