/** A row for each request, with its timeline; a session's requests stand together. */
import { sessionEventTypes } from "../../domain/session/SessionEvent.ts"
import * as GroundingSummary from "../../domain/summary/GroundingSummary.ts"
import { erasedType, isErased, requestKeys } from "./ErasedRows.ts"
import * as Projection from "./Projection.ts"

export const GroundingsModel = Projection.define({
  name: "groundings",
  version: 2,
  on: [...sessionEventTypes, erasedType],
  whenPoison: "park",
  row: GroundingSummary.GroundingSummary,
  key: requestKeys,
  evolve: (row: GroundingSummary.GroundingSummary | undefined, { event, stored }) =>
    isErased(event) ? undefined : GroundingSummary.evolve(row, event, stored)
})
