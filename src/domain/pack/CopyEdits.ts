/**
 * What was changed in a claim that is otherwise copied from a sentence of its quotation.
 *
 * Retelling changes much and means little by it; a copy that differs in one number, one name or one
 * "not" says something else, even where the quotation holds the new number in another place.
 */
import * as ArgumentOrder from "../opposition/ArgumentOrder.ts"
import * as CharacterCopy from "../opposition/CharacterCopy.ts"
import * as Negation from "../opposition/Negation.ts"
import * as Polarity from "../opposition/Polarity.ts"
import { isSame, quantities } from "../text/Quantities.ts"
import * as WordChanges from "../text/WordChanges.ts"
import { isStopWord } from "../text/Words.ts"

export type CopyEdit =
  | "number"
  | "date"
  | "name"
  | "order"
  | "roles"
  | "negation"
  | "opposite"
  | "firmer"
  | "bound"

/** From this share of kept words on a claim is a copy. */
const keptMin = 0.75
const keptWordsMin = 3
/** A longer change is a passage that was retold. In words, on either side. */
const changeWordsMax = 5
const titles = /^(?:mr|mrs|ms|dr|sir|prof|professor|president|senator|king|queen|saint|st)$/iu

/**
 * Empty when the claim is no copy, or an honest one. `roles`: two parties changed places across a
 * verb; `order`: a name stands elsewhere.
 */
export const find = (claim: string, sentence: string): ReadonlyArray<CopyEdit> => {
  const turned = ArgumentOrder.isTurned(claim, sentence) ? ["roles" as const] : []
  const edits = CharacterCopy.isEastern(claim)
    ? ofCharacters(claim, sentence)
    : ofWords(withGaps(claim), withGaps(sentence))
  const counted = isCountedOtherwise(claim, sentence) ? ["number" as const] : []
  return Array.from(new Set([...turned, ...counted, ...edits]))
}

const isCopied = (claim: string, sentence: string): boolean => {
  if (CharacterCopy.isEastern(claim)) return CharacterCopy.original(claim, sentence) !== undefined
  const copy = WordChanges.compare(sentence, claim)
  return copy !== undefined && copy.kept >= keptMin
}

/** 9 pm became 9 am: the same number of something else, in what is otherwise copied. */
const isCountedOtherwise = (claim: string, sentence: string): boolean => {
  const read = quantities(sentence)
  return isCopied(claim, sentence) && quantities(claim).some((said) => {
    const equal = read.filter(({ kind, value }) => kind === said.kind && value === said.value)
    return equal.length > 0 && !equal.some((other) => isSame(said, other))
  })
}

const ofCharacters = (claim: string, sentence: string): ReadonlyArray<CopyEdit> => {
  const original = CharacterCopy.original(claim, sentence)
  if (original === undefined) return []
  const found: ReadonlyArray<readonly [CopyEdit, boolean]> = [
    ["negation", Negation.easternCount(claim) % 2 !== Negation.easternCount(original) % 2],
    ["opposite", Polarity.holdsOpposite(claim, original)],
    ["bound", Polarity.isBoundedOtherwise(claim, original)]
  ]
  return found.flatMap(([edit, holds]) => holds ? [edit] : [])
}

/** "n'est" is two words, as "ne peut" is. */
const withGaps = (text: string): string =>
  text.replace(/(?<!\p{L})(n|l|d|qu|j|m|t|s|c)['’](?=\p{L})/giu, "$1 ")

const ofWords = (claim: string, sentence: string): ReadonlyArray<CopyEdit> => {
  const copy = WordChanges.compare(sentence, claim)
  if (copy === undefined) return []
  const kept = copy.kept * copy.count
  const denying = copy.changes.reduce((sum, { is }) => sum + Negation.count(is.join(" ")), 0)
  if (kept < keptWordsMin || kept < keptMin * (copy.count - denying)) return []
  const short = copy.changes.filter(({ is, was }) =>
    is.length <= changeWordsMax && was.length <= changeWordsMax
  )
  const opening = /[\p{L}\p{N}]+/u.exec(claim)?.[0] ?? ""
  const isWhole = kept >= keptMin * copy.originalCount
  const edits: ReadonlyArray<CopyEdit> = [
    ...short.flatMap((change) => editsOf(change, opening)),
    ...(isNameMoved(short, opening) ? ["order" as const] : []),
    ...(isWhole && isDeniedOnce(claim, sentence) ? ["negation" as const] : [])
  ]
  return Array.from(new Set(edits))
}

/** Denials in two words ("ne … plus") are seen in the whole sentence only. */
const isDeniedOnce = (claim: string, sentence: string): boolean =>
  (Negation.count(claim) === 0) !== (Negation.count(sentence) === 0)

/** Who did it and to whom: a name that left one place stands in another. */
const isNameMoved = (
  changes: ReadonlyArray<WordChanges.WordChange>,
  opening: string
): boolean => {
  const gone = new Set(changes.flatMap(({ was }) => was))
  return changes.some(({ is }) => is.some((word) => gone.has(word) && isName(word, opening)))
}

const editsOf = (
  { is, was }: WordChanges.WordChange,
  opening: string
): ReadonlyArray<CopyEdit> => {
  const [said, read] = [is.join(" "), was.join(" ")]
  const found: ReadonlyArray<readonly [CopyEdit, boolean]> = [
    ["number", holdsOtherNumber(said, read, "number") || holdsOtherCode(is, was)],
    ["date", holdsOtherNumber(said, read, "year") || holdsOtherNumber(said, read, "month")],
    ["name", holdsOtherName(is, was, opening)],
    ["negation", Negation.count(said) % 2 !== Negation.count(read) % 2],
    ["opposite", Polarity.holdsOpposite(said, read)],
    ["firmer", Polarity.isStronger(said, read)],
    ["bound", Polarity.isBoundedOtherwise(said, read)]
  ]
  return found.flatMap(([edit, holds]) => holds ? [edit] : [])
}

const holdsOtherNumber = (
  said: string,
  read: string,
  kind: "number" | "year" | "month"
): boolean => {
  const of = (text: string) => quantities(text).filter((quantity) => quantity.kind === kind)
  const [is, was] = [of(said), quantities(read)]
  return was.length > 0 && is.some((number) => !was.some((other) => isSame(number, other)))
}

/** CO2 became CO1: names that differ by their digits only. */
const holdsOtherCode = (is: ReadonlyArray<string>, was: ReadonlyArray<string>): boolean => {
  const code = /\p{L}.*\d|\d.*[\p{L}\d]/u
  const skeleton = (word: string) => word.toLowerCase().replace(/\d+/gu, "0")
  return is.some((word) =>
    code.test(word) && !was.includes(word) &&
    was.some((other) => other !== word && skeleton(other) === skeleton(word)) &&
    !quantities(word).some((number) => quantities(was.join(" ")).some((q) => isSame(q, number)))
  )
}

const holdsOtherName = (
  is: ReadonlyArray<string>,
  was: ReadonlyArray<string>,
  opening: string
): boolean => {
  const [said = [], read = []] = [is, was].map((side) =>
    side.filter((word) => isName(word, opening))
  )
  return said.length > 0 && read.length > 0 && !said.some((name) => read.includes(name)) &&
    !areInitials(said, read) && !areInitials(read, said)
}

const isName = (word: string, opening: string): boolean =>
  /^\p{Lu}/u.test(word) && !word.startsWith(opening) && !isStopWord(word.toLowerCase()) &&
  !titles.test(word)

/** UN for United Nations. */
const areInitials = (short: ReadonlyArray<string>, long: ReadonlyArray<string>): boolean =>
  short.join("").replaceAll(".", "") === long.map((word) => word.charAt(0)).join("")
