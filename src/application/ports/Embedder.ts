/** Engines of the evidence store: a reader of documents, and an embedder of texts. */
import { Context, Effect, Option, Schema } from "effect"
import type { Vector } from "../../domain/retrieval/Ranking.ts"
import type { EngineFailed } from "./Engines.ts"

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
}>()("web-grounding/application/ports/Embedder/DocumentReader") {}

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
  "web-grounding/application/ports/Embedder/Embedders"
) {}

/** Why such texts cannot be embedded, as the detail of `refused`; none when they can. */
export const unfit = (
  texts: ReadonlyArray<string>
): Option.Option<"too_many_texts" | "blank_text"> => {
  if (texts.length > textsMax) return Option.some("too_many_texts")
  return texts.some((text) => text.trim() === "") ? Option.some("blank_text") : Option.none()
}
