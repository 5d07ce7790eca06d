/**
 * Engines of each step, in order of preference; the last is local and cannot fail. Degrading is
 * walking this list; the engine that answered is recorded as a fact.
 */
import { Context, Effect, Predicate, Record, Schema } from "effect"
import type { SearchNeed } from "../../domain/need/ReasonCodes.ts"
import type { Judgeable } from "../../domain/pack/Judgement.ts"
import type { Chunk, Reader, Span } from "../../domain/page/Page.ts"
import type { CourseSubject, GroundingRequest } from "../../domain/request/GroundingRequest.ts"
import type { SourceText } from "../../domain/research/Fit.ts"
import type { Material } from "../../domain/research/OutlineFindings.ts"
import type { ProviderName, SearchHit } from "../../domain/search/SearchStatus.ts"
import type { WebAddress } from "../../domain/search/WebAddress.ts"
import { EngineFault, RungDetail, type RungFault } from "../../domain/session/EngineDetail.ts"
import type { EngineAnswers, EngineName } from "../../domain/session/SessionFacts.ts"
import type { Fault, SearchFailed } from "./SearchProvider.ts"

/** What the engines of each step are asked. */
interface Questions {
  /** Whether and how far to search. A gate knows nothing of phase and budget: the session does. */
  readonly gate: GroundingRequest
  readonly planner: PlanningTask
  readonly reader: Readable
  readonly ranker: RankingTask
  readonly writer: WritingTask
  readonly judge: JudgingTask
  readonly researcher: ResearchTask
}

/** What they answer; the domain checks each answer. */
export interface Answers extends Omit<EngineAnswers, "reader"> {
  /** `undefined` when the hit holds no text at all. */
  readonly reader: PageText | undefined
}

/** An engine of a step. */
export interface Engine<Name extends EngineName, E = EngineFailed> {
  readonly info: EngineInfo
  readonly ask: (question: Questions[Name]) => Effect.Effect<Answers[Name], E>
}

/** Engines of one step. */
export interface Chain<Name extends EngineName> {
  /** Tried in order. Empty when nothing but the local engine is configured. */
  readonly preferred: ReadonlyArray<Engine<Name>>
  readonly last: Engine<Name, never>
}

export type Chains = { readonly [Name in EngineName]: Chain<Name> }

/** The engines of this deployment by step. */
export class Engines extends Context.Service<Engines, Chains>()(
  "web-grounding/application/ports/Engines"
) {}

/** The same change of every step's engines. */
export const mapChains = (
  chains: Chains,
  change: <Name extends EngineName>(chain: Chain<Name>, name: Name) => Chain<Name>
): Chains => ({
  gate: change(chains.gate, "gate"),
  planner: change(chains.planner, "planner"),
  reader: change(chains.reader, "reader"),
  ranker: change(chains.ranker, "ranker"),
  writer: change(chains.writer, "writer"),
  judge: change(chains.judge, "judge"),
  researcher: change(chains.researcher, "researcher")
})

/** A step's engines, those that are preferred left out. */
export const lastOf = <Name extends EngineName>({ last }: Chain<Name>): Chain<Name> => ({
  preferred: [],
  last
})

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

/** Whether a recorded answer is this engine's: a local one can be asked again. */
export const isOf = (
  { engine, version }: { readonly engine: string; readonly version: string },
  info: EngineInfo
): boolean => engine === info.engine && version === info.version

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

/** Fault of an engine that met a bug, in its own code or in our work on its answer. */
export const crashed = { reason: "malformed", detail: "crashed" } as const

/** Logs a bug with its place, and goes on with something weaker. Nothing is tried again. */
export const onBug = <B, E2, R2>(
  place: Readonly<Record<string, string>>,
  otherwise: () => Effect.Effect<B, E2, R2>
) =>
<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A | B, E | E2, R | R2> =>
  Effect.catchDefect(work, (defect) =>
    Effect.logError("a bug", defect).pipe(
      Effect.annotateLogs(place),
      Effect.andThen(Effect.suspend(otherwise))
    ))

/** A request whose queries are to be planned. */
export interface PlanningTask {
  readonly request: GroundingRequest
  /** At most its `max_queries` queries are wanted, best first. */
  readonly need: SearchNeed
  /** When the request came, ISO 8601 UTC: planning twice gives the same plan. */
  readonly now: string
}

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
  /** Links to other hosts, in order, at most 40, and the places of their words in `text`. */
  readonly links?: ReadonlyArray<Span & { readonly url: string }>
  /** What pages of one owner have in common: publisher's names, ids of counters. */
  readonly owners?: ReadonlyArray<string>
  /** Invisible and active characters taken out before `text` was cut. */
  readonly removed_chars_count?: number
  /** Parts with sentences that were left out as none of the page's contents. */
  readonly removed_blocks_count?: number
}

/**
 * Fields of a hit that a reader needs; a page that is named by its address alone has no `content`.
 */
export interface Readable extends Pick<SearchHit, "url" | "content"> {
  /** Longest text kept of the page, in UTF-16 code units. Default: the reader's own limit. */
  readonly textCharsMax?: number
  /**
   * Length from which a passage of a page may be closed, in UTF-16 code units. Default: the
   * reader's own.
   */
  readonly chunkCharsMin?: number
  /** Whether an address that the page leads to may be asked. Default: any. */
  readonly isAllowed?: (address: string) => boolean
}

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

/** Asks the extractors, within their months. */
export class ExtractPages extends Context.Service<ExtractPages, {
  /** `undefined`: this deployment extracts nothing. */
  readonly info: EngineInfo | undefined
  readonly extract: (wanted: PagesWanted) => Effect.Effect<Extracted>
}>()("web-grounding/application/ports/Engines/ExtractPages") {
  static readonly none = ExtractPages.of({
    info: undefined,
    extract: () => Effect.succeed({ texts: new Map(), faults: new Map() })
  })
}

/**
 * Passages to score, one finite number each, in the order given; higher is better. Scores of two
 * engines are never compared.
 */
export interface RankingTask {
  readonly question: string
  readonly chunks: ReadonlyArray<Chunk>
}

/**
 * Request, need and passages from which a pack is drafted. A draft names its sources by id and
 * holds no address.
 */
export interface WritingTask {
  readonly request: GroundingRequest
  readonly need: SearchNeed
  /** Best first, at most a dozen. May be empty. */
  readonly chunks: ReadonlyArray<Chunk>
  /** When the request came, ISO 8601 UTC. */
  readonly now: string
  /** Boundary of the boxes that fence page text, made for this request: 128 random bits as hex. */
  readonly boundary: string
}

/**
 * Claims with their quotations, which a judge reads without the pages: whether they support the
 * claim, and whether that answers the question. Claims without a judgement are marked as not
 * judged.
 */
export interface JudgingTask {
  /** Claims to judge, at least one, at most two dozen. */
  readonly claims: ReadonlyArray<Judgeable>
  /** Its question is what the claims are to answer. */
  readonly request: GroundingRequest
  /** When the request came, ISO 8601 UTC. */
  readonly now: string
  /** Boundary of the boxes that fence page text, made for this request: 128 random bits as hex. */
  readonly boundary: string
}

/** A course's subject and the sources about it. A draft names its sources by number. */
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
