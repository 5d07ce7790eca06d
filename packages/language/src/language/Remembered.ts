/**
 * Keeps what was worked out of short texts: one grounding reads the same few sentences for each of
 * its claims, checks and views. No answer depends on what is kept.
 */

/** Longest text whose result is kept, in UTF-16 code units: a passage of a page. */
const charsMax = 2_000

/** Results of one generation; two are kept, so that what is asked for again stays. */
const entriesMax = 256

/**
 * Makes a function that acts as `work` and keeps its results. These must not be changed. Texts are
 * copied, as a sentence cut out of a page would keep the whole page in memory.
 */
export const remembered = <Result>(work: (text: string) => Result): (text: string) => Result => {
  let recent = new Map<string, Result>()
  let older = new Map<string, Result>()
  return (text) => {
    if (text.length > charsMax) return work(text)
    const known = recent.get(text)
    if (known !== undefined) return known
    const own = structuredClone(text)
    const result = older.get(text) ?? work(own)
    if (recent.size === entriesMax) {
      older = recent
      recent = new Map()
    }
    recent.set(own, result)
    return result
  }
}
