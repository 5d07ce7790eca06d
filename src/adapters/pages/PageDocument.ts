/** A document as it was fetched. */

/** Of a body; the fetcher's own bound is lower. In bytes, or in UTF-16 code units when decoded. */
export const bodyLengthMax = 16 * 1_048_576

export interface PageDocument {
  /** Decoded text, or bytes: of a PDF, or of text in `contentType`'s charset, else in UTF-8. */
  readonly body: string | Uint8Array
  /** As the server said, with parameters; empty when it said nothing. */
  readonly contentType: string
  /** The address that answered, absolute. */
  readonly url: string
}
