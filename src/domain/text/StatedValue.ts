/**
 * Whether a text gives the value of a slot, and does not only speak of it.
 *
 * In doubt it does not: a question too many costs the user a word, one too few an answer that fits
 * somebody else.
 */
import { sentenceTexts } from "./Sentences.ts"
import { terms } from "./Words.ts"

/** Words that may stand among those of the slot: "type of your visa". */
const betweenMax = 2
/** Words between a counted slot and its number. */
const numberWithin = 4

const number =
  "(?:[$€£¥₩]? ?\\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|" +
  "sixty|" +
  "ninety|half)(?!\\p{L}))"
const name = "(?:\\p{Lu}|\\d)"
/** Said of a thing without telling which it is. */
const vague = new RegExp(
  "^(?:(?:an? |the )?(?:not|no|never|un[a-z]+|yet|also|often|always|usually|sometimes|still|" +
    "what|which|who|whether|how|where|when|that|to|up to|one (?:of|thing|factor)|same|other|" +
    "another|main|most|more|first|only|key|basis|different|various|several|many|based|" +
    "set (?:by|out)|subject|given|shown|written|found|chosen|taken|known|seen|made|told|up|on|" +
    "in|at|for|by|from|under|with|as|necessary|mandatory|important|essential|relevant|crucial|" +
    "critical|significant|clear|available|correct|right|wrong|valid|appropriate|decisive|" +
    "dependent|factor|matter|question|condition|requirement|part|thing|large|big|small|" +
    "expensive|cheap|good|bad|high|low|long|short|old|new|safe|famous|busy|popular|free|open|" +
    "closed|easy|difficult|possible|impossible)|" +
    "(?!un|fixed)\\p{L}{2,}(?:ed|ing|able|ible))(?![\\p{L}-])",
  "iu"
)
const conditional = new RegExp(
  "(?<!\\p{L})(?:if|whether|when|unless|once|where|depend(?:s|ing)? (?:up)?on|according to|" +
    "regardless of|no matter|any|each|every|which(?:ever)?|what(?:ever)?)(?!\\p{L})[^,;:]*$",
  "iu"
)
const copula = "(?:is|are|was|were|will be|must be|equals|remains)"
const joined = new RegExp(
  `^\\s*(?:[:=]\\s*(?=\\S)|${copula} (?:(?:currently|normally|called|either|about|exactly|at least|` +
    "at most|therefore|thus) )*)[\"“'(]?(?<said>.+)",
  "u"
)
const named = new RegExp(
  `^\\s*(?:(?:of|named|called) ["“'(]?${name}|["“(]${name}|[A-Z]{0,3}-?\\d)`,
  "u"
)
const counted = new RegExp(
  "(?:period|date|deadline|duration|length|time|term|year|month|day|budget|rent|deposit|price|" +
    "cost|fee|amount|sum|salary|income|wage|age|number|count|size|area|limit|rate|share|" +
    "distance|weight|height|notice)s?(?!\\p{L})",
  "iu"
)
const numberAfter = new RegExp(
  `^[^,;:.]{0,4}(?:\\s+[\\p{L}'’-]+){0,${numberWithin}}?\\s+${number}`,
  "iu"
)
const numberBefore = new RegExp(`${number}[\\d,.]*[ -]?(?:[\\p{L}'’]+ ?){0,2}$`, "iu")
/** "Osaka is the city", but not "this is the city". */
const reversed = new RegExp(
  `(?:^|[,;:] )(?!(?:this|that|these|it|here|there|what|which|who|one|another)(?!\\p{L}))` +
    `[^,;:]{1,60} ${copula} (?:the|your|their|his|her|my|our) $`,
  "iu"
)

/**
 * Whether a claim gives the slot's value: one sentence holds the slot's words and, joined to them,
 * a value.
 */
export const isGiven = (text: string, slot: string): boolean =>
  sentenceTexts(text).filter((sentence) => !/[?？]$/.test(sentence)).some((sentence) =>
    unspaced.test(slot)
      ? isGivenUnspaced(sentence, slot)
      : spansOf(sentence, slot).some(([start, end]) => isJoined(sentence, start, end, slot))
  )

/**
 * Whether a known fact gives the slot's value: it holds the slot's words, one more that tells, and
 * no word of doubt.
 */
export const isKnown = (fact: string, slot: string): boolean => {
  const [held, wanted] = [new Set(terms(fact)), new Set(terms(slot))]
  const others = [...held].filter((term) => !wanted.has(term) && !ofUsers.test(term))
  return wanted.size > 0 && wanted.isSubsetOf(held) && others.length > 0 &&
    !unknown.test(fact)
}

const ofUsers = /^(?:user|learner|student|custom|client|person)$/
const unknown = new RegExp(
  "[?？]|(?<!\\p{L})(?:not|no|never|unknown|unclear|unsure|undecided|unspecified|open|n['’]t|tbd|" +
    "asks?|wonders?|wants? to know)(?!\\p{L})|n['’]t(?!\\p{L})|不明|未定|未知|不清楚|不知道|" +
    "分か(?:ら|り)|わか(?:ら|り)ま|" +
    "決ま(?:っていない|らない)|決めていない|모르|모름|미정|없다|없음|않",
  "iu"
)

/** Spans in which all words of the slot stand close together. */
const spansOf = (
  sentence: string,
  slot: string
): ReadonlyArray<readonly [start: number, end: number]> => {
  const wanted = [...new Set(terms(slot))]
  const tokens = [...sentence.matchAll(/[\p{L}\p{N}]+/gu)]
  if (wanted.length === 0) return []
  return tokens.flatMap((first, place) => {
    const near = tokens.slice(place, place + wanted.length + betweenMax)
    const last = near.findIndex((_, count) => {
      const held = new Set(near.slice(0, count + 1).flatMap(([word]) => terms(word)))
      return wanted.every((term) => held.has(term))
    })
    const [end] = near.slice(last, last + 1)
    const isStart = terms(first[0]).some((term) => wanted.includes(term))
    return last < 0 || end === undefined || !isStart
      ? []
      : [[first.index, end.index + end[0].length] as const]
  })
}

const isJoined = (sentence: string, start: number, end: number, slot: string): boolean => {
  const [before, after] = [sentence.slice(0, start), sentence.slice(end)]
  if (conditional.test(before)) return false
  const said = joined.exec(after)?.groups?.["said"]
  if (said !== undefined) return !vague.test(said)
  return named.test(after) || reversed.test(before) ||
    (counted.test(slot) && (numberAfter.test(after) || numberBefore.test(before)))
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const compact = (text: string): string => text.normalize("NFKC").replace(/\s+/gu, "")

/** The slot's words as they stand, a particle or "is", and a short value up to the end. */
const isGivenUnspaced = (sentence: string, slot: string): boolean => {
  const [text, wanted] = [compact(sentence), compact(slot)]
  const rests = text.split(wanted).slice(1)
  return wanted !== "" && rests.some((rest) => {
    const value = tied.exec(rest)?.groups?.["value"] ?? ""
    return value !== "" && !unspacedVague.test(value)
  })
}

const tied = new RegExp(
  "^(?:は|が|:|=|是|为|為|은|는|이|가)(?<value>[\\p{L}\\p{N}%.,・ー-]{1,24}?)(?:です|である|だ|となる|" +
    "となります|입니다|이다|이에요|" +
    "예요)?[。.!]?$",
  "u"
)
const unspacedVague =
  /必要|不明|未定|確認|異な|違|次の|以下|重要|決ま|によ|不同|需要|取决|因|未知|다르|다릅|필요|확인|미정|중요|따라|달라|모르|않|ない|ません|不是/u
