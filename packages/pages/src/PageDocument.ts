/** A document as it was fetched. */

/** Longest body, in bytes; the fetcher's own bound is lower. */
export const bodyLengthMax = 16 * 1_048_576

export interface PageDocument {
  /** A PDF, or text in `contentType`'s charset, else in UTF-8. */
  readonly body: Uint8Array
  /** Content type that the server stated, with parameters; empty when it stated none. */
  readonly contentType: string
  /** The address that answered, absolute. */
  readonly url: string
}
