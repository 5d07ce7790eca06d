/** Notes of a pack, and why its claims are uncertain, in words for a person. */
import * as Languages from "@web-grounding/language/Languages"
import type { DemotionReason, PackNote } from "../pack/GroundingPack.ts"
import texts from "./PackTexts.json" with { type: "json" }

export const noteTexts: Readonly<Record<PackNote, string>> = texts.notes

/** Why a claim is disputed or uncertain, in words that follow the claim. */
export const reasonTexts: Readonly<Record<DemotionReason, string>> = texts.reasons

/**
 * Cautions for the notes that have one, in English or Korean, each after a space. `locale` is a
 * BCP 47 tag.
 */
export const cautionsOf = (notes: ReadonlyArray<PackNote>, locale: string): string => {
  const cautions = texts.cautions[Languages.ofLocale(locale).code === "ko" ? "ko" : "en"]
  return Object.entries(cautions).filter(([note]) => notes.some((one) => one === note))
    .map(([, caution]) => ` ${caution}`).join("")
}
