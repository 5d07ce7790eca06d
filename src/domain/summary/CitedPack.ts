/** A pack with its quotations in context, and the query and provider that found each source. */
import { clean } from "@web-grounding/language/Sentences"
import { Schema } from "effect"
import { GroundingPack } from "../pack/GroundingPack.ts"
import type { Page } from "../page/Page.ts"
import { asGiven } from "../request/GivenFields.ts"
import { questionOf } from "../request/GroundingRequest.ts"
import { ProviderName, type SearchHit } from "../search/SearchStatus.ts"
import { GroundingMode, OutcomeReason } from "../session/GroundingOutcome.ts"
import type { Finished, SessionEvent } from "../session/SessionEvent.ts"

/** UTF-16 code units of text that are shown before and after a quotation. */
const contextCharsMax = 320

const sections = [
  "constraints_and_rules",
  "norms_and_expectations",
  "key_points",
  "disputed_or_uncertain"
] as const

/** A quotation by its position in the pack, all indices from 0. */
const QuoteContext = Schema.Struct({
  section: Schema.Literals(sections),
  claim: Schema.Natural,
  source: Schema.Natural,
  quote: Schema.Natural,
  before: Schema.String,
  /** Quotation as in the text, which may differ from the claim in white space. */
  quoted: Schema.String,
  after: Schema.String
})
type QuoteContext = typeof QuoteContext.Type

const SourceOrigin = Schema.Struct({
  url: Schema.String,
  /** `web`, `jina`, `tavily`, `store`, or `snippet`, the provider's own words. */
  reader: Schema.String,
  /** ISO 8601 UTC. */
  read_at: Schema.String,
  text_sha256: Schema.String,
  /** Queries that found it, with provider and rank. Empty: named or stored. */
  found_by: Schema.Array(Schema.Struct({
    query: Schema.String,
    provider: ProviderName,
    /** Rank in the search result, from 1. */
    rank: Schema.Int
  }))
})
type SourceOrigin = typeof SourceOrigin.Type

export const CitedPack = Schema.Struct({
  session_id: Schema.String,
  request_id: Schema.String,
  question: Schema.String,
  mode: GroundingMode,
  reason: Schema.optionalKey(OutcomeReason),
  pack: GroundingPack,
  /** Quotations whose text the log may keep; others have no known context. */
  contexts: Schema.Array(QuoteContext),
  sources: Schema.Array(SourceOrigin),
  llm_context: Schema.String,
  reused_from_request_id: Schema.optionalKey(Schema.String),
  /** Age of a reused answer of another session, in milliseconds. */
  cached_age_ms: Schema.optionalKey(Schema.Finite)
})
export type CitedPack = typeof CitedPack.Type

const Found = Schema.Struct({
  url: Schema.String,
  query: Schema.String,
  provider: ProviderName,
  rank: Schema.Int,
  /** The provider's snippet, which is the text of a page that was not read. */
  content: Schema.String
})

const ReadPage = Schema.Struct({
  url: Schema.String,
  hit_url: Schema.optionalKey(Schema.String),
  reader: Schema.String,
  text_sha256: Schema.String,
  text: Schema.optionalKey(Schema.String)
})

const Gathered = Schema.TaggedStruct("Gathered", {
  question: Schema.String,
  queries: Schema.Array(Schema.String),
  found: Schema.Array(Found),
  read_at: Schema.String,
  pages: Schema.Array(ReadPage)
})
type Gathered = typeof Gathered.Type

const Cited = Schema.TaggedStruct("Cited", { cited: CitedPack })

export const Progress = Schema.Union([Gathered, Cited])
export type Progress = typeof Progress.Type

interface Of {
  readonly sessionId: string
  /** ISO 8601 UTC. */
  readonly recordedAt: string
}

/** Row of a request after one more event. `undefined`: nothing is known of the request yet. */
export const evolve = (
  progress: Progress | undefined,
  event: SessionEvent,
  of: Of
): Progress | undefined => {
  if (event._tag === "WEB_GROUNDING_REQUESTED") {
    return progress ?? {
      _tag: "Gathered",
      question: questionOf(event.request),
      queries: [],
      found: [],
      read_at: of.recordedAt,
      pages: []
    }
  }
  if (progress === undefined || progress._tag === "Cited") return progress
  switch (event._tag) {
    case "WEB_GROUNDING_QUERY_PLANNED":
      return { ...progress, queries: event.plan.queries }
    case "WEB_GROUNDING_CALLED":
      return withFound(progress, event.hits, progress.queries[event.query_index] ?? "")
    case "WEB_GROUNDING_CACHE_USED":
      return withFound(progress, event.hits, event.query)
    case "WEB_GROUNDING_EVIDENCE_READ":
      return { ...progress, read_at: of.recordedAt, pages: event.pages.map(pageOf(progress)) }
    case "WEB_GROUNDING_FINISHED":
      return { _tag: "Cited", cited: cited(progress, event, of) }
    default:
      return progress
  }
}

const withFound = (
  progress: Gathered,
  hits: ReadonlyArray<SearchHit>,
  query: string
): Gathered => ({
  ...progress,
  found: [
    ...progress.found,
    ...hits.map(({ content, provider, rank, url }) => ({ url, query, provider, rank, content }))
  ]
})

type RecordedPage = Omit<Page, "text"> & { readonly text?: string }

const pageOf =
  ({ found }: Gathered) =>
  ({ hit_url, reader, text, text_sha256, url }: RecordedPage): typeof ReadPage.Type => {
    const kept = text ??
      (reader === "snippet" ? found.find((hit) => hit.url === url)?.content : undefined)
    return {
      url,
      ...asGiven({ hit_url }),
      reader,
      text_sha256,
      ...asGiven({ text: kept })
    }
  }

const cited = (
  gathered: Gathered,
  { outcome, request_id }: typeof Finished.Type,
  { sessionId }: Of
): CitedPack => ({
  session_id: sessionId,
  request_id,
  question: gathered.question,
  mode: outcome.mode,
  ...asGiven({ reason: outcome.reason }),
  pack: outcome.pack,
  contexts: contextsOf(outcome.pack, gathered.pages),
  sources: gathered.pages.map(originOf(gathered)),
  llm_context: outcome.llm_context,
  ...asGiven({
    reused_from_request_id: outcome.reused_from_request_id,
    cached_age_ms: outcome.cached?.age_ms
  })
})

const originOf =
  ({ found, read_at }: Gathered) =>
  ({ hit_url, reader, text_sha256, url }: typeof ReadPage.Type): SourceOrigin => ({
    url,
    reader,
    read_at,
    text_sha256,
    found_by: found
      .filter((hit) => hit.url === url || hit.url === hit_url)
      .map(({ provider, query, rank }) => ({ query, provider, rank }))
  })

/** A quotation is looked up by the SHA-256 of the text that its offsets index. */
const contextsOf = (
  pack: GroundingPack,
  pages: ReadonlyArray<typeof ReadPage.Type>
): ReadonlyArray<QuoteContext> => {
  const textOf = new Map(
    pages.flatMap(({ text, text_sha256 }) =>
      text === undefined ? [] : [[text_sha256, text] as const]
    )
  )
  return sections.flatMap((section) =>
    pack[section].flatMap(({ sources }, claim) =>
      sources.flatMap(({ quotes, text_sha256 }, source) => {
        const text = textOf.get(text_sha256)
        return text === undefined ? [] : quotes.map(({ end, start }, quote) => ({
          section,
          claim,
          source,
          quote,
          before: clean(text.slice(Math.max(0, start - contextCharsMax), start)).text,
          quoted: clean(text.slice(start, end)).text,
          after: clean(text.slice(end, end + contextCharsMax)).text
        }))
      })
    )
  )
}
