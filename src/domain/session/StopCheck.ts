/** Whether what was found already suffices, so that the remaining queries are spared. */
import { questionTerms } from "@web-grounding/language/QuestionTerms"
import * as Sameness from "@web-grounding/language/Sameness"
import { sentences } from "@web-grounding/language/Sentences"
import { terms } from "@web-grounding/language/Words"
import { type QueryPlan, StopCondition } from "../plan/QueryPlan.ts"
import type { SearchHit } from "../search/SearchHit.ts"

/** Share of the question's terms that a sentence holds which answers it. */
const askedShareMin = 0.5

/**
 * Whether searching may stop: the evidence that the plan asks for is among the hits, and every stop
 * condition holds, at least one. Free text, of older plans, decides nothing. The hits are judged by
 * their excerpts: pages are read once, after the last search.
 */
export const isSatisfied = (
  plan: QueryPlan,
  hits: ReadonlyArray<SearchHit>,
  question: string
): boolean => {
  const verdicts = plan.stop_conditions.map((condition) => verdict(condition, hits, question))
    .filter((holds) => holds !== undefined)
  return verdicts.length > 0 && verdicts.every((holds) => holds) &&
    plan.must_have_evidence.every((phrase) => isHeld(phrase, hits))
}

const verdict = (
  condition: StopCondition,
  hits: ReadonlyArray<SearchHit>,
  question: string
): boolean | undefined =>
  StopCondition.match(condition, {
    N_REPUTABLE_SOURCES_AGREE: ({ count }) => agreeingCount(hits, question) >= count,
    OFFICIAL_SOURCE_FOUND: () => hits.some(({ official }) => official),
    ENOUGH_RESULTS: ({ count }) => new Set(hits.map(({ url }) => url)).size >= count,
    FREE_TEXT: () => undefined
  })

/** Every term of the phrase, in one excerpt with its title. */
const isHeld = (phrase: string, hits: ReadonlyArray<SearchHit>): boolean => {
  const wanted = terms(phrase)
  return hits.some(({ content, title }) => {
    const held = new Set(terms(`${title}\n${content}`))
    return wanted.every((term) => held.has(term))
  })
}

/** The most sites whose answers agree: with the same figure, or in nearly the same words. */
const agreeingCount = (hits: ReadonlyArray<SearchHit>, question: string): number => {
  const asked = questionTerms(question)
  const answers = hits.flatMap(({ content, site }) =>
    answersIn(content, asked).map((text) => ({ site, text }))
  )
  const agreeing = answers.map((answer) =>
    new Set([
      answer.site,
      ...answers.filter(({ site, text }) => site !== answer.site && doAgree(answer.text, text))
        .map(({ site }) => site)
    ]).size
  )
  return Math.max(0, ...agreeing)
}

/** Sentences that hold half of what is asked. */
const answersIn = (text: string, asked: ReadonlyArray<string>): ReadonlyArray<string> =>
  sentences(text).map(({ end, start }) => text.slice(start, end)).filter((sentence) => {
    const held = new Set(terms(sentence))
    return asked.filter((term) => held.has(term)).length >= askedShareMin * asked.length
  })

const doAgree = (left: string, right: string): boolean =>
  !Sameness.isDenied(left, right) && !Sameness.isOfOtherTime(left, right) &&
  (Sameness.haveSameNumber(left, right) ||
    Sameness.isAlike(left, right) && Sameness.sameNumbers(left, right))
