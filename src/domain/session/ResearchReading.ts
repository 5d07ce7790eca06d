/** A finished grounding read as research: computed from its facts alone, so always the same. */
import * as InjectionFlag from "@web-grounding/language/InjectionFlag"
import { type GroundingPack, standing } from "../pack/GroundingPack.ts"
import * as Page from "../page/Page.ts"
import * as Disagreement from "../research/Disagreement.ts"
import { disagreementsOf } from "../research/Disagreement.ts"
import * as Fit from "../research/Fit.ts"
import type { SourceText } from "../research/Fit.ts"
import * as OutlineFindings from "../research/OutlineFindings.ts"
import { checkedFindings, type ResearchFindings } from "../research/OutlineFindings.ts"
import {
  bandsOf,
  empty,
  type InternalDocument,
  Research,
  type ResearchInput
} from "../research/Research.ts"
import * as TopicExtraction from "../research/TopicExtraction.ts"
import { isAnswered as isStatusAnswered } from "../search/SearchStatus.ts"
import type { Rung } from "./EngineDetail.ts"
import { counted, msBetween } from "./FactText.ts"
import { type Grounding, hitsOf } from "./Grounding.ts"
import { asMaterial, sourceTexts } from "./ResearchSources.ts"

const goodScoreMin = 0.5

const summaryClaimsMax = 3

const localResearcher = "rules"

export type CourseQuestion = Pick<
  ResearchInput,
  "confidence_threshold" | "course_title" | "min_results" | "search_budget"
>

export const researchOf = (asked: CourseQuestion, grounding: Grounding): Research => {
  const { confidence_threshold, course_title, min_results } = asked
  const found = hitsOf(grounding)
  const pack = grounding.written?.pack
  const at = grounding.requestedAt
  const durationMs = msBetween(at, grounding.written?.written_at ?? at)
  const budget = budgetNotes(asked, grounding)
  if (found.length === 0) {
    const notes = joined([failureNotes(grounding), ...budget])
    return empty({ query: course_title, at, durationMs, notes })
  }
  const sources = sourceTexts(grounding)
  const good = found.filter(({ hit }) => hit.official || (hit.score ?? 0) >= goodScoreMin).length
  const { researched, written } = grounding
  const isComposed = isByModel(grounding)
  // A log of an earlier release has no findings: they are extracted now by the same rules.
  const findings = researched?.findings ??
    checkedFindings(TopicExtraction.draftOf(course_title, sources), sources)
  const about = aboutOf(course_title, sources, isComposed ? findings : undefined)
  const sites = new Set(about.map(({ source }) => source.site)).size
  const confidence_score = Disagreement.confidenceOf({
    isComposed,
    hasFailed: hasFailed(researched?.rung) || hasFailed(written?.rung),
    pack: pack?.confidence ?? 0,
    good,
    found: found.length,
    results: about.length,
    sites,
    fit: fitOf(about.slice(0, min_results)),
    resultsMin: min_results
  })
  return new Research({
    search_query: course_title,
    search_summary: summaryOf(pack, {
      results: found.length,
      sites: new Set(sources.map(({ site }) => site)).size,
      about: new Set(about.map(({ source }) => source.url))
    }),
    ...findings,
    source_links: about.map(({ source }) => Page.withClean(source))
      .map(({ site, title, url }) => ({ url, title, site })),
    confidence_score,
    result_count: found.length,
    high_quality_result_count: good,
    tool_used: toolOf(grounding),
    execution_timestamp: at,
    execution_time_ms: durationMs,
    fallback_used: grounding.calls.some(({ outcome }) => outcome?.fallback_used === true),
    search_notes: joined([
      statusNotes(grounding),
      ...budget,
      aboutNotes({ about: about.length, read: sources.length, sites, wanted: min_results }),
      ...(about.length === 0 ? besideNotes(course_title, sources) : []),
      ...disagreementNotes(findings, about),
      isComposed ? "" : "No model read them: simple extraction."
    ]),
    ...bandsOf(confidence_score, confidence_threshold)
  })
}

export interface OutlineRead {
  readonly findings: OutlineFindings.OutlineFindings
  readonly material: ReadonlyArray<OutlineFindings.Material>
  readonly documents: ReadonlyArray<InternalDocument>
  readonly isByModel: boolean
}

export const outlineOf = (grounding: Grounding): OutlineRead | undefined => {
  const { researched } = grounding
  if (researched?.outline === undefined) return undefined
  const { documents = [], outline } = researched
  return {
    findings: outline,
    material: [
      ...sourceTexts(grounding).map(asMaterial),
      ...OutlineFindings.materialOf(documents)
    ],
    documents,
    isByModel: isByModel(grounding)
  }
}

/** Whether any search succeeded, with or without hits. */
export const isAnswered = ({ cached, calls }: Grounding): boolean =>
  cached.length > 0 ||
  calls.some(({ outcome }) => outcome !== undefined && isStatusAnswered(outcome.status))

const isByModel = ({ researched }: Grounding): boolean =>
  researched !== undefined && researched.rung.engine !== localResearcher

const hasFailed = (rung: Rung | undefined): boolean =>
  rung !== undefined && rung.engine === localResearcher && rung.faults.length > 0

/**
 * In order: sources that fit by words, and those in which a model found a module, perhaps in
 * another language.
 */
const aboutOf = (
  title: string,
  sources: ReadonlyArray<SourceText>,
  read: ResearchFindings | undefined
): ReadonlyArray<Fit.Fitting> => {
  const cited = new Set(read?.recommended_modules.map(({ source_url }) => source_url))
  return Fit.fitOf(title, sources)
    .map(({ fit, source }) => ({
      source,
      fit: cited.has(source.url) ? Math.max(fit, Fit.fittingMin) : fit
    }))
    .filter(({ fit }) => fit >= Fit.fittingMin)
}

const fitOf = (about: ReadonlyArray<Fit.Fitting>): number =>
  about.reduce((sum, { fit }) => sum + fit, 0) / Math.max(1, about.length)

const joined = (notes: ReadonlyArray<string>): string =>
  notes.filter((note) => note !== "").join(" ")

const aboutNotes = ({ about, read, sites, wanted }: {
  readonly about: number
  readonly read: number
  readonly sites: number
  readonly wanted: number
}): string => {
  const few = about < wanted ? `, fewer than the ${wanted} wanted` : ""
  const alone = about > 0 && sites === 1 ? ", all of one site" : ""
  const verb = about === 1 ? "is" : "are"
  return `${about} of ${counted(read, "result")} ${verb} about the subject${few}${alone}.`
}

const besideMax = 2

/** Notes on sources that share the title's central term and lack the rest of it. */
const besideNotes = (
  title: string,
  sources: ReadonlyArray<SourceText>
): ReadonlyArray<string> =>
  Fit.besideSubject(title, sources)
    .map(({ source, ...told }) => ({ ...told, name: Page.withClean(source).title }))
    .filter(({ name }) => !InjectionFlag.isSuspicious(name)).slice(0, besideMax)
    .map(({ held, missing, name }) =>
      `Left out: “${name}” speaks of ${held.join(", ")}, and not of ${missing.join(", ")}.`
    )

const disagreementNotes = (
  { recommended_modules }: ResearchFindings,
  about: ReadonlyArray<Fit.Fitting>
): ReadonlyArray<string> =>
  disagreementsOf(recommended_modules, about.map(({ source }) => source))
    .map(({ against, official_site, said, site }) =>
      `Disputed: “${said}” (${site}); official: “${against}” (${official_site}).`
    )

const budgetNotes = (
  { search_budget }: CourseQuestion,
  { decision, planned, stopped }: Grounding
): ReadonlyArray<string> => {
  const need = decision?.need
  if (need?.reason_codes.includes("BUDGET_EXHAUSTED") === true) {
    return ["The session has no search left."]
  }
  if (stopped?.reason === "budget") return ["The session's searches ran out on the way."]
  const left = need?.need_search === true ? need.max_queries : search_budget
  return planned !== undefined && left < search_budget
    ? [`The session had ${left} of the ${search_budget} searches left.`]
    : []
}

const summaryOf = (
  pack: GroundingPack | undefined,
  { about, results, sites }: {
    readonly results: number
    readonly sites: number
    readonly about: ReadonlySet<string>
  }
): string => {
  const claims = pack === undefined ? [] : standing(pack).map(({ claim }) => claim)
  const cited = claims.filter(({ sources }) => sources.some(({ url }) => about.has(url)))
    .slice(0, summaryClaimsMax).map(({ text }) => text)
  return [`Based on ${counted(results, "result")} from ${counted(sites, "site")}.`, ...cited]
    .join(" ")
}

const toolOf = (grounding: Grounding): Research["tool_used"] => {
  const [first] = hitsOf(grounding).flatMap(({ provenances }) => provenances)
    .map(({ provider }) => provider).toSorted()
    .map((provider, _, all) => ({
      provider,
      count: all.filter((other) => other === provider).length
    }))
    .toSorted((left, right) => right.count - left.count)
  return first?.provider ?? "unknown"
}

const statusNotes = ({ cached, calls }: Grounding): string => {
  const statuses = calls.map(({ outcome }) => outcome?.status ?? "unknown_error")
  const ended = [...new Set(statuses)].map((status) =>
    `${statuses.filter((other) => other === status).length} ${status}`
  )
  const kept = cached.length === 0 ? [] : [`${cached.length} from the cache`]
  return ended.length + kept.length === 0 ? "" : `Searches: ${[...ended, ...kept].join(", ")}.`
}

const failureNotes = (grounding: Grounding): string => {
  if (grounding.calls.length + grounding.cached.length === 0) return "Nothing was searched."
  const what = isAnswered(grounding) ? "Nothing was found." : "All tools failed."
  return `${what} ${statusNotes(grounding)}`
}
