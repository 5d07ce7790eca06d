/** A search result as a researcher reads it. */
export interface SourceText {
  readonly url: string
  readonly title: string
  /** Registrable domain. */
  readonly site: string
  readonly official: boolean
  /** Text that the log keeps of it, so that replay reads the same. In UTF-16 code units. */
  readonly text: string
  /** Headings that the page marks; empty for a snippet. */
  readonly headings: ReadonlyArray<string>
}
