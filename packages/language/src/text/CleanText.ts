/** Text from outside without what no reader sees: controls, invisible and reordering characters. */

export interface CleanText {
  readonly text: string
  /** Characters taken out or replaced; line breaks written as CR or CR LF are not counted. */
  readonly removedCount: number
}

/** Controls but newline and tab, default ignorables such as zero-width and tag characters, bidi. */
const invisible = /[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]--[\n\t]]/gv
const loneSurrogate = /\p{Surrogate}/gu
const replacement = "\u{FFFD}"

/**
 * Text without control and invisible characters, lone surrogates replaced, and how many were. Law:
 * cleaning what is clean changes nothing.
 */
export const clean = (text: string): CleanText => {
  const lines = text.replace(/\r\n?/g, "\n")
  const lone = lines.isWellFormed() ? 0 : (lines.match(loneSurrogate)?.length ?? 0)
  const wellFormed = lone === 0 ? lines : lines.replace(loneSurrogate, replacement)
  let removed = 0
  const kept = wellFormed.replace(invisible, () => {
    removed += 1
    return ""
  })
  return { text: kept, removedCount: lone + removed }
}

/**
 * Cuts a text to at most `charsMax` UTF-16 code units, never between the halves of a surrogate
 * pair.
 */
export const cut = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, "")
