/** Records when an alert opened and closed. It is open as long as some process sees it. */
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { PublicFailure } from "../contract/PublicFailure.ts"
import type * as Records from "../contract/Records.ts"
import type { InputOf } from "../contract/ServiceOperations.ts"
import { Alert, alertKeyOf } from "../domain/health/SearchHealth.ts"
import { AskHealth } from "./AskHealth.ts"
import * as InPublic from "./InPublic.ts"
import { EventStore } from "./ports/EventStore.ts"
import { stateOf } from "./ports/ServiceState.ts"

const lookEvery = "15 seconds"
/** Milliseconds until an unseen alert closes: one process alone may see it. */
const unseenMsMax = 60_000
/** Age of an open alert's mark at which the next process that sees the alert renews the mark. */
const markAgeMsMax = 20_000
/** Days that a closed alert is listed. */
const closedDays = 90
const dayMs = 86_400_000

export const AlertRow = Schema.Struct({
  alert_key: Schema.String,
  /** The alert with its figures of when it was opened, or of when its severity last changed. */
  alert: Alert,
  /** ISO 8601 UTC. */
  opened_at: Schema.String,
  /** Mark of the process that saw the open alert last. Absent in rows of earlier releases. */
  seen_at: Schema.optionalKey(Schema.String),
  closed_at: Schema.optionalKey(Schema.String)
})
type AlertRow = typeof AlertRow.Type

/** The alert that was opened last is the greatest. */
const sortKeyOf = ({ alert_key, opened_at }: AlertRow): string => `${opened_at} ${alert_key}`

/** Alerts of the deployment, open and closed ones, which all processes share. */
export class WatchAlerts extends Context.Service<WatchAlerts, {
  /** Updates the alerts once; never fails. Concurrent processes write each change once. */
  readonly look: Effect.Effect<void>
  readonly follow: Effect.Effect<void>
  readonly ListAlerts: (
    input: InputOf<"ListAlerts">
  ) => Effect.Effect<Records.AlertList, PublicFailure>
}>()("web-grounding/application/WatchAlerts") {}

export const layer = Layer.effect(
  WatchAlerts,
  Effect.gen(function*() {
    const { alerts } = yield* AskHealth
    const { now } = yield* EventStore
    const opened = yield* stateOf("open_alert", AlertRow)
    const closed = yield* stateOf("alert", AlertRow)

    const look = Effect.gen(function*() {
      const due = new Map((yield* alerts).map((alert) => [alertKeyOf(alert), alert]))
      const nowMs = yield* now
      const at = DateTime.formatIso(DateTime.makeUnsafe(nowMs))
      const open = yield* opened.rows()
      for (const row of open) {
        const { alert, seen_at } = row.value
        const ageMs = seen_at === undefined ? Infinity : nowMs - Date.parse(seen_at)
        const seen = due.get(row.key)
        if (seen_at === undefined || seen !== undefined) {
          const isOther = seen !== undefined && seen.severity !== alert.severity
          if (isOther || ageMs >= markAgeMsMax) {
            const value = { ...row.value, ...(isOther ? { alert: seen } : {}), seen_at: at }
            yield* opened.put({ ...row, value })
          }
          continue
        }
        // A changed log does not repair itself, and one process alone reports the change.
        if (ageMs < unseenMsMax || alert._tag === "LogTampered") continue
        const value = { ...row.value, closed_at: seen_at }
        const keptMs = closedDays * dayMs
        yield* closed.put({ key: sortKeyOf(value), value, version: 0, keptMs })
        yield* opened.put({ ...row, keptMs: 0 })
      }
      for (const [alert_key, alert] of due) {
        if (open.some(({ key }) => key === alert_key)) continue
        yield* opened.put({
          key: alert_key,
          value: { alert_key, alert, opened_at: at, seen_at: at },
          version: 0
        })
      }
    }).pipe(
      Effect.withSpan("WatchAlerts.look"),
      Effect.catchCause((cause) => Effect.logWarning("the alerts were not looked at", cause))
    )

    const list = Effect.fn("WatchAlerts.list")(
      function*({ cursor, limit, state }: InputOf<"ListAlerts">) {
        const past = state === "open"
          ? []
          : yield* closed.rows({ before: cursor, limit: limit + 1 })
        const open = state === "closed" ? [] : yield* opened.rows()
        const rows = [...past, ...open].map(({ value: { seen_at: _, ...alert } }) => alert)
          .filter((row) => cursor === undefined || sortKeyOf(row) < cursor)
          .sort((one, other) => sortKeyOf(one) < sortKeyOf(other) ? 1 : -1)
        const page = rows.slice(0, limit)
        const last = page.at(-1)
        return {
          alerts: page,
          ...(rows.length > limit && last !== undefined ? { next: sortKeyOf(last) } : {})
        }
      },
      InPublic.inPublic("the alerts were not listed")
    )

    return WatchAlerts.of({
      look,
      follow: Effect.forever(Effect.andThen(look, Effect.sleep(lookEvery))),
      ListAlerts: list
    })
  })
)
