/** Turns a file's bytes into text that can be collected. */
import { Context, type Effect, Schema } from "effect"

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
export interface DocumentText {
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
