/**
 * Topical relevance of a source to a course's subject, 0 to 1. A search for a course also finds
 * pages that share a word with its title and treat something else.
 */
import * as Countries from "../question/Countries.ts"
import { terms } from "../text/Words.ts"
import type { SourceText } from "./SourceText.ts"

/** Relevance from which a source is about the subject. */
export const fittingMin = 0.6
/**
 * Weight of a word of the title that the text has once; `againWeight` is added for each further
 * time.
 */
const onceWeight = 0.4
const againWeight = 0.2
/** The most of it; a word that the source's own title has counts whole. */
const repeatedMax = 0.8

/** Words that say how something is taught, and not what. */
const howTaught = "basics beginner beginners class course essentials fundamentals guide intro " +
  "introduction lesson module overview primer training tutorial understanding workshop " +
  "개론 기초 과정 교육 입문 入門 基礎 講座 概論"
const howTaughtTerms = new Set(terms(howTaught))

export interface Fitting {
  readonly source: SourceText
  readonly fit: number
}

/** Share, by weight, of the subject's words (countries aside) that a source must hold. */
const asideShare = 0.5
/** Two forms of a word may keep stems of different length: one begins the other. */
const stemCharsMin = 5
/** Share of the shorter text's words that the other one has too when both treat the same thing. */
const sameShareMin = 0.5
/** Fewer words of a text's own say nothing. */
const ownTermsMin = 5

/** Relevance of each source to a course's title, 0 to 1, in the order given. */
export const fitOf = (
  title: string,
  sources: ReadonlyArray<SourceText>
): ReadonlyArray<Fitting> => {
  const read = sources.map(({ headings, text, title }) => ({
    named: terms([title, ...headings].join("\n")),
    told: terms(text),
    countries: Countries.countriesIn(`${title}\n${text}`)
  }))
  const countries = [...Countries.countriesIn(title)]
  const strengths = subjectOf(title).map((term) =>
    read.map(({ named, told }) => {
      if (named.some((word) => isSameWord(word, term))) return 1
      const times = told.filter((word) => isSameWord(word, term)).length
      return times === 0 ? 0 : Math.min(repeatedMax, onceWeight + againWeight * (times - 1))
    })
  )
  const weights = strengths.map((inSource) => {
    const holding = inSource.filter((strength) => strength > 0).length
    // A word that every source has tells none of them from another.
    return holding === 0 ? 1 : 1 + Math.log2(sources.length / holding)
  })
  const whole = weights.reduce((sum, weight) => sum + weight, countries.length)
  return sources.map((source, place) => {
    const sameCountries = countries.filter((country) => read[place]?.countries.has(country)).length
    if (whole === 0 || countries.length > 0 && sameCountries === 0) return { source, fit: 0 }
    const held = weights.reduce(
      (sum, weight, index) => sum + weight * (strengths[index]?.[place] ?? 0),
      0
    )
    // To treat of the same country is not to treat of the same thing.
    const isAside = held < asideShare * (whole - countries.length)
    return { source, fit: isAside ? 0 : (held + sameCountries) / whole }
  })
}

/** Sources that are about the subject, in their order. */
export const fitting = (
  title: string,
  sources: ReadonlyArray<SourceText>
): ReadonlyArray<Fitting> => fitOf(title, sources).filter(({ fit }) => fit >= fittingMin)

/**
 * The title's words without countries, which are compared as such, and without those that say how
 * it is taught or, after "for", to whom.
 */
const subjectOf = (title: string): ReadonlyArray<string> => {
  const all = distinctTerms(title)
  const [beforeFor = ""] = title.split(/\bfor\b/iu)
  const what = distinctTerms(beforeFor)
    .filter((term) => !howTaughtTerms.has(term) && Countries.countriesIn(term).size === 0)
  return what.length > 0 || Countries.countriesIn(title).size > 0 ? what : all
}

/** Whether two texts for a course of the title say much the same beyond the title's words. */
export const isSameMatter = (title: string, left: string, right: string): boolean => {
  const known = new Set(terms(title))
  // Figures differ from year to year, and the matter does not.
  const own = (text: string) =>
    new Set(terms(text).filter((term) => !known.has(term) && !/^\p{N}/u.test(term)))
  const [said, read] = [own(left), own(right)]
  const least = Math.min(said.size, read.size)
  const shared = Array.from(said).filter((term) => read.has(term)).length
  return least >= ownTermsMin && shared / least >= sameShareMin
}

const distinctTerms = (text: string): ReadonlyArray<string> => [...new Set(terms(text))]

const isSameWord = (left: string, right: string): boolean =>
  left === right ||
  (left.startsWith(right) && right.length >= stemCharsMin) ||
  (right.startsWith(left) && left.length >= stemCharsMin)
