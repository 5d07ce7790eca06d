/** A question that leans on the topic ("and in Osaka?") made to stand on its own. */
import type { GroundingRequest } from "../request/GroundingRequest.ts"
import forms from "./QuestionForms.json" with { type: "json" }

/** Beyond it a question says enough by itself. In words. */
const fragmentWordsMax = 7
const fragmentCharsMax = 16

/** Question of the request, readable without the conversation. */
export const standaloneQuestion = (request: GroundingRequest): string => {
  const topic = request.topic.trim()
  const question = request.user_question?.trim()
  if (question === undefined || question === topic) return topic
  return leansOnTopic(question) ? joined(topic, question) : question
}

/**
 * Whether the question points at something ("how much is it?") or is one plain word ("notice"),
 * and topic, known facts and region name nothing that it could be.
 */
export const refersToNothing = (request: GroundingRequest): boolean => {
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

/** One word in lower case: a name has a capital, and what is written with digits is one, too. */
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
const tail = /[\s?？.。!！]+$/u
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
