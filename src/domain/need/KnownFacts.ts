/** Whether what the caller already knows answers the question, so that no search is spent on it. */
import { isStopWord, terms, words } from "@web-grounding/language/Words"
import forms from "./QuestionForms.json" with { type: "json" }

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

const asksNumber = new RegExp(forms.asksNumber, "iu")
const numeral = new RegExp(forms.numeral, "iu")
const unsure = new RegExp(forms.unsure, "iu")
