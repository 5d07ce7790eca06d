/**
 * Text from outside as a terminal or a log line may show it: nothing in it is obeyed or invisible.
 *
 * Control characters (C0, DEL, C1), bidi controls, line separators, other default ignorables and
 * lone surrogates become `\uXXXX`, one for each UTF-16 code unit. Line feed and tab stay. The form
 * is JSON's own: a JSON document that is escaped so still parses to the same value.
 */

const unsafe =
  /[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Surrogate}\u2028\u2029]--[\n\t]]/gv

/** The same, but for the codes of our own styles: reset, bold, faint and the six plain colours. */
const unsafeOrStyle = new RegExp(`\\u001b\\[(?:[012]|3[1-6])m|${unsafe.source}`, "gv")

const hexDigits = 4
const radix = 16

/** Text without escape sequences, safe to print. Law: what is safe is not changed. */
export const plainText = (text: string): string => text.replace(unsafe, escaped)

/** Line feeds and tabs escaped, and nothing else: an id that stands within a line. */
export const oneLine = (text: string): string => text.replace(/[\n\t]/g, escaped)

/** Escape sequences that set one of our own styles stay; no other one is left. */
export const styled = (text: string): string =>
  text.replace(unsafeOrStyle, (found) => found.endsWith("m") ? found : escaped(found))

const escaped = (character: string): string =>
  character.split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(radix).padStart(hexDigits, "0")}`)
    .join("")
