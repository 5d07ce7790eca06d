/** How often a need was answered by making a pack, and how often from another session's. */
import { Schema } from "effect"

export const MinutePacks = Schema.Struct({
  /** ISO 8601 UTC to the minute, e.g. `2026-01-01T09:30Z`, when the facts were recorded. */
  minute: Schema.String,
  made: Schema.Int,
  reused: Schema.Int
})
export type MinutePacks = typeof MinutePacks.Type

/** Figures of a minute after one more pack. `undefined`: none of that minute was counted yet. */
export const record = (
  { made, reused }: Pick<MinutePacks, "made" | "reused"> = { made: 0, reused: 0 },
  minute: string,
  what: "made" | "reused"
): MinutePacks => ({
  minute,
  made: made + (what === "made" ? 1 : 0),
  reused: reused + (what === "reused" ? 1 : 0)
})

export const figuresOf = (rows: ReadonlyArray<MinutePacks>) => {
  const made = rows.reduce((sum, row) => sum + row.made, 0)
  const reused = rows.reduce((sum, row) => sum + row.reused, 0)
  return { made, reused, ...(made + reused === 0 ? {} : { reuse_rate: reused / (made + reused) }) }
}
