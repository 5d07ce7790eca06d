/** The pack of each answered request beside what it rests on; until then, what was gathered. */
import * as CitedPack from "../../domain/summary/CitedPack.ts"
import { erasedType, isErased, requestKeys } from "./ErasedRows.ts"
import * as Projection from "./Projection.ts"

export const PacksModel = Projection.define({
  name: "packs",
  version: 1,
  on: [
    "WEB_GROUNDING_REQUESTED",
    "WEB_GROUNDING_QUERY_PLANNED",
    "WEB_GROUNDING_CALLED",
    "WEB_GROUNDING_CACHE_USED",
    "WEB_GROUNDING_EVIDENCE_READ",
    "WEB_GROUNDING_FINISHED",
    erasedType
  ],
  whenPoison: "park",
  row: CitedPack.Progress,
  key: requestKeys,
  evolve: (row: CitedPack.Progress | undefined, { event, stored }) =>
    isErased(event) ? undefined : CitedPack.evolve(row, event, stored)
})
