/** A finished grounding read as research: computed from its facts alone, so twice the same. */
import { DateTime, Option } from "effect"
import type { GroundingPack } from "../pack/GroundingPack.ts"
import { type Grounding, hitsOf } from "../session/Grounding.ts"
import { empty, extractionMax, Research } from "./Research.ts"
import * as TopicExtraction from "./TopicExtraction.ts"

/** Links and texts that are looked at, best first. */
const resultsMax = 10
/** From here on a provider's score is good. */
const goodScoreMin = 0.5
/** So many good results are as good as any. */
const enoughGood = 5
const summaryClaimsMax = 3
const certainMax = 0.95
/** The writer that only quotes. */
const localWriter = "rules"

export const of = (title: string, grounding: Grounding): Research => {
  const found = hitsOf(grounding)
  const pack = grounding.written?.pack
  const at = grounding.requestedAt
  const durationMs = spanOf(at, grounding.written?.written_at)
  if (found.length === 0) {
    return empty({ query: title, at, durationMs, notes: failureNotes(grounding) })
  }
  const hits = found.slice(0, resultsMax).map(({ hit }) => hit)
  const pages = new Map(grounding.evidence?.pages.map((page) => [page.url, page]))
  const texts = hits.map(({ content, title, url }) => {
    const page = pages.get(url)
    const text = page?.text || content
    const headings = page?.headings?.map(({ end, start }) => text.slice(start, end)) ?? []
    return { url, title, text, headings }
  })
  const good = found.filter(({ hit }) => hit.official || (hit.score ?? 0) >= goodScoreMin).length
  const isComposed = grounding.written !== undefined &&
    grounding.written.rung.engine !== localWriter
  return new Research({
    search_query: title,
    search_summary: summaryOf(pack, found.length, new Set(hits.map(({ site }) => site)).size),
    key_topics_found: TopicExtraction.topics(texts, title),
    recommended_modules: TopicExtraction.modules(texts),
    source_links: hits.map(({ site, title, url }) => ({ url, title, site })),
    learning_objectives_found: TopicExtraction.objectives(texts),
    skillset_recommendations: TopicExtraction.skills(texts),
    confidence_score: confidenceOf(isComposed, pack?.confidence ?? 0, good, found.length),
    result_count: found.length,
    high_quality_result_count: good,
    tool_used: toolOf(grounding),
    execution_timestamp: at,
    execution_time_ms: durationMs,
    fallback_used: grounding.calls.some(({ outcome }) => outcome?.fallback_used === true),
    search_notes: [
      statusNotes(grounding),
      isComposed ? "" : "No model wrote: simple extraction."
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
  const raw = 0.5 * pack + 0.3 * Math.min(1, good / enoughGood) +
    0.2 * Math.min(1, results / resultsMax)
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
