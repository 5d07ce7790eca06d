/**
 * Writes the pack without a model: chooses sentences and quotes them word for word.
 *
 * Nothing is composed or shortened, so that every claim is its own quotation. Cannot fail.
 */
import { Effect } from "effect"
import type { PackWriter, WritingTask } from "../../application/ports/PackWriter.ts"
import { passagesOf } from "../../domain/evidence/PassageWords.ts"
import { questionTerms } from "../../domain/evidence/QuestionTerms.ts"
import * as Corroboration from "../../domain/pack/Corroboration.ts"
import type { DraftClaim, PackDraft } from "../../domain/pack/GroundingPack.ts"
import * as KeySentences from "../../domain/pack/KeySentences.ts"
import { sectionOf } from "../../domain/pack/SectionOf.ts"
import { questionOf } from "../../domain/session/GroundingRequest.ts"
import { terms } from "../../domain/text/Words.ts"

const claimsMax = 6
/** Looked at before the weak ones are dropped; agreement between sources shows only among many. */
const candidatesMax = 14
/**
 * Share of the question's words a claim must touch, and of the best claim's score it must reach.
 */
const coverageMin = 0.3
const scoreShareMin = 0.5
/**
 * Shares of the question's words that one claim must reach together: what it holds itself, and its
 * coverage. A page's title says what it is about, not that it answers. Scripts without gaps are
 * compared by pairs of letters, which an ending changes, so less is asked of them.
 */
const answeringMin = { words: 0.7, pairs: 0.45 } as const

export const make: PackWriter<never> = {
  info: { engine: "rules", version: "writer-8" },
  write: (task) => Effect.sync(() => draft(task)).pipe(Effect.withSpan("QuotingPackWriter.write"))
}

const draft = ({ chunks, need, request }: WritingTask): PackDraft => {
  const found = KeySentences.select(questionOf(request), passagesOf(chunks), candidatesMax)
  const best = Math.max(0, ...found.map(({ score }) => score))
  const fit = found.filter(({ coverage, score }) =>
    coverage >= coverageMin && score >= scoreShareMin * best
  )
  if (!isAnswering(questionOf(request), fit)) return { claims: [], what_to_ask_user: [] }
  const claims = fit.flatMap(({ passage, text }): ReadonlyArray<DraftClaim> => {
    const source_id = chunks[passage]?.page.source_id
    if (source_id === undefined) return []
    const citations = [{ source_id, quote: text }]
    return [{
      section: sectionOf(text, need.reason_codes),
      text: text.replace(/\s+/g, " "),
      citations
    }]
  })
  return { claims: claims.reduce(withCorroboration, []), what_to_ask_user: [] }
}

/** Whether any sentence holds enough of the question to be an answer; else nothing is claimed. */
const isAnswering = (question: string, found: ReadonlyArray<KeySentences.KeySentence>): boolean => {
  const asked = questionTerms(question)
  const min = /\p{Script=Latin}/u.test(question) ? answeringMin.words : answeringMin.pairs
  return found.some(({ coverage, text }) => {
    const held = new Set(terms(text))
    return asked.filter((term) => held.has(term)).length >= (min - coverage) * asked.length
  })
}

/** A sentence that says the same as a claim already chosen becomes its second source. */
const withCorroboration = (
  claims: ReadonlyArray<DraftClaim>,
  claim: DraftClaim
): ReadonlyArray<DraftClaim> => {
  const place = claims.findIndex(({ text }) => Corroboration.isAlike(text, claim.text))
  const other = claims[place]
  if (other !== undefined) {
    return claims.with(place, { ...other, citations: [...other.citations, ...claim.citations] })
  }
  return claims.length < claimsMax ? [...claims, claim] : claims
}
