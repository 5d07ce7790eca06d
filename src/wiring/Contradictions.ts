/** Settings that each fit their bounds and do not fit each other. */
import { Option, Redacted } from "effect"
import { deadlineMsOf } from "../domain/request/GroundingRequest.ts"
import { isSendable } from "../infrastructure/JsonPost.ts"
import * as Settings from "../infrastructure/Settings.ts"
import * as Issuers from "./Issuers.ts"

type Values = Settings.SettingValues
type Name = keyof Values & string

/** The problem is of `setting`; `undefined`: none. It shows no secret. */
interface Rule {
  readonly setting: Name
  readonly problem: (values: Values, isGiven: (name: Name) => boolean) => string | undefined
}

const rule = (setting: Name, problem: Rule["problem"]): Rule => ({ setting, problem })

/** Deadline of a request that names no deadline and no tier, in milliseconds. */
const deadlineMs = deadlineMsOf({ tier: "standard" })

const msInSecond = 1_000
/** Calls that one connection may have under way, as in the server. */
const callsOfConnection = 4

/** A wait that outlasts the requests it is a part of never ends by itself. */
const outlasting = (
  setting: Name,
  msOf: (values: Values) => number
): Rule =>
  rule(setting, (values) =>
    msOf(values) > deadlineMs
      ? `Longer than the ${deadlineMs} ms that a request has which names no deadline`
      : undefined)

/** 0 stands for any number on either side. */
const above = (
  setting: "TENANT_SEARCHES_PER_DAY" | "TENANT_COST_CENTS_PER_DAY" | "TENANT_GROUNDINGS_MAX",
  other:
    | "TENANT_SEARCHES_PER_MONTH"
    | "TENANT_COST_CENTS_PER_MONTH"
    | "WEB_GROUNDING_GROUNDINGS_MAX"
): Rule =>
  rule(setting, (values) =>
    values[other] > 0 && values[setting] > values[other]
      ? `Above ${other}, so that it is never reached`
      : undefined)

const isPriced = (values: Values): boolean =>
  values.LLM_PRICES.size > 0 ||
  (Option.isSome(values.LLM_PROMPT_PRICE) && Option.isSome(values.LLM_COMPLETION_PRICE))

const uncounted = (setting: "TENANT_COST_CENTS_PER_DAY" | "TENANT_COST_CENTS_PER_MONTH"): Rule =>
  rule(setting, (values) =>
    values[setting] > 0 && !isPriced(values)
      ? "No price is set, so that no cost is counted: give LLM_PRICES, or both LLM_PROMPT_PRICE and LLM_COMPLETION_PRICE"
      : undefined)

const halfPriced = (
  setting: "LLM_PROMPT_PRICE" | "LLM_COMPLETION_PRICE",
  other: "LLM_PROMPT_PRICE" | "LLM_COMPLETION_PRICE"
): Rule =>
  rule(setting, (values) =>
    Option.isSome(values[setting]) && Option.isNone(values[other])
      ? `Expected with ${other}: cost is recorded with both alone`
      : undefined)

const tavilyKeys = [
  "TAVILY_API_KEY",
  "TAVILY_API_KEY_2",
  "TAVILY_API_KEY_3",
  "TAVILY_API_KEY_4",
  "TAVILY_API_KEY_5"
] as const

const textOf = (key: Option.Option<Redacted.Redacted>): string =>
  Option.match(Settings.givenSecret(key), { onNone: () => "", onSome: Redacted.value })

/** Rule against one key in two slots, which would have two months' credits counted for it. */
const repeated = tavilyKeys.slice(1).map((setting, index) =>
  rule(setting, (values) => {
    const own = textOf(values[setting])
    const first = tavilyKeys.slice(0, index + 1).find((name) => textOf(values[name]) === own)
    return own === "" || first === undefined
      ? undefined
      : `The same key as ${first}: its credits would be counted twice`
  })
)

/** The key that a setting holds; none for a setting of another kind. */
const keyIn = (value: unknown): Option.Option<Redacted.Redacted> =>
  Option.isOption(value)
    ? Option.map(
      Option.filter(value, Redacted.isRedacted),
      (held) => Redacted.make(String(Redacted.value(held)))
    )
    : Option.none()

/** Rules for the keys of all providers and engines: each is sent as a header. */
const unsendable = Object.values(Settings.table).map(({ name }) => name)
  .filter((name) => /_API_KEY(?:_\d)?$/.test(name))
  .map((setting) =>
    rule(
      setting,
      (values) =>
        Option.exists(Settings.givenSecret(keyIn(values[setting])), (key) => !isSendable(key))
          ? "It holds a character that no header can carry"
          : undefined
    )
  )

const isHostName = (name: string): boolean => /^[a-z0-9_.:-]+$/.test(name) && !/:\d+$/.test(name)

const isOrigin = (text: string): boolean => URL.parse(text)?.origin === text

const first = (
  parts: ReadonlyArray<string>,
  fits: (part: string) => boolean
): number | undefined => {
  const place = parts.findIndex((part) => !fits(part))
  return place === -1 ? undefined : place + 1
}

const misfit = (
  setting: "WEB_GROUNDING_ALLOWED_HOSTS" | "WEB_GROUNDING_ALLOWED_ORIGINS",
  fits: (part: string) => boolean,
  expected: string
): Rule =>
  rule(setting, (values) => {
    const place = first(values[setting], fits)
    return place === undefined ? undefined : `Number ${place} matches nobody: expected ${expected}`
  })

const rules: ReadonlyArray<Rule> = [
  rule(
    "WEB_GROUNDING_PROCESSES",
    ({ DATABASE_URL, WEB_GROUNDING_PROCESSES }) =>
      WEB_GROUNDING_PROCESSES > 1 && Option.isNone(DATABASE_URL)
        ? "The embedded store belongs to one process: set DATABASE_URL, or leave this out"
        : undefined
  ),
  rule(
    "DATABASE_POOL_MIN",
    (values, isGiven) =>
      isGiven("DATABASE_POOL_MIN") && values.DATABASE_POOL_MIN > values.DATABASE_POOL_MAX
        ? "Above DATABASE_POOL_MAX"
        : undefined
  ),
  rule("DATABASE_READ_URL", (values) => {
    const own = textOf(values.DATABASE_READ_URL)
    return own !== "" && own === textOf(values.DATABASE_URL)
      ? "The same as DATABASE_URL, which is no standby of itself"
      : undefined
  }),
  rule(
    "PAYLOAD_KEYS_FORMER",
    (values) =>
      Option.isSome(values.DATABASE_URL) &&
        Option.isNone(Settings.givenSecret(values.PAYLOAD_KEY)) &&
        Option.isSome(Settings.givenSecret(values.PAYLOAD_KEYS_FORMER))
        ? "Expected with PAYLOAD_KEY: without it no payload is encrypted or read"
        : undefined
  ),
  outlasting("DATABASE_CONNECT_TIMEOUT_MS", (values) => values.DATABASE_CONNECT_TIMEOUT_MS),
  rule(
    "WEB_GROUNDING_CONNECTIONS_MAX",
    (values) =>
      values.WEB_GROUNDING_CONNECTIONS_MAX * callsOfConnection < values.WEB_GROUNDING_GROUNDINGS_MAX
        ? `With ${callsOfConnection} calls each, too few for WEB_GROUNDING_GROUNDINGS_MAX`
        : undefined
  ),
  misfit("WEB_GROUNDING_ALLOWED_HOSTS", isHostName, "a name without scheme, path and port"),
  misfit("WEB_GROUNDING_ALLOWED_ORIGINS", isOrigin, "an origin as in https://tools.example"),
  above("TENANT_GROUNDINGS_MAX", "WEB_GROUNDING_GROUNDINGS_MAX"),
  above("TENANT_SEARCHES_PER_DAY", "TENANT_SEARCHES_PER_MONTH"),
  above("TENANT_COST_CENTS_PER_DAY", "TENANT_COST_CENTS_PER_MONTH"),
  uncounted("TENANT_COST_CENTS_PER_DAY"),
  uncounted("TENANT_COST_CENTS_PER_MONTH"),
  ...repeated,
  ...unsendable,
  halfPriced("LLM_PROMPT_PRICE", "LLM_COMPLETION_PRICE"),
  halfPriced("LLM_COMPLETION_PRICE", "LLM_PROMPT_PRICE"),
  outlasting("SEARCH_ATTEMPT_TIMEOUT_MS", (values) => values.SEARCH_ATTEMPT_TIMEOUT_MS),
  outlasting("ENGINE_TIMEOUT_MS", (values) => values.ENGINE_TIMEOUT_MS),
  outlasting("JINA_READER_TIMEOUT", (values) => values.JINA_READER_TIMEOUT * msInSecond),
  outlasting("JINA_RERANKER_TIMEOUT", (values) => values.JINA_RERANKER_TIMEOUT * msInSecond),
  rule(
    "PACK_CACHE_TIMELY_HOURS",
    (values) =>
      values.PACK_CACHE_TIMELY_HOURS > values.PACK_CACHE_HOURS
        ? "Above PACK_CACHE_HOURS: what hangs on the time would be kept longer than what does not"
        : undefined
  )
]

/**
 * Contradictions between settings that are valid by themselves; `serve` starts in spite of all but
 * the first.
 */
export const contradictionsIn = (
  { sourceOf, values }: Settings.Inspected
): ReadonlyArray<Settings.SettingInvalid> => [
  ...Issuers.problemsOf(values),
  ...rules.flatMap(({ problem, setting }) => {
    const told = problem(values, (name) => sourceOf(name) !== "default")
    return told === undefined ? [] : [new Settings.SettingInvalid({ setting, problem: told })]
  })
]
