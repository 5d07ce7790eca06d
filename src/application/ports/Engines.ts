/**
 * Engines of one step in order of preference, the last of which is local and cannot fail.
 *
 * Degrading is walking this list; the rung that answered is recorded as a fact.
 */
import { Context, Effect, Predicate, Record, Schema } from "effect"
import type { SearchNeed } from "../../domain/need/ReasonCodes.ts"
import type { PackDraft } from "../../domain/pack/GroundingPack.ts"
import type { Judgeable, JudgedClaim } from "../../domain/pack/Judgement.ts"
import type { Chunk, Reader, Span } from "../../domain/page/Page.ts"
import type { QueryPlan } from "../../domain/plan/QueryPlan.ts"
import type { CourseSubject, GroundingRequest } from "../../domain/request/GroundingRequest.ts"
import type { SourceText } from "../../domain/research/Fit.ts"
import type { Material, ResearchDraft } from "../../domain/research/OutlineFindings.ts"
import type { ProviderName, SearchHit } from "../../domain/search/SearchStatus.ts"
import type { WebAddress } from "../../domain/search/WebAddress.ts"
import { EngineFault, RungDetail, type RungFault } from "../../domain/session/EngineDetail.ts"
import type { Fault, SearchFailed } from "./SearchProvider.ts"

/** Fallback chain of one step. */
export interface Rungs<Engine, Last extends Engine> {
  /** Tried in order. Empty when nothing but the local engine is configured. */
  readonly preferred: ReadonlyArray<Engine>
  readonly last: Last
}

/** Name and version of an engine; recorded with its answer. */
export interface EngineInfo {
  /** Short name, e.g. `rules`. */
  readonly engine: string
  /** Raised whenever the same input may give another answer. */
  readonly version: string
  /**
   * The server it asks, which is left alone when it fails or wants to be: engines of one name cool
   * down together. Absent: it asks none, or a different one each time.
   */
  readonly upstream?: string
  /** The model it asks, as the settings name it. Absent: it asks none. */
  readonly model?: string
}

/** Why a preferred engine did not answer. */
export class EngineFailed extends Schema.TaggedError<EngineFailed>()("EngineFailed", {
  engine: Schema.String,
  reason: EngineFault,
  /**
   * Finer word, e.g. `robots`, `http_404`, `too_large`: an `EngineDetail`, or in a replay what was
   * recorded. Absent: the reason says all.
   */
  detail: Schema.optionalKey(RungDetail),
  /** How long its server asked not to be asked again, in milliseconds. */
  retryAfterMs: Schema.optionalKey(Schema.Natural),
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** The failure of an engine that was left alone. */
export const resting = (engine: string): EngineFailed =>
  new EngineFailed({ engine, reason: "refused", detail: "resting" })

/**
 * Fault of a failure, by which a breaker counts. `hadTime` tells whether the engine was given as
 * long as it usually may take: a time-out counts only then.
 */
export const faultOf = ({ reason, retryAfterMs }: EngineFailed, hadTime: boolean): Fault => {
  if (retryAfterMs !== undefined && retryAfterMs > 0) return { restMs: retryAfterMs }
  return reason === "unreachable" || reason === "timeout" && hadTime ? "broken" : "none"
}

// Decides whether a request needs the open web. Knows nothing of budgets: those are the
// session's.

/** An engine that proposes whether and how far to search. */
export interface NeedGate<E = EngineFailed> {
  readonly info: EngineInfo
  /**
   * Proposes the need that the question itself calls for; the domain applies phase and budget
   * afterwards.
   */
  readonly decide: (request: GroundingRequest) => Effect.Effect<SearchNeed, E>
}

/** The gates of this deployment, preferred first. */
export class NeedGates extends Context.Service<NeedGates, Rungs<NeedGate, NeedGate<never>>>()(
  "web-grounding/application/ports/Engines/NeedGates"
) {}

// Turns a request into one to three search queries without personal data.

/** An engine that plans queries for the web. */
export interface QueryPlanner<E = EngineFailed> {
  readonly info: EngineInfo
  /**
   * Plans at most `need.max_queries` queries, best first; the domain checks and cleans them again.
   * `now` is when the request came, ISO 8601 UTC: planning twice gives the same plan.
   */
  readonly plan: (
    request: GroundingRequest,
    need: SearchNeed,
    now: string
  ) => Effect.Effect<QueryPlan, E>
}

/** The planners of this deployment, preferred first. */
export class QueryPlanners
  extends Context.Service<QueryPlanners, Rungs<QueryPlanner, QueryPlanner<never>>>()(
    "web-grounding/application/ports/QueryPlanners"
  )
{}

// Turns a hit into text that can be quoted.

/**
 * Text of one page, cleaned of invisible characters, with its passages and what the page states.
 */
export interface PageText {
  readonly reader: Reader
  /** The address that answered, where it is not the one that was asked for. */
  readonly address?: WebAddress
  /** Detail of this reading, in the reader's own word, e.g. `cached_snapshot`. */
  readonly detail?: string
  /** Facts that the page states about itself, each absent when it does not. */
  readonly title?: string
  readonly published_date?: string
  readonly modified_date?: string
  readonly language?: string
  readonly canonical_url?: string
  /** The page goes on where `text` ends. */
  readonly truncated?: true
  /** Plain text without invisible characters. Never empty. */
  readonly text: string
  /** Contiguous passages, in order, not overlapping. Never empty. */
  readonly chunks: ReadonlyArray<Span>
  /** Headings in `text`, in order, not overlapping. */
  readonly headings?: ReadonlyArray<Span>
  /** Invisible and active characters taken out before `text` was cut. */
  readonly removed_chars_count?: number
  /** Parts with sentences that were left out as none of the page's contents. */
  readonly removed_blocks_count?: number
}

/**
 * Fields of a hit that a reader needs; a page that is named by its address alone has no `content`.
 */
interface Readable extends Pick<SearchHit, "url" | "content"> {
  /** Longest text kept of the page, in UTF-16 code units. Default: the reader's own limit. */
  readonly textCharsMax?: number
  /**
   * Length from which a passage of a page may be closed, in UTF-16 code units. Default: the
   * reader's own.
   */
  readonly chunkCharsMin?: number
}

/** An engine that reads one page: over the web, by a service, or from the hit's own snippet. */
export interface PageReader<E = EngineFailed> {
  readonly info: EngineInfo
  /** `undefined` when the hit holds no text at all. */
  readonly read: (hit: Readable) => Effect.Effect<PageText | undefined, E>
}

/** The readers of this deployment, preferred first; the last reads the provider's snippet. */
export class PageReaders
  extends Context.Service<PageReaders, Rungs<PageReader, PageReader<never>>>()(
    "web-grounding/application/ports/PageReaders"
  )
{}

/** Pages for a paid extraction in one request. */
export interface ExtractRequest {
  /** Canonical, no address twice; at least one, at most `urlsMax`. */
  readonly urls: ReadonlyArray<string>
  /** Milliseconds that the caller waits, so that the provider gives up before. */
  readonly timeoutMs: number
  /** Length from which a passage of a page may be closed, in UTF-16 code units. */
  readonly chunkCharsMin?: number
}

/** Pages that a paid extraction has read, and what it charged. */
export interface ExtractAnswer {
  /** Texts by the address that was asked for; an address that could not be read is left out. */
  readonly pages: ReadonlyMap<string, PageText>
  /**
   * Credits that the provider reports; `NaN` when it reports no number. Absent when it reports
   * nothing.
   */
  readonly credits?: number
}

/** A provider that reads several pages for one paid request, by one of its keys. */
export interface PageExtractor {
  readonly info: EngineInfo
  /** Provider whose key and monthly quota the extractor uses. */
  readonly provider: ProviderName
  /** 1-based. */
  readonly keySlot: number
  /** Addresses of one request. */
  readonly urlsMax: number
  /** Pages that one credit pays; those that could not be read are free. */
  readonly pagesPerCredit: number
  /** Whether the address may be told to the provider: only of the public internet. */
  readonly mayBeTold: (url: string) => boolean
  /** Asks the provider in one request. Interrupting it closes the socket. */
  readonly extract: (request: ExtractRequest) => Effect.Effect<ExtractAnswer, SearchFailed>
}

/** The extractors, one for each key of the provider, in slot order. Empty: no page is extracted. */
export class PageExtractors extends Context.Service<PageExtractors, ReadonlyArray<PageExtractor>>()(
  "web-grounding/application/ports/Engines/PageExtractors"
) {}

/** Pages to extract for payment, and the time left for it. */
export interface PagesWanted {
  /** Canonical. What is beyond the provider's ceiling, or twice, is not asked for. */
  readonly urls: ReadonlyArray<string>
  /** Milliseconds for all of it. */
  readonly leftMs: number
  /** Milliseconds for one request, at most. */
  readonly timeoutMs: number
  /** Length from which a passage of a page may be closed, in UTF-16 code units. */
  readonly chunkCharsMin?: number
}

/** Texts that were extracted, by address, and why the others have none. */
export interface Extracted {
  readonly texts: ReadonlyMap<string, PageText>
  /** Faults by address, for each page without a text, whether it was asked for or held back. */
  readonly faults: ReadonlyMap<string, RungFault>
}

/** Asks the extractors, within their months. The default extracts nothing. */
export const ExtractPages = Context.Reference<{
  /** `undefined`: this deployment extracts nothing. */
  readonly info: EngineInfo | undefined
  readonly extract: (wanted: PagesWanted) => Effect.Effect<Extracted>
}>("web-grounding/application/ports/Engines/ExtractPages", {
  defaultValue: () => ({
    info: undefined,
    extract: () => Effect.succeed({ texts: new Map(), faults: new Map() })
  })
})

// Orders passages by how well they answer the question.

/** An engine that scores passages against a question. Scores of two engines are never compared. */
export interface Reranker<E = EngineFailed> {
  readonly info: EngineInfo
  /** Scores each chunk, in the order given: one finite number each, higher is better. */
  readonly score: (
    question: string,
    chunks: ReadonlyArray<Chunk>
  ) => Effect.Effect<ReadonlyArray<number>, E>
}

/** The rankers of this deployment, preferred first. */
export class Rerankers extends Context.Service<Rerankers, Rungs<Reranker, Reranker<never>>>()(
  "web-grounding/application/ports/Engines/Rerankers"
) {}

// Proposes claims with quotes from ranked passages. What it proposes is checked by the domain.

/** Request, need and passages from which a pack is drafted. */
export interface WritingTask {
  readonly request: GroundingRequest
  readonly need: SearchNeed
  /** Best first, at most a dozen. May be empty. */
  readonly chunks: ReadonlyArray<Chunk>
  /** Boundary of the boxes that fence page text, made for this request: 128 random bits as hex. */
  readonly boundary: string
}

/** An engine that drafts claims. A draft names its sources by id and holds no address. */
export interface PackWriter<E = EngineFailed> {
  readonly info: EngineInfo
  readonly write: (task: WritingTask) => Effect.Effect<PackDraft, E>
}

/** The writers of this deployment, preferred first; the last only quotes. */
export class PackWriters
  extends Context.Service<PackWriters, Rungs<PackWriter, PackWriter<never>>>()(
    "web-grounding/application/ports/PackWriters"
  )
{}

// Judges whether quotes support claims. The domain decides what that changes.

/** Claims with their quotations, which a judge reads without the pages. */
export interface JudgingTask {
  /** Claims to judge, at least one, at most two dozen. */
  readonly claims: ReadonlyArray<Judgeable>
  /** Question that the claims are to answer. */
  readonly question: string
  /** Boundary of the boxes that fence page text, made for this request: 128 random bits as hex. */
  readonly boundary: string
}

/**
 * An engine that says whether quotations support a claim and whether the claim answers the
 * question.
 */
export interface ClaimJudge<E = EngineFailed> {
  readonly info: EngineInfo
  /** Claims without a judgement are marked as not judged; places nobody asked about are ignored. */
  readonly judge: (task: JudgingTask) => Effect.Effect<ReadonlyArray<JudgedClaim>, E>
}

/** The judges of this deployment; the last leaves every claim to the checks of code. */
export class ClaimJudges
  extends Context.Service<ClaimJudges, Rungs<ClaimJudge, ClaimJudge<never>>>()(
    "web-grounding/application/ports/ClaimJudges"
  )
{}

// Reads sources for a course and proposes topics, modules, aims, skills. The domain checks.

/** A course's subject and the sources about it. */
export interface ResearchTask {
  readonly course: CourseSubject
  /** BCP 47: in which language it is to be told. */
  readonly locale: string
  /** Best first, at most ten; not empty where there are no documents. */
  readonly sources: ReadonlyArray<SourceText>
  /**
   * The house's own, best first, numbered after the sources. An outline is wanted where this is
   * there, and none where it is absent.
   */
  readonly documents?: ReadonlyArray<Material>
  /** Boundary of the boxes that fence page text, made for this request: 128 random bits as hex. */
  readonly boundary: string
}

/**
 * An engine that drafts findings or an outline of a course. A draft names its sources by number.
 */
export interface Researcher<E = EngineFailed> {
  readonly info: EngineInfo
  readonly research: (task: ResearchTask) => Effect.Effect<ResearchDraft, E>
}

/** The researchers of this deployment, preferred first; the last extracts by rule. */
export class Researchers
  extends Context.Service<Researchers, Rungs<Researcher, Researcher<never>>>()(
    "web-grounding/application/ports/Researchers"
  )
{}

/**
 * The door for strings of models, providers and pages: what the log cannot hold becomes U+FFFD,
 * which is as long, so that places in a text stay true.
 */
export const storable = <A>(value: A): A => cleaned(value) as A // Only text changes, to text.

const cleaned = (value: unknown): unknown => {
  if (typeof value === "string") {
    return value.isWellFormed() && !value.includes("\0")
      ? value
      : value.toWellFormed().replaceAll("\0", "\uFFFD")
  }
  if (Array.isArray(value)) return value.map(cleaned)
  return isPlain(value) ? Record.map(value, cleaned) : value
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  Predicate.isObject(value) && Object.getPrototypeOf(value) === Object.prototype
