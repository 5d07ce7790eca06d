/** A finished grounding read as research: computed from its facts alone, so twice the same. */
import { DateTime, Option } from "effect"
import type { GroundingPack } from "../pack/GroundingPack.ts"
import * as SourceTitle from "../page/SourceTitle.ts"
import { empty, extractionMax, Research } from "../research/Research.ts"
import { checked } from "../research/ResearchFindings.ts"
import * as TopicExtraction from "../research/TopicExtraction.ts"
import { type Grounding, hitsOf } from "./Grounding.ts"
import * as ResearchSources from "./ResearchSources.ts"

/** From here on a provider's score is good. */
const goodScoreMin = 0.5
/** Number of good results beyond which more of them raise the confidence no further. */
const goodResultsEnough = 5
const summaryClaimsMax = 3
const certainMax = 0.95
/** The researcher that only extracts. */
const localResearcher = "rules"

export const of = (title: string, grounding: Grounding): Research => {
  const found = hitsOf(grounding)
  const pack = grounding.written?.pack
  const at = grounding.requestedAt
  const durationMs = spanOf(at, grounding.written?.written_at)
  if (found.length === 0) {
    return empty({ query: title, at, durationMs, notes: failureNotes(grounding) })
  }
  const sources = ResearchSources.of(grounding)
  const good = found.filter(({ hit }) => hit.official || (hit.score ?? 0) >= goodScoreMin).length
  const { researched } = grounding
  const isComposed = researched !== undefined && researched.rung.engine !== localResearcher
  return new Research({
    search_query: title,
    search_summary: summaryOf(pack, found.length, new Set(sources.map(({ site }) => site)).size),
    // A log of an earlier release has no findings: they are extracted as they would have been.
    ...(researched?.findings ?? checked(TopicExtraction.draftOf(title, sources), sources)),
    source_links: sources.map(SourceTitle.withClean)
      .map(({ site, title, url }) => ({ url, title, site })),
    confidence_score: confidenceOf(isComposed, pack?.confidence ?? 0, good, found.length),
    result_count: found.length,
    high_quality_result_count: good,
    tool_used: toolOf(grounding),
    execution_timestamp: at,
    execution_time_ms: durationMs,
    fallback_used: grounding.calls.some(({ outcome }) => outcome?.fallback_used === true),
    search_notes: [
      statusNotes(grounding),
      isComposed ? "" : "No model read them: simple extraction."
    ].filter((note) => note !== "").join(" ")
  })
}

/** The pack's own confidence, good results and their number; extraction is never more than fair. */
const confidenceOf = (
  isComposed: boolean,
  pack: number,
  good: number,
  results: number
): number => {
  if (!isComposed) return extractionMax
  const raw = 0.5 * pack + 0.3 * Math.min(1, good / goodResultsEnough) +
    0.2 * Math.min(1, results / ResearchSources.sourcesMax)
  return Math.round(Math.min(certainMax, raw) * 100) / 100
}

const summaryOf = (pack: GroundingPack | undefined, results: number, sites: number): string => {
  const claims = pack === undefined
    ? []
    : [...pack.key_points, ...pack.norms_and_expectations, ...pack.constraints_and_rules]
  const told = claims.slice(0, summaryClaimsMax).map(({ text }) => text)
  const of = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`
  return [`Based on ${of(results, "result")} from ${of(sites, "site")}.`, ...told].join(" ")
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
  const counted = [...new Set(statuses)].map((status) =>
    `${statuses.filter((other) => other === status).length} ${status}`
  )
  const kept = cached.length === 0 ? [] : [`${cached.length} from the cache`]
  return `Searches: ${[...counted, ...kept].join(", ")}.`
}

const failureNotes = (grounding: Grounding): string => {
  const isAnswered = grounding.calls.some(({ outcome }) => outcome?.status === "no_results")
  return `${isAnswered ? "Nothing was found." : "All tools failed."} ${statusNotes(grounding)}`
}

const spanOf = (from: string, to: string | undefined): number =>
  Option.getOrElse(
    Option.map(
      Option.all([DateTime.make(from), DateTime.make(to ?? from)]),
      ([start, end]) => Math.max(0, DateTime.toEpochMillis(end) - DateTime.toEpochMillis(start))
    ),
    () => 0
  )
