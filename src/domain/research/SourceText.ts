/** Search results as a researcher reads them, and text of them that may be shown. */
import * as InjectionFlag from "@web-grounding/language/InjectionFlag"
import * as Sentences from "@web-grounding/language/Sentences"
import { terms } from "@web-grounding/language/Words"

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

/** Text that may be shown: none that addresses a model instead of a reader, and no address. */
export const shown = (text: string, charsMax: number): string =>
  InjectionFlag.isSuspicious(text) ? "" : Sentences.proseOf(text, charsMax, () => false)

/** Share of a text's terms that are held, 0 to 1; 0 for a text without terms. */
export const heldShare = (text: string, held: ReadonlySet<string>): number => {
  const said = terms(text)
  return said.filter((term) => held.has(term)).length / Math.max(1, said.length)
}

/** Whether two texts differ in their capitals at most. */
export const isSameText = (left: string, right: string): boolean =>
  left.toLowerCase() === right.toLowerCase()
