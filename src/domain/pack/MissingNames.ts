/**
 * How much the names say that a claim has and its quotations lack.
 *
 * A page calls its subject "it" after the first line, so the names that open a claim are often
 * missing where it is true. A place or a person named later is what the claim adds.
 */
import { nameTerms } from "../text/Names.ts"
import { terms } from "../text/Words.ts"

/** Names in capitals or with a digit, as NASA and CO2: the page may have written them out. */
const short = /\p{Lu}.*\p{Lu}|\d/u
const shortShare = 0.5
const written = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.&-]*/gu
/** The capitalised words that open a claim. */
const opening = /^["“'(]*\p{Lu}[^\s,;:]*(?:\s+(?:(?:of|the|de|van|von|and|&)\s+)?\p{Lu}[^\s,;:]*)*/u

/** Terms of names outside `known`, 0 or more; short ones count half. */
export const count = (
  claim: string,
  known: ReadonlySet<string>,
  counted: "all" | "but_subject"
): number => {
  const missing = nameTerms(claim).filter((term) => !known.has(term))
  if (missing.length === 0) return 0
  const subject = new Set(counted === "all" ? [] : terms(opening.exec(claim.trim())?.[0] ?? ""))
  const spellings = spellingsOf(claim)
  return missing.filter((term) => !subject.has(term))
    .reduce((sum, term) => sum + (short.test(spellings.get(term) ?? "") ? shortShare : 1), 0)
}

/** Each term's first spelling. */
const spellingsOf = (claim: string): ReadonlyMap<string, string> =>
  new Map(
    (claim.match(written) ?? []).toReversed()
      .flatMap((word) => terms(word).map((term) => [term, word] as const))
  )
