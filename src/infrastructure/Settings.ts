/** What an operator may set, read once at start. Every setting has a default but the secrets. */
import {
  Config,
  ConfigProvider,
  Context,
  Effect,
  Layer,
  Option,
  Redacted,
  Result,
  Schema
} from "effect"
import { availableParallelism } from "node:os"
import * as DatabaseUrl from "./DatabaseUrl.ts"
import * as ModelPrices from "./ModelPrices.ts"

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

const milliseconds = (name: string, fallback: number, maximum: number) =>
  whole(name, fallback, 100, maximum)

const whole = (name: string, fallback: number, minimum: number, maximum: number) =>
  Config.schema(
    Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum })),
    name
  ).pipe(Config.withDefault(fallback))

const secret = (name: string) => Config.Redacted(name).pipe(Config.option)

/** The problem is told without the value, which holds a password. */
const databaseUrl = (name: string) =>
  Config.schema(
    Schema.String.check(Schema.makeFilter((text: string) =>
      Result.match(DatabaseUrl.parse(text), {
        onFailure: (problem) => `Expected postgres://user:password@host:port/database: ${problem}`,
        onSuccess: () => undefined
      })
    )),
    name
  ).pipe(Config.map((text) => Redacted.make(text)), Config.option)

const name = (setting: string) => Config.NonEmptyString(setting).pipe(Config.option)

/** Separated by commas; in lower case, as names and origins compare. */
const list = (setting: string) =>
  Config.String(setting).pipe(
    Config.withDefault(""),
    Config.map((text): ReadonlyArray<string> =>
      text.split(",").map((part) => part.trim().toLowerCase()).filter((part) => part !== "")
    )
  )

/** They mostly wait for others; what they compute takes about a tenth of a second. */
const groundingsPerCpu = 16

const price = (setting: string) =>
  Config.schema(
    Schema.NumberFromString.check(Schema.isBetween({ minimum: 0, maximum: ModelPrices.priceMax })),
    setting
  ).pipe(Config.option)

const prices = (setting: string) =>
  Config.schema(
    Schema.String.check(Schema.makeFilter((text: string) =>
      Option.isSome(ModelPrices.read(text))
        ? undefined
        : "Expected model=prompt/completion, with commas between, each model once"
    )),
    setting
  ).pipe(
    Config.withDefault(""),
    Config.map((text) => Option.getOrElse(ModelPrices.read(text), () => new Map()))
  )

const httpUrl = (name: string, fallback: string) =>
  Config.schema(
    Schema.String.check(Schema.makeFilter((text: string) =>
      URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
        ? undefined
        : "Expected an http or https address"
    )),
    name
  ).pipe(Config.withDefault(fallback))

const all = {
  /** PostgreSQL connection address. Absent: the embedded store in `dataDirectory`. */
  DATABASE_URL: databaseUrl("DATABASE_URL"),
  /** Connections this process may open to PostgreSQL. */
  DATABASE_POOL_MAX: whole("DATABASE_POOL_MAX", 10, 1, 200),
  /** Connections that are kept open, at most `DATABASE_POOL_MAX`. */
  DATABASE_POOL_MIN: whole("DATABASE_POOL_MIN", 2, 0, 200),
  /** The wait for a connection. It is tried again while the caller's deadline allows. */
  DATABASE_CONNECT_TIMEOUT_MS: milliseconds("DATABASE_CONNECT_TIMEOUT_MS", 5_000, 60_000),
  DATABASE_STATEMENT_TIMEOUT_MS: milliseconds("DATABASE_STATEMENT_TIMEOUT_MS", 30_000, 600_000),
  /** When the server ends a transaction that idles. */
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: milliseconds(
    "DATABASE_IDLE_TRANSACTION_TIMEOUT_MS",
    10_000,
    600_000
  ),
  /** Directory of the embedded store. */
  WEB_GROUNDING_DATA_DIR: Config.NonEmptyString("WEB_GROUNDING_DATA_DIR").pipe(
    Config.withDefault("data")
  ),
  /** Whose sessions this process serves. */
  WEB_GROUNDING_TENANT: Config.NonEmptyString("WEB_GROUNDING_TENANT").pipe(
    Config.withDefault("default")
  ),
  WEB_GROUNDING_HOST: Config.NonEmptyString("WEB_GROUNDING_HOST").pipe(
    Config.withDefault("127.0.0.1")
  ),
  WEB_GROUNDING_PORT: whole("WEB_GROUNDING_PORT", 7420, 0, 65_535),
  /** Groundings at the same time; more of them wait a moment and are refused. 16 for each CPU. */
  WEB_GROUNDING_GROUNDINGS_MAX: whole(
    "WEB_GROUNDING_GROUNDINGS_MAX",
    groundingsPerCpu * availableParallelism(),
    1,
    10_000
  ),
  /** Reads of the log at the same time, beside the groundings. */
  WEB_GROUNDING_READS_MAX: whole("WEB_GROUNDING_READS_MAX", 32, 1, 10_000),
  /** Connections of callers. */
  WEB_GROUNDING_CONNECTIONS_MAX: whole("WEB_GROUNDING_CONNECTIONS_MAX", 1_000, 10, 100_000),
  /** Names under which callers know the service, with commas between. Loopback names always are. */
  WEB_GROUNDING_ALLOWED_HOSTS: list("WEB_GROUNDING_ALLOWED_HOSTS"),
  /** Origins of web pages that may call, e.g. `https://tools.example`, with commas between. */
  WEB_GROUNDING_ALLOWED_ORIGINS: list("WEB_GROUNDING_ALLOWED_ORIGINS"),
  /** How long the process answers as before after SIGTERM, while `/readyz` says no. */
  WEB_GROUNDING_SHUTDOWN_DELAY_MS: whole("WEB_GROUNDING_SHUTDOWN_DELAY_MS", 0, 0, 8_000),
  /** How long running groundings may go on then. */
  WEB_GROUNDING_SHUTDOWN_GRACE_MS: whole("WEB_GROUNDING_SHUTDOWN_GRACE_MS", 5_000, 0, 8_000),
  /** Searches go to the bundled sandbox; results are labelled `mock`. */
  WEB_SEARCH_MOCK: Config.Boolean("WEB_SEARCH_MOCK").pipe(Config.withDefault(false)),
  /** Keys of the same provider are used in turn; the number of the setting is the key's slot. */
  TAVILY_API_KEY: secret("TAVILY_API_KEY"),
  TAVILY_API_KEY_2: secret("TAVILY_API_KEY_2"),
  TAVILY_API_KEY_3: secret("TAVILY_API_KEY_3"),
  TAVILY_API_KEY_4: secret("TAVILY_API_KEY_4"),
  TAVILY_API_KEY_5: secret("TAVILY_API_KEY_5"),
  /** Credits each key may spend in a calendar month; the free plan has 1,000. */
  TAVILY_MONTHLY_CREDITS: whole("TAVILY_MONTHLY_CREDITS", 1_000, 0, 100_000_000),
  TAVILY_BASE_URL: httpUrl("TAVILY_BASE_URL", "https://api.tavily.com"),
  /** Sent as `X-Project-ID`, so that the provider can tell which project uses the key. */
  TAVILY_PROJECT: Config.NonEmptyString("TAVILY_PROJECT").pipe(
    Config.withDefault("web-grounding")
  ),
  /** Asked without a key when Tavily fails or finds little. Best effort: it is no offered API. */
  DUCKDUCKGO_ENABLED: Config.Boolean("DUCKDUCKGO_ENABLED").pipe(Config.withDefault(true)),
  DUCKDUCKGO_BASE_URL: httpUrl("DUCKDUCKGO_BASE_URL", "https://html.duckduckgo.com"),
  /** Asked last, and only when it is set. */
  SERPAPI_API_KEY: secret("SERPAPI_API_KEY"),
  SERPAPI_BASE_URL: httpUrl("SERPAPI_BASE_URL", "https://serpapi.com"),
  /** Searches the key may spend in a calendar month. */
  SERPAPI_MONTHLY_SEARCHES: whole("SERPAPI_MONTHLY_SEARCHES", 250, 0, 100_000_000),
  /** With it pages are read, passages ranked and texts embedded by Jina first. */
  JINA_API_KEY: secret("JINA_API_KEY"),
  JINA_BASE_URL: httpUrl("JINA_BASE_URL", "https://api.jina.ai"),
  JINA_READER_BASE_URL: httpUrl("JINA_READER_BASE_URL", "https://r.jina.ai"),
  JINA_RERANKER_MODEL: Config.NonEmptyString("JINA_RERANKER_MODEL").pipe(
    Config.withDefault("jina-reranker-v2-base-multilingual")
  ),
  /** In seconds, as the source documents name it. */
  JINA_RERANKER_TIMEOUT: whole("JINA_RERANKER_TIMEOUT", 8, 1, 60),
  JINA_EMBEDDING_MODEL: Config.NonEmptyString("JINA_EMBEDDING_MODEL").pipe(
    Config.withDefault("jina-embeddings-v3")
  ),
  JINA_EMBEDDING_DIMENSIONS: whole("JINA_EMBEDDING_DIMENSIONS", 1_024, 1, 8_192),
  /** Of a server that speaks OpenAI's protocol. Set: it embeds instead of Jina. */
  OPENAI_EMBEDDING_MODEL: Config.NonEmptyString("OPENAI_EMBEDDING_MODEL").pipe(Config.option),
  OPENAI_EMBEDDING_DIMENSIONS: whole("OPENAI_EMBEDDING_DIMENSIONS", 1_536, 1, 8_192),
  /** `/embeddings` is added to it. */
  OPENAI_EMBEDDING_BASE_URL: httpUrl("OPENAI_EMBEDDING_BASE_URL", "https://api.openai.com/v1"),
  /** Absent: for a server that asks for none. */
  OPENAI_EMBEDDING_API_KEY: secret("OPENAI_EMBEDDING_API_KEY"),
  /** A model on a server that speaks OpenAI's chat completions. Absent: every step goes by rule. */
  LLM_MODEL: name("LLM_MODEL"),
  /** Other models for single steps; each goes before `LLM_MODEL`, and works without it. */
  LLM_GATE_MODEL: name("LLM_GATE_MODEL"),
  LLM_PLANNER_MODEL: name("LLM_PLANNER_MODEL"),
  LLM_WRITER_MODEL: name("LLM_WRITER_MODEL"),
  LLM_RESEARCHER_MODEL: name("LLM_RESEARCHER_MODEL"),
  /** Judges the writer's claims by their quotes. Absent: the checks of code decide alone. */
  LLM_JUDGE_MODEL: name("LLM_JUDGE_MODEL"),
  /** `/chat/completions` lies below it. */
  LLM_BASE_URL: httpUrl("LLM_BASE_URL", "https://api.openai.com/v1"),
  /** Absent: none is sent, as local servers want it. */
  LLM_API_KEY: secret("LLM_API_KEY"),
  /** `model=prompt/completion,…`: US dollars for a million tokens, before the two below. */
  LLM_PRICES: prices("LLM_PRICES"),
  /** US dollars for a million tokens of any other model. Without both, it has no cost. */
  LLM_PROMPT_PRICE: price("LLM_PROMPT_PRICE"),
  LLM_COMPLETION_PRICE: price("LLM_COMPLETION_PRICE"),
  SEARCH_ATTEMPT_TIMEOUT_MS: milliseconds("SEARCH_ATTEMPT_TIMEOUT_MS", 10_000, 60_000),
  ENGINE_TIMEOUT_MS: milliseconds("ENGINE_TIMEOUT_MS", 8_000, 60_000),
  /** In seconds, as the source documents name it. */
  JINA_READER_TIMEOUT: whole("JINA_READER_TIMEOUT", 12, 1, 60),
  /** Pages are fetched and read by this process when no reader before it answers. */
  LOCAL_READER_ENABLED: Config.Boolean("LOCAL_READER_ENABLED").pipe(Config.withDefault(true)),
  /** Whether sites' robots.txt is asked before their pages. */
  LOCAL_READER_ROBOTS: Config.Boolean("LOCAL_READER_ROBOTS").pipe(Config.withDefault(true)),
  /** Its first word up to `/` is what a robots.txt may name. */
  LOCAL_READER_USER_AGENT: Config.schema(
    Schema.String.check(Schema.isPattern(/^[!-~](?:[ -~]{0,198}[!-~])?$/)),
    "LOCAL_READER_USER_AGENT"
  ).pipe(Config.withDefault("web-grounding/0.1")),
  /** A provider that answers with no more hits is followed by the next one. */
  SEARCH_MIN_RESULTS: whole("SEARCH_MIN_RESULTS", 2, 0, 20),
  /** Hits scored below it are left out. 0 to 1. */
  SEARCH_SCORE_MIN: Config.schema(
    Schema.NumberFromString.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
    "SEARCH_SCORE_MIN"
  ).pipe(Config.withDefault(0.1)),
  INTERNET_RAG_MAX_EXTRACT_URLS: whole("INTERNET_RAG_MAX_EXTRACT_URLS", 5, 1, 20),
  /** A page's passages have so many characters and up to half as many again. */
  INTERNET_RAG_CHUNK_SIZE: whole("INTERNET_RAG_CHUNK_SIZE", 800, 200, 4_000),
  INTERNET_RAG_TOP_K: whole("INTERNET_RAG_TOP_K", 6, 1, 20),
  /** Entries of the evidence store beside the pages; 0 asks it nothing. */
  EVIDENCE_ENTRIES_MAX: whole("EVIDENCE_ENTRIES_MAX", 4, 0, 20),
  MAX_EVIDENCE_CHARS: whole("MAX_EVIDENCE_CHARS", 1_400, 200, 20_000)
}

/** Every setting's name. */
export const names: ReadonlyArray<string> = Object.keys(all)

type Read<C> = C extends Config.Config<infer A> ? A : never
export type SettingValues = { readonly [Name in keyof typeof all]: Read<(typeof all)[Name]> }

export class Settings extends Context.Service<Settings, SettingValues>()(
  "web-grounding/infrastructure/Settings"
) {}

/** The environment with its empty strings, which a provider leaves out unless it is told not to. */
export const environment: Layer.Layer<never> = ConfigProvider.layer(
  ConfigProvider.fromEnv({ preserveEmptyStrings: true })
)

/** A key may be passed on empty, as one that is not set. Nothing else may. */
const isKey = (setting: string): boolean => /_API_KEY(_\d+)?$/.test(setting)

/** Keys that are empty are absent. */
const withoutEmptyKeys = (
  provider: ConfigProvider.ConfigProvider
): ConfigProvider.ConfigProvider =>
  ConfigProvider.make((path) =>
    Effect.map(
      provider.load(path),
      (node) => node?.value === "" && isKey(path.join("_")) ? undefined : node
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
    Object.entries(all),
    ([setting, config]) => problemsOf(setting, config, provider)
  )
  const invalid = problems.flat()
  if (invalid.length > 0) return yield* new SettingsInvalid({ invalid })
  // Each was read above.
  return yield* Effect.orDie(Config.all(all).parse(provider))
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

/** Every secret among the settings, for those who must keep them out of sight. */
export const secretsOf = (settings: SettingValues): ReadonlyArray<string> =>
  Object.values(settings).flatMap(secretIn)

const secretIn = (value: unknown): ReadonlyArray<string> =>
  Option.isOption(value) && Option.isSome(value) && Redacted.isRedacted(value.value)
    ? [String(Redacted.value(value.value))]
    : []

/** A secret that is set and not blank. */
export const given = (
  secret: Option.Option<Redacted.Redacted>
): Option.Option<Redacted.Redacted> =>
  Option.filter(secret, (value) => Redacted.value(value).trim() !== "")
