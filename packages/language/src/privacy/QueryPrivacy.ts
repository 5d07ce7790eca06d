/**
 * Chooses what of a text may leave for a search provider, a model or a ranker.
 *
 * The question leaves; identifiers, and the names of those whom the asker introduces, do not. Of
 * the asker's own statements words with a capital leave only where all know them. A person whom
 * nobody introduces is taken for a public matter and stays.
 *
 * ```ts
 * import { isOpen, strip } from "./QueryPrivacy.ts"
 *
 * strip("Call me at +81 90-1234-5678. How much notice?").includes("5678") // => false
 * isOpen("How much notice must a tenant give?") // => true
 * ```
 */
import { remembered } from "../language/Remembered.ts"
import { besideQuestion } from "./BesideQuestion.ts"
import { contacts } from "./Contacts.ts"
import { identifiersIn } from "./Identifiers.ts"
import { spreadNames } from "./NameSpread.ts"
import { type NameWeights, shipped } from "./NameTagger.ts"
import { namesIn } from "./PrivateNames.ts"
import { readText, type Span, spansOf } from "./PrivateText.ts"

/** Read of a text; a query is cut far below it. In UTF-16 code units. */
const textCharsMax = 4_000
/** Taking one thing out may lay another bare. */
const passesMax = 6

/** The text with personal data removed, its names told by the weights. */
export const stripBy = (weights: NameWeights) => (text: string): string => {
  const start = tidy(hostsOnly(text.slice(0, textCharsMax).toWellFormed().normalize("NFKC")))
  return pass(start, weights, passesMax)
}

/** Text with personal data removed; empty when nothing else was there. Idempotent. */
export const strip = remembered(stripBy(shipped))

/** Whether nothing had to be taken out of the text: no identifier, name, link or statement. */
export const isOpen = (text: string): boolean => {
  const whole = tidy(text.toWellFormed().normalize("NFKC"))
  return text.length <= textCharsMax && strip(text) === whole
}

const pass = (text: string, weights: NameWeights, passesLeft: number): string => {
  const rest = tidy(once(text, weights))
  return rest === text || passesLeft === 1 ? rest : pass(rest, weights, passesLeft - 1)
}

const once = (raw: string, weights: NameWeights): string => {
  const open = contacts.reduce((rest, { pattern }) => without(rest, spansOf(rest, pattern)), raw)
  const text = readText(open)
  const codes = identifiersIn(text)
  const { isPrivate, spans } = namesIn(text, codes.length > 0 || open !== raw, weights)
  const gone = [...codes, ...spans, ...spreadNames(text, spans)]
  return without(open, isPrivate ? [...gone, ...besideQuestion(text, gone)] : gone)
}

/** The text with a blank in the place of each span. */
const without = (text: string, spans: ReadonlyArray<Span>): string => {
  const sorted = spans.toSorted((left, right) => left.start - right.start)
  const { at, kept } = sorted.reduce(
    ({ at, kept }, { end, start }) =>
      end <= at
        ? { at, kept }
        : { at: end, kept: `${kept}${text.slice(at, Math.max(at, start))} ` },
    { at: 0, kept: "" }
  )
  return kept + text.slice(at)
}

/** A link is reduced to its host when it carries credentials, a query, a fragment or an id. */
const hostsOnly = (text: string): string =>
  text.replace(
    link,
    (whole, host: string, path: string) =>
      /[@?#=&]/.test(whole) || /(?=[\w-]*\d)[\w-]{6,}|\/[^/]+\/[^/]+/.test(path)
        ? `${host} ${path.match(glued)?.[0] ?? ""}`
        : whole
  )

/** A phone number written right behind a link stays in sight of the patterns. */
const glued = /\+\d{1,3}$/

const link = /(?:https?:\/\/)(?:[^\s/@]*@)?([\p{L}\p{N}.-]+)(?::\d+)?([^\s<>"']*)/giu

/** Words that led to an address or a number which was removed. */
const dangling =
  /(?<!\p{L})(?:(?:and |or )?(?:my|our) (?:e-?mail|mail|phone|mobile|account|card|passport|iban|address|name|number)(?: (?:address|number))? is|(?:you can )?(?:reach|contact|call|e-?mail|dm|text) me (?:at|on))(?=\s*(?:[,.;:!?]|$|and(?!\p{L})|or(?!\p{L})))/giu

const tidy = (text: string): string =>
  text.replace(dangling, " ")
    .replace(/[\p{Cc}\p{Cf}]*\n[\p{Cc}\p{Cf}\s]*/gu, "\n")
    .replace(/[^\S\n]+|(?!\n)[\p{Cc}\p{Cf}]+/gu, " ")
    .replace(/ *\n */gu, "\n")
    .replace(/\( ?\)|\[ ?\]|" ?"|「 ?」|（ ?）|“ ?”|« ?»/gu, " ")
    .replace(/['’]s(?= |$)(?<=(?: |^)['’]s)/gu, " ")
    .replace(/ +([,.;:!?、。，？！)）])/gu, "$1")
    .replace(/([(（]) +/gu, "$1")
    .replace(/([,;:、，])(?:\s*[,;:、，])+/gu, "$1")
    .replace(/([.!?。])(?: ?[.,!])+(?=\s|$)/gu, "$1")
    .replace(/^(?:[\s,.;:!、。，—–-]|(?:and|but|so|or)(?=[\s,]))+|[\s,;:、，(—–-]+$/giu, "")
    .replace(/[^\S\n]+/gu, " ")
    .trim()
