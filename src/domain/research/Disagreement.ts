/** What two sources of a course say against each other, and how sure its modules are. */
import { sentenceTexts } from "@web-grounding/language/Sentences"
import * as Contradiction from "../pack/Contradiction.ts"
import { shown, type SourceText } from "./Fit.ts"
import type { RecommendedModule } from "./Research.ts"

// Contradictions between what is told of a course and an official source: another figure for the
// same thing, or the same statement denied. Found by words, so that most are not.

/** Sentences of an official source that are compared, from its beginning. */
const sentencesMax = 200

const sentenceCharsMax = 240

const disagreementsMax = 2

/** Sentence of a page, and the sentence of an official page of another site that denies it. */
export interface Disagreement {
  readonly said: string
  readonly site: string
  readonly against: string
  readonly official_site: string
}

/** Disagreements of modules with official sources, the first of each module, in their order. */
export const disagreementsOf = (
  modules: ReadonlyArray<typeof RecommendedModule.Type>,
  sources: ReadonlyArray<SourceText>
): ReadonlyArray<Disagreement> => {
  const official = sources.filter((source) => source.official).map(({ site, text }) => ({
    site,
    lines: sentenceTexts(text).slice(0, sentencesMax)
  }))
  return modules.flatMap(({ description, source_url }) => {
    const site = sources.find(({ official, url }) => url === source_url && !official)?.site
    if (site === undefined || description === "") return []
    return official.filter((other) => other.site !== site).flatMap((other) =>
      other.lines.filter((line) => Contradiction.contradict("", line, description))
        .map((line) => shown(line, sentenceCharsMax)).filter((line) => line !== "").map((line) => ({
          said: description,
          site,
          against: line,
          official_site: other.site
        }))
    ).slice(0, 1)
  }).slice(0, disagreementsMax)
}

// How far research may be relied on, 0 to 1: who read it, how much, from whom, and on what.

/** Highest confidence of extraction by rule alone, and after a failed model. */
const extractionMax = 0.3

/** Nothing read on the web is certain. */
const certainMax = 0.95

/** Good results, and results, beyond which more of them raise the confidence no further. */
const goodEnough = 5

const resultsEnough = 10

/** Least number of sites for full confidence: a single site may be wrong for all its readers. */
const sitesMin = 2

const aloneShare = 0.7

/** Relevance above which words alone cannot tell sources apart. */
const fitEnough = 0.75

export interface Grounds {
  /** A model read the sources. */
  readonly isComposed: boolean
  /** A model was to read or write, and rules took over. */
  readonly hasFailed: boolean
  /** The pack's own confidence. */
  readonly pack: number
  /** Official results, and those that the provider rates well. */
  readonly good: number
  /** Different pages found. */
  readonly found: number
  /** Pages about the subject, among the found ones. */
  readonly results: number
  /** Different sites of those. */
  readonly sites: number
  /** Topical relevance of the best of them to the title, 0 to 1. */
  readonly fit: number
  /** Results about the subject below which the confidence falls. */
  readonly resultsMin: number
}

export const confidenceOf = (grounds: Grounds): number => {
  const { fit, found, good, hasFailed, isComposed, pack, results, resultsMin, sites } = grounds
  if (results === 0) return 0
  const read = isComposed
    ? 0.5 * pack + 0.3 * Math.min(1, good / goodEnough) + 0.2 * Math.min(1, found / resultsEnough)
    : extractionMax
  const share = Math.min(1, results / resultsMin) * (sites < sitesMin ? aloneShare : 1) *
    Math.min(1, fit / fitEnough)
  const most = isComposed && !hasFailed ? certainMax : extractionMax
  return Math.round(Math.min(most, read * share) * 100) / 100
}
