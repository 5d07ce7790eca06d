/**
 * Sentences that tell their reader what to do for their own good.
 *
 * Broad rather than precise: a fact too few in the background costs less than a character who
 * coaches. What everybody must do is a rule and no advice. English, Korean, Japanese, Chinese,
 * German, French and Spanish are known.
 */
import { sentenceTexts } from "@web-grounding/language/Sentences"
import forms from "./AdviceForms.json" with { type: "json" }

const patterns = forms.map((form) => new RegExp(form, "iu"))

/** Whether any sentence of the text is advice. */
export const isGiven = (text: string): boolean =>
  sentenceTexts(text).some((sentence) => patterns.some((pattern) => pattern.test(sentence)))
