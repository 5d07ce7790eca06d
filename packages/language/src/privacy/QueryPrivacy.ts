/**
 * Removes PII from text for a search provider, a model or a ranker.
 *
 * The question is sent; identifiers, and the names of people whom the user introduces, are not. Of
 * the user's own statements only public words with a capital are sent. A person who is not
 * introduced counts as a public matter and stays.
 *
 * ```ts
 * import { isOpen, strip } from "./QueryPrivacy.ts"
 *
 * strip("Call me at +81 90-1234-5678. How much notice?").includes("5678") // => false
 * isOpen("How much notice must a tenant give?") // => true
 * ```
 */
import { remembered } from "../language/Languages.ts"
import secrets from "../text/Secrets.json" with { type: "json" }
import type { Span } from "../text/Sentences.ts"
import { terms } from "../text/Words.ts"
import {
  introducedIn,
  type NameWeights,
  shipped,
  spreadNames,
  type Tagged,
  tagged
} from "./NameTagger.ts"
import { isCountry } from "./NameTokens.ts"
import { contacts, numberShapes, unspacedShapes } from "./NumberShapes.ts"
import {
  blanked,
  type Clause,
  clauseAt,
  type PrivateText,
  readText,
  spansOf,
  wordsOf
} from "./PrivateText.ts"

/** Start of a text that is read, in UTF-16 code units; a query is cut far below it. */
const textCharsMax = 4_000
/** Removing one thing may expose another. */
const passesMax = 6

export const stripBy = (weights: NameWeights) => (text: string): string => {
  const start = tidy(hostsOnly(text.slice(0, textCharsMax).toWellFormed().normalize("NFKC")))
  return pass(start, weights, passesMax)
}

const pass = (text: string, weights: NameWeights, passesLeft: number): string => {
  const rest = tidy(once(text, weights))
  return rest === text || passesLeft === 1 ? rest : pass(rest, weights, passesLeft - 1)
}

const once = (raw: string, weights: NameWeights): string => {
  const open = Object.values(contacts)
    .reduce((rest, pattern) => without(rest, spansOf(rest, pattern)), raw)
  const text = readText(open)
  const codes = identifiersIn(text)
  const { isPrivate, spans } = namesIn(text, codes.length > 0 || open !== raw, weights)
  const gone = [...codes, ...spans, ...spreadNames(text, spans)]
  return without(open, isPrivate ? [...gone, ...besideQuestion(text, gone)] : gone)
}

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

/** A link is reduced to its host if it has credentials, a query, a fragment or an id. */
const hostsOnly = (text: string): string =>
  text.replace(
    link,
    (whole, host: string, path: string) =>
      /[@?#=&]/.test(whole) || /(?=[\w-]*\d)[\w-]{6,}|\/[^/]+\/[^/]+/.test(path)
        ? `${host} ${path.match(glued)?.[0] ?? ""}`
        : whole
  )

/** A phone number directly after a link stays visible to the patterns. */
const glued = /\+\d{1,3}$/

const link = /(?:https?:\/\/)(?:[^\s/@]*@)?([\p{L}\p{N}.-]+)(?::\d+)?([^\s<>"']*)/giu

/** Words before a removed address or number. */
const dangling =
  /(?<!\p{L})(?:(?:and |or )?(?:my|our) (?:e-?mail|mail|phone|mobile|account|card|passport|iban|address|name|number)(?: (?:address|number))? is|(?:you can )?(?:reach|contact|call|e-?mail|dm|text) me (?:at|on))(?=\s*(?:[,.;:!?]|$|and(?!\p{L})|or(?!\p{L})))/giu

const tidy = (text: string): string =>
  text.replace(dangling, " ")
    .replace(/(?<![\p{Cc}\p{Cf}])[\p{Cc}\p{Cf}]*\n[\p{Cc}\p{Cf}\s]*/gu, "\n")
    .replace(/[^\S\n]+|(?!\n)[\p{Cc}\p{Cf}]+/gu, " ")
    .replace(/ *\n */gu, "\n")
    .replace(/\( ?\)|\[ ?\]|" ?"|「 ?」|（ ?）|“ ?”|« ?»/gu, " ")
    .replace(/['’]s(?= |$)(?<=(?: |^)['’]s)/gu, " ")
    .replace(/ +([,.;:!?、。，？！)）])/gu, "$1")
    .replace(/([(（]) +/gu, "$1")
    .replace(/([,;:、，])(?:\s*[,;:、，])+/gu, "$1")
    .replace(/([.!?。])(?: ?[.,!])+(?=\s|$)/gu, "$1")
    .replace(/^(?:[\s,.;:!、。，—–-]|(?:and|but|so|or)(?=[\s,]))+/iu, "")
    .replace(/(?<![\s,;:、，(—–-])[\s,;:、，(—–-]+$/u, "")
    .replace(/[^\S\n]+/gu, " ")
    .trim()

// Identifiers removed whatever the weights say: distinctive shapes, long numbers, values after
// their word, such as a password.

// Shorter numbers are left to the fitted tagger.

/** Fewer may be an amount, a date or the number of a law. */
const digitsMin = 8
/** Trailing zeros that make a number a round amount. */
const roundZerosMin = 5

const run =
  /(?<![\p{Script=Latin}\p{N}]|\p{N}[.,])[+(]{0,2}\p{N}{2,40}\)?(?:[ ./\u2010-\u2015-]{0,2}\(?\p{N}{2,40}\)?){0,12}/gu

const longNumbersIn = ({ raw }: PrivateText): ReadonlyArray<Span> =>
  spansOf(raw, run).filter(({ end, start }) => {
    const number = raw.slice(start, end).replace(/^\P{N}+|\P{N}+$/gu, "")
    return number.replace(/\P{N}/gu, "").length >= digitsMin && !isCommon(number)
  })

const amount = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})+$|^\d{1,3}(?: \d{3})* 000$/
const round = new RegExp(`^\\d+0{${roundZerosMin}}$`)
const dateShape =
  "(?:(?:19|20)\\d\\d[./-]?\\d\\d[./-]?\\d\\d|\\d\\d?[./-]\\d\\d?[./-](?:19|20)\\d\\d|(?:1[5-9]|20)\\d\\d)"
const dates = new RegExp(`^${dateShape}(?:[ /-]{0,3}${dateShape})*$`)
/** Number of a law after its year, and of a standard before it. */
const law = /^(?:19|20)\d\d[-/]\d{1,4}$/
const edition = /^\d[\d.]{2,11}(?:-\d{1,3}){0,3}[-–](?:19|20)\d\d$/

const isCommon = (number: string): boolean =>
  [amount, round, dates, law, edition].some((shape) => shape.test(number))

const identifiersIn = (text: PrivateText): ReadonlyArray<Span> => [
  ...shapesFor(text).flatMap((pattern) => spansOf(text.raw, pattern)),
  ...longNumbersIn(text),
  ...valuesIn(text, "code"),
  ...valuesIn(text, "pass"),
  ...spansOf(text.low, bornOn)
]

const shapesFor = ({ unspaced }: PrivateText): ReadonlyArray<RegExp> =>
  Object.values({ ...numberShapes, ...(unspaced === undefined ? {} : unspacedShapes[unspaced]) })

const linkBeforeSecret =
  "(?:(?:is|no|nr|number|ist|lautet|est|es|è|é|n[°ºo]|nº|№|は|が|是|为|은|는|이|가)(?!\\p{Script=Latin})|[\\p{P}\\p{S}])"
/** At least five digits, or six letters and digits: fewer may be a year or an amount. */
const code =
  "(?=(?:[\\p{Lu}./-]{0,4}\\d){5}|[\\d./-]{0,9}\\p{Lu}[\\p{Lu}./-]{0,9}\\d|[\\p{Lu}./-]{1,9}\\d|\\d[\\d./-]{2,9}\\p{Lu})[\\p{Lu}\\d./-]{5,31}"
const values = {
  code: new RegExp(
    `^(?:\\s{0,2}${linkBeforeSecret}){0,3}\\s{0,2}(?<secret>${code})(?!\\p{L}|[.,]\\d|\\s?\\p{Sc})`,
    "u"
  ),
  pass: new RegExp(
    `^(?:\\s{0,2}${linkBeforeSecret}){0,3}\\s{0,2}(?<secret>(?=[^\\s]{0,40}[\\d!#$%&*_@])[\\p{Script=Latin}\\d!#$%&*_@.-]{4,40})`,
    "u"
  )
} as const
/** Longest distance from a word to its value's end. In UTF-16 code units. */
const reachChars = 80

/** A Latin-script word may occur in Korean, Japanese and Chinese text, too. */
const valuesIn = (text: PrivateText, field: keyof typeof values): ReadonlyArray<Span> =>
  [text.unspaced ?? text.spaced, text.spaced].flatMap((language) =>
    Array.from(text.low.matchAll(wordsOf(language, field))).flatMap((match) => {
      const from = match.index + match[0].length
      const found = values[field].exec(text.raw.slice(from, from + reachChars))
      const secret = found?.groups?.["secret"]
      if (found === null || secret === undefined) return []
      const end = from + found[0].length
      return [{ start: end - secret.length, end }]
    })
  )

const month = "\\p{L}{3,12}\\.?"
const date =
  `(?:\\d{1,4} ?[./-] ?\\d{1,2}(?: ?[./-] ?\\d{2,4})?|\\d{1,2}(?:st|nd|rd|th|er|º|ª)?\\.? ` +
  `?(?:of |de |d['’])?${month},?(?: (?:de |del )?\\d{2,4})?|${month} \\d{1,2}(?:st|nd|rd|th)?,? ` +
  "\\d{4}|\\d{4} ?[年년] ?\\d{1,2} ?[月월] ?\\d{1,2} ?[日일]?)"

const bornOn = new RegExp(
  "(?:d\\.?o\\.?b\\.?|date of birth|birth ?date|my birthday|born on|geburtsdatum|geboren am|geburtstag|date de naissance|née? le|fecha de nacimiento|data di nascita|data de nascimento|дата рождения|生年月日|出生日期|出生年月日|생년월일)" +
    `(?: ?(?:is|ist|est|es|è|é|[은는はが:：=是为]))? ?[\\p{P}\\p{S}]?\\s?(?<secret>${date})(?!\\d)`,
  "gu"
)

/** Certainties from which a word is removed, in thousandths. A question needs its words more. */
const certain = { asking: 400, telling: -2_000 }
/** Certainty of one word from which the whole text counts as about a private person. */
const certainOfText = 500

/** A question for who somebody is, by a name and maybe a title, and nothing else. */
const asksWho =
  /^(?:Who(?: is| was|['’]s)|Wer (?:ist|war)|Qui (?:est|était)|¿?Quién (?:es|era|fue)|Chi (?:è|era)|Quem (?:é|era|foi)|Кто так(?:ой|ая)) \p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){1,4} ?\?*$/u

/** In a text that seems private, also likely names in its statements. */
const namesIn = (text: PrivateText, hasSecrets: boolean, weights: NameWeights) => {
  // The name is all that is asked, so it is of a public matter or of no use.
  if (!hasSecrets && asksWho.test(text.raw)) return { spans: [], isPrivate: false }
  const words = tagged(text, weights).filter(({ low }) => !isCountry(low))
  const own = introducedIn(text, words, hasSecrets)
  const isPrivate = hasSecrets || own.length > 0 ||
    words.some(({ certainty }) => certainty > certainOfText)
  const gone = words.filter((word) => {
    const isTelling = word.isIntroduced && !/d/.test(word.shape) ||
      isPrivate && clauseAt(text, word.start)?.isOfQuestion === false
    return word.certainty > (isTelling ? certain.telling : certain.asking)
  })
  return { spans: [...own, ...joined(text.raw, gone)], isPrivate }
}

const joined = (raw: string, words: ReadonlyArray<Tagged>): ReadonlyArray<Span> =>
  words.reduce<Array<Span>>((spans, { end, start }) => {
    const last = spans.at(-1)
    if (last !== undefined && /^[\s.'’-]{0,2}$/u.test(raw.slice(last.end, start))) {
      spans[spans.length - 1] = { start: last.start, end }
    } else spans.push({ start, end })
    return spans
  }, [])

// Removes statements if the question suffices alone: people name others in more ways than patterns
// list.

const termsMin = 5

/** Spans of the statements, except countries; none if a question needs them. */
const besideQuestion = (
  text: PrivateText,
  secrets: ReadonlyArray<Span>
): ReadonlyArray<Span> =>
  asksAlone(text, secrets)
    ? text.clauses.filter(({ isOfQuestion }) => !isOfQuestion)
      .flatMap((clause) => betweenCountries(text.raw, clause))
    : []

/** Whether the questions suffice without their secrets. */
const asksAlone = (
  { clauses, raw }: PrivateText,
  secrets: ReadonlyArray<Span>
): boolean => {
  const asking = clauses.filter(({ isOfQuestion }) => isOfQuestion)
  const asked = asking.map((clause) => blanked(raw, clause, secrets)).join(" ")
  return new Set(terms(asked)).size >= termsMin
}

const word = /(?<!\p{L}|\p{Lu}\p{L}* )\p{L}[\p{L}\p{M}'’-]*(?! \p{Lu})/gu

/** A country shows where a rule applies, and identifies no person. */
const betweenCountries = (raw: string, { end, start }: Clause): ReadonlyArray<Span> => {
  const countries = Array.from(raw.slice(start, end).matchAll(word))
    .filter(([name]) => isCountry(name))
    .map((match) => ({ start: start + match.index, end: start + match.index + match[0].length }))
  const starts = [start, ...countries.map((country) => country.end)]
  const ends = [...countries.map((country) => country.start), end]
  return starts.map((from, at) => ({ start: from, end: ends[at] ?? end }))
}

/** Text with PII removed; empty if nothing else remains. Idempotent. */
export const strip = remembered(stripBy(shipped))

/** Whether nothing was removed: no identifier, name, link or statement. */
export const isOpen = (text: string): boolean => {
  const whole = tidy(text.toWellFormed().normalize("NFKC"))
  return text.length <= textCharsMax && strip(text) === whole
}

// Words that ask a person for what no source's question can need.

const pattern = new RegExp(secrets.join("|"), "iu")

export const isAskedFor = (text: string): boolean => pattern.test(text)
