/** Rows of a read model, decoded: those of the version that readers see, all of one moment. */
import { Effect, Schema } from "effect"
import { ReadModels } from "../ports/ReadModels.ts"
import type { LogTag, Projection } from "./Projection.ts"

/** Rows of another version have another shape; they can be read once the rebuild is done. */
export class RowsUnreadable extends Schema.TaggedError<RowsUnreadable>()("RowsUnreadable", {
  model: Schema.String,
  /** The version that is live. */
  version: Schema.Int
}) {}

export interface Span {
  /** Keys from this one on, and before the other, by code point. */
  readonly from: string
  readonly until: string
  readonly limit: number
  /** Rows of an older version lack what is asked for. Default: any that has the shape. */
  readonly versionMin?: number
}

/** In the order of their keys. Empty when the read model was never started. */
export const readRows = <Row, Tag extends LogTag>(
  { name: model, row }: Projection<Row, Tag>,
  { versionMin = 1, ...span }: Span
) => {
  const decodeRow = Schema.decodeUnknownEffect(Schema.toCodecJson(row))
  return Effect.gen(function*() {
    const { range } = yield* ReadModels
    const snapshot = yield* range({ model, ...span })
    if (snapshot === undefined) return []
    const { rows, version } = snapshot
    if (version < versionMin) return yield* new RowsUnreadable({ model, version })
    return yield* Effect.forEach(rows, ([, row]) => decodeRow(row)).pipe(
      Effect.mapError(() => new RowsUnreadable({ model, version }))
    )
  })
}
