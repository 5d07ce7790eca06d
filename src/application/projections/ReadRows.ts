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
