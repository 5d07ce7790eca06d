/**
 * Rows that are listed in an order of their own, newest first. The order stands in the row itself,
 * under `sort_key`, where the database has an index on it.
 */
import { Schema } from "effect"
import { prefixOf } from "./TenantRows.ts"

/** Longest text that is searched for words, in UTF-16 code units. */
const wordsCharsMax = 1_000

/** Key after any other: keys are compared by code point. */
export const afterAll = "\u{10ffff}"

/** Fields that the database looks at, beside the row's own. */
export const sorted = {
  /** The tenant's prefix, an instant, then what tells two rows of one instant apart. */
  sort_key: Schema.String,
  /** Text that a search for words looks through, in lower case. */
  words: Schema.String,
  /** Flags that a filter may ask for. */
  flags: Schema.Array(Schema.String)
}

/**
 * Key of a listed row, ordered by tenant, then instant, then id. `at` is ISO 8601 UTC of one
 * length.
 */
export const sortKeyOf = (tenantId: string, at: string, id: string): string =>
  `${prefixOf(tenantId)}${at} ${id}`

/** Text of a row that the search of a list looks in: lower case, cut to `wordsCharsMax`. */
export const wordsOf = (texts: ReadonlyArray<string>): string =>
  texts.join(" ").toLowerCase().slice(0, wordsCharsMax).toWellFormed()

/** A row's key among those of a tenant: ids may hold spaces in older sessions. */
export const keyOf = (tenantId: string, ...ids: ReadonlyArray<string>): string =>
  prefixOf(tenantId) + ids.map((id) => encodeURIComponent(id.toWellFormed())).join(" ")
