/**
 * Finds the identifiers that go whatever the fitted weights say: numbers of a shape of their own,
 * long ones, and what stands right behind the word for it, as a password or a date of birth does.
 */
import { numberShapes } from "./NumberShapes.ts"
import { type PrivateText, type Span, spansOf, wordsOf } from "./PrivateText.ts"

// Numbers so long that they name one person or thing whatever stands around them: cards, accounts,
// phones. What the fitted tagger is to be trusted with is shorter.

/** Fewer may be an amount, a dateShape or the number of a law. */
const digitsMin = 8
/** Zeros at the end from which a number is a round amount. */
const roundZerosMin = 5

const run =
  /(?<![\p{Script=Latin}\p{N}]|\p{N}[.,])[+(]{0,2}\p{N}{2,40}\)?(?:[ ./\u2010-\u2015-]{0,2}\(?\p{N}{2,40}\)?){0,12}/gu

/** Spans of such numbers, with their signs and brackets. */
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
/** Number of a law behind its year, and of a standard before it. */
const law = /^(?:19|20)\d\d[-/]\d{1,4}$/
const edition = /^\d[\d.]{2,11}(?:-\d{1,3}){0,3}[-–](?:19|20)\d\d$/

const isCommon = (number: string): boolean =>
  [amount, round, dates, law, edition].some((shape) => shape.test(number))

export const identifiersIn = (text: PrivateText): ReadonlyArray<Span> => [
  ...numberShapes.filter(({ language }) => isRead(language, text))
    .flatMap(({ pattern }) => spansOf(text.raw, pattern)),
  ...longNumbersIn(text),
  ...valuesIn(text, "code"),
  ...valuesIn(text, "pass"),
  ...spansOf(text.low, bornOn)
]

/** Patterns of Korean, Japanese and Chinese are for text that holds such letters. */
const isRead = (language: string, { unspaced }: PrivateText): boolean =>
  !["ko", "ja", "zh"].includes(language) || language === unspaced

const link =
  "(?:(?:is|no|nr|number|ist|lautet|est|es|è|é|n[°ºo]|nº|№|は|が|是|为|은|는|이|가)(?!\\p{Script=Latin})|[\\p{P}\\p{S}])"
/** Five digits and more, or six letters and digits: fewer may be a year or an amount. */
const code =
  "(?=(?:[\\p{Lu}./-]{0,4}\\d){5}|[\\d./-]{0,9}\\p{Lu}[\\p{Lu}./-]{0,9}\\d|[\\p{Lu}./-]{1,9}\\d)[\\p{Lu}\\d./-]{5,31}"
const values = {
  code: new RegExp(
    `^(?:\\s{0,2}${link}){0,3}\\s{0,2}(?<secret>${code})(?!\\p{L}|[.,]\\d|\\s?\\p{Sc})`,
    "u"
  ),
  pass: new RegExp(
    `^(?:\\s{0,2}${link}){0,3}\\s{0,2}(?<secret>(?=[^\\s]{0,40}[\\d!#$%&*_@])[\\p{Script=Latin}\\d!#$%&*_@.-]{4,40})`,
    "u"
  )
} as const
/** How far behind its word a value ends. In UTF-16 code units. */
const reachChars = 80

/** A word in Latin script may stand in Korean, Japanese and Chinese text, too. */
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

/** Words that stand right before a date of birth. */
const bornOn = new RegExp(
  "(?:d\\.?o\\.?b\\.?|date of birth|birth ?date|my birthday|born on|geburtsdatum|geboren am|geburtstag|date de naissance|née? le|fecha de nacimiento|data di nascita|data de nascimento|дата рождения|生年月日|出生日期|出生年月日|생년월일)" +
    `(?: ?(?:is|ist|est|es|è|é|[은는はが:：=是为]))? ?[\\p{P}\\p{S}]?\\s?(?<secret>${date})(?!\\d)`,
  "gu"
)
