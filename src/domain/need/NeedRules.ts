/** Derives the gate's answer from a request's signals: need, reasons, bounds and topic. */
import {
  isChat,
  type NeedScore,
  type NeedSignals,
  signalsOf,
  weigh
} from "@web-grounding/language/NeedScore"
import { isStopWord, terms, words } from "@web-grounding/language/Words"
import { type GroundingRequest, type SearchTopic, wordsOf } from "../request/GroundingRequest.ts"
import forms from "./QuestionForms.json" with { type: "json" }
import * as ReasonCodes from "./ReasonCodes.ts"
import { queriesMax, type ReasonCode, type SearchNeed } from "./ReasonCodes.ts"

/** Fewer words than this say too little to compare. */
const questionTermsMin = 2

/** Words of asking that a fact need not repeat. */
const asking: ReadonlySet<string> = new Set(
  ["mani", "long", "old", "tell", "know", "pleas", "usual", "typic", "much"]
)

/** Whether one known fact answers the question: it holds every content word and more. */
const answers = (facts: ReadonlyArray<string>, question: string): boolean => {
  const asked = new Set(terms(question).filter((term) => !asking.has(term)))
  if (asked.size < questionTermsMin) return false
  const needsNumber = asksNumber.test(question)
  return facts.some((fact) => {
    const held = new Set(terms(fact))
    const extra = words(fact).filter((word) => !isStopWord(word) && !words(question).includes(word))
    return asked.isSubsetOf(held) && extra.length > 0 &&
      !unsure.test(fact) && (!needsNumber || numeral.test(fact))
  })
}

const asksNumber = new RegExp(forms.asksNumber, "iu")

const numeral = new RegExp(forms.numeral, "iu")

const unsure = new RegExp(forms.unsure, "iu")

const sourcesPerQueryDefault = 5

/** Below this score even a user's request for facts is not searched: a sum, a poem, a greeting. */
const askedScoreMin = 0.25

/** The same where something is named: "Hello Kitty". */
const namedScoreMin = 0.02

/** Volatility from which the answer is marked time-sensitive. */
const volatileMin = 0.5

/** Volatility above which no remembered fact is trusted to be current. */
const rememberedMax = 0.6

export const decide = (request: GroundingRequest): NeedScore & { readonly search: SearchNeed } => {
  const question = standaloneQuestion(request)
  const signals = signalsOf(question)
  const scored = scoredOf(request, signals)
  const asked = request.user_asked_for_facts
  const isForbidden = request.overrides?.max_queries === 0
  const isWorded = /[\p{L}\p{N}]/u.test(question)
  const wantedMin = signals.names > 0 ? namedScoreMin : askedScoreMin
  const isWanted = isWorded && (scored.need || asked && scored.score >= wantedMin)
  const asks = request.overrides?.queries !== undefined ||
    !isChat(signals) && (isWanted || slotsOf(request) > 0)
  // A question without a referent is asked back instead of searched.
  const isOpen = asks && request.overrides?.queries === undefined && refersToNothing(request)
  const needs = asks && !isOpen
  const isKnown = !asked && needs && scored.volatility < rememberedMax &&
    answers(request.known_facts, question)
  const need = needs && !isKnown && !isForbidden
  const reasons = reasonsOf(request, signals, scored.volatility)
  return {
    ...scored,
    need,
    search: {
      need_search: need,
      reason_codes: need ? reasons : [isOpen ? "REFERS_TO_NOTHING" : refusalOf(needs, isKnown)],
      max_queries: need ? queriesOf(request, reasons) : 0,
      max_sources_per_query: sourcesPerQueryDefault,
      search_depth: request.overrides?.search_depth ?? "basic",
      topic: request.overrides?.topic ?? topicOf(signals)
    }
  }
}

interface ProposedNeed extends Omit<SearchNeed, "reason_codes"> {
  readonly reason_codes: ReadonlyArray<ReasonCode>
}

/** Another gate's need, made consistent with itself, with what the user asks and the overrides. */
export const admitted = (request: GroundingRequest, proposed: ProposedNeed): SearchNeed => {
  const { overrides } = request
  const isForbidden = overrides?.max_queries === 0
  const isWanted = proposed.need_search ||
    request.user_asked_for_facts && decide(request).search.need_search
  const need = isWanted && !isForbidden
  const kept = (reasons: ReadonlyArray<ReasonCode>) =>
    proposed.reason_codes.filter((reason) => reasons.includes(reason))
  const [first, ...rest] = need
    ? kept(ReasonCodes.forSearch)
    : kept(ReasonCodes.againstSearch)
  const searched = request.user_asked_for_facts ? "USER_ASKED" : "COMMON_PRACTICE"
  const otherwise = need ? searched : "PERSONAL_OR_CREATIVE"
  return {
    need_search: need,
    reason_codes: isForbidden && proposed.need_search
      ? ["BUDGET_EXHAUSTED"]
      : [first ?? otherwise, ...rest],
    max_queries: need
      ? Math.min(overrides?.max_queries ?? queriesMax, Math.max(1, proposed.max_queries))
      : 0,
    max_sources_per_query: proposed.max_sources_per_query,
    search_depth: overrides?.search_depth ?? proposed.search_depth,
    topic: overrides?.topic ?? proposed.topic
  }
}

/** Need after the gate's model failed: a search. A missed one costs more than a needless one. */
export const afterFailure = (request: GroundingRequest, need: SearchNeed): SearchNeed =>
  need.need_search || request.overrides?.max_queries === 0
    ? need
    : { ...need, need_search: true, reason_codes: ["COMMON_PRACTICE"], max_queries: 1 }

/** Reason for no search. A need for unknown facts was forbidden: the caller granted no query. */
const refusalOf = (needs: boolean, isKnown: boolean): ReasonCode => {
  if (!needs) return "PERSONAL_OR_CREATIVE"
  return isKnown ? "KNOWN_ENOUGH" : "BUDGET_EXHAUSTED"
}

/** A scene is scored by its subject, and so is a turn blocked by reality. */
const scoredOf = (request: GroundingRequest, signals: NeedSignals): NeedScore => {
  const isScene = request.phase === "session_setup" && request.user_question === undefined
  const said = weigh(signals, isScene ? "setup" : "turn")
  if (!request.realism_blocked || said.need) return said
  return weigh(signals, "setup")
}

/** Open slots that name a matter of custom, law or price. */
const slotsOf = (request: GroundingRequest): number => {
  if (request.phase !== "session_setup") return 0
  const slots = signalsOf(wordsOf(request.unknown_required_slots.join(" ")))
  return slots.count("law") + slots.count("culture") + slots.count("practice") +
    slots.count("price")
}

type Reasons = readonly [ReasonCode, ...ReadonlyArray<ReasonCode>]

/** Strongest first. A question that fits none asks for common practice and knowledge. */
const reasonsOf = (
  request: GroundingRequest,
  signals: NeedSignals,
  volatility: number
): Reasons => {
  const capped = (count: number, max: number) => Math.min(count, max)
  const asksSources = request.user_asked_for_facts ? 4 : capped(signals.count("verify"), 1) * 0.7
  const time = (volatility >= volatileMin ? 1 + volatility : 0) +
    0.6 * capped(signals.count("time"), 1) + 0.3 * capped(signals.count("now"), 1)
  const strengths: Record<ReasonCodes.SearchReason, number> = {
    USER_ASKED: asksSources,
    POLICY_LEGAL: 1.3 * capped(signals.count("law"), 3),
    CULTURE_NORMS: 1.4 * capped(signals.count("culture"), 3),
    TIME_SENSITIVE: time,
    NICHE_ENTITY: 0.4 * capped(signals.names, 3),
    COMMON_PRACTICE: 0.7 * capped(signals.count("practice"), 2)
  }
  const [first, ...rest] = ReasonCodes.forSearch.filter((reason) => strengths[reason] > 0)
    .toSorted((left, right) => strengths[right] - strengths[left])
  return first === undefined ? ["COMMON_PRACTICE"] : [first, ...rest]
}

/** One for a plain matter; law, custom and a user's request add one each. */
const queriesOf = (request: GroundingRequest, reasons: Reasons): number => {
  const most = request.overrides?.max_queries ?? queriesMax
  const fixed = request.overrides?.queries
  if (fixed !== undefined) return Math.min(most, fixed.length)
  const weighty = reasons.includes("POLICY_LEGAL") || reasons[0] === "CULTURE_NORMS" ? 1 : 0
  const current = reasons[0] === "TIME_SENSITIVE" && request.region !== undefined ? 1 : 0
  const asked = request.user_asked_for_facts ? 1 : 0
  return Math.min(most, queriesMax, 1 + weighty + current + asked)
}

const topicOf = (signals: NeedSignals): SearchTopic => {
  if (signals.count("finance") > 0 && signals.count("law") === 0) return "finance"
  return signals.count("news") >= 2 ? "news" : "general"
}

/** A longer question is complete by itself. In words. */
const fragmentWordsMax = 7

const fragmentCharsMax = 16

/** Question of the request, readable without the conversation. */
export const standaloneQuestion = (request: GroundingRequest): string => {
  const topic = request.topic.trim()
  const question = request.user_question?.trim()
  if (question === undefined || question === topic) return topic
  return leansOnTopic(question) ? joined(topic, question) : question
}

/** Whether question, topic, facts and region name nothing that "it" or a bare word could mean. */
const refersToNothing = (request: GroundingRequest): boolean => {
  const { known_facts, phase, region, topic, unknown_required_slots, user_question } = request
  if (region !== undefined || known_facts.length + unknown_required_slots.length > 0) return false
  const isSetUp = phase === "session_setup"
  if (!isSetUp && user_question === undefined && plainWord.test(topic)) return true
  const isFull = user_question !== undefined && user_question.trim() !== topic.trim() &&
    !pointsAway(topic)
  return !isFull && pointsAway(user_question ?? topic)
}

/** A short question with "it" or "there", or an open end, and no name in it. */
const pointsAway = (text: string): boolean => {
  const question = text.trim()
  return unspaced.test(question)
    ? pointsUnspaced.test(question) && [...question].length <= fragmentCharsMax
    : leansOnTopic(question) && !named.test(question.slice(1))
}

/** One lower-case word: capitals and digits mark names. */
const plainWord = /^\s*[[\p{Ll}\p{M}]&&[\p{Script=Latin}\p{Script=Cyrillic}]]{3,}\s*$/v

const unspaced = /[\p{Script=Hangul}\p{Script=Han}\p{scx=Hiragana}]/u

const pointsUnspaced = /^(?:그럼|그러면|그건|그게|거기|それ|そこ|あれ|那(?:个|個|里|裡|多少|么))/u

const named = /(?<![.?!] )(?<!\p{L})\p{Lu}\p{Ll}|\d|["“「『]/u

const leansOnTopic = (question: string): boolean => {
  const isFragment = question.split(/\s+/).length <= fragmentWordsMax
  if (isFragment && continues.test(question)) return true
  if (isFragment && asks.test(question) && pointsBack.test(question)) return true
  return [...question].length <= fragmentCharsMax && continuesUnspaced.test(question)
}

const continues = new RegExp(forms.continues, "iu")

const asks = new RegExp(forms.asks, "iu")

const pointsBack = new RegExp(forms.pointsBack, "iu")

const continuesUnspaced = new RegExp(forms.continuesUnspaced, "u")

const lead = /^(?:(?:and|but|or|so|then|also|well)[\s,]+)*(?:(?:what|how) about[\s,]+)?/iu

const leadUnspaced = /^(?:그럼|그러면|그리고|또|じゃあ|では|あと|なら|那么?)[\s、,]*/u

const tail = /(?<![\s?？.。!！])[\s?？.。!！]+$/u

const tailUnspaced = /(?:에서는요?|은요|는요|은|는|ではどう|では|はどう|は|呢)$/u

const place = /^in (\p{Lu}[\p{L} .'’-]*)$/u

const lastPlace = /\bin \p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)*(?![\s\S]*\bin \p{Lu})/u

const joined = (topic: string, question: string): string => {
  const about = topic.replace(tail, "")
  const bare = question.replace(tail, "").replace(lead, "").replace(leadUnspaced, "")
  const fragment = bare.replace(tailUnspaced, "").trim()
  if (fragment === "") return about
  return place.test(fragment) && lastPlace.test(about)
    ? about.replace(lastPlace, () => fragment)
    : `${about} ${fragment}`
}
