/** Text from outside that a database keeps unchanged. */
import { Schema } from "effect"

const notBlank = Schema.makeFilter((text: string) =>
  text.trim() === "" ? "Expected text that is not blank" : undefined
)
const storable = Schema.makeFilter((text: string) =>
  text.isWellFormed() && !text.includes("\0")
    ? undefined
    : "Expected text without NUL characters and lone surrogates"
)

/**
 * Text that is not blank, without NUL characters and lone surrogates, of at most `charsMax` UTF-16
 * code units.
 */
export const keptText = (charsMax: number) =>
  Schema.String.check(notBlank, Schema.isMaxLength(charsMax), storable)

/** Longest address that is accepted, in UTF-16 code units. */
export const addressCharsMax = 2_048
