/**
 * Contradictions between what is told of a course and an official source: another figure for the
 * same thing, or the same statement denied. Found by words, so that most are not.
 */
import { sentenceTexts } from "@web-grounding/language/Sentences"
import * as Contradiction from "../pack/Contradiction.ts"
import type { RecommendedModule } from "./Research.ts"
import { shown, type SourceText } from "./SourceText.ts"

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
