/** Relevance, 0 to 1, of a source to a course. A shared word with the title is not enough. */
import * as InjectionFlag from "@web-grounding/language/InjectionFlag"
import * as QuestionTerms from "@web-grounding/language/QuestionTerms"
import * as Sentences from "@web-grounding/language/Sentences"
import * as Words from "@web-grounding/language/Words"
import { terms, termsOf, words } from "@web-grounding/language/Words"
import listed from "./CourseWords.json" with { type: "json" }

export const fittingMin = 0.6

/** Weight of a title word that occurs once in the text, and of each repetition. */
const onceWeight = 0.4

const againWeight = 0.2

/** Ceiling of a repeated word; a word in the source's own title counts whole. */
const repeatedMax = 0.8

/** Words for how something is taught, not what. */
const howTaught = new Set(terms(listed.howTaught))

export interface Fitting {
  readonly source: SourceText
  readonly fit: number
}

/** Share, by weight, of the subject's words without countries that a source must hold. */
const asideShare = 0.5

/** Two forms of a word may keep stems of different length: one is a prefix of the other. */
const stemCharsMin = 5

const sameShareMin = 0.5

const ownTermsMin = 5

const measured = (title: string, sources: ReadonlyArray<SourceText>) => {
  const countries = [...QuestionTerms.countriesIn(title)]
  const subject = subjectOf(title)
  const read = sources.map((source) => {
    const named = terms([source.title, ...source.headings].join("\n"))
    const words = terms(source.text)
    const held = QuestionTerms.countriesIn(`${source.title}\n${source.text}`)
    return {
      source,
      strengths: subject.map((term) => ({ term, strength: strengthIn(named, words, term) })),
      sameCountries: countries.filter((country) => held.has(country)).length
    }
  })
  const weights = subject.map((_, index) => {
    const holding = read.filter(({ strengths }) => (strengths[index]?.strength ?? 0) > 0).length
    // A word that every source has does not discriminate.
    return holding === 0 ? 1 : 1 + Math.log2(sources.length / holding)
  })
  const whole = weights.reduce((sum, weight) => sum + weight, countries.length)
  return read.map((one) => {
    const isElsewhere = countries.length > 0 && one.sameCountries === 0
    const held = weights.reduce(
      (sum, weight, index) => sum + weight * (one.strengths[index]?.strength ?? 0),
      0
    )
    // The same country alone is not the same subject.
    const isAside = whole === 0 || isElsewhere || held < asideShare * (whole - countries.length)
    return { ...one, isElsewhere, fit: isAside ? 0 : (held + one.sameCountries) / whole }
  })
}

/** Relevance of each source to a course's title, 0 to 1, in the order given. */
export const fitOf = (
  title: string,
  sources: ReadonlyArray<SourceText>
): ReadonlyArray<Fitting> => measured(title, sources).map(({ fit, source }) => ({ source, fit }))

export const fitting = (
  title: string,
  sources: ReadonlyArray<SourceText>
): ReadonlyArray<Fitting> => fitOf(title, sources).filter(({ fit }) => fit >= fittingMin)

/**
 * Near misses: they may treat the subject in other words, or another thing of that name. With the
 * title's words that each holds and lacks, as they are written, in lower case.
 */
export const besideSubject = (title: string, sources: ReadonlyArray<SourceText>) => {
  const countries = [...QuestionTerms.countriesIn(title)]
  const written = [...new Set(words(title))]
  return measured(title, sources).flatMap(({ fit, isElsewhere, source, strengths }) => {
    if (fit >= fittingMin || isElsewhere) return []
    const asWritten = (isMeant: (one: typeof strengths[number]) => boolean) => {
      const meant = strengths.filter(isMeant).map(({ term }) => term)
      return written.filter((word) => termsOf([word]).some((term) => meant.includes(term)))
    }
    // A page on the requested country rarely holds one of the words by chance.
    const titled = QuestionTerms.countriesIn(source.title)
    const least = countries.some((code) => titled.has(code)) ? onceWeight : repeatedMax
    const held = asWritten(({ strength, term }) =>
      strength >= least && !QuestionTerms.isCommon(term)
    )
    const missing = asWritten(({ strength }) => strength === 0)
    return held.length === 0 || missing.length === 0 ? [] : [{ source, held, missing }]
  })
}

/** Strength of a term in a source, 0 to 1: of the words of its titles, and of its text. */
const strengthIn = (
  named: ReadonlyArray<string>,
  words: ReadonlyArray<string>,
  term: string
): number => {
  if (named.some((word) => isSameWord(word, term))) return 1
  const times = words.filter((word) => isSameWord(word, term)).length
  return times === 0 ? 0 : Math.min(repeatedMax, onceWeight + againWeight * (times - 1))
}

/**
 * Title words without countries (compared separately), teaching words, and the audience after
 * "for".
 */
const subjectOf = (title: string): ReadonlyArray<string> => {
  const [beforeFor = ""] = title.split(/\bfor\b/iu)
  // A stem no longer names its country: "portug".
  const what = words(beforeFor).filter((word) => QuestionTerms.countriesIn(word).size === 0)
  const subject = [...new Set(termsOf(what))].filter((term) => !howTaught.has(term))
  return subject.length > 0 || QuestionTerms.countriesIn(title).size > 0
    ? subject
    : [...new Set(terms(title))]
}

/** Whether two texts for a course of the title say much the same beyond the title's words. */
export const isSameMatter = (title: string, left: string, right: string): boolean => {
  const known = new Set(terms(title))
  // Figures differ from year to year, and the matter does not.
  const own = (text: string) =>
    new Set(terms(text).filter((term) => !known.has(term) && !/^\p{N}/u.test(term)))
  const [said, read] = [own(left), own(right)]
  return Math.min(said.size, read.size) >= ownTermsMin &&
    Words.sharedShare(said, read) >= sameShareMin
}

const isSameWord = (left: string, right: string): boolean =>
  left === right ||
  (left.startsWith(right) && right.length >= stemCharsMin) ||
  (right.startsWith(left) && left.length >= stemCharsMin)

export interface SourceText {
  readonly url: string
  readonly title: string
  /** Registrable domain. */
  readonly site: string
  readonly official: boolean
  /** Text that the log keeps, so that replay reads the same. In UTF-16 code units. */
  readonly text: string
  /** Headings that the page marks; empty for a snippet. */
  readonly headings: ReadonlyArray<string>
}

/** Text that may be shown: without prompt injection and addresses. */
export const shown = (text: string, charsMax: number): string =>
  InjectionFlag.isSuspicious(text) ? "" : Sentences.proseOf(text, charsMax, () => false)

/** Share, 0 to 1, of a text's terms that are held; 0 for a text without terms. */
export const heldShare = (text: string, held: ReadonlySet<string>): number => {
  const said = terms(text)
  return said.filter((term) => held.has(term)).length / Math.max(1, said.length)
}

export const isSameText = (left: string, right: string): boolean =>
  left.toLowerCase() === right.toLowerCase()
