/**
 * Untrusted text for a terminal or a log line: nothing is executed or invisible. Control, bidi and
 * other default-ignorable characters become `\uXXXX`, except line feed and tab. These are JSON's
 * escapes: an escaped JSON document still parses to the same value.
 */

const unsafe =
  /[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Surrogate}\u2028\u2029]--[\n\t]]/gv

/** The same, except our own style codes: reset, bold, faint and the six plain colours. */
const unsafeOrStyle = new RegExp(`\\u001b\\[(?:[012]|3[1-6])m|${unsafe.source}`, "gv")

const hexDigits = 4
const radix = 16

/** Text without escape sequences, safe to print. Idempotent. */
export const plainText = (text: string): string => text.replace(unsafe, escaped)

/** Escapes only line feeds and tabs: for an id within a line. */
export const oneLine = (text: string): string => text.replace(/[\n\t]/g, escaped)

/** Removes escape sequences other than our own styles. */
export const styled = (text: string): string =>
  text.replace(unsafeOrStyle, (found) => found.endsWith("m") ? found : escaped(found))

const escaped = (character: string): string =>
  character.split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(radix).padStart(hexDigits, "0")}`)
    .join("")
