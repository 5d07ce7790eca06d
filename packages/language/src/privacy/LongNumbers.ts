/**
 * Numbers so long that they name one person or thing whatever stands around them: cards, accounts,
 * phones. What the fitted tagger is to be trusted with is shorter.
 */
import { type PrivateText, type Span, spansOf } from "./PrivateText.ts"

/** Fewer may be an amount, a date or the number of a law. */
const digitsMin = 8
/** Zeros at the end from which a number is a round amount. */
const roundZerosMin = 5

const run =
  /(?<![\p{Script=Latin}\p{N}]|\p{N}[.,])[+(]{0,2}\p{N}{2,40}\)?(?:[ ./\u2010-\u2015-]{0,2}\(?\p{N}{2,40}\)?){0,12}/gu

/** Spans of such numbers, with their signs and brackets. */
export const longNumbersIn = ({ raw }: PrivateText): ReadonlyArray<Span> =>
  spansOf(raw, run).filter(({ end, start }) => {
    const number = raw.slice(start, end).replace(/^\P{N}+|\P{N}+$/gu, "")
    return number.replace(/\P{N}/gu, "").length >= digitsMin && !isCommon(number)
  })

const amount = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})+$|^\d{1,3}(?: \d{3})* 000$/
const round = new RegExp(`^\\d+0{${roundZerosMin}}$`)
const date =
  "(?:(?:19|20)\\d\\d[./-]?\\d\\d[./-]?\\d\\d|\\d\\d?[./-]\\d\\d?[./-](?:19|20)\\d\\d|(?:1[5-9]|20)\\d\\d)"
const dates = new RegExp(`^${date}(?:[ /-]{0,3}${date})*$`)
/** Number of a law behind its year, and of a standard before it. */
const law = /^(?:19|20)\d\d[-/]\d{1,4}$/
const edition = /^\d[\d.]{2,11}(?:-\d{1,3}){0,3}[-–](?:19|20)\d\d$/

const isCommon = (number: string): boolean =>
  [amount, round, dates, law, edition].some((shape) => shape.test(number))
