/**
 * Checks the settings before anything starts: all that is wrong with them, and what holds. Nothing
 * is connected to, and no directory is opened but files of secrets.
 */
import { Effect, Option, Redacted } from "effect"
import type { EffectiveSetting, SettingFinding } from "../adapters/cli/Wiring.ts"
import * as Settings from "../infrastructure/Settings.ts"
import * as Retentions from "../infrastructure/settings/Retentions.ts"
import * as UnreadSettings from "../infrastructure/UnreadSettings.ts"
import * as Contradictions from "./Contradictions.ts"
import * as IdleSettings from "./IdleSettings.ts"

/** Text without the backticks that the documents have. */
const plain = (text: string): string => text.replaceAll("`", "")

const rowOf = (
  name: string
): { readonly bounds: string; readonly fallback: string } | undefined => {
  const row = Object.values(Settings.table).find((setting) => setting.name === name)
  return row === undefined
    ? undefined
    : { bounds: plain(row.bounds), fallback: plain(row.default) }
}

const told =
  (kind: SettingFinding["kind"]) =>
  ({ problem, setting }: Settings.SettingInvalid): SettingFinding => ({
    kind,
    setting,
    problem,
    ...rowOf(setting)
  })

/** Everything that is wrong: values, what does not fit together, slips of names, what is idle. */
export const check: Effect.Effect<ReadonlyArray<SettingFinding>> = Effect.gen(function*() {
  const inspected = yield* Settings.inspected
  const unread = yield* UnreadSettings.unreadSettings
  const broken = new Set(inspected.invalid.map(({ setting }) => setting))
  return [
    ...inspected.invalid.map(told("invalid")),
    ...Contradictions.contradictionsIn(inspected).filter(({ setting }) => !broken.has(setting))
      .map(told("contradiction")),
    ...unread.map((one): SettingFinding => ({
      kind: "unknown",
      setting: one.name,
      problem: UnreadSettings.problemOf(one)
    })),
    ...IdleSettings.idleSettings(inspected).map(told("idle")),
    ...choices(inspected.values)
  ]
})

const choices = (values: Settings.SettingValues): ReadonlyArray<SettingFinding> =>
  isPlaintext(values)
    ? [{
      kind: "choice",
      setting: "PAYLOAD_KEY",
      problem: "is not set: payloads are stored in PostgreSQL as plaintext"
    }]
    : []

/** Whether new payloads are stored as they are. */
const isPlaintext = ({ DATABASE_URL, PAYLOAD_KEY }: Settings.SettingValues): boolean =>
  Option.isSome(DATABASE_URL) && Option.isNone(Settings.givenSecret(PAYLOAD_KEY))

/** Every setting as it holds, in the order of the documents; of secrets whether they are set. */
export const print: Effect.Effect<ReadonlyArray<EffectiveSetting>> = Effect.map(
  Settings.inspected,
  ({ sourceOf, values }) =>
    Object.values(Settings.table).map(({ holds, name }): EffectiveSetting => {
      const value = name === "RETENTION_TENANTS"
        ? shown(Retentions.textOf(values.RETENTION_TENANTS) || Option.none())
        : shown(values[name])
      return {
        name,
        source: sourceOf(name),
        value: holds === "open" ? value : Option.as(value, "set")
      }
    })
)

/** A user or a password may stand in an address. */
const withoutCredentials = (text: string): string => text.replace(/\/\/[^/@]*@/g, "//…@")

/** Text of a value; none where there is no value. */
const shown = (value: unknown): Option.Option<string> => {
  if (Option.isOption(value)) return Option.flatMap(value, shown)
  if (Redacted.isRedacted(value)) return Option.some("set")
  if (value instanceof Map) return shown([...value].map(priceText))
  if (Array.isArray(value)) return value.length === 0 ? Option.none() : shown(value.join(","))
  return Option.some(withoutCredentials(String(value)))
}

const priceText = (entry: unknown): string => {
  const [model, price] = Array.isArray(entry) ? entry : []
  return `${model}=${price?.prompt}/${price?.completion}`
}
