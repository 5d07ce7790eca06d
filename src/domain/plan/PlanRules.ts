/**
 * Plans queries by rule. The first is the user's own wording, which no rewriting has beaten in
 * measurement; a second and a third only add what that wording cannot find.
 */
import * as Languages from "@web-grounding/language/Languages"
import { namesOf } from "@web-grounding/language/NeedScore"
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import { askingPart } from "@web-grounding/language/QuestionTerms"
import { sentenceTexts } from "@web-grounding/language/Sentences"
import { isStopWord } from "@web-grounding/language/Words"
import type { SearchNeed } from "../need/SearchNeed.ts"
import { standaloneQuestion } from "../need/StandaloneQuestion.ts"
import type { GroundingRequest } from "../request/GroundingRequest.ts"
import courtesies from "./Courtesies.json" with { type: "json" }
import * as PlanCheck from "./PlanCheck.ts"
import type { QueryPlan, StopCondition } from "./QueryPlan.ts"
import * as RegionName from "./RegionName.ts"

const keyWordsMax = 10
/** Room for what is added to them. */
const addedWordsMax = 4
const evidenceMax = 6
const agreeingSourcesMin = 2

/**
 * Query plan of the local planner. `year` is the request's own, so that planning twice gives the
 * same plan.
 */
export const plan = (request: GroundingRequest, need: SearchNeed, year: number): QueryPlan => {
  const wording = bareWordingOf(request)
  const fixed = request.overrides?.queries
  const [first = wording, ...others] = fixed ??
    [wording, ...additions(request, need, wording, year)].map((query) => inRegion(query, request))
  return PlanCheck.check(
    {
      queries: [first, ...others],
      must_have_evidence: evidenceOf(wording),
      stop_conditions: fixed === undefined ? stopConditionsOf(need) : []
    },
    request,
    need
  )
}

const bareWordingOf = (request: GroundingRequest): string =>
  PlanCheck.safe(withoutCourtesy(QueryPrivacy.strip(standaloneQuestion(request)))) ||
  PlanCheck.fallback(request)

/**
 * Part that asks, with the places and things that are told beside it: the story itself finds
 * nothing. In scripts without capitals the whole, as nothing there shows a place.
 */
const focused = (question: string): string => {
  const asked = askingPart(question)
  if (asked === question || !Languages.languageOf(question).isSpaced) return question
  const told = sentenceTexts(question).filter((sentence) => !asked.includes(sentence))
  const names = told.flatMap((sentence) => sentence.match(nameWithin) ?? [])
    .filter((name) => !asked.includes(name))
  return [asked.replace(/[?？]+$/u, ""), ...new Set(names)].join(" ")
}

/** Words with a capital or a digit behind a sentence's first word; "I" is none. */
const nameWithin =
  /(?<=\S\s["“«(]?)(?!I\b)(?:\p{Lu}[\p{L}\p{N}'’.-]*[\p{L}\p{N}]|[\p{L}-]*\p{N}[\p{L}\p{N}.,-]*)/gu

/** The user's own words as a query, with the region where they do not name it. */
export const wordingOf = (request: GroundingRequest): string =>
  inRegion(bareWordingOf(request), request)

/** The user's words without the courtesies around them. */
const withoutCourtesy = (question: string): string => {
  const bare = question.trim().replace(politeStart, "").replace(politeEnd, "").trim()
  return bare === "" ? question.trim() : bare
}

const politeStart = new RegExp(courtesies.politeStart, "iu")
const politeEnd = new RegExp(courtesies.politeEnd, "iu")

/** Further queries, best first; each brings words that the wording lacks. */
const additions = (
  request: GroundingRequest,
  need: SearchNeed,
  wording: string,
  year: number
): ReadonlyArray<string> => {
  const { customs, official } = Languages.languageOf(wording)
  const asked = withoutCourtesy(focused(QueryPrivacy.strip(standaloneQuestion(request))))
  const key = keyWords(asked)
  const reasons = new Set(need.reason_codes)
  const topic = keyWords(withoutCourtesy(QueryPrivacy.strip(request.topic)))
  const isResolved = standaloneQuestion(request) !== request.user_question
  const said = wording.toLowerCase()
  const isNewTopic = !isResolved && topic.some((word) => !said.includes(word.toLowerCase()))
  return [
    ...(wording.startsWith(asked) ? [] : [asked]),
    ...(reasons.has("POLICY_LEGAL") ? [withWords(key, official)] : []),
    ...(reasons.has("TIME_SENSITIVE") && !anyYear.test(wording) ? [[...key, year].join(" ")] : []),
    ...(isNewTopic ? [withWords(topic, key.join(" "))] : []),
    ...(reasons.has("CULTURE_NORMS") ? [withWords(key, customs)] : [])
  ]
}

/** Each word once. */
const withWords = (key: ReadonlyArray<string>, more: string): string =>
  [...new Set([...key, ...more.split(" ")])].slice(0, keyWordsMax + addedWordsMax).join(" ")

const anyYear = /(?<!\d)(?:19|20)\d\d(?!\d)/

/** Words that carry meaning, as written; names whole. Scripts without blanks come as they are. */
const keyWords = (text: string): ReadonlyArray<string> => {
  const tokens = text.split(/[\s,;:!?？。、"“”()]+/u).map((token) => token.replace(/\.$/, ""))
  const kept = tokens.filter((token) =>
    token !== "" && !isStopWord(token.toLowerCase().replaceAll(/['’]/g, "")) && !asking.test(token)
  )
  return kept.slice(0, keyWordsMax)
}

const asking = new RegExp(courtesies.asking, "iu")

const inRegion = (query: string, request: GroundingRequest): string => {
  if (request.region === undefined) return query
  const missing = RegionName.missingFrom(query, request.region, request.locale)
  return missing === "" ? query : `${query} ${missing}`
}

/** Names and figures first, then what else the question turns on. */
const evidenceOf = (wording: string): ReadonlyArray<string> => {
  const figures = wording.match(/\p{N}+(?:[.,]\p{N}+)*%?/gu) ?? []
  const content = keyWords(wording).flatMap(contentOf)
  const found = [...namesOf(wording), ...figures, ...content]
  return [...new Set(found)].slice(0, evidenceMax)
}

/** Content words of a word, without the particles that Korean and Japanese write on to it. */
const contentOf = (word: string): ReadonlyArray<string> =>
  /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(word)
    ? word.match(/[\p{Script=Han}\p{Script=Katakana}ー々]{2,}|\p{N}+/gu) ?? []
    : [word.replace(koreanParticle, "")]

const koreanParticle =
  /(?<=[가-힣]{2,})(?:에서|으로|까지|부터|은|는|이|가|을|를|의|에|로|와|과|도)$/u

const stopConditionsOf = (need: SearchNeed): ReadonlyArray<StopCondition> =>
  need.reason_codes.includes("POLICY_LEGAL")
    ? [
      { _tag: "OFFICIAL_SOURCE_FOUND" },
      { _tag: "N_REPUTABLE_SOURCES_AGREE", count: agreeingSourcesMin }
    ]
    : [{ _tag: "ENOUGH_RESULTS", count: need.max_sources_per_query }]
