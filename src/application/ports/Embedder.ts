/** Engines of the evidence store: a reader of documents, and an embedder of texts. */
import { Context, Effect, Option, Schema } from "effect"
import type { Vector } from "../../domain/retrieval/Ranking.ts"
import type { EngineFailed } from "./Engines.ts"

/** A larger file is not read. */
export const documentBytesMax = 16 * 1_048_576

export interface DocumentFile {
  /** Named in failures. Without a `contentType` its extension decides the type. */
  readonly name: string
  readonly bytes: Uint8Array
  /** Media type with its parameters, as the sender declares it, e.g. `text/html; charset=utf-8`. */
  readonly contentType?: string
}

interface DocumentText {
  /** Absent when the document states none. */
  readonly title?: string
  /** ISO 8601; absent when the document states none. */
  readonly published_date?: string
  readonly modified_date?: string
  /** Value of a date field that is no date, as written. */
  readonly unread_date?: string
  /** Never empty. */
  readonly text: string
  readonly truncated?: true
  /** Invisible and active characters that were removed. */
  readonly removed_chars_count: number
}

const DocumentFault = Schema.Literals([
  "unknown_kind",
  "too_large",
  "not_utf8",
  "no_text",
  "malformed"
])

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
  /** Extensions of names that are read, lower case with their dot. */
  readonly endings: ReadonlyArray<string>
  /** Media types that are read, in lower case and without parameters. */
  readonly contentTypes: ReadonlyArray<string>
  readonly read: (file: DocumentFile) => Effect.Effect<DocumentText, DocumentUnreadable>
}>()("web-grounding/application/ports/Embedder/DocumentReader") {}

export const textsMax = 4_096

/** Use of the vector: some models embed queries and passages differently. */
export type EmbedTask = "query" | "passage"

export interface Embedder {
  /** Short name of the engine, such as `jina` or `openai`. */
  readonly engine: string
  /** The provider's name of the model. Vectors of two models or dimensions are never compared. */
  readonly model: string
  /** Numbers in each vector, 1 to `dimensionsMax`. */
  readonly dimensions: number
  /**
   * One vector for each text, in order. At most `textsMax` texts, none blank, else `refused`;
   * longer texts are cut. All or nothing: `malformed`, `missing_vector`. May be repeated; the
   * caller bounds the wait.
   */
  readonly embed: (
    texts: ReadonlyArray<string>,
    task: EmbedTask
  ) => Effect.Effect<ReadonlyArray<Vector>, EngineFailed>
}

/** The first embeds what is stored and what is searched; without any, search is by words alone. */
export class Embedders extends Context.Service<Embedders, ReadonlyArray<Embedder>>()(
  "web-grounding/application/ports/Embedder/Embedders"
) {}

/** Why such texts cannot be embedded, as the detail of `refused`. */
export const unfit = (
  texts: ReadonlyArray<string>
): Option.Option<"too_many_texts" | "blank_text"> => {
  if (texts.length > textsMax) return Option.some("too_many_texts")
  return texts.some((text) => text.trim() === "") ? Option.some("blank_text") : Option.none()
}
