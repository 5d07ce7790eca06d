/** Alerts as facts: when each was opened and when it was over. A decider. */
import { Result, Schema } from "effect"
import { Alert } from "./SearchHealth.ts"

const AlertOpened = Schema.TaggedStruct("WEB_GROUNDING_ALERT_OPENED", {
  /** Names what is wrong, and is the same as long as it lasts, e.g. `KeyCooling tavily 2`. */
  alert_key: Schema.String,
  alert: Alert,
  /** ISO 8601 UTC. */
  at: Schema.String
})

const AlertClosed = Schema.TaggedStruct("WEB_GROUNDING_ALERT_CLOSED", {
  alert_key: Schema.String,
  /** Time at which the alert was opened, ISO 8601 UTC. */
  opened_at: Schema.String,
  at: Schema.String
})

export const AlertEvent = Schema.Union([AlertOpened, AlertClosed]).pipe(
  Schema.toTaggedUnion("_tag")
)
export type AlertEvent = typeof AlertEvent.Type

/** Command that states everything that is wrong now; open alerts that it lacks are over. */
export interface NoteAlerts {
  readonly _tag: "NoteAlerts"
  readonly alerts: ReadonlyArray<Alert>
  /** ISO 8601 UTC. */
  readonly at: string
}

/** Changes of one look, which are appended together; the next look records the rest. */
const changesMax = 32

/** Opening times of the open alerts by key, ISO 8601 UTC. */
export type OpenAlerts = ReadonlyMap<string, string>

export const initial: OpenAlerts = new Map()

/** Key of an alert's subject. The figures in it may change while it lasts. */
const keyOf = (alert: Alert): string => {
  switch (alert._tag) {
    case "LogTampered":
      return `${alert._tag} ${alert.stream_id}`
    case "LogUnsound":
    case "CellsFileBroken":
    case "SuccessRateLow":
      return alert._tag
    case "CreditsDrift":
    case "KeyMissing":
    case "KeyDisabled":
    case "KeyCooling":
      return `${alert._tag} ${alert.provider} ${alert.key_slot}`
  }
}

/**
 * Whether an alert stays open although it is not reported any more: a changed log does not mend
 * itself, and only the process that met the change reports it.
 */
const stays = (alertKey: string): boolean => alertKey.startsWith(`${logTampered} `)

const logTampered = "LogTampered"

type Decision = Result.Result<ReadonlyArray<AlertEvent>, never>

export const decide = ({ alerts, at }: NoteAlerts, open: OpenAlerts): Decision => {
  const now = new Map(alerts.map((alert) => [keyOf(alert), alert]))
  const changes = [
    ...[...open].flatMap(([alert_key, opened_at]) =>
      now.has(alert_key) || stays(alert_key) ? [] : [AlertClosed.make({ alert_key, opened_at, at })]
    ),
    ...[...now].flatMap(([alert_key, alert]) =>
      open.has(alert_key) ? [] : [AlertOpened.make({ alert_key, alert, at })]
    )
  ]
  return Result.succeed(changes.slice(0, changesMax))
}

export const evolve = (open: OpenAlerts, event: AlertEvent): OpenAlerts =>
  AlertEvent.match(event, {
    WEB_GROUNDING_ALERT_OPENED: ({ alert_key, at }) => new Map(open).set(alert_key, at),
    WEB_GROUNDING_ALERT_CLOSED: ({ alert_key }) =>
      new Map([...open].filter(([key]) => key !== alert_key))
  })
