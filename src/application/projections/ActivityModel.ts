/** How many requests of each tenant ended how, and what they used: a row a minute and one a day. */
import { minuteOf } from "../../domain/health/SearchHealth.ts"
import { sessionEventTypes } from "../../domain/session/SessionEvent.ts"
import { none, PeriodFigures, record } from "../../domain/summary/SessionSummary.ts"
import * as Projection from "./Projection.ts"
import { prefixOf } from "./TenantRows.ts"

/** Key of a day's row. Days sort before all minutes of the tenant. */
export const dayKeyOf = (tenantId: string, day: string): string => `${prefixOf(tenantId)}day ${day}`

/** Key of a minute's row; `minute` is ISO 8601, cut after the minutes. */
export const minuteKeyOf = (tenantId: string, minute: string): string =>
  `${prefixOf(tenantId)}minute ${minute}`

/** Date of an ISO 8601 instant, `YYYY-MM-DD`. */
export const dayOf = (iso: string): string => iso.slice(0, "YYYY-MM-DD".length)

export const ActivityModel = Projection.define({
  name: "activity",
  version: 1,
  on: sessionEventTypes,
  whenPoison: "park",
  row: PeriodFigures,
  key: ({ stored: { recordedAt, tenantId } }) => [
    dayKeyOf(tenantId, dayOf(recordedAt)),
    minuteKeyOf(tenantId, minuteOf(recordedAt))
  ],
  evolve: (row: PeriodFigures | undefined, { event }, key): PeriodFigures => ({
    period: key.slice(key.lastIndexOf(" ") + 1),
    ...record(row ?? none, event)
  })
})
