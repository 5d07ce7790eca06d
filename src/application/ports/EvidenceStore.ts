/**
 * Passages with their sources, outside the log so that they can be erased. Every call is about one
 * tenant. Search is by words, and by vectors where the store keeps them; vectors of two models are
 * never compared.
 */
import { Context, Effect, Schema } from "effect"
import type { Vector } from "../../domain/retrieval/Ranking.ts"
import type {
  EmbeddingModel,
  Entry,
  EntryFilter,
  SourceKey,
  SourceType
} from "../../domain/store/Entry.ts"

export const foundMax = 200

/** Different words of a question that count; later ones are ignored. */
export const questionTermsMax = 32

/** The store could not be reached, or refused the statement; nothing was changed. */
export class EvidenceStoreUnavailable
  extends Schema.TaggedError<EvidenceStoreUnavailable>()("EvidenceStoreUnavailable", {
    operation: Schema.String,
    cause: Schema.Defect()
  })
{
  override get message(): string {
    return `The evidence store did not ${this.operation}`
  }
}

export interface Vectors {
  readonly model: EmbeddingModel
  readonly values: ReadonlyArray<Vector>
}

/** One change of the store: `sources` are removed first, then `entries` are added. */
interface Replacement {
  /** Every entry of these sources is removed. A source of `entries` must be among them. */
  readonly sources: ReadonlyArray<SourceKey>
  readonly entries: ReadonlyArray<Entry>
  /** Vectors of the entries' texts, in order. Absent where the store keeps none. */
  readonly vectors?: Vectors
  /** Session that the entries are erased with. Refused as unavailable if it has been erased. */
  readonly forSession?: string
}

export type Unembedded = Pick<Entry, "id" | "title" | "text" | "text_sha256">

export interface EvidenceCounts {
  readonly entries: Readonly<Record<SourceType, number>>
  readonly sources: number
  /** Model whose vectors searches compare; `undefined` before the first vector. */
  readonly model: EmbeddingModel | undefined
  /** Entries that have a vector of that model. */
  readonly embedded: number
}

type StoreAnswer<A, E = never, R = never> = Effect.Effect<A, E | EvidenceStoreUnavailable, R>

export class EvidenceStore extends Context.Service<EvidenceStore, {
  /** Whether this store can keep and compare vectors; otherwise search is by words alone. */
  readonly keepsVectors: boolean

  /**
   * Removes entries of the sources, adds the new ones, and runs `record` with the number removed of
   * each source, in order; in one transaction. Changes of one source wait for each other. Returns
   * those numbers.
   */
  readonly replace: <E, R>(
    tenantId: string,
    replacement: Replacement,
    record: (removed: ReadonlyArray<number>) => Effect.Effect<void, E, R>
  ) => StoreAnswer<ReadonlyArray<number>, E, R>

  /** Entries that share words with the question, best first, at most `limit`. */
  readonly byText: (
    tenantId: string,
    question: string,
    filter: EntryFilter,
    limit: number
  ) => StoreAnswer<ReadonlyArray<Entry>>

  /** Nearest vectors, best first. Empty unless the tenant's entries are compared by this model. */
  readonly byVector: (
    tenantId: string,
    model: EmbeddingModel,
    vector: Vector,
    filter: EntryFilter,
    limit: number
  ) => StoreAnswer<ReadonlyArray<Entry>>

  /** Every entry of a source, in order; empty when there is none. */
  readonly entriesOf: (tenantId: string, key: SourceKey) => StoreAnswer<ReadonlyArray<Entry>>

  readonly collectedFor: (
    tenantId: string,
    sessionId: string
  ) => StoreAnswer<ReadonlyArray<Pick<Entry, "source_type" | "source_id">>>

  readonly counts: (tenantId: string) => StoreAnswer<EvidenceCounts>

  /** Entries without a vector of the model, by id, at most `limit`. */
  readonly unembedded: (
    tenantId: string,
    model: EmbeddingModel,
    limit: number
  ) => StoreAnswer<ReadonlyArray<Unembedded>>

  /** Searches do not see them before `compareBy`. Entries whose text changed since get none. */
  readonly addVectors: (
    tenantId: string,
    entries: ReadonlyArray<Unembedded>,
    vectors: Vectors
  ) => StoreAnswer<void>

  /**
   * Switches searches to this model's vectors in one transaction: others are removed, and `record`
   * runs with the model before and the number of vectors. `false`, and nothing changes, while an
   * entry lacks one.
   */
  readonly compareBy: <E, R>(
    tenantId: string,
    model: EmbeddingModel,
    record: (before: EmbeddingModel | undefined, embedded: number) => Effect.Effect<void, E, R>
  ) => StoreAnswer<boolean, E, R>
}>()("web-grounding/application/ports/EvidenceStore") {}

export class KeptVectors extends Context.Service<KeptVectors, boolean>()(
  "web-grounding/application/ports/EvidenceStore/KeptVectors"
) {}
