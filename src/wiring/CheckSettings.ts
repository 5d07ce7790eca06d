/**
 * Checks the settings before anything starts: what is wrong with them, names that no setting reads,
 * and what holds. Nothing is connected to, and no directory is opened but files of secrets.
 */
import { ConfigProvider, Effect, Option, Redacted } from "effect"
import type { EffectiveSetting, SettingFinding } from "../adapters/cli/Wiring.ts"
import { nearestName } from "../infrastructure/NearestName.ts"
import * as Settings from "../infrastructure/Settings.ts"
import * as Retentions from "../infrastructure/settings/Retentions.ts"

/** Beginnings of names that are meant for this service. What has an address has its own. */
const families = [
  ...Settings.names.flatMap((name) => /^(.+_)BASE_URL$/.exec(name)?.[1] ?? []),
  "ANCHOR_",
  "DATABASE_",
  "ERASURE_",
  "EVIDENCE_",
  "INTERNET_RAG_",
  "LOG_",
  "LOCAL_READER_",
  "OIDC_",
  "PAYLOAD_",
  "RETENTION_",
  "SEARCH_",
  "SITES_",
  "WEB_GROUNDING_",
  "WEB_SEARCH_"
]

/** A name of another family with no more edits than this is a slip of a setting's. */
const slipEditsMax = 2

/** Numbered names that are looked at below one prefix, e.g. `TAVILY_API_KEY_0` to `_99`. */
const numberedMax = 100

const known: ReadonlyArray<string> = [...Settings.names, ...Settings.fileNames]

/**
 * Names of the environment that no setting reads, though they begin like one of ours or are nearly
 * a setting's, in the order of the alphabet, each with the setting that was most likely meant.
 * `FTP_PROXY` is set for others, along with ours.
 */
const unread: Effect.Effect<ReadonlyArray<SettingFinding>> = Effect.gen(function*() {
  const given = yield* namesBelow(yield* ConfigProvider.ConfigProvider, [])
  return given.filter((name) => !known.includes(name) && name !== "FTP_PROXY").toSorted().flatMap(
    (setting) => {
      const isOurs = families.some((family) => setting.startsWith(family))
      const near = nearestName(setting, known, isOurs ? undefined : slipEditsMax)
      const meant = Option.match(near, {
        onNone: () => "",
        onSome: (one) => `: did you mean ${one}?`
      })
      const problem = `is no setting and is not read${meant}`
      return isOurs || Option.isSome(near) ? [{ kind: "unknown", setting, problem }] : []
    }
  )
})

/** One sentence for each name that no setting reads. It holds no value. */
export const unreadNames: Effect.Effect<ReadonlyArray<string>> = Effect.map(
  unread,
  (all) => all.map(({ problem, setting }) => `${setting} ${problem}`)
)

/** The provider splits names at `_`, so they are walked part by part. */
const namesBelow = (
  provider: ConfigProvider.ConfigProvider,
  path: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function*() {
    const node = yield* Effect.orElseSucceed(provider.load(path), () => undefined)
    const parts = node?._tag === "Record"
      ? [...node.keys]
      : Array.from(
        { length: node?._tag === "Array" ? Math.min(node.length, numberedMax) : 0 },
        (_, index) => String(index)
      )
    const below = yield* Effect.forEach(parts, (part) => namesBelow(provider, [...path, part]))
    return [...(node?.value === undefined ? [] : [path.join("_")]), ...below.flat()]
  })

/** Everything that is wrong, and that payloads rest in PostgreSQL as plaintext where they do. */
export const check: Effect.Effect<ReadonlyArray<SettingFinding>> = Effect.gen(function*() {
  const { invalid, values } = yield* Settings.inspected
  return [
    ...invalid.map(({ problem, setting }): SettingFinding => ({
      kind: "invalid",
      setting,
      problem,
      ...rowOf(setting)
    })),
    ...yield* unread,
    ...(Option.isSome(values.DATABASE_URL) &&
        Option.isNone(Settings.givenSecret(values.PAYLOAD_KEY))
      ? [
        {
          kind: "choice",
          setting: "PAYLOAD_KEY",
          problem: "is not set: payloads are stored in PostgreSQL as plaintext"
        } as const
      ]
      : [])
  ]
})

const rowOf = (name: string) => {
  const row = Object.values(Settings.table).find((setting) => setting.name === name)
  return row && { bounds: plain(row.bounds), fallback: plain(row.default) }
}

/** Text without the backticks that the documents have. */
const plain = (text: string): string => text.replaceAll("`", "")

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

/** Text of a value without user and password of an address; none where there is no value. */
const shown = (value: unknown): Option.Option<string> => {
  if (Option.isOption(value)) return Option.flatMap(value, shown)
  if (Redacted.isRedacted(value)) return Option.some("set")
  if (value instanceof Map) return shown([...value].map(priceText))
  if (Array.isArray(value)) return value.length === 0 ? Option.none() : shown(value.join(","))
  return Option.some(String(value).replace(/\/\/[^/@]*@/g, "//…@"))
}

const priceText = (entry: unknown): string => {
  const [model, price] = Array.isArray(entry) ? entry : []
  return `${model}=${price?.prompt}/${price?.completion}`
}
