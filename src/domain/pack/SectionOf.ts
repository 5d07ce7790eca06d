/** Chooses the section of the pack for a sentence, by the words of obligation and custom. */
import { quantities } from "@web-grounding/language/Quantities"
import type { ReasonCode } from "../need/SearchNeed.ts"
import type { Section } from "./GroundingPack.ts"
import forms from "./SectionForms.json" with { type: "json" }

const obligation = new RegExp(forms.obligation, "iu")
const custom = new RegExp(forms.custom, "iu")
const duty = new RegExp(forms.duty, "iu")
/** Capitalised only: an act, an article and a code are also ordinary things. */
const enactment = /\b(?:Act|Code|Ordinance|Article \d+)\b/

/**
 * Section of the pack for a claim. Law outweighs custom: a rule told as a habit is still a rule.
 */
export const sectionOf = (sentence: string, reasons: ReadonlyArray<ReasonCode>): Section => {
  const isCustom = custom.test(sentence)
  if (isCustom && !duty.test(sentence)) return "norms_and_expectations"
  if (obligation.test(sentence) || enactment.test(sentence)) return "constraints_and_rules"
  return reasons.includes("CULTURE_NORMS") && !isDated(sentence)
    ? "norms_and_expectations"
    : "key_points"
}

/**
 * Whether the sentence holds a date: asked about manners, one without a date tells what people do.
 */
const isDated = (sentence: string): boolean =>
  quantities(sentence).some(({ kind }) => kind !== "number")
