/** A row for each alert of the deployment, the latest first, with when it opened and closed. */
import { Schema } from "effect"
import { Alert } from "../../domain/health/SearchHealth.ts"
import * as Projection from "./Projection.ts"
import { sorted, sortKeyOf } from "./SortedRows.ts"

const AlertRow = Schema.Struct({
  ...sorted,
  alert_key: Schema.String,
  /** The alert with its figures of when it was opened. */
  alert: Alert,
  /** ISO 8601 UTC. */
  opened_at: Schema.String,
  /** Absent: it is open. */
  closed_at: Schema.optionalKey(Schema.String)
})
type AlertRow = typeof AlertRow.Type

export const AlertsModel = Projection.define({
  name: "alerts",
  version: 1,
  on: ["WEB_GROUNDING_ALERT_OPENED", "WEB_GROUNDING_ALERT_CLOSED"],
  whenPoison: "park",
  row: AlertRow,
  key: ({ event }) =>
    `${event.alert_key} ${
      event._tag === "WEB_GROUNDING_ALERT_OPENED" ? event.at : event.opened_at
    }`,
  evolve: (row: AlertRow | undefined, { event, stored }): AlertRow | undefined => {
    if (event._tag === "WEB_GROUNDING_ALERT_CLOSED") {
      return row === undefined ? undefined : { ...row, flags: ["closed"], closed_at: event.at }
    }
    const { alert, alert_key, at } = event
    return {
      sort_key: sortKeyOf(stored.tenantId, at, alert_key),
      words: "",
      flags: ["open"],
      alert_key,
      alert,
      opened_at: at
    }
  }
})
