/**
 * The alphabet of a new `session_id` or `request_id`. Ids recorded before it stay as they are.
 *
 * Ids are printed in terminals and logs and compared by people, so two ids that look the same must
 * be the same, and none may hold what a terminal obeys.
 */
import { Schema } from "effect"
import { idCharsMax } from "./GroundingRequest.ts"

/**
 * Letters, marks and digits of any script and `. _ : @ / -`. What Unicode calls default ignorable
 * is invisible: some of it are letters (Hangul fillers) or marks (variation selectors).
 */
const alphabet = /^[[\p{L}\p{M}\p{N}._:@\/\-]--\p{Default_Ignorable_Code_Point}]+$/v

const composed = Schema.makeFilter((id: string) =>
  id === id.normalize("NFC") ? undefined : "Expected an id in Unicode's composed form (NFC)"
)

/** 1 to 200 UTF-16 code units of the alphabet, in normalization form C. */
export const newId = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(idCharsMax),
  Schema.makeFilter((id: string) =>
    alphabet.test(id) ? undefined : "Expected letters, digits and . _ : @ / - alone"
  ),
  composed
)
