/** Questions that only the user can answer, in the user's language and in our words. */
import * as Languages from "@web-grounding/language/Languages"
import type { Language } from "@web-grounding/language/Languages"
import * as Quantities from "@web-grounding/language/Quantities"
import { type GroundingRequest, wordsOf } from "../request/GroundingRequest.ts"
import type { UserQuestion } from "./GroundingPack.ts"

/** One for every required slot without a value. `claims`: those outside `disputed_or_uncertain`. */
export const forSlots = (
  request: GroundingRequest,
  claims: ReadonlyArray<string>
): ReadonlyArray<UserQuestion> => {
  const isTold = (slot: string) =>
    claims.some((claim) => Quantities.isGiven(claim, slot)) ||
    request.known_facts.some((fact) => Quantities.isKnown(fact, slot))
  const language = Languages.ofLocale(request.locale)
  return request.unknown_required_slots
    .map((slot) => wordsOf(slot).replace(/[?？]+\s*$/, "").trim())
    .filter((slot) => slot !== "" && !isTold(slot))
    .map((slot) => ({ q: asked(language, slot), why: language.whySlot }))
}

/** Name of a yes-or-no slot, as programs write it. */
const whether = /^(?:is|are|was|has|have|had|can|could|does|do|did|will|would|needs|wants|owns)\b/i

/** A possession: "landlord name" is the landlord's name, but "first name" is not the first's. */
const owned =
  /^(?!(?:[\w ]+ )?(?:first|last|full|middle|family|given|legal|brand|trade|file|user) )([\w ]+) (name|age|job|birthday|nationality|occupation|gender|income)$/i

const asked = ({ asksSlot, asksWhether }: Language, name: string): string => {
  const slot = name.replace(owned, "$1's $2")
  return (whether.test(slot) ? asksWhether : asksSlot)
    .replace(
      "the {slot}",
      () => /^(?:the|your|how|what|when|where|which|who|why)\b/i.test(slot) ? slot : `the ${slot}`
    )
    .replace("{slot}", () => slot)
}

/** Longest question quoted, in UTF-16 code units. */
const referenceCharsMax = 240

export const forReference = (locale: string, question: string): UserQuestion => {
  const { asksReference, whyReference } = Languages.ofLocale(locale)
  const quote = question.replace(/\s+/g, " ").trim().slice(0, referenceCharsMax)
  return { q: asksReference.replace("{quote}", () => quote), why: whyReference }
}
