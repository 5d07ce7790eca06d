/** Rows of a read model, decoded: those of the version that readers see, all of one moment. */
import { Effect, Schema } from "effect"
import { type Listing, ReadModels, type Snapshot } from "../ports/ReadModels.ts"
import type { LogTag, Projection } from "./Projection.ts"

/** Rows of another version have another shape; they can be read once the rebuild is done. */
export class RowsUnreadable extends Schema.TaggedError<RowsUnreadable>()("RowsUnreadable", {
  model: Schema.String,
  /** The version that is live. */
  version: Schema.Int
}) {}

/** Rows by a stretch of keys, at most `limit`. */
export interface Span {
  /** Keys from this one on, and before the other, by code point. */
  readonly from: string
  readonly until: string
  readonly limit: number
  /** Rows of an older version lack what is asked for. Default: any that has the shape. */
  readonly versionMin?: number
}

/** Reads rows in the order of their keys. Empty when the read model was never started. */
export const readRows = <Row, Tag extends LogTag>(
  model: Projection<Row, Tag>,
  { versionMin = 1, ...span }: Span
) =>
  Effect.gen(function*() {
    const { range } = yield* ReadModels
    return yield* decoded(model, yield* range({ model: model.name, ...span }), versionMin)
  })

/**
 * Lists rows by their sort keys, the greatest first. Empty when the read model was never started.
 */
export const listRows = <Row>(
  model: Pick<Projection<Row, LogTag>, "name" | "row">,
  asked: Omit<Listing, "model">
) =>
  Effect.gen(function*() {
    const { listing } = yield* ReadModels
    return yield* decoded(model, yield* listing({ model: model.name, ...asked }), 1)
  })

const decoded = <Row>(
  { name: model, row }: Pick<Projection<Row, LogTag>, "name" | "row">,
  snapshot: Snapshot | undefined,
  versionMin: number
) => {
  if (snapshot === undefined) return Effect.succeed([])
  const { rows, version } = snapshot
  if (version < versionMin) return Effect.fail(new RowsUnreadable({ model, version }))
  const decodeRow = Schema.decodeUnknownEffect(Schema.toCodecJson(row))
  return Effect.forEach(rows, ([, row]) => decodeRow(row)).pipe(
    Effect.mapError(() => new RowsUnreadable({ model, version }))
  )
}

// Rows that are listed in an order of their own, newest first. The order stands in the row
// itself, under `sort_key`, where the database has an index on it.

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

// Keys of a tenant's rows in a read model. They sort behind the rows of the deployment and each
// tenant has a range of its own, so that reading one tenant's rows reads nobody else's.

/**
 * End of a range, after every key of the deployment and after each tenant's: what stands behind it
 * is ASCII.
 */
export const end = "~"

/** Begins the keys of a tenant's rows. No other tenant's begin so: the name holds no space. */
export const prefixOf = (tenantId: string): string =>
  `${end}${encodeURIComponent(tenantId.toWellFormed())} `
