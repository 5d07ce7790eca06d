/** How many packs each minute were made, and how many were another session's. */
import { MinutePacks, record } from "../../domain/health/PackFigures.ts"
import { minuteOf } from "../../domain/health/SearchHealth.ts"
import * as Projection from "./Projection.ts"

const name = "pack_health"

export const PackHealthModel = Projection.define({
  name,
  version: 1,
  on: ["WEB_GROUNDING_PACK_CREATED", "WEB_GROUNDING_CACHED_PACK_USED"],
  whenPoison: "park",
  row: MinutePacks,
  key: ({ stored }) => minuteOf(stored.recordedAt),
  evolve: (row: MinutePacks | undefined, { event }, minute) =>
    record(row, minute, event._tag === "WEB_GROUNDING_PACK_CREATED" ? "made" : "reused")
})
