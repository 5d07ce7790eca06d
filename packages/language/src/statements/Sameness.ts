/**
 * Whether two sentences are about one thing, and with which values. Conservative: a false alarm
 * costs a true claim.
 */
import * as Languages from "../language/Languages.ts"
import { speaksOfUser } from "../passages/Chunking.ts"
import * as QuestionTerms from "../question/QuestionTerms.ts"
import * as Quantities from "../text/Quantities.ts"
import { inBase, isSame, quantities, type Quantity } from "../text/Quantities.ts"
import { sentenceTexts } from "../text/Sentences.ts"
import { nameTerms, terms } from "../text/Words.ts"

/** Share of the question's terms in both, or of the shorter one's own terms. */
const askedShareMin = 0.5
const ownShareMin = 0.6
const askedTermsMin = 2
/** Two short sentences share a unit and one word by chance. */
const ownTermsMin = 3
/** Difference, as a share of the larger number, up to which one may be the other rounded. */
const roundedShareMax = 0.1
/** Share of terms from which two sentences differ by a word or two only. */
const copyShareMin = 0.6
/** Most counts compared of a text; a longer list is a table. */
const countsMax = 12

/** Whether both hold the question's subject, or most of each other's terms. */
export const isSameSubject = (question: string, left: string, right: string): boolean => {
  const [said, read] = [subject(left), subject(right)]
  const shared = said.intersection(read).size
  return isAsked(question, left, right) || shared >= ownTermsMin &&
      shared / Math.max(1, Math.min(said.size, read.size)) >= ownShareMin
}

/**
 * Whether two numbers may be of one thing: the sentences share a word besides the question, names
 * and units, or one has none.
 */
export const mayMeanTheSame = (question: string, left: string, right: string): boolean => {
  const asked = new Set(QuestionTerms.questionTerms(question))
  const [said, read] = [left, right].map((text) => {
    const beside = [...countsOf(text).map(({ noun }) => noun), ...nameTerms(text)]
    return subject(text).difference(asked).difference(new Set(terms(beside.join(" "))))
  })
  return said === undefined || read === undefined || said.size * read.size === 0 ||
    !said.isDisjointFrom(read)
}

export const isAsked = (question: string, left: string, right: string): boolean => {
  const asked = new Set(
    QuestionTerms.questionTerms(question).filter((term) => !/\p{N}/u.test(term))
  )
  const [said, read] = [subject(left), subject(right)]
  const answered = asked.intersection(said).intersection(read)
  return asked.size >= askedTermsMin && answered.size / asked.size >= askedShareMin
}

/** Whether each of two sentences names a person or thing that the other and the question do not. */
export const isOfOthers = (question: string, left: string, right: string): boolean => {
  const asked = new Set(terms(question))
  const [said, read] = [left, right].map((text) =>
    new Set(nameTerms(withoutCalendar(text)).filter((term) => !asked.has(term)))
  )
  if (said === undefined || read === undefined) return false
  return !said.isSubsetOf(read) && !read.isSubsetOf(said)
}

/** Text with months in lower case, so that none looks like a name. */
const withoutCalendar = (text: string): string => {
  const { calendar } = Languages.patternsOf(Languages.languageOf(text))
  return text.replace(new RegExp(calendar, "giu"), (name) => name.toLowerCase())
}

export const isOfOtherBound = (left: string, right: string): boolean => {
  const [said, read] = [scopeOf(left), scopeOf(right)]
  return said.atMost && read.atLeast || said.atLeast && read.atMost
}

/** Whether the sentence holds for some cases only: "some contracts", "unless", "may". */
export const isLimited = (text: string): boolean => scopeOf(text).isLimited

/** Whether one gives its counts for some cases only: "some contracts ask for two months". */
export const isOfOtherCases = (left: string, right: string): boolean => {
  const [said, read] = [left, right].map((text) =>
    sentenceTexts(text).some((sentence) => countsOf(sentence).length > 0 && isLimited(sentence))
  )
  return said !== read
}

const scopeOf = (text: string) => {
  const { atLeast, atMost, limits } = Languages.patternsOf(Languages.languageOf(text))
  return { isLimited: limits.test(text), atMost: atMost.test(text), atLeast: atLeast.test(text) }
}

/** No common year though one names a year, or no common month. */
export const isOfOtherTime = (left: string, right: string): boolean => {
  const [said, read] = [valuesOf(left, "year"), valuesOf(right, "year")]
  const [month, otherMonth] = [valuesOf(left, "month"), valuesOf(right, "month")]
  return said.length + read.length > 0 && !said.some((year) => read.includes(year)) ||
    areApart(month, otherMonth) || areApart(weekdaysOf(left), weekdaysOf(right))
}

export const areApart = <A>(some: ReadonlyArray<A>, others: ReadonlyArray<A>): boolean =>
  some.length * others.length > 0 && !some.some((one) => others.includes(one))

const weekdaysOf = (text: string): ReadonlyArray<string> => {
  const { weekdays } = Languages.patternsOf(Languages.languageOf(text))
  // English has a plural of the days: "on Saturdays".
  const singular = text.toLowerCase().replace(/(?<=day)s(?!\p{L})/gu, "")
  return Array.from(singular.matchAll(new RegExp(weekdays, "giu")), ([day]) => day)
    .filter((day) => day.length > 1)
}

export const areOfTwoTimes = (left: string, right: string): boolean =>
  (["year", "month"] as const).some((kind) => areApart(valuesOf(left, kind), valuesOf(right, kind)))

export const valuesOf = (text: string, kind: Quantity["kind"]): ReadonlyArray<number> =>
  quantities(text).flatMap((quantity) => quantity.kind === kind ? [quantity.value] : [])

/** Whether both hold counts of one unit next to the same words, and no two are equal. */
export const haveDifferentNumbers = (left: string, right: string): boolean => {
  const facing = facingNumbers(left, right)
  const areEqual = isRounded(left) || isRounded(right) ? isAbout : isSame
  return facing.length > 0 && facing.every(([number, other]) => !areEqual(number, other)) &&
    facing.some(([number, other]) => isNear(number, other))
}

const isRounded = (text: string): boolean =>
  Languages.patternsOf(Languages.languageOf(text)).approximates.test(text)

const isAbout = (left: Quantity, right: Quantity): boolean => {
  const [one, other] = [inBase(left).value, inBase(right).value]
  return isSame(left, right) ||
    Math.abs(one - other) <= roundedShareMax * Math.max(Math.abs(one), Math.abs(other))
}

/** Whether both hold the same count of one unit next to the same words, and no other. */
export const haveSameNumber = (left: string, right: string): boolean => {
  const [said, read] = [countsOf(left), countsOf(right)]
  const [onlySaid, onlyRead] = [unmatched(said, read), unmatched(read, said)]
  return facingNumbers(left, right).some(([number, other]) =>
    isSame(number, other) && isNear(number, other)
  ) && !onlySaid.some((number) => onlyRead.some((other) => isOfOneKind(number, other)))
}

const unmatched = (some: ReadonlyArray<Quantity>, others: ReadonlyArray<Quantity>) =>
  some.filter((number) => !others.some((other) => isSame(number, other)))

/** Whether each holds the other's counts, dates excepted. */
export const sameNumbers = (left: string, right: string): boolean => {
  const [said, read] = [countsOf(left), countsOf(right)]
  return unmatched(said, read).length + unmatched(read, said).length === 0
}

const facingNumbers = (left: string, right: string) => {
  const read = countsOf(right)
  return countsOf(left).flatMap((number) =>
    read.filter((other) => isOfOneKind(number, other)).map((other) => [number, other] as const)
  )
}

export const isDenied = (left: string, right: string): boolean =>
  isAlike(left, right) && Languages.isNegated(left) !== Languages.isNegated(right)

/** Whether only one sentence is negated: "may not … without" is a double negation. */
export const isTurned = (left: string, right: string): boolean =>
  denialsIn(left) % 2 !== denialsIn(right) % 2

/** French negates in two words at once: the first counts. */
const secondDenial =
  /(?<=(?<!\p{L})(?:ne\s|n['’])[^.!?]{1,40})(?:pas|plus|jamais|aucune?|rien)(?!\p{L})/giu

const denialsIn = Languages.remembered((text): number => {
  const language = Languages.languageOf(text)
  const { negates, takesBack } = Languages.patternsOf(language)
  const plain = language.code === "fr" ? text.replace(secondDenial, "") : text
  const denials = [negates, takesBack].flatMap((pattern) =>
    Array.from(plain.matchAll(new RegExp(pattern.source, "giu")))
  ).toSorted((left, right) => left.index - right.index)
  // "Not allowed" is in both lists, and negates once.
  return denials.reduce(({ count, end }, { 0: { length }, index }) => ({
    count: count + (index < end ? 0 : 1),
    end: Math.max(end, index + length)
  }), { count: 0, end: 0 }).count
})

export const isAlike = (left: string, right: string): boolean => {
  const [said, read] = [new Set(terms(left)), new Set(terms(right))]
  const shared = said.intersection(read).size
  return shared / Math.max(1, said.size + read.size - shared) >= copyShareMin
}

/** Whether two sentences are alike without their names. */
export const isAlikeButForNames = (left: string, right: string): boolean => {
  const named = new Set([...nameTerms(left), ...nameTerms(right)])
  const rest = (text: string) => terms(text).filter((term) => !named.has(term)).join(" ")
  return isAlike(rest(left), rest(right))
}

const subject = (text: string): ReadonlySet<string> =>
  new Set(terms(text).filter((term) => !/\p{N}/u.test(term)))

/** "from 3.25 to 3.00 percent", "up from 2.40 crowns": the first value is the former one. */
const former = /\bfrom \p{Sc}?\d[\d.,]*(?:\s?%|\s\p{L}+)?(?=\s+to\b|[,.;]|$)/giu

interface Count extends Quantity {
  readonly beside: ReadonlySet<string>
}

const countsOf = Languages.remembered((text): ReadonlyArray<Count> =>
  quantities(text.replace(former, " ")).filter(({ kind, noun, unit }) =>
    // "30日前" is a length of time: the day of "3月30日" has no unit.
    kind === "number" && unit + noun !== "" && (unit === "day" || !isOfDate(text, noun))
  ).slice(0, countsMax).map((count) => ({ ...count, beside: subject(count.near) }))
)

/** Whether the noun after a number makes it a date: the 17 of "17 September" is no count. */
const isOfDate = (text: string, noun: string): boolean => {
  const language = Languages.languageOf(text)
  return /^[日일]/u.test(noun) ||
    language.isSpaced && Languages.patternsOf(language).calendar.test(noun)
}

const isOfOneKind = (left: Quantity, right: Quantity): boolean =>
  left.unit === "" || right.unit === ""
    ? left.unit === right.unit && left.noun === right.noun
    : inBase(left).unit === inBase(right).unit

/** Whether the two numbers share a word next to them. */
const isNear = (left: Count, right: Count): boolean => !left.beside.isDisjointFrom(right.beside)

// Vetoes on a paraphrase that adds to its quotations, whatever the judge said. They never confirm.

type Veto = "number" | "date" | "name" | "reader" | "case" | "negation" | "words"

/** Least share of the claim's words in quotations of its language. */
const heldShareMin = 0.75

/** First veto on a paraphrase, `undefined` if none: number, date, name, reader, negation. */
export const find = (
  claim: string,
  quotes: ReadonlyArray<string>,
  locale: string
): Veto | undefined => {
  const quoted = quotes.join("\n")
  return missingNumber(claim, quoted) ?? missingName(claim, quoted) ??
    addressedReader(claim, quoted) ?? turned(claim, quoted) ?? strangeWords(claim, quoted, locale)
}

const missingNumber = (claim: string, quoted: string): Veto | undefined => {
  const read = [quoted, Languages.withDigits(quoted)]
    .flatMap((text) => quantities(text, "evidence"))
  const missing = quantities(Languages.withDigits(claim)).filter((said) =>
    !read.some((other) => isSame(said, other))
  )
  if (missing.some(({ kind }) => kind === "number")) return "number"
  return missing.length > 0 || Quantities.missingFrom(claim, quoted).length > 0
    ? "date"
    : undefined
}

/**
 * Names of one script are compared; in another it may be the same name. A translation into German
 * shows no names: every noun is capitalised.
 */
const missingName = (claim: string, quoted: string): Veto | undefined => {
  const isLatin = (text: string) => !/[\p{Script=Han}\p{Script=Hangul}\p{Script=Kana}]/u.test(text)
  if (isLatin(claim) !== isLatin(quoted)) return undefined
  const language = Languages.languageOf(claim)
  const isTranslated = Languages.languageOf(quoted) !== language
  if (isTranslated && language.code === "de") return undefined
  const known = new Set(terms(quoted))
  const countries = isTranslated ? QuestionTerms.countriesIn(quoted) : new Set()
  const isKnown = (name: string) =>
    known.has(name) ||
    Array.from(QuestionTerms.countriesIn(name)).some((code) => countries.has(code))
  return nameTerms(claim).every(isKnown) ? undefined : "name"
}

/** "You must call 119", or "the user is ill", must be the source's own words. */
const addressedReader = (claim: string, quoted: string): Veto | undefined =>
  speaksOfUser(claim) && !speaksOfUser(quoted) &&
    !Languages.patternsOf(Languages.languageOf(quoted)).requests.test(quoted)
    ? "reader"
    : undefined

/**
 * Veto if the claim refers to a person, presupposes a fact or negates, and no quotation in its
 * language does: such words turn a source's rule into one about the user, or reverse it.
 */
const turned = (claim: string, quoted: string): Veto | undefined => {
  const language = Languages.languageOf(claim)
  if (language !== Languages.languageOf(quoted)) return undefined
  const patterns = Languages.patternsOf(language)
  const isAdded = (kind: "singlesOut" | "given" | "negates") =>
    patterns[kind].test(claim) && !patterns[kind].test(quoted)
  if (isAdded("singlesOut") || isAdded("given")) return "case"
  return isAdded("negates") ? "negation" : undefined
}

/** Other words than the quotations, or in neither their language nor the caller's. */
const strangeWords = (claim: string, quoted: string, locale: string): Veto | undefined => {
  const parts = sentenceTexts(claim)
  const languages = new Set(parts.map(Languages.languageOf))
  const isTranslated = languages.size === 1 && languages.has(Languages.ofLocale(locale)) &&
    !languages.has(Languages.languageOf(quoted))
  if (isTranslated) return undefined
  const known = new Set(terms(quoted))
  const isStrange = (part: string): boolean => {
    const said = new Set(terms(part))
    return said.intersection(known).size < heldShareMin * said.size
  }
  return parts.some(isStrange) ? "words" : undefined
}
