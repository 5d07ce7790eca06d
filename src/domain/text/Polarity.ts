/**
 * Whether two sentences that use the same words say the opposite.
 *
 * Meant for sentences that are near copies only: over free paraphrase a difference of negation
 * words says nothing (measured: right in 33 to 47 % of the cases, less than by chance).
 */
import { isStopWord, terms, words } from "./Words.ts"

const negators = new Set(
  ("not no never none neither nor without cannot cant unable hardly rarely barely fail fails " +
    "failed " +
    "lack lacks lacked deny denies denied dont doesnt didnt isnt arent wasnt werent wont wouldnt " +
    "shouldnt couldnt hasnt havent hadnt neednt mustnt nt").split(" ")
)
/** A negator reaches this many words. */
const reach = 4
const clauseBreak = /[,;:()]|\b(?:but|although|while|whereas|however)\b/i

const cjkNegation =
  /ない|ません|なかっ|なけれ(?!ば)|ず[にと、]|不要|不可|禁止|無効|않|없|못|아니|금지|불가|불필요|不[^同]|没有|无需|無需|非(?!常)/gu
/** Double negation that means an obligation: なければならない, しなければなりません. */
const cjkMust = /なければ?(?:なら|いけ)(?:ない|ません)|않으면\s?안|안\s?되[면며]/gu

const opposites = new Map(
  (`increase decrease,increased decreased,increases decreases,increasing decreasing,rise fall,
rises falls,rising falling,grew shrank,rose fell,win lose,won lost,more less,more fewer,
higher lower,before after,above below,largest smallest,first last,approve reject,
approved rejected,legal illegal,lawful unlawful,allow forbid,allowed banned,allowed forbidden,
allowed prohibited,permitted prohibited,north south,east west,most least,early late,
earlier later,open closed,began ended,begin end,major minor,minimum maximum,male female,
old young,high low,large small,new old,good bad,same different,positive negative,strong weak,
public private,required optional,mandatory optional,mandatory voluntary,include exclude,
included excluded,including excluding,with without,accept refuse,accepted refused,
valid invalid,possible impossible,success failure,succeeded failed,tenant landlord,
tenants landlords,lessee lessor,buyer seller,employer employee,employers employees,
borrower lender,deposit withdraw,import export,over under,up down,inside outside,always never,
all none,refundable nonrefundable,free paid,safe dangerous,hot cold,long short,fast slow,
cheap expensive,start stop,gain loss,support oppose,supported opposed,likely unlikely,
necessary unnecessary,able unable,true false`)
    .split(/,\s*/)
    .flatMap((pair) => {
      const [left = "", right = ""] = pair.trim().split(" ")
      return [[left, right] as const, [right, left] as const]
    })
    .reduce(
      (table, [word, opposite]) => table.set(word, [...(table.get(word) ?? []), opposite]),
      new Map<string, ReadonlyArray<string>>()
    )
)

/** Negation words that deny nothing: "whether or not", "with and without", an answering "No.". */
const idle =
  /\bor not\b|\bnot limited to\b|\b(?:with (?:and|or)|and|or) without\b|^(?:no|not really|nope)[,.!]/giu

/** Whether a sentence denies anything. */
export const isNegated = (sentence: string): boolean =>
  cjkCount(sentence) > 0 ||
  words(sentence.replace(idle, " ")).some((word) => negators.has(word))

/** The same of a sentence whose words are known; the words that deny nothing count here. */
export const holdsNegator = (sentence: string, list: ReadonlyArray<string>): boolean =>
  list.some((word) => negators.has(word)) || cjkCount(sentence) > 0

/** Whether the words both share are mostly negated in one sentence and plain in the other. */
export const isNegatedOtherwise = (left: string, right: string): boolean => {
  if (cjkCount(left) !== cjkCount(right)) return true
  const [leftSides, rightSides] = [sides(left), sides(right)]
  const shared = Array.from(leftSides).flatMap(([term, side]) => {
    const other = rightSides.get(term)
    return side === "both" || other === undefined || other === "both" ? [] : [{ side, other }]
  })
  const opposed = shared.filter(({ other, side }) => other !== side).length
  const alike = shared.filter(({ other, side }) => other === side && side === "negated").length
  return opposed > alike
}

/** How many words deny something. "Whether or not" and the like deny nothing. */
export const negatorsOf = (text: string): number =>
  words(text.replace(idle, " ")).filter((word) => negators.has(word)).length

/** Whether the claim puts a word where the other sentence has its opposite. */
export const holdsOpposite = (claim: string, sentence: string): boolean => {
  const [said, read] = [new Set(words(claim)), new Set(words(sentence))]
  return Array.from(said).some((word) =>
    !read.has(word) &&
    (opposites.get(word) ?? []).some((opposite) => read.has(opposite) && !said.has(opposite))
  )
}

const strong = new RegExp(
  "\\b(?:all|every|always|only|solely|exclusively|entirely|completely|never|none|must|shall|" +
    "guarantees?|exactly)\\b|必ず|すべて|常に|반드시|항상|모든|必须|必須|总是",
  "giu"
)
const weak = new RegExp(
  "\\b(?:some|many|most|several|often|usually|sometimes|may|might|can|could|should|about|" +
    "approximately|likely|suggests?|generally|typically|up to|at least|more than|over)\\b|" +
    "場合が?ある|ことが?多い|約|程度|보통|대체로|약\\s|경우가",
  "giu"
)

/** Whether the claim is firmer than the sentence: "may" became "must", "some" became "all". */
export const isStronger = (claim: string, sentence: string): boolean => {
  const [said, read] = [wordsOf(claim, strong), wordsOf(sentence, strong)]
  const gained = Array.from(said).some((word) => !read.has(word))
  const [saidWeak, readWeak] = [wordsOf(claim, weak), wordsOf(sentence, weak)]
  const softened = Array.from(readWeak).some((word) => !saidWeak.has(word))
  return gained && softened
}

/** Whether a bound was turned round or dropped: "at least" became "at most". */
export const isBoundedOtherwise = (claim: string, sentence: string): boolean => {
  const bounds =
    /\bat (?:least|most)\b|\b(?:more|less|fewer) than\b|\bup to\b|以上|以下|以内|이상|이하|이내/giu
  const [said, read] = [wordsOf(claim, bounds), wordsOf(sentence, bounds)]
  return Array.from(said).some((bound) => !read.has(bound)) && read.size > 0
}

const wordsOf = (text: string, pattern: RegExp): ReadonlySet<string> =>
  new Set((text.match(pattern) ?? []).map((word) => word.toLowerCase()))

/** 1 for an odd number of negations, as two of them cancel out. */
const cjkCount = (text: string): number =>
  (text.replace(cjkMust, "").match(cjkNegation) ?? []).length % 2

type Side = "plain" | "negated" | "both"

const sides = (sentence: string): ReadonlyMap<string, Side> => {
  const table = new Map<string, Side>()
  for (const clause of sentence.trim().replace(idle, " ").split(clauseBreak)) {
    let left = 0
    for (const word of words(clause)) {
      const side = left > 0 ? "negated" : "plain"
      left = negators.has(word) ? reach : Math.max(0, left - 1)
      const [term] = isStopWord(word) || negators.has(word) ? [] : terms(word)
      if (term === undefined) continue
      const known = table.get(term)
      table.set(term, known === undefined || known === side ? side : "both")
    }
  }
  return table
}
