/** Settings that are given and, under the others, change nothing. */
import { Option, Struct } from "effect"
import { providerTitles } from "../domain/search/SearchStatus.ts"
import { isLoopback } from "../infrastructure/http/TrustworthyUrl.ts"
import * as Settings from "../infrastructure/Settings.ts"
import * as Readers from "./Readers.ts"

type Values = Settings.SettingValues
type Name = keyof Values & string

interface Rule {
  readonly settings: ReadonlyArray<Name>
  readonly isIdle: (values: Values) => boolean
  /** Why, as the end of a sentence that begins with the name. */
  readonly because: string
}

const names: ReadonlyArray<Name> = Object.values(Settings.table).map(({ name }) => name)

const named = (...starts: ReadonlyArray<string>): ReadonlyArray<Name> =>
  names.filter((name) => starts.some((start) => name.startsWith(start)))

const without = (names: ReadonlyArray<Name>, ...left: ReadonlyArray<Name>): ReadonlyArray<Name> =>
  names.filter((name) => !left.includes(name))

const isSecret = (name: Name): name is Settings.SecretName => Settings.table[name].holds !== "open"

const models = [
  "LLM_MODEL",
  "LLM_GATE_MODEL",
  "LLM_PLANNER_MODEL",
  "LLM_WRITER_MODEL",
  "LLM_RESEARCHER_MODEL",
  "LLM_JUDGE_MODEL"
] as const

const lacksModel = (values: Values): boolean => models.every((name) => Option.isNone(values[name]))

const lacksJina = ({ JINA_API_KEY }: Values): boolean =>
  Option.isNone(Settings.givenSecret(JINA_API_KEY))

/** Each search provider with its settings, which begin with its name, and with its keys. */
const providers = Struct.keys(providerTitles).map((provider) => {
  const start = provider.toUpperCase()
  const settings = named(`${start}_`)
  const keys = named(`${start}_API_KEY`).filter(isSecret)
  return { title: providerTitles[provider], settings, keys }
})

/** One rule for each provider with keys. */
const unkeyed = providers.flatMap(({ keys, settings, title }): ReadonlyArray<Rule> =>
  keys.length === 0 ? [] : [{
    settings: without(settings, ...keys),
    isIdle: (values) => keys.every((key) => Option.isNone(Settings.givenSecret(values[key]))),
    because: `without ${keys[0]} ${title} is not asked`
  }]
)

const rules: ReadonlyArray<Rule> = [
  {
    settings: [
      ...providers.flatMap(({ settings }) => settings),
      ...named("JINA_", "LLM_", "OPENAI_EMBEDDING_")
    ],
    isIdle: ({ WEB_SEARCH_MOCK }) => WEB_SEARCH_MOCK,
    because: "with WEB_SEARCH_MOCK the sandbox is asked instead"
  },
  {
    settings: without(named("DATABASE_"), "DATABASE_URL"),
    isIdle: ({ DATABASE_URL }) => Option.isNone(DATABASE_URL),
    because: "without DATABASE_URL the embedded store is used"
  },
  {
    settings: ["DATABASE_READ_LAG_MS_MAX"],
    isIdle: ({ DATABASE_READ_URL }) => Option.isNone(DATABASE_READ_URL),
    because: "without DATABASE_READ_URL no standby is read from"
  },
  {
    settings: ["RETENTION_HOURS"],
    isIdle: (values) =>
      values.RETENTION_TENANTS.size === 0 &&
      values.RETENTION_SESSION_DAYS + values.RETENTION_CACHE_DAYS + values.RETENTION_PAGE_DAYS ===
        0,
    because: "without RETENTION_SESSION_DAYS or another of its kind nothing is erased by time"
  },
  {
    settings: ["ERASURE_DATABASE_URL"],
    isIdle: ({ DATABASE_URL }) => Option.isNone(DATABASE_URL),
    because: "without DATABASE_URL the embedded store is used"
  },
  {
    settings: ["WEB_GROUNDING_DATA_DIR"],
    isIdle: ({ DATABASE_URL }) => Option.isSome(DATABASE_URL),
    because: "with DATABASE_URL nothing is kept in a directory"
  },
  {
    settings: ["WEB_GROUNDING_TOKENS_REQUIRED"],
    isIdle: ({ WEB_GROUNDING_HOST }) => !isLoopback(WEB_GROUNDING_HOST),
    because: "beyond loopback, as WEB_GROUNDING_HOST says, tokens are always asked for"
  },
  {
    settings: without(named("OIDC_"), "OIDC_ISSUERS", "OIDC_JWKS_URLS"),
    isIdle: ({ OIDC_ISSUERS }) => OIDC_ISSUERS.length === 0,
    because: "without OIDC_ISSUERS only tokens made here are accepted"
  },
  ...unkeyed,
  {
    settings: ["TAVILY_RAW_CONTENT"],
    isIdle: (values) => values.TAVILY_RAW_CONTENT && !Readers.isRawAsked(values),
    because: "pages are read by this process, LOCAL_READER_ENABLED, or by Jina"
  },
  {
    settings: ["ANCHOR_MINUTES", "ANCHOR_COMMAND"],
    isIdle: ({ ANCHOR_KEY }) => Option.isNone(Settings.givenSecret(ANCHOR_KEY)),
    because: "without ANCHOR_KEY no anchors are made"
  },
  {
    settings: ["DUCKDUCKGO_BASE_URL"],
    isIdle: ({ DUCKDUCKGO_ENABLED }) => !DUCKDUCKGO_ENABLED,
    because: "DUCKDUCKGO_ENABLED is false"
  },
  {
    settings: without(named("JINA_"), "JINA_API_KEY", "JINA_READER_TIMEOUT"),
    isIdle: lacksJina,
    because: "without JINA_API_KEY Jina is not asked"
  },
  {
    settings: without(named("OPENAI_EMBEDDING_"), "OPENAI_EMBEDDING_MODEL"),
    isIdle: ({ OPENAI_EMBEDDING_MODEL }) => Option.isNone(OPENAI_EMBEDDING_MODEL),
    because: "without OPENAI_EMBEDDING_MODEL that server is not asked"
  },
  {
    settings: without(named("LLM_"), ...models),
    isIdle: lacksModel,
    because: "no model is named, by LLM_MODEL or for a step"
  },
  {
    settings: without(named("LOCAL_READER_"), "LOCAL_READER_ENABLED"),
    isIdle: ({ LOCAL_READER_ENABLED }) => !LOCAL_READER_ENABLED,
    because: "LOCAL_READER_ENABLED is false"
  }
]

/**
 * Settings that change nothing in this configuration, each once, in the order of the table, with
 * the first reason that holds.
 */
export const idleSettings = (
  { sourceOf, values }: Settings.Inspected
): ReadonlyArray<Settings.SettingInvalid> => {
  const idle = rules.filter(({ isIdle }) => isIdle(values))
  return names.flatMap((setting) => {
    if (sourceOf(setting) === "default") return []
    const rule = idle.find(({ settings }) => settings.includes(setting))
    return rule === undefined
      ? []
      : [new Settings.SettingInvalid({ setting, problem: rule.because })]
  })
}
