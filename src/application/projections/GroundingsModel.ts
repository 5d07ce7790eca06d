/** A row for each request, with its timeline; a session's requests stand together. */
import { Schema } from "effect"
import { sessionEventTypes } from "../../domain/session/SessionEvent.ts"
import * as GroundingSummary from "../../domain/summary/GroundingSummary.ts"
import * as Projection from "./Projection.ts"
import { keyOf, sorted, sortKeyOf, wordsOf } from "./SortedRows.ts"

const GroundingRow = Schema.Struct({
  ...sorted,
  summary: GroundingSummary.GroundingSummary
})
type GroundingRow = typeof GroundingRow.Type

export const GroundingsModel = Projection.define({
  name: "groundings",
  version: 1,
  on: sessionEventTypes,
  whenPoison: "park",
  row: GroundingRow,
  key: ({ event, stored: { sessionId, tenantId } }) => keyOf(tenantId, sessionId, event.request_id),
  evolve: (row: GroundingRow | undefined, { event, stored }): GroundingRow | undefined => {
    const summary = GroundingSummary.evolve(row?.summary, event, stored)
    return summary === undefined ? undefined : {
      sort_key: sortKeyOf(
        stored.tenantId,
        summary.requested_at,
        `${stored.streamId} ${encodeURIComponent(summary.request_id)}`
      ),
      words: row?.words ?? wordsOf([summary.session_id, summary.question]),
      flags: [summary.state],
      summary
    }
  }
})
