/** What an operator should know of the searches, most urgent first. */
import { Schema } from "effect"
import { ProviderName } from "../search/SearchHit.ts"
import type { KeyHealth } from "./KeyHealth.ts"
import type { Figures } from "./SearchHealth.ts"

/** Below it the success rate of the last hour is a warning, and below the other critical. */
const warningRate = 0.5
const criticalRate = 0.1

/** Fewer attempts in the hour say nothing about the rate. */
export const attemptsMin = 20

/** What was changed beside the service, as this process met it. */
export const LogTampered = Schema.TaggedStruct("LogTampered", {
  severity: Schema.Literal("critical"),
  tenant_id: Schema.String,
  session_id: Schema.String,
  stream_id: Schema.String,
  /** Version of the event at which it shows. */
  version: Schema.Int,
  kind: Schema.String,
  /** When this process met it first; ISO 8601 UTC. */
  since: Schema.String
})
export type LogTampered = typeof LogTampered.Type

const ofKey = { severity: Schema.Literal("info"), provider: ProviderName, key_slot: Schema.Int }

export const Alert = Schema.Union([
  LogTampered,
  Schema.TaggedStruct("SuccessRateLow", {
    severity: Schema.Literals(["critical", "warning"]),
    /** Of the last hour, 0 to 1. */
    web_search_success_rate: Schema.Finite,
    attempts: Schema.Int
  }),
  /** Once: it bears the time of the first attempt that missed the key, as long as it is missing. */
  Schema.TaggedStruct("KeyMissing", { ...ofKey, since: Schema.String }),
  Schema.TaggedStruct("KeyDisabled", { ...ofKey, since: Schema.String, reason: Schema.String }),
  Schema.TaggedStruct("KeyCooling", { ...ofKey, until: Schema.String, reason: Schema.String })
]).pipe(Schema.toTaggedUnion("_tag"))
export type Alert = typeof Alert.Type

/** `lastHour`: figures of the hour before now. `keys`: as they stand now. */
export const alertsOf = (
  lastHour: Figures,
  keys: ReadonlyArray<KeyHealth>,
  tampered: ReadonlyArray<LogTampered> = []
): ReadonlyArray<Alert> => [...tampered, ...ofRate(lastHour), ...keys.flatMap(alertsOfKey)]

const ofRate = (
  { attempts, web_search_success_rate }: Figures
): ReadonlyArray<Alert> =>
  attempts < attemptsMin || web_search_success_rate === undefined ||
    web_search_success_rate >= warningRate
    ? []
    : [{
      _tag: "SuccessRateLow",
      severity: web_search_success_rate < criticalRate ? "critical" : "warning",
      web_search_success_rate,
      attempts
    }]

const alertsOfKey = (
  { key_slot, provider, reason = "", since, state, until = "" }: KeyHealth
): ReadonlyArray<Alert> => {
  const of = { severity: "info", provider, key_slot } as const
  switch (state) {
    case "usable":
      return []
    case "missing":
      return [{ _tag: "KeyMissing", ...of, since }]
    case "disabled":
      return [{ _tag: "KeyDisabled", ...of, since, reason }]
    case "cooling":
      return [{ _tag: "KeyCooling", ...of, until, reason }]
  }
}
