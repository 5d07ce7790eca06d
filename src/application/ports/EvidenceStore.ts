/**
 * Stretches of text with where they came from, kept outside the log so that they can be erased.
 *
 * Every call is about one tenant and sees nothing of another. Searches are by words, and by meaning
 * where the store can keep vectors; it never compares vectors of two models.
 */
import { Context, Effect, Option, Schema } from "effect"
import type { Retrieval } from "../../contract/EvidenceSearch.ts"
import type { Vector } from "../../domain/retrieval/Ranking.ts"
import type {
  EmbeddingModel,
  Entry,
  EntryFilter,
  SourceKey,
  SourceType
} from "../../domain/store/Entry.ts"
import type { KnownEntry } from "../../domain/store/StoredPage.ts"
import type { EngineFailed } from "./Engines.ts"

/** Entries that one search answers with at most. */
export const foundMax = 200
/** Different words of a question that count; what comes after is not looked for. */
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

/** Vectors of one model, one for each text, in the order of the texts. */
export interface Vectors {
  readonly model: EmbeddingModel
  readonly values: ReadonlyArray<Vector>
}

/** One change of the store: `sources` are removed first, then `entries` are added. */
interface Replacement {
  /** Every entry of these sources goes. A source of `entries` must be among them. */
  readonly sources: ReadonlyArray<SourceKey>
  readonly entries: ReadonlyArray<Entry>
  /**
   * Vectors of the entries' texts, in the order of the entries. Absent where the store keeps none.
   */
  readonly vectors?: Vectors
  /**
   * The session that the entries were collected for, and are erased with. Refused as unavailable
   * where it was erased meanwhile.
   */
  readonly forSession?: string
}

/** An entry that lacks a vector of some model. */
export interface Unembedded {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly text_sha256: string
}

/** Size of a tenant's part of the evidence store. */
export interface EvidenceCounts {
  readonly entries: Readonly<Record<SourceType, number>>
  readonly sources: number
  /** Model whose vectors searches compare; `undefined` before the first vector. */
  readonly model: EmbeddingModel | undefined
  /** Entries that have a vector of that model. */
  readonly embedded: number
}

type Answer<A, E = never, R = never> = Effect.Effect<A, E | EvidenceStoreUnavailable, R>

/**
 * Entries of the tenants, found by words or by vectors. Replacing is atomic with the fact about
 * it.
 */
export class EvidenceStore extends Context.Service<EvidenceStore, {
  /** Whether this store can keep and compare vectors; otherwise it finds by words alone. */
  readonly keepsVectors: boolean

  /**
   * Replaces entries in one transaction: removes those of the sources, adds the new ones, and runs
   * `record` with how many of each source were removed, in the order of `sources`. When anything
   * fails, nothing has changed. Changes of one source wait for each other, in any number of
   * processes.
   */
  readonly replace: <E, R>(
    tenantId: string,
    replacement: Replacement,
    record: (removed: ReadonlyArray<number>) => Effect.Effect<void, E, R>
  ) => Answer<void, E, R>

  /** Entries that share words with the question, best first, at most `limit`. */
  readonly byText: (
    tenantId: string,
    question: string,
    filter: EntryFilter,
    limit: number
  ) => Answer<ReadonlyArray<Entry>>

  /**
   * Entries whose vectors are nearest, best first, at most `limit`. Empty unless the tenant's
   * entries are compared by this very model.
   */
  readonly byVector: (
    tenantId: string,
    model: EmbeddingModel,
    vector: Vector,
    filter: EntryFilter,
    limit: number
  ) => Answer<ReadonlyArray<Entry>>

  /** Every entry of a source, in order; empty when there is none. */
  readonly entriesOf: (tenantId: string, key: SourceKey) => Answer<ReadonlyArray<Entry>>

  /** Sources whose entries were collected for a session. */
  readonly collectedFor: (
    tenantId: string,
    sessionId: string
  ) => Answer<ReadonlyArray<Pick<Entry, "source_type" | "source_id">>>

  readonly counts: (tenantId: string) => Answer<EvidenceCounts>

  /** Entries without a vector of the model, by id, at most `limit`. */
  readonly unembedded: (
    tenantId: string,
    model: EmbeddingModel,
    limit: number
  ) => Answer<ReadonlyArray<Unembedded>>

  /**
   * Puts vectors beside those there are; searches do not see them before `compareBy`. An entry
   * whose text has changed meanwhile gets none.
   */
  readonly addVectors: (
    tenantId: string,
    entries: ReadonlyArray<Unembedded>,
    vectors: Vectors
  ) => Answer<void>

  /**
   * Switches searches to this model's vectors in one transaction: those of all others are removed,
   * and `record` runs with the model before and how many entries have a vector. When an entry still
   * lacks one, nothing changes and the answer is `false`.
   */
  readonly compareBy: <E, R>(
    tenantId: string,
    model: EmbeddingModel,
    record: (
      before: EmbeddingModel | undefined,
      embedded: number
    ) => Effect.Effect<void, E, R>
  ) => Answer<boolean, E, R>
}>()("web-grounding/application/ports/EvidenceStore") {}

/** Whether this deployment's evidence store keeps vectors; `undefined` where there is no store. */
export const KeptVectors = Context.Reference<boolean | undefined>(
  "web-grounding/application/ports/KeptVectors",
  { defaultValue: () => undefined }
)

// Asks the evidence store about a question, beside the web or without it.

/** A question to the evidence store on behalf of a grounding. */
export interface Wanted {
  readonly question: string
  readonly limit: number
  readonly retrieval: Retrieval
  /** Collected at this instant or later; ISO 8601. Default: whenever. */
  readonly collected_from?: string
}

/**
 * Entries of the tenant, best first, at most `limit`. Empty where there is no store, and where it
 * cannot be asked: a grounding does not fail for it.
 */
export const StoredEvidence = Context.Reference<{
  readonly find: (tenantId: string, wanted: Wanted) => Effect.Effect<ReadonlyArray<KnownEntry>>
}>("web-grounding/application/ports/StoredEvidence", {
  defaultValue: () => ({ find: () => Effect.succeed([]) })
})

// Turns a file's bytes into text that can be collected.

/** A larger file is not read. */
export const documentBytesMax = 16 * 1_048_576

/** A file as it was sent, of at most `documentBytesMax`. */
export interface DocumentFile {
  /** Named in failures. Without a `contentType` its ending says what it is. */
  readonly name: string
  readonly bytes: Uint8Array
  /** Media type with its parameters, as the sender declares it, e.g. `text/html; charset=utf-8`. */
  readonly contentType?: string
}

/** Plain text of a file, and what the file states about itself. */
interface DocumentText {
  /** Title that the document states; absent when it states none. */
  readonly title?: string
  /** Publication date that the document states, ISO 8601. */
  readonly published_date?: string
  readonly modified_date?: string
  /** Value in its head that stands for a date and is none, as written. */
  readonly unread_date?: string
  /** Text of the document; never empty. */
  readonly text: string
  /** The document goes on where `text` ends. */
  readonly truncated?: true
  /** Invisible and active characters taken out. */
  readonly removed_chars_count: number
}

const DocumentFault = Schema.Literals([
  "unknown_kind",
  "too_large",
  "not_utf8",
  "no_text",
  "malformed"
])

/** A file that holds no text we can read. */
export class DocumentUnreadable
  extends Schema.TaggedError<DocumentUnreadable>()("DocumentUnreadable", {
    name: Schema.String,
    reason: DocumentFault
  })
{
  override get message(): string {
    return `${this.name}: ${sentences[this.reason]}`
  }
}

const sentences: Record<typeof DocumentFault.Type, string> = {
  unknown_kind: "a kind of file that is not read",
  too_large: `larger than ${documentBytesMax} bytes`,
  not_utf8: "its text is not UTF-8",
  no_text: "it holds no text",
  malformed: "it is damaged, or too much to read"
}

/** Reads files whose type is among `endings` or `contentTypes`; fails with `DocumentUnreadable`. */
export class DocumentReader extends Context.Service<DocumentReader, {
  /** Endings of names that are read, lower case with their dot. */
  readonly endings: ReadonlyArray<string>
  /** Media types that are read, in lower case and without parameters. */
  readonly contentTypes: ReadonlyArray<string>
  readonly read: (file: DocumentFile) => Effect.Effect<DocumentText, DocumentUnreadable>
}>()("web-grounding/application/ports/DocumentReader") {}

// Turns texts into vectors, so that texts which mean the same are found near each other.

/** Most texts of one call. */
export const textsMax = 4_096

/**
 * Use of the vector: a query and the passages it is compared with are embedded differently, where
 * the model offers it.
 */
export type EmbedTask = "query" | "passage"

/** An embedding model of one provider. */
export interface Embedder {
  /** Short name of the engine, such as `jina` or `openai`. */
  readonly engine: string
  /**
   * Model name that the provider uses. Vectors of two models, or two dimensions, are never
   * compared.
   */
  readonly model: string
  /** Numbers in each vector, 1 to `dimensionsMax`. */
  readonly dimensions: number
  /**
   * Makes one vector for each text, in the order given; no texts make no vectors. At most
   * `textsMax` texts, none blank, else `refused`; a text longer than the model reads is cut there.
   * All or nothing: a text that the answer leaves out fails it (`malformed`, `missing_vector`) and
   * is never filled in. The whole call may be repeated; the caller bounds the wait.
   */
  readonly embed: (
    texts: ReadonlyArray<string>,
    task: EmbedTask
  ) => Effect.Effect<ReadonlyArray<Vector>, EngineFailed>
}

/**
 * The embedders of this deployment. The first embeds what is stored and what is looked for; empty
 * where none is configured, and then texts are found by their words alone.
 */
export class Embedders extends Context.Service<Embedders, ReadonlyArray<Embedder>>()(
  "web-grounding/application/ports/Embedders"
) {}

/** Why such texts cannot be embedded, as the detail of `refused`; none when they can. */
export const unfit = (
  texts: ReadonlyArray<string>
): Option.Option<"too_many_texts" | "blank_text"> => {
  if (texts.length > textsMax) return Option.some("too_many_texts")
  return texts.some((text) => text.trim() === "") ? Option.some("blank_text") : Option.none()
}
