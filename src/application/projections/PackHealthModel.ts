/** How many packs each minute were made, and how many were another session's; and each tenant's. */
import { minuteOf, MinutePacks, recordPack as record } from "../../domain/health/SearchHealth.ts"
import * as Projection from "./Projection.ts"
import { prefixOf } from "./TenantRows.ts"

const name = "pack_health"

export const PackHealthModel = Projection.define({
  name,
  version: 2,
  on: ["WEB_GROUNDING_PACK_CREATED", "WEB_GROUNDING_CACHED_PACK_USED"],
  whenPoison: "park",
  row: MinutePacks,
  key: ({ stored: { recordedAt, tenantId } }) => [
    minuteOf(recordedAt),
    `${prefixOf(tenantId)}${minuteOf(recordedAt)}`
  ],
  evolve: (row: MinutePacks | undefined, { event, stored }) =>
    record(
      row,
      minuteOf(stored.recordedAt),
      event._tag === "WEB_GROUNDING_PACK_CREATED" ? "made" : "reused"
    )
})
