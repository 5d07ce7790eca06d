/** English forms that no ending shows: "won" of "win", "wrote" of "write". Compared by one form. */
import families from "./EnglishForms.json" with { type: "json" }
import { stem } from "./Stem.ts"
import { terms } from "./Words.ts"

/**
 * Each entry has the plain form, then the others of it. Ambiguous ones such as "saw" and "left" are
 * not among them.
 */
const plainForms: ReadonlyMap<string, string> = new Map(
  families.flatMap((family) => {
    const [plain = "", ...others] = family.split(" ")
    return others.map((form) => [stem(form), stem(plain)] as const)
  })
)

/** Base form of a term that `Words.terms` gave; most pass unchanged. */
export const plainForm = (term: string): string => plainForms.get(term) ?? term

/** A text's terms, each in its plain form. */
export const plainTerms = (text: string): ReadonlySet<string> => new Set(terms(text).map(plainForm))
