/** Reads a caller's document and makes it input of `EvidenceApi.collect`. */
import { Effect } from "effect"
import type { DocumentQuery } from "../../contract/EvidenceInput.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import { type DocumentFile, DocumentReader } from "../ports/Embedder.ts"

/** Facts from the caller; they take precedence over what the document states. */
type DocumentAbout = Omit<typeof DocumentQuery.Type, "collector">

export interface DocumentInput {
  readonly material: unknown
  readonly reading?: {
    readonly truncated?: true
    readonly removed_chars_count: number
  }
  /** A date of the document that cannot be read; reported to the caller alone. */
  readonly unread_date?: string
}

/** Material of a document file, and what was left out. Fails with `DocumentUnreadable`. */
export const inputOf = Effect.fn("ReadDocument.inputOf")(
  function*(file: DocumentFile, about: DocumentAbout, titleDefault: string) {
    const { read } = yield* DocumentReader
    const { removed_chars_count, text, title = titleDefault, truncated, unread_date, ...dates } =
      yield* read(file)
    return {
      material: { title, ...dates, ...about, text },
      reading: { removed_chars_count, ...asGiven({ truncated }) },
      ...asGiven({ unread_date })
    } satisfies DocumentInput
  }
)
