/** Engines of each step, in order of preference; the last is local and cannot fail. */
import { Context, Effect, Predicate, Record, Schema } from "effect"
import type { SearchNeed } from "../../domain/need/ReasonCodes.ts"
import type { Judgeable } from "../../domain/pack/Judgement.ts"
import type { Chunk, Reader, Span } from "../../domain/page/Page.ts"
import type { CourseSubject, GroundingRequest } from "../../domain/request/GroundingRequest.ts"
import type { SourceText } from "../../domain/research/Fit.ts"
import type { Material } from "../../domain/research/OutlineFindings.ts"
import type { SearchHit } from "../../domain/search/SearchStatus.ts"
import type { WebAddress } from "../../domain/search/WebAddress.ts"
import { EngineFault, RungDetail } from "../../domain/session/EngineDetail.ts"
import type { EngineAnswers, EngineName } from "../../domain/session/SessionFacts.ts"
import type { Fault } from "./SearchProvider.ts"

interface Questions {
  /** Whether and how far to search. The session, not the gate, applies phase and budget. */
  readonly gate: GroundingRequest
  readonly planner: PlanningTask
  readonly reader: Readable
  readonly ranker: RankingTask
  readonly writer: WritingTask
  readonly judge: JudgingTask
  readonly researcher: ResearchTask
}

/** Output of the engines; the domain checks each. */
export interface Answers extends Omit<EngineAnswers, "reader"> {
  /** `undefined` when the hit holds no text at all. */
  readonly reader: PageText | undefined
}

export interface Engine<Name extends EngineName, E = EngineFailed> {
  readonly info: EngineInfo
  readonly ask: (question: Questions[Name]) => Effect.Effect<Answers[Name], E>
}

export interface Chain<Name extends EngineName> {
  /** Tried in order. Empty when only the local engine is configured. */
  readonly preferred: ReadonlyArray<Engine<Name>>
  readonly last: Engine<Name, never>
}

export type Chains = { readonly [Name in EngineName]: Chain<Name> }

export class Engines extends Context.Service<Engines, Chains>()(
  "web-grounding/application/ports/Engines"
) {}

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

export const lastOf = <Name extends EngineName>({ last }: Chain<Name>): Chain<Name> => ({
  preferred: [],
  last
})

/** Engines of a step in the order in which they are asked. */
export const infosOf = (
  { last, preferred }: {
    readonly preferred: ReadonlyArray<{ readonly info: EngineInfo }>
    readonly last: { readonly info: EngineInfo }
  }
): ReadonlyArray<EngineInfo> => [...preferred, last].map(({ info }) => info)

/** Name and version of an engine; recorded with its answer. */
export interface EngineInfo {
  readonly engine: string
  /** Raised whenever the same input may give another answer. */
  readonly version: string
  /** Its server: engines with one upstream cool down together. Absent: none, or not a fixed one. */
  readonly upstream?: string
  readonly model?: string
}

export const isOf = (
  { engine, version }: { readonly engine: string; readonly version: string },
  info: EngineInfo
): boolean => engine === info.engine && version === info.version

export class EngineFailed extends Schema.TaggedError<EngineFailed>()("EngineFailed", {
  engine: Schema.String,
  reason: EngineFault,
  /** E.g. `robots`, `http_404`: an `EngineDetail`, or in a replay the recorded word. */
  detail: Schema.optionalKey(RungDetail),
  /** Milliseconds that its server asked to wait. */
  retryAfterMs: Schema.optionalKey(Schema.Natural),
  cause: Schema.optionalKey(Schema.Defect())
}) {}

export const resting = (engine: string): EngineFailed =>
  new EngineFailed({ engine, reason: "refused", detail: "resting" })

/** Fault for the breaker. A time-out counts only if the engine had its usual time (`hadTime`). */
export const faultOf = ({ reason, retryAfterMs }: EngineFailed, hadTime: boolean): Fault => {
  if (retryAfterMs !== undefined && retryAfterMs > 0) return { restMs: retryAfterMs }
  return reason === "unreachable" || reason === "timeout" && hadTime ? "broken" : "none"
}

export const crashed = { reason: "malformed", detail: "crashed" } as const

/** Logs a bug and continues with a fallback. Nothing is retried. */
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

export interface PlanningTask {
  readonly request: GroundingRequest
  /** At most its `max_queries` queries are wanted, best first. */
  readonly need: SearchNeed
  /** Arrival time of the request, ISO 8601 UTC: planning twice gives the same plan. */
  readonly now: string
}

/** Text of one page, cleaned of invisible characters, with its passages and metadata. */
export interface PageText {
  readonly reader: Reader
  /** The address that answered, where it differs from the requested one. */
  readonly address?: WebAddress
  /** Detail of this reading, in the reader's own word, e.g. `cached_snapshot`. */
  readonly detail?: string
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
  /** Links to other hosts, in order, at most 40, with the offsets of their words in `text`. */
  readonly links?: ReadonlyArray<Span & { readonly url: string }>
  /** Marks that pages of one owner share: publisher's names, ids of counters. */
  readonly owners?: ReadonlyArray<string>
  /** Invisible and active characters removed before `text` was cut. */
  readonly removed_chars_count?: number
  /** Parts that were left out as boilerplate. */
  readonly removed_blocks_count?: number
}

/** Fields of a hit that a reader needs; without `content` if the page is known by address alone. */
export interface Readable extends Pick<SearchHit, "url" | "content"> {
  /** Longest text kept of the page, in UTF-16 code units. Default: the reader's own limit. */
  readonly textCharsMax?: number
  /** Length from which a passage may be closed, in UTF-16 code units. Default: the reader's own. */
  readonly chunkCharsMin?: number
  /** Whether a redirect's address may be fetched. Default: any. */
  readonly isAllowed?: (address: string) => boolean
}

/** Passages to score, in order: finite, higher is better, not comparable between engines. */
export interface RankingTask {
  readonly question: string
  readonly chunks: ReadonlyArray<Chunk>
}

/** Input of a draft. A draft names its sources by id and holds no address. */
export interface WritingTask {
  readonly request: GroundingRequest
  readonly need: SearchNeed
  /** Best first, at most a dozen. May be empty. */
  readonly chunks: ReadonlyArray<Chunk>
  /** Arrival time of the request, ISO 8601 UTC. */
  readonly now: string
  /** Delimiter of page text, made for this request: 128 random bits as hex. */
  readonly boundary: string
}

/**
 * Claims and quotations to judge without the pages: whether the quotations support the claim, and
 * whether it answers. Claims without a judgement are marked so.
 */
export interface JudgingTask {
  /** At least one, at most two dozen. */
  readonly claims: ReadonlyArray<Judgeable>
  readonly request: GroundingRequest
  readonly now: string
  readonly boundary: string
}

/** A course's subject and the sources about it. A draft names its sources by number. */
export interface ResearchTask {
  readonly course: CourseSubject
  readonly locale: string
  /** Best first, at most ten; not empty where there are no documents. */
  readonly sources: ReadonlyArray<SourceText>
  /** Internal documents for an outline, best first, numbered after the sources. */
  readonly documents?: ReadonlyArray<Material>
  readonly boundary: string
}

/**
 * Replaces what the log cannot hold by U+FFFD, so that offsets stay valid. Every string of a model,
 * provider or page passes here.
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
