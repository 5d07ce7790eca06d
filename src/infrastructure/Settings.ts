/** What an operator may set, read once at start. Every setting has a default but the secrets. */
import {
  Config,
  ConfigProvider,
  Context,
  Effect,
  Layer,
  Option,
  Redacted,
  Schema,
  Struct
} from "effect"
import * as AccessSettings from "./settings/AccessSettings.ts"
import * as DatabaseSettings from "./settings/DatabaseSettings.ts"
import * as EngineSettings from "./settings/EngineSettings.ts"
import * as GroundingSettings from "./settings/GroundingSettings.ts"
import * as ProviderSettings from "./settings/ProviderSettings.ts"
import * as ServiceSettings from "./settings/ServiceSettings.ts"
import type * as Setting from "./settings/Setting.ts"
import * as TelemetrySettings from "./settings/TelemetrySettings.ts"

/** A setting that cannot be used. Names the setting, never shows a secret's value. */
export class SettingInvalid extends Schema.TaggedError<SettingInvalid>()("SettingInvalid", {
  setting: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `Setting ${this.setting}: ${this.problem}`
  }
}

/** Every setting that cannot be used, in the order of the table below; one line each. */
export class SettingsInvalid extends Schema.TaggedError<SettingsInvalid>()("SettingsInvalid", {
  invalid: Schema.Array(SettingInvalid)
}) {
  override get message(): string {
    return this.invalid.map(({ message }) => message).join("\n")
  }
}

interface Named {
  readonly [name: string]: Setting.Setting<string, unknown>
}

/** Does not compile where a setting stands under another name than its own. */
const underOwnNames = <Table extends Named>(
  settings: Table & { readonly [Name in keyof Table]: { readonly name: Name } }
): Table => settings

/** Every setting, in the order in which problems are told and the documents have them. */
export const table = underOwnNames({
  ...DatabaseSettings.table,
  ...ServiceSettings.table,
  ...AccessSettings.table,
  ...TelemetrySettings.table,
  ...ProviderSettings.table,
  ...EngineSettings.table,
  ...GroundingSettings.table
})

/** Every setting's name. */
export const names: ReadonlyArray<string> = Object.keys(table)

interface ConfigOf extends Struct.Lambda {
  <A>(setting: Setting.Setting<string, A>): Config.Config<A>
  readonly "~lambda.out": this["~lambda.in"] extends Setting.Setting<string, infer A>
    ? Config.Config<A>
    : never
}

const all = Config.all(Struct.map(table, Struct.lambda<ConfigOf>(({ config }) => config)))

export type SettingValues = Readonly<Config.Success<typeof all>>

export class Settings extends Context.Service<Settings, SettingValues>()(
  "web-grounding/infrastructure/Settings"
) {}

/** The environment with its empty strings, which a provider leaves out unless it is told not to. */
export const environment: Layer.Layer<never> = ConfigProvider.layer(
  ConfigProvider.fromEnv({ preserveEmptyStrings: true })
)

/** Names of settings that hold a key: it may be passed on empty, as one that is not set. */
const keys: ReadonlySet<string> = new Set(
  Object.values(table).filter(({ holds }) => holds === "key").map(({ name }) => name)
)

/** Keys that are empty are absent. */
const withoutEmptyKeys = (
  provider: ConfigProvider.ConfigProvider
): ConfigProvider.ConfigProvider =>
  ConfigProvider.make((path) =>
    Effect.map(
      provider.load(path),
      (node) => node?.value === "" && keys.has(path.join("_")) ? undefined : node
    )
  )

const problemsOf = (
  setting: string,
  config: Config.Config<unknown>,
  provider: ConfigProvider.ConfigProvider
): Effect.Effect<ReadonlyArray<SettingInvalid>> =>
  provider.load([setting]).pipe(
    Effect.flatMap((node) =>
      node?.value === ""
        ? Effect.fail({ message: "It is empty: give a value or leave it out" })
        : config.parse(provider)
    ),
    Effect.match({
      onFailure: ({ message }) => [new SettingInvalid({ setting, problem: problemOf(message) })],
      onSuccess: () => []
    })
  )

const read: Effect.Effect<SettingValues, SettingsInvalid> = Effect.gen(function*() {
  const provider = withoutEmptyKeys(yield* ConfigProvider.ConfigProvider)
  const problems = yield* Effect.forEach(
    Object.values(table),
    ({ config, name }) => problemsOf(name, config, provider)
  )
  const invalid = problems.flat()
  if (invalid.length > 0) return yield* new SettingsInvalid({ invalid })
  // Each was read above.
  return yield* Effect.orDie(all.parse(provider))
})

/** The first line says what was expected; the rest says where, which the name tells already. */
const problemOf = (message: string): string =>
  (message.split("\n")[0] ?? message).replace(/^SchemaError\(/, "")

export const layer: Layer.Layer<Settings, SettingsInvalid> = Layer.effect(Settings, read)

export interface NumberedKey {
  readonly apiKey: Option.Option<Redacted.Redacted>
  /** Number of the setting, from 1. */
  readonly keySlot: number
}

/** A setting that holds a secret or nothing. */
export type SecretName = {
  readonly [Name in keyof SettingValues]: SettingValues[Name] extends
    Option.Option<Redacted.Redacted> ? Name : never
}[keyof SettingValues]

/** Those of the keys that are set. The place in the list of names, from 1, is the slot. */
export const numberedKeys = (
  settings: SettingValues,
  keys: ReadonlyArray<SecretName>
): ReadonlyArray<NumberedKey> =>
  keys.map((key, index) => ({ apiKey: settings[key], keySlot: index + 1 }))
    .filter(({ apiKey }) => Option.isSome(apiKey))

/** Every secret among the settings and in them, for those who must keep them out of sight. */
export const secretsOf = (settings: SettingValues): ReadonlyArray<string> => [
  ...Object.values(settings).flatMap(secretIn),
  ...Object.values(TelemetrySettings.headersOf(settings.OTEL_EXPORTER_OTLP_HEADERS)),
  ...Option.toArray(settings.DATABASE_URL).flatMap((url) => passwordIn(Redacted.value(url)))
]

/** As it is written in the address, and as it is meant. */
const passwordIn = (url: string): ReadonlyArray<string> => {
  const { password = "" } = /^[^:]+:\/\/[^:@/]*:(?<password>.*)@/.exec(url)?.groups ?? {}
  const meant = URL.canParse(`http://x/?p=${password}`)
    ? new URLSearchParams(`p=${password.replaceAll("+", "%2B")}`).get("p") ?? ""
    : password
  return password === "" ? [] : [...new Set([password, meant])]
}

const secretIn = (value: unknown): ReadonlyArray<string> =>
  Option.isOption(value) && Option.isSome(value) && Redacted.isRedacted(value.value)
    ? [String(Redacted.value(value.value))]
    : []

/**
 * The settings that the environment sets, as they may be shown: of a secret only that it is set, of
 * an address no user and password.
 */
export const shown: Effect.Effect<Readonly<Record<string, string>>> = Effect.gen(function*() {
  const provider = yield* ConfigProvider.ConfigProvider
  const set = yield* Effect.forEach(Object.values(table), ({ holds, name }) =>
    Effect.map(
      Effect.orElseSucceed(provider.load([name]), () => undefined),
      (node) =>
        node?.value === undefined || node.value === ""
          ? []
          : [[name, holds === "open" ? withoutUser(node.value) : "set"] as const]
    ))
  return Object.fromEntries(set.flat())
})

const withoutUser = (value: string): string => value.replace(/(?<=:\/\/)[^/?#,]*@/g, "")

/** A secret that is set and not blank. */
export const given = (
  secret: Option.Option<Redacted.Redacted>
): Option.Option<Redacted.Redacted> =>
  Option.filter(secret, (value) => Redacted.value(value).trim() !== "")
