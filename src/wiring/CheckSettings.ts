/** Checks the settings before anything starts. Opens no files except those of secrets. */
import { ConfigProvider, Effect, Option, Redacted } from "effect"
import type { EffectiveSetting, SettingFinding } from "../adapters/cli/Wiring.ts"
import { nearestName } from "../infrastructure/NearestName.ts"
import * as Settings from "../infrastructure/Settings.ts"

/** Prefixes of this service's settings. Engines with a URL have prefixes of their own. */
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

/** Most edits for which a name with another prefix counts as a misspelt setting. */
const slipEditsMax = 2

/** Most numbered names checked with one prefix, e.g. `TAVILY_API_KEY_0` to `_99`. */
const numberedMax = 100

const known: ReadonlyArray<string> = [...Settings.names, ...Settings.fileNames]

/**
 * Unknown names that begin like a setting or nearly equal one, each with the likely setting.
 * `FTP_PROXY` is excluded: it is set for others, along with ours.
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

/** One sentence for each unknown name, without its value. */
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

/** All problems, and a finding if PostgreSQL stores payloads as plaintext. */
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
        Option.isNone(values.PAYLOAD_KEY)
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

const plain = (text: string): string => text.replaceAll("`", "")

/** Every effective setting, in the order of the documents; for secrets whether they are set. */
export const print: Effect.Effect<ReadonlyArray<EffectiveSetting>> = Effect.map(
  Settings.inspected,
  ({ sourceOf, values }) => {
    const all: Readonly<Record<string, unknown>> = values
    return Object.values(Settings.table).map(({ holds, name }): EffectiveSetting => {
      const value = shown(all[name])
      return {
        name,
        value: Option.getOrNull(holds === "open" ? value : Option.as(value, "set")),
        source: sourceOf(name)
      }
    })
  }
)

/** Settings that are given, each with its value as it is printed. */
export const given = Effect.map(print, (all) =>
  Object.fromEntries(
    all.filter(({ source }) => source !== "default").map(({ name, value }) => [name, value])
  ))

/** Text of a value, URLs without user and password; none without a value. */
const shown = (value: unknown): Option.Option<string> => {
  if (Option.isOption(value)) return Option.flatMap(value, shown)
  if (Redacted.isRedacted(value)) return Option.some("set")
  if (value instanceof Map) return shown([...value].map(entryText))
  if (Array.isArray(value)) return value.length === 0 ? Option.none() : shown(value.join(","))
  return Option.some(String(value).replace(/\/\/[^/@]*@/g, "//…@"))
}

const entryText = ([name, value]: readonly [unknown, object]): string =>
  `${name}=${Array.isArray(value) ? value.join(" ") : Object.values(value).join("/")}`
