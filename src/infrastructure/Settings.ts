/** The operator's settings, read once at start. All have defaults except secrets. */
import * as Proxy from "@web-grounding/safe-fetch/Proxy"
import {
  Config,
  ConfigProvider,
  Context,
  Effect,
  Layer,
  Option,
  Redacted,
  Result,
  Schema,
  Struct
} from "effect"
import { readFile, stat } from "node:fs/promises"
import * as EngineSettings from "./settings/EngineSettings.ts"
import * as GroundingSettings from "./settings/GroundingSettings.ts"
import * as PayloadSettings from "./settings/PayloadSettings.ts"
import * as ProviderSettings from "./settings/ProviderSettings.ts"
import * as ServiceSettings from "./settings/ServiceSettings.ts"
import * as Setting from "./settings/Setting.ts"
import * as TelemetrySettings from "./settings/TelemetrySettings.ts"

/** An invalid setting. Names the setting, never shows a secret's value. */
export class SettingInvalid extends Schema.TaggedError<SettingInvalid>()("SettingInvalid", {
  setting: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `Setting ${this.setting}: ${this.problem}`
  }
}

/** Every invalid setting, in the order of the table below; one line each. */
export class SettingsInvalid extends Schema.TaggedError<SettingsInvalid>()("SettingsInvalid", {
  invalid: Schema.Array(SettingInvalid)
}) {
  override get message(): string {
    return this.invalid.map(({ message }) => message).join("\n")
  }
}

export const table = Setting.named({
  ...ServiceSettings.databaseTable,
  ...ServiceSettings.table,
  ...ServiceSettings.accessTable,
  ...PayloadSettings.anchorTable,
  ...PayloadSettings.table,
  ...TelemetrySettings.table,
  ...ProviderSettings.table,
  ...EngineSettings.table,
  ...GroundingSettings.table
})

export const names: ReadonlyArray<string> = Object.keys(table)

interface ConfigOf extends Struct.Lambda {
  <A>(setting: Setting.Setting<A>): Config.Config<A>
  readonly "~lambda.out": this["~lambda.in"] extends Setting.Setting<infer A> ? Config.Config<A>
    : never
}

const all = Config.all(Struct.map(table, Struct.lambda<ConfigOf>(({ config }) => config)))

export type SettingValues = Readonly<Config.Success<typeof all>>

export class Settings extends Context.Service<Settings, SettingValues>()(
  "web-grounding/infrastructure/Settings"
) {}

export const environment: Layer.Layer<never> = ConfigProvider.layer(
  ConfigProvider.fromEnv({ preserveEmptyStrings: true })
)

/** Settings shared with other programs, whose lower-case names also count. */
const shared: ReadonlySet<string> = new Set(["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"])

/** Setting with the path of a secret. */
const fileNameOf = (secret: string): string => `${secret}_FILE`

export const fileNames: ReadonlyArray<string> = Object.values(table)
  .filter(({ holds }) => holds !== "open").map(({ name }) => fileNameOf(name))

export type Source = "default" | "environment" | "file"

interface Rule {
  readonly setting: keyof SettingValues & string
  /** Shows no value. */
  readonly problem: string
  readonly isBroken: (values: SettingValues) => boolean
}

export const tavilyKeys = [
  "TAVILY_API_KEY",
  "TAVILY_API_KEY_2",
  "TAVILY_API_KEY_3",
  "TAVILY_API_KEY_4",
  "TAVILY_API_KEY_5"
] as const

/** The model of each step; a judge may be `none`. */
const modelsOf = (values: SettingValues): ReadonlyArray<string> =>
  [
    values.LLM_GATE_MODEL,
    values.LLM_WRITER_MODEL,
    values.LLM_RESEARCHER_MODEL,
    ...(Option.contains(values.LLM_JUDGE_MODEL, "none") ? [] : [values.LLM_JUDGE_MODEL])
  ].flatMap((model) => Option.toArray(Option.orElse(model, () => values.LLM_MODEL)))

/** Whether the cost of every model is counted. */
const hasPrices = (values: SettingValues): boolean =>
  Option.isSome(values.LLM_PROMPT_PRICE) && Option.isSome(values.LLM_COMPLETION_PRICE) ||
  values.LLM_PRICES.size > 0 && modelsOf(values).every((model) => values.LLM_PRICES.has(model))

/** Whether an engine is named in the deployment's order, or in a tenant's. */
const isNamed = (values: SettingValues, engine: string): boolean =>
  [...Option.toArray(values.SEARCH_PROVIDERS), ...values.SEARCH_PROVIDERS_TENANTS.values()]
    .flat().some((name) => name === engine)

/** Valid settings that conflict: security or cost accounting would be wrong. */
const rules: ReadonlyArray<Rule> = [
  {
    setting: "OIDC_AUDIENCE",
    problem: "Expected with OIDC_ISSUERS: else tokens for any other service open this one",
    isBroken: (values) => values.OIDC_ISSUERS.length > 0 && Option.isNone(values.OIDC_AUDIENCE)
  },
  {
    setting: "OIDC_JWKS_URLS",
    problem: "Expected as many addresses as OIDC_ISSUERS has",
    isBroken: ({ OIDC_ISSUERS, OIDC_JWKS_URLS }) =>
      OIDC_JWKS_URLS.length > 0 && OIDC_JWKS_URLS.length !== OIDC_ISSUERS.length
  },
  ...(["DATABASE_READ_URL", "ERASURE_DATABASE_URL"] as const).map((setting) => ({
    setting,
    problem: "Expected with DATABASE_URL: without it the embedded store is used",
    isBroken: (values: SettingValues) =>
      Option.isSome(values[setting]) && Option.isNone(values.DATABASE_URL)
  })),
  {
    setting: "PAYLOAD_KEYS_FORMER",
    problem: "Expected with PAYLOAD_KEY: without it no payload is encrypted or read",
    isBroken: (values) =>
      Option.isSome(values.DATABASE_URL) && Option.isNone(values.PAYLOAD_KEY) &&
      Option.isSome(values.PAYLOAD_KEYS_FORMER)
  },
  ...(["TENANT_COST_CENTS_PER_DAY", "TENANT_COST_CENTS_PER_MONTH"] as const).map((setting) => ({
    setting,
    problem:
      "A model has no price, so that its cost is not counted: name it in LLM_PRICES, or give both LLM_PROMPT_PRICE and LLM_COMPLETION_PRICE",
    isBroken: (values: SettingValues) => values[setting] > 0 && !hasPrices(values)
  })),
  ...([
    ["LLM_PROMPT_PRICE", "LLM_COMPLETION_PRICE"],
    ["LLM_COMPLETION_PRICE", "LLM_PROMPT_PRICE"]
  ] as const).map(([setting, other]) => ({
    setting,
    problem: `Expected with ${other}: cost is recorded with both alone`,
    isBroken: (values: SettingValues) =>
      Option.isSome(values[setting]) && Option.isNone(values[other])
  })),
  {
    setting: "DUCKDUCKGO_ENABLED",
    problem: "Expected on with duckduckgo among SEARCH_PROVIDERS",
    isBroken: (values) => !values.DUCKDUCKGO_ENABLED && isNamed(values, "duckduckgo")
  },
  ...(["SEARXNG", "CUSTOM"] as const).map((engine): Rule => ({
    setting: `${engine}_BASE_URL`,
    problem: `Expected with ${engine.toLowerCase()} among SEARCH_PROVIDERS: it has no address`,
    isBroken: (values) =>
      Option.isNone(values[`${engine}_BASE_URL`]) && isNamed(values, engine.toLowerCase())
  })),
  ...tavilyKeys.map((setting, place) => ({
    setting,
    problem: "The same key as another of Tavily's: its credits would be counted twice",
    isBroken: (values: SettingValues) => {
      const keys = tavilyKeys.slice(0, place + 1).map((name) =>
        Option.getOrUndefined(Option.map(values[name], Redacted.value))
      )
      return keys[place] !== undefined && keys.indexOf(keys[place]) < place
    }
  }))
]

export interface Inspected {
  /** In the table's order, then conflicts; under the setting that names the file. */
  readonly invalid: ReadonlyArray<SettingInvalid>
  /** Effective values, with the default for each invalid one. */
  readonly values: SettingValues
  readonly sourceOf: (name: string) => Source
}

/** Reads every setting as a command would, even if some are invalid. */
export const inspected: Effect.Effect<Inspected> = Effect.gen(function*() {
  const readings = yield* Effect.forEach(Object.values(table), readingOf)
  const invalid = readings.flatMap(({ invalid }) => invalid)
  const wrong = new Set(invalid.map(({ setting }) => setting))
  const given = new Map(readings.flatMap(({ given }) => given))
  // Invalid ones are left out, and each has a default or may be absent.
  const values = yield* Effect.orDie(all.parse(providerOf((name) => given.get(name)?.text)))
  return {
    invalid: [
      ...invalid,
      ...rules.flatMap(({ isBroken, problem, setting }) =>
        !wrong.has(setting) && isBroken(values) ? [new SettingInvalid({ setting, problem })] : []
      )
    ],
    values,
    sourceOf: (name) => given.get(name)?.source ?? "default"
  }
})

/** A setting's text and its source, if any and if it is valid, and its problems. */
const readingOf = Effect.fnUntraced(function*({ config, holds, name }: Setting.Setting<unknown>) {
  const file = holds === "open" ? undefined : yield* contentOf(name)
  const own = yield* environmentText(name, holds)
  const [text, source] = file !== undefined && Result.isSuccess(file)
    ? [file.success, "file"] as const
    : [own, "environment"] as const
  const problem = text === undefined ? undefined : yield* problemOf(config, name, text)
  return {
    invalid: [
      ...(file !== undefined && Result.isFailure(file)
        ? [new SettingInvalid({ setting: fileNameOf(name), problem: file.failure })]
        : []),
      ...(problem === undefined ? [] : [new SettingInvalid({ setting: name, problem })])
    ],
    given: text === undefined || problem !== undefined ? [] : [[name, { text, source }] as const]
  }
})

/** An empty key counts as absent. */
const environmentText = Effect.fnUntraced(
  function*(name: string, holds: Setting.Setting<unknown>["holds"]) {
    const given = (text: string | undefined) =>
      text === "" && (holds === "key" || shared.has(name)) ? undefined : text
    const own = given(yield* textOf(name))
    return own === undefined && shared.has(name)
      ? given(yield* textOf(name.toLowerCase()))
      : own
  }
)

const providerOf = (textOf: (name: string) => string | undefined): ConfigProvider.ConfigProvider =>
  ConfigProvider.make((path) => {
    const text = textOf(path.join("_"))
    return Effect.succeed(text === undefined ? undefined : ConfigProvider.makeValue(text))
  })

const problemOf = (config: Config.Config<unknown>, name: string, text: string) =>
  text === ""
    ? Effect.succeed("It is empty: give a value or leave it out")
    : Effect.match(config.parse(providerOf((asked) => asked === name ? text : undefined)), {
      // The first line states the expectation; the rest repeats the name.
      onFailure: ({ message }) => (message.split("\n")[0] ?? "").replace(/^SchemaError\(/, ""),
      onSuccess: () => undefined
    })

const read: Effect.Effect<SettingValues, SettingsInvalid> = Effect.flatMap(
  inspected,
  ({ invalid, values }) =>
    invalid.length > 0 ? new SettingsInvalid({ invalid }) : Effect.succeed(values)
)

export const layer: Layer.Layer<Settings, SettingsInvalid> = Layer.effect(Settings, read)

export const layerBy = <A, E, R>(layerOf: (settings: SettingValues) => Layer.Layer<A, E, R>) =>
  Layer.unwrap(Effect.map(Settings, layerOf))

export interface NumberedKey {
  readonly apiKey: Option.Option<Redacted.Redacted>
  /** Number of the setting, from 1. */
  readonly keySlot: number
}

/** Name of a setting with an optional secret. */
export type SecretName = {
  readonly [Name in keyof SettingValues]: SettingValues[Name] extends
    Option.Option<Redacted.Redacted> ? Name : never
}[keyof SettingValues]

export const numberedKeys = (
  settings: SettingValues,
  keys: ReadonlyArray<SecretName>
): ReadonlyArray<NumberedKey> =>
  keys.map((key, index) => ({ apiKey: settings[key], keySlot: index + 1 }))
    .filter(({ apiKey }) => Option.isSome(apiKey))

export const secretsOf = (settings: SettingValues): ReadonlyArray<string> => [
  ...Object.values(settings).flatMap(secretIn),
  ...Option.toArray(settings.PAYLOAD_KEYS_FORMER)
    .flatMap((keys) => Redacted.value(keys).split(",").map((key) => key.trim())),
  ...Object.values(TelemetrySettings.headersOf(settings.OTEL_EXPORTER_OTLP_HEADERS)),
  ...[
    settings.DATABASE_URL,
    settings.DATABASE_READ_URL,
    settings.ERASURE_DATABASE_URL,
    settings.HTTPS_PROXY,
    settings.HTTP_PROXY
  ].flatMap(Option.toArray).flatMap((url) => passwordIn(Redacted.value(url)))
]

export const proxiesOf = (settings: SettingValues): Proxy.ProxyTable =>
  Proxy.make({
    https: Option.getOrUndefined(Option.map(settings.HTTPS_PROXY, Redacted.value)),
    http: Option.getOrUndefined(Option.map(settings.HTTP_PROXY, Redacted.value)),
    direct: Option.getOrUndefined(settings.NO_PROXY),
    names: settings.LOCAL_READER_PROXY_RESOLVES ? "left to the proxy" : "resolved here"
  })

/** Password in a URL, as written and decoded. */
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

// Secrets in files: `NAME_FILE` is the path for `NAME`. Problems do not show the path: a secret may
// have been entered by mistake.

const fileBytesMax = 65_536

/** A setting's text in the environment; `undefined` if it is not set. */
const textOf = (name: string): Effect.Effect<string | undefined> =>
  Effect.flatMap(ConfigProvider.ConfigProvider, (provider) => provider.load([name])).pipe(
    Effect.map((node) => node?.value),
    Effect.orElseSucceed(() => undefined)
  )

/** The secret without trailing line breaks, or the problem; `undefined` without a file. */
const contentOf = Effect.fnUntraced(function*(secret: string) {
  const path = yield* textOf(fileNameOf(secret))
  if (path === undefined) return undefined
  return ((yield* textOf(secret)) ?? "") === ""
    ? yield* Effect.result(readFrom(path))
    : Result.fail(`${secret} is set too: leave one of them out`)
})

const readFrom = Effect.fnUntraced(function*(path: string) {
  if (path === "") return yield* Effect.fail("It is empty: give a value or leave it out")
  const { isFile, size } = yield* Effect.tryPromise({
    try: () => stat(path).then((found) => ({ isFile: found.isFile(), size: found.size })),
    catch: unreadable
  })
  if (!isFile) return yield* Effect.fail("Expected a file")
  if (size > fileBytesMax) return yield* Effect.fail(`Expected at most ${fileBytesMax} bytes`)
  const text = yield* Effect.tryPromise({ try: () => readFile(path, "utf8"), catch: unreadable })
  const secret = text.replace(/[\r\n]+$/, "")
  return secret === "" ? yield* Effect.fail("The file is empty") : secret
})

const unreadable = (cause: unknown): string =>
  String(cause).includes("ENOENT") ? "There is no such file" : "The file cannot be read"
