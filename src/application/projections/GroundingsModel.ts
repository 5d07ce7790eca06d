/** A row for each request, with its timeline; a session's requests stand together. */
import { sessionEventTypes } from "../../domain/session/SessionEvent.ts"
import * as GroundingSummary from "../../domain/summary/GroundingSummary.ts"
import * as Projection from "./Projection.ts"
import { keyOf } from "./SortedRows.ts"

export const GroundingsModel = Projection.define({
  name: "groundings",
  version: 2,
  on: sessionEventTypes,
  whenPoison: "park",
  row: GroundingSummary.GroundingSummary,
  key: ({ event, stored: { sessionId, tenantId } }) => keyOf(tenantId, sessionId, event.request_id),
  evolve: (row: GroundingSummary.GroundingSummary | undefined, { event, stored }) =>
    GroundingSummary.evolve(row, event, stored)
})
