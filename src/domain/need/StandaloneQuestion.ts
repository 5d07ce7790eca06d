/** A question that leans on the topic ("and in Osaka?") made to stand on its own. */
import type { GroundingRequest } from "../request/GroundingRequest.ts"

/** Beyond it a question says enough by itself. In words. */
const fragmentWordsMax = 7
const fragmentCharsMax = 16

/** What the request asks, readable without the conversation. */
export const standaloneQuestion = (request: GroundingRequest): string => {
  const topic = request.topic.trim()
  const question = request.user_question?.trim()
  if (question === undefined || question === topic) return topic
  return leansOnTopic(question) ? joined(topic, question) : question
}

const leansOnTopic = (question: string): boolean => {
  const isFragment = question.split(/\s+/).length <= fragmentWordsMax
  if (isFragment && continues.test(question)) return true
  if (isFragment && asks.test(question) && pointsBack.test(question)) return true
  return [...question].length <= fragmentCharsMax && continuesUnspaced.test(question)
}

const continues = new RegExp(
  "^(?:and|but|or|so|then|also|what about|how about|same)(?!\\p{L})|^(?:why|when|" +
    "where|how|how much|how long|how many|who|which one|really|since when)\\s*\\?*$|" +
    "^how (?:much|many|long|often|far)(?: [\\p{L}]+){0,2}\\s*\\?*$",
  "iu"
)
const asks = new RegExp(
  "[?？]\\s*$|^(?:is|are|was|were|do|does|did|can|could|should|would|will|what|when|where|" +
    "which|who|why|how)\\b",
  "iu"
)
const pointsBack = new RegExp(
  "(?<!\\p{L})(?:it|its|that|this|they|them|their|those|these|he|she|his|her|the same|" +
    "(?<!(?:is|are|was|were) )there)(?!\\p{L})(?! (?:a|an|the|true|possible|legal|safe|rude|ok|" +
    "okay|normal|allowed|customary|common|year|month|week|day|season|time|is|are)(?!\\p{L}))",
  "iu"
)
const continuesUnspaced =
  /^(?:그럼|그러면|그리고|그건|그게|거기|또|じゃあ|では|それ|そこ|あと|なら|那|那么)|(?:은|는|은요|는요|では|は|呢)[?？]*$/u

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
