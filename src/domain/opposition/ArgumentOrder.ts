/**
 * Whether a claim lets two parties of a sentence change places: who sued whom.
 *
 * Every word may be there, so that sets of words see nothing. A part that only moved ("In 2024 …"),
 * a passive that turns the same way, and parties that are merely joined are no change.
 */
import { tokens } from "../text/QuoteTokens.ts"
import { isStopWord } from "../text/Words.ts"

/** Of a claim; longer ones are retold. */
const tokensMax = 60
/** Of a party, and of what stands between two. In tokens; where nothing parts words, characters. */
const partyMax = { words: 4, characters: 8 } as const
const betweenMax = 6
const characterPartyMin = 2

const article = /^(?:the|a|an|der|die|das|den|dem|le|la|les|el|los|las|il|lo|gli|o|os|as)$/
/** Joins both parties to one thing, or says the same of each. */
const joining = new RegExp(
  "^(?:and|or|nor|with|as|well|und|oder|mit|et|ou|avec|y|e|o|con|com|и|или|с|met|meets|married|" +
    "marries|equals|borders|is|are|was|were|be|of|in|on|at|to|from|by|for|between|versus|vs|ist|" +
    "sind|est|es|both|と|や|及|び|和|与|與|或|跟|同|並|并|와|과|랑|및)$"
)
const eastern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Says when, where or how, and may stand on either side of a verb. */
const circumstance = new RegExp(
  "^(?:im|in|am|an|auf|bei|nach|vor|seit|ab|für|zu|zum|zur|von|vom|durch|gegen|ohne|um|bis|unter|" +
    "über|während|en|dans|pendant|depuis|après|avant|chez|pour|sans|sur|sous|durante|desde|para|" +
    "por|sin|sobre|hasta|nel|nella|da|dal|per|no|na|em|в|на|по|до|для|из|к|у|о)$"
)
/** German puts any part before its verb, and tells by "den" and "dem" whom it befalls. */
const german = /(?<!\p{L})(?:der|die|das|ist|und|nicht|darf|wird|ein|eine|einen)(?!\p{L})/iu
const germanCase = /(?<!\p{L})(?:den|dem|einen|einem)(?!\p{L})/iu

/** Whether a stretch "B verb A" of the claim stands as "A verb B" in the sentence, and never so. */
export const isTurned = (claim: string, sentence: string): boolean => {
  const [said, read] = [wordsOf(claim), wordsOf(sentence)]
  if (said.length > tokensMax || said.length < 3) return false
  const source = ` ${read.join(" ")} `
  const isGerman = german.test(claim)
  if (isGerman && (germanCase.test(claim) || germanCase.test(sentence))) return false
  const nouns = new Set(capitalised(claim).filter((one) => capitalised(sentence).includes(one)))
  const isNamed = (list: ReadonlyArray<string>) => !isGerman || list.every((one) => nouns.has(one))
  const known = new Set(read)
  const max = eastern.test(claim) ? partyMax.characters : partyMax.words
  return said.some((_, start) =>
    known.has(said[start] ?? "") && lengths(max).some((first) => {
      const left = said.slice(start, start + first)
      if (!isParty(left) || !isNamed(left) || !source.includes(` ${left.join(" ")} `)) return false
      return lengths(betweenMax).some((between) => {
        const verb = said.slice(start + first, start + first + between)
        return isVerb(verb) && source.includes(` ${verb.join(" ")} ${left.join(" ")} `) &&
          lengths(max).some((second) => {
            const from = start + first + between
            const right = said.slice(from, from + second)
            return right.length === second && isParty(right) && isNamed(right) &&
              source.includes(` ${[...right, ...verb, ...left].join(" ")} `) &&
              !source.includes(` ${[...left, ...verb, ...right].join(" ")} `)
          })
      })
    })
  )
}

const capitalised = (text: string): ReadonlyArray<string> =>
  (text.match(/\p{Lu}[\p{L}\p{M}]*/gu) ?? []).map((one) => one.normalize("NFKC").toLowerCase())

/** With the marks that part a list's members. */
const wordsOf = (text: string): ReadonlyArray<string> => {
  const list = tokens(text)
  return list.flatMap(({ start, word }, place) => {
    const gap = text.slice(list[place - 1]?.end ?? start, start)
    const marked = /[,;:.、，；：。]/u.test(gap) ? [","] : []
    return article.test(word) ? marked : [...marked, word]
  })
}

const lengths = (max: number): ReadonlyArray<number> =>
  Array.from({ length: max }, (_, place) => place + 1)

const isParty = (list: ReadonlyArray<string>): boolean => {
  const [first = ""] = list
  const last = list.at(-1) ?? ""
  if (eastern.test(first)) {
    return list.length >= characterPartyMin &&
      list.every((word) => !/[はがをにでとのもへ、。]/u.test(word))
  }
  return list.every((word) => /^\p{L}/u.test(word) && !circumstance.test(word)) &&
    !isStopWord(first) && !isStopWord(last)
}

const isVerb = (list: ReadonlyArray<string>): boolean =>
  !list.includes(",") &&
  list.some((word) => !joining.test(word) && !(isStopWord(word) && !eastern.test(word)))
