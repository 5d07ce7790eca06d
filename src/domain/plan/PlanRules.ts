/**
 * Plans queries by rule. The first is the user's own wording, which no rewriting has beaten; others
 * add what it cannot find.
 */
import * as Disguise from "@web-grounding/language/Disguise"
import * as Languages from "@web-grounding/language/Languages"
import { namesOf } from "@web-grounding/language/NeedScore"
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import { alsoCalled, askingPart } from "@web-grounding/language/QuestionTerms"
import { cutBetweenWords, sentenceTexts } from "@web-grounding/language/Sentences"
import { isStopWord, nameTerms, terms, words } from "@web-grounding/language/Words"
import { isSettledByBody } from "../need/Eligibility.ts"
import { standaloneQuestion } from "../need/NeedRules.ts"
import { queriesMax, type SearchNeed } from "../need/ReasonCodes.ts"
import type { GroundingRequest, Region } from "../request/GroundingRequest.ts"
import courtesies from "./Courtesies.json" with { type: "json" }
import { queryCharsMax, type QueryPlan, type StopCondition } from "./QueryPlan.ts"

const keyWordsMax = 10
const addedWordsMax = 4
const evidenceMax = 6

/** Plan of the local planner. `year` is the request's, so that repeats give the same plan. */
export const plan = (request: GroundingRequest, need: SearchNeed, year: number): QueryPlan => {
  const wording = bareWordingOf(request)
  const fixed = request.overrides?.queries
  const [first = wording, ...others] = fixed ??
    [wording, ...additions(request, need, wording, year)].map((query) => inRegion(query, request))
  return check(
    {
      queries: [first, ...others],
      must_have_evidence: evidenceOf(wording),
      stop_conditions: fixed === undefined ? stopConditionsOf(need, request) : []
    },
    request,
    need
  )
}

const bareWordingOf = (request: GroundingRequest): string =>
  safe(withoutCourtesy(QueryPrivacy.strip(standaloneQuestion(request)))) ||
  fallback(request)

/** The part that asks, with the rest's names and numbers. Scripts without capitals stay whole. */
const focused = (question: string): string => {
  const asked = askingPart(question)
  if (asked === question || !Languages.languageOf(question).isSpaced) return question
  const others = sentenceTexts(question).filter((sentence) => !asked.includes(sentence))
  const names = others.flatMap((sentence) => sentence.match(nameWithin) ?? [])
    .filter((name) => !asked.includes(name))
  return [asked.replace(/(?<![?？])[?？]+$/u, ""), ...new Set(names)].join(" ")
}

/** Words with a capital or a digit after a sentence's first word; "I" is none. */
const nameWithin =
  /(?<=\S\s["“«(]?)(?!I\b)(?:\p{Lu}[\p{L}\p{N}'’.-]*[\p{L}\p{N}]|[\p{L}-]*\p{N}[\p{L}\p{N}.,-]*)/gu

/** The user's own words as a query, with the region where they do not name it. */
const wordingOf = (request: GroundingRequest): string => inRegion(bareWordingOf(request), request)

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
    ...(isSettledByBody(need, request) ? [withWords(key, official)] : []),
    ...(reasons.has("TIME_SENSITIVE") && !anyYear.test(wording) ? [[...key, year].join(" ")] : []),
    ...(isNewTopic ? [withWords(topic, key.join(" "))] : []),
    ...(reasons.has("CULTURE_NORMS") ? [withWords(key, customs)] : [])
  ]
}

const withWords = (key: ReadonlyArray<string>, more: string): string =>
  [...new Set([...key, ...more.split(" ")])].slice(0, keyWordsMax + addedWordsMax).join(" ")

const anyYear = /(?<!\d)(?:19|20)\d\d(?!\d)/
const eachYear = new RegExp(`(${anyYear.source})(?:(?:年度?|년도?)[の의]?)?`, "gu")

/** Words that carry meaning, as written; names whole. Scripts without blanks are not split. */
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
  const missing = missingFrom(query, request.region, request.locale)
  return missing === "" ? query : `${query} ${missing}`
}

/** Names and figures first, then other key words of the question. */
const evidenceOf = (wording: string): ReadonlyArray<string> => {
  const figures = wording.match(/\p{N}+(?:[.,]\p{N}+)*%?/gu) ?? []
  const content = keyWords(wording).flatMap(contentOf)
  const found = [...namesOf(wording), ...figures, ...content]
  return [...new Set(found)].slice(0, evidenceMax)
}

/** Content words of a word, without attached Korean and Japanese particles. */
const contentOf = (word: string): ReadonlyArray<string> =>
  /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(word)
    ? word.match(/[\p{Script=Han}\p{Script=Katakana}ー々]{2,}|\p{N}+/gu) ?? []
    : [word.replace(koreanParticle, "")]

const koreanParticle =
  /(?<=[가-힣]{2,})(?:에서|으로|까지|부터|은|는|이|가|을|를|의|에|로|와|과|도)$/u

const stopConditionsOf = (
  need: SearchNeed,
  request: GroundingRequest
): ReadonlyArray<StopCondition> =>
  isSettledByBody(need, request)
    ? [{ _tag: "OFFICIAL_SOURCE_FOUND" }]
    : [{ _tag: "ENOUGH_RESULTS", count: need.max_sources_per_query }]

// Keeps a gate's queries to the user's question.

/** Share of the question's names and numbers in a further query: one side of a comparison. */
const sideShare = 0.5

/** Whether the query holds that share of the question's names and numbers, and its negation. */
export const keepsTerms = (question: string, query: string, share = 1): boolean => {
  const asked = new Set([...terms(query), ...words(query)])
  const numbers = words(question).filter((word) => /^\p{N}/u.test(word))
  const named = [...nameTerms(question), ...numbers]
  return named.filter((term) => asked.has(term)).length >= named.length * share &&
    (!Languages.isNegated(question) || Languages.isNegated(query))
}

/**
 * Puts a gate's queries before the planner's own. They are sent unless an official source ends the
 * search.
 */
export const withProposed = (
  plan: QueryPlan,
  proposed: ReadonlyArray<string>,
  request: GroundingRequest
): QueryPlan => {
  if (proposed.length === 0 || request.overrides?.queries !== undefined) return plan
  const [first, ...others] = faithful(proposed, request)
  return {
    ...plan,
    queries: [first, ...others, ...plan.queries],
    stop_conditions: plan.stop_conditions.filter(({ _tag }) => _tag === "OFFICIAL_SOURCE_FOUND")
  }
}

/** The user's wording first. Where it depends on earlier turns, the gate's best query first. */
export const faithful = (
  proposed: ReadonlyArray<string>,
  request: GroundingRequest
): QueryPlan["queries"] => {
  const standalone = standaloneQuestion(request)
  const isLeaning = request.user_question !== undefined &&
    standalone !== request.user_question.trim()
  const question = QueryPrivacy.strip(standalone)
  const own = wordingOf(request)
  // After the wording, others may ask for one side of a comparison each.
  const share = isLeaning ? 1 : sideShare
  const kept = proposed.filter((query) => keepsTerms(question, query, share))
  const [best, ...others] = kept
  return best === undefined || !isLeaning ? [own, ...kept] : [best, own, ...others]
}

// Makes any engine's plan safe to send: without PII, bounded, without repeats, never empty.

const stopEvidenceMax = 12
const evidenceCharsMax = 100
const stopConditionsMax = 6
/** Share of common words from which two queries are one. */
const likenessMin = 0.9
/** Query of last resort, when question and topic held nothing but PII. */
const lastResort = "general information"
export const lastPlan: QueryPlan = {
  queries: [lastResort],
  must_have_evidence: [],
  stop_conditions: []
}

/** Valid plan: 1 to `need.max_queries` queries without PII, no near-duplicates or free text. */
export const check = (plan: QueryPlan, request: GroundingRequest, need: SearchNeed): QueryPlan => {
  const planned = request.listing?.queries_as_given === true
    ? plan.queries
    : openQueries(plan.queries, request)
  const distinct = planned.filter((query, index) =>
    planned.slice(0, index).every((earlier) => !isLike(earlier, query))
  )
  const count = Math.min(queriesMax, Math.max(1, need.max_queries))
  const [first, ...rest] = distinct.slice(0, count)
  return {
    queries: first === undefined ? [fallback(request)] : [first, ...rest],
    must_have_evidence: plan.must_have_evidence.map((phrase) =>
      cutBetweenWords(safe(phrase), evidenceCharsMax)
    )
      .filter((phrase, index, all) => phrase !== "" && all.indexOf(phrase) === index)
      .slice(0, stopEvidenceMax),
    stop_conditions: plan.stop_conditions.slice(0, stopConditionsMax)
      .filter(({ _tag }) => _tag !== "FREE_TEXT")
  }
}

const fallback = (request: GroundingRequest): string =>
  [standaloneQuestion(request), request.topic].map(safe).find((query) => query !== "") ??
    lastResort

/** Query without PII and within the bound; empty when nothing is left to search for. */
export const safe = (query: string): string => {
  const stripped = QueryPrivacy.strip(query)
  // Cutting may expose PII that a pattern had missed, so the cut text is stripped again.
  const short = QueryPrivacy.strip(cutBetweenWords(stripped, queryCharsMax))
  return /[\p{L}\p{N}]/u.test(short) ? short : ""
}

const isLike = (left: string, right: string): boolean => {
  const [one, other] = [new Set(words(left)), new Set(words(right))]
  const all = one.union(other).size
  return all === 0 ? left === right : one.intersection(other).size / all >= likenessMin
}

/** Without years that are neither asked nor current: models take their last year for today's. */
export const withoutOtherYears = (
  query: string,
  request: GroundingRequest,
  thisYear: number
): string => {
  const open = new Set([String(thisYear)])
  for (const text of askedTexts(request)) {
    for (const [, year = ""] of text.matchAll(eachYear)) open.add(year)
  }
  return query.replace(eachYear, (written, year: string) => open.has(year) ? written : " ")
    .replace(/\s+(?:[-–]\s+)?/gu, " ").trim()
}

/** The language of a query: by its script, else the locale's if that has the same script. */
const languageOf = (text: string, locale: string): string => {
  if (/\p{Script=Hangul}/u.test(text)) return "ko"
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja"
  const language = locale.split("-")[0]?.toLowerCase() ?? "en"
  if (/\p{Script=Han}/u.test(text)) return language === "ja" ? "ja" : "zh"
  return ["ko", "ja", "zh"].includes(language) ? "en" : language
}

/** City and country, as far as the text does not name them. */
export const missingFrom = (text: string, region: Region, locale: string): string => {
  const country = countryName(region.country, languageOf(text, locale))
  const english = countryName(region.country, "en")
  const isNamed = [country, english].some((name) => includes(text, name)) ||
    alsoCalled.get(region.country)?.test(text) === true
  const city = region.city?.trim() ?? ""
  const parts = [city !== "" && !includes(text, city) ? city : "", isNamed ? "" : country]
  return parts.filter((part) => part !== "").join(" ")
}

export const countryName = (code: string, language: string): string =>
  new Intl.DisplayNames([language, "en"], { type: "region", fallback: "code" }).of(code) ?? code

const includes = (text: string, part: string): boolean =>
  text.toLowerCase().includes(part.toLowerCase())

// Keeps the caller's private facts out of queries that a model wrote. Known facts and open slots
// are private: no eight characters in a row and no whole code, plain or disguised. All queries are
// checked together, so that parts do not leak one by one.

/** Least run of shared letters and digits that counts as a leak. */
const runCharsMin = 8
/** A code with a digit leaks as a whole from this length on. */
const codeCharsMin = 4
/** A longer word with digits or capitals inside may be a cipher, unless it was asked. */
const oddCharsMax = 10
const languages = ["en", "ko", "ja", "zh", "de", "fr", "es"]

/** A model's queries that may be sent: safe, and without leaks. */
export const openQueries = (
  queries: ReadonlyArray<string>,
  request: GroundingRequest
): ReadonlyArray<string> => withoutLeaks(queries.map(safe), request).filter((query) => query !== "")

export const withoutLeaks = (
  queries: ReadonlyArray<string>,
  request: GroundingRequest
): ReadonlyArray<string> => {
  const open = openWords(request)
  const secrets = secretsOf(request, open)
  const isClean = (text: string) =>
    isEmpty(secrets) ||
    !Disguise.readings(text).some((reading) => holds(secrets, reading))
  const clean = queries.filter((query) => isPlain(query, open) && isClean(query))
  const rest = clean.map((query) => residue(query, open))
  return [clean, rest, rest.toReversed()].every((parts) => isClean(parts.join(" ")))
    ? clean
    : clean.filter((_, index) => rest[index] === "")
}

interface OpenWords {
  readonly runs: ReadonlyArray<string>
  readonly words: ReadonlySet<string>
}

const askedTexts = (request: GroundingRequest): ReadonlyArray<string> => [
  standaloneQuestion(request),
  request.topic,
  request.user_question ?? "",
  ...(request.overrides?.queries ?? [])
]

const openWords = (request: GroundingRequest): OpenWords => {
  const { locale, region } = request
  const places = region === undefined ? [] : [
    region.city ?? "",
    ...[...languages, locale.split("-")[0] ?? "en"].map((language) =>
      countryName(region.country, language)
    )
  ]
  const asked = askedTexts(request).map(QueryPrivacy.strip)
  const texts = [...asked, ...places]
  return {
    runs: texts.map(Disguise.compact),
    words: new Set(texts.flatMap((text) => wordsOf(text)))
  }
}

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.normalize("NFKC").split(/\s+/).map(Disguise.compact).filter((word) => word !== "")

interface Secrets {
  readonly runs: ReadonlySet<string>
  readonly codes: ReadonlyArray<string>
}

const secretsOf = (request: GroundingRequest, { runs, words }: OpenWords): Secrets => {
  const texts = [...request.known_facts, ...request.unknown_required_slots]
  const isOpen = (run: string) => runs.some((open) => open.includes(run))
  const secret = texts.map(Disguise.compact).flatMap((text) =>
    Array.from(
      { length: Math.max(0, text.length - runCharsMin + 1) },
      (_, start) => text.slice(start, start + runCharsMin)
    )
  )
  const codes = texts.flatMap(wordsOf).filter((word) =>
    /\p{N}/u.test(word) && word.length >= codeCharsMin && word.length < runCharsMin &&
    !words.has(word) && !year.test(word)
  )
  return {
    runs: new Set(secret.filter((run) => !isOpen(run))),
    codes: [...new Set(codes)].filter((code) => !isOpen(code))
  }
}

const isEmpty = ({ codes, runs }: Secrets): boolean => runs.size === 0 && codes.length === 0

const holds = ({ codes, runs }: Secrets, text: string): boolean => {
  for (let start = 0; start + runCharsMin <= text.length; start++) {
    if (runs.has(text.slice(start, start + runCharsMin))) return true
  }
  return codes.some((code) => text.includes(code))
}

const residue = (query: string, { words }: OpenWords): string =>
  query.split(/\s+/).filter((word) => !words.has(Disguise.compact(word))).join(" ")

/** No word that could only be a cipher, and no number but a year, unless it was asked. */
const isPlain = (query: string, { runs, words }: OpenWords): boolean =>
  query.split(/\s+/).every((word) => {
    const plain = Disguise.compact(word)
    if (plain === "" || words.has(plain) || runs.some((open) => open.includes(plain))) return true
    if (/^\p{N}+$/u.test(plain)) return year.test(plain)
    return plain.length <= oddCharsMax || !odd.test(word.replace(/^\p{P}+|\p{P}+$/gu, ""))
  })

const year = /^(?:19|20)\d\d$/
const odd = /\p{N}|[%+/=_\\]|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u
