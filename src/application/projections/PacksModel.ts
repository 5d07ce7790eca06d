/** The pack of each answered request beside what it rests on; until then, what was gathered. */
import * as CitedPack from "../../domain/summary/CitedPack.ts"
import * as Projection from "./Projection.ts"
import { keyOf } from "./SortedRows.ts"

export const PacksModel = Projection.define({
  name: "packs",
  version: 1,
  on: [
    "WEB_GROUNDING_REQUESTED",
    "WEB_GROUNDING_QUERY_PLANNED",
    "WEB_GROUNDING_CALLED",
    "WEB_GROUNDING_CACHE_USED",
    "WEB_GROUNDING_EVIDENCE_READ",
    "WEB_GROUNDING_FINISHED"
  ],
  whenPoison: "park",
  row: CitedPack.Progress,
  key: ({ event, stored: { sessionId, tenantId } }) => keyOf(tenantId, sessionId, event.request_id),
  evolve: (row: CitedPack.Progress | undefined, { event, stored }) =>
    CitedPack.evolve(row, event, stored)
})
