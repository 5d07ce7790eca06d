/** Decoded rows of a read model: of the live version, all of one moment. */
import { Effect, Schema } from "effect"
import { type KeyRange, type Listing, ReadModels, type Snapshot } from "../ports/ReadModels.ts"
import type { LogTag, Projection } from "./Projection.ts"

/** The live rows have another version's shape until the rebuild is done. */
export class RowsUnreadable extends Schema.TaggedError<RowsUnreadable>()("RowsUnreadable", {
  model: Schema.String,
  version: Schema.Int
}) {}

export interface Span extends Omit<KeyRange, "model"> {
  /** Older versions lack the requested fields. Default: any that has the shape. */
  readonly versionMin?: number
}

/** Rows in the order of their keys. Empty when the read model was never started. */
export const readRows = <Row, Tag extends LogTag>(
  model: Projection<Row, Tag>,
  { versionMin = 1, ...span }: Span
) =>
  ReadModels.use(({ range }) => range({ model: model.name, ...span })).pipe(
    Effect.flatMap(decoded(model, versionMin))
  )

export const listRows = <Row>(
  model: Pick<Projection<Row, LogTag>, "name" | "row">,
  asked: Omit<Listing, "model">
) =>
  ReadModels.use(({ listing }) => listing({ model: model.name, ...asked })).pipe(
    Effect.flatMap(decoded(model, 1))
  )

const decoded = <Row>(
  { name: model, row }: Pick<Projection<Row, LogTag>, "name" | "row">,
  versionMin: number
) =>
(snapshot: Snapshot | undefined) => {
  if (snapshot === undefined) return Effect.succeed([])
  const { rows, version } = snapshot
  if (version < versionMin) return new RowsUnreadable({ model, version })
  const decodeRow = Schema.decodeUnknownEffect(Schema.toCodecJson(row))
  return Effect.forEach(rows, ([, row]) => decodeRow(row)).pipe(
    Effect.mapError(() => new RowsUnreadable({ model, version }))
  )
}

// Rows listed newest first, by their own `sort_key`, which has an index in the database.

/** Longest text that is searched for words, in UTF-16 code units. */
const wordsCharsMax = 1_000

/** Key after any other: keys are compared by code point. */
export const afterAll = "\u{10ffff}"

/** Fields that the database reads, besides the row's own. */
export const sorted = {
  /** The tenant's prefix, an instant, then an id for rows of the same instant. */
  sort_key: Schema.String,
  /** Lower-case text for the search by words. */
  words: Schema.String,
  flags: Schema.Array(Schema.String)
}

/** Orders by tenant, then instant, then id. `at` is ISO 8601 UTC of one length. */
export const sortKeyOf = (tenantId: string, at: string, id: string): string =>
  `${prefixOf(tenantId)}${at} ${id}`

export const wordsOf = (texts: ReadonlyArray<string>): string =>
  texts.join(" ").toLowerCase().slice(0, wordsCharsMax).toWellFormed()

/** A row's key among those of a tenant: ids may hold spaces in older sessions. */
export const keyOf = (tenantId: string, ...ids: ReadonlyArray<string>): string =>
  prefixOf(tenantId) + ids.map((id) => encodeURIComponent(id.toWellFormed())).join(" ")

// A read of one tenant's range reads no other's. They sort after the deployment's.

/** End of a range: after every key of the deployment and of each tenant, which are ASCII. */
export const end = "~"

/** Prefix of a tenant's keys, unique to it: the encoded name holds no space. */
export const prefixOf = (tenantId: string): string =>
  `${end}${encodeURIComponent(tenantId.toWellFormed())} `

/** The tenant of a key of a tenant's row. */
export const tenantOf = (key: string): string =>
  decodeURIComponent(key.slice(end.length, key.indexOf(" ")))
