/** Contradictions between sources of a course, and the confidence of its modules. */
import { sentenceTexts } from "@web-grounding/language/Sentences"
import * as Contradiction from "../pack/Contradiction.ts"
import { shown, type SourceText } from "./Fit.ts"
import type { RecommendedModule } from "./Research.ts"

// Contradictions between a course's modules and an official source, found by words: most are
// missed.

const sentencesMax = 200

const sentenceCharsMax = 240

const disagreementsMax = 2

/** A page's sentence, and one of an official page of another site that denies it. */
export interface Disagreement {
  readonly said: string
  readonly site: string
  readonly against: string
  readonly official_site: string
}

/** The first disagreement of each module with an official source, in the order of the modules. */
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

// Confidence of research, 0 to 1.

/** Ceiling of extraction by rules alone, and after a failed model. */
const extractionMax = 0.3

const certainMax = 0.95

/** Good results, and results, beyond which more do not raise the confidence. */
const goodEnough = 5

const resultsEnough = 10

/** Sites for full confidence: a single site may be wrong. */
const sitesMin = 2

const aloneShare = 0.7

/** Relevance above which words cannot rank sources. */
const fitEnough = 0.75

export interface Grounds {
  readonly isComposed: boolean
  readonly hasFailed: boolean
  readonly pack: number
  readonly good: number
  readonly found: number
  /** Pages about the subject, among the found ones. */
  readonly results: number
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
