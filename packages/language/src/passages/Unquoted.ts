/**
 * Selects the claims without a quotation that may still be shown as uncertain: those about the
 * matter that the sources treat. A model's statement about the user, or about anything else, has no
 * source.
 */
import * as Languages from "../language/Languages.ts"
import { sentenceTexts } from "../text/Sentences.ts"
import type { Span } from "../text/Span.ts"
import { terms } from "../text/Words.ts"

interface Source {
  readonly text: string
  readonly chunks: ReadonlyArray<Span>
}

/** Whether a fetched passage speaks of what each sentence says, and none of a reader or user. */
export const isOfSources = (claim: string, pages: ReadonlyArray<Source>): boolean =>
  sentenceTexts(claim).every((sentence) => isHeld(sentence, pages))

const isHeld = (claim: string, pages: ReadonlyArray<Source>): boolean => {
  if (speaksOfUser(claim)) return false
  // A wrong figure is what a misquoted sentence is mostly wrong in.
  const said = new Set(terms(claim).filter((term) => !/\p{N}/u.test(term)))
  return said.size > 0 &&
    pages.some(({ chunks, text }) =>
      chunks.some(({ end, start }) => said.isSubsetOf(new Set(terms(text.slice(start, end)))))
    )
}

/**
 * Whether a text speaks of its user, in its language or in English, whose words stand in texts of
 * any other.
 */
export const speaksOfUser = (text: string): boolean =>
  [Languages.languageOf(text), Languages.ofLocale("en")].some((language) =>
    Languages.patternsOf(language).reader.test(text)
  )
