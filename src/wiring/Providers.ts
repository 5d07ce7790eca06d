/** Table of the search providers, in order of preference, with keys and prices. */
import { dialects, type Engine } from "@web-grounding/dialects/Dialects"
import * as Fault from "@web-grounding/sandbox/Fault"
import { Effect, Layer, Option, Redacted } from "effect"
import * as DialectSearch from "../adapters/search/DialectSearch.ts"
import * as TavilySearch from "../adapters/search/TavilySearch.ts"
import * as TavilyTransport from "../adapters/search/TavilyTransport.ts"
import {
  type CreditCeilings,
  CreditReporters,
  type CreditsByDepth,
  type KeySlots,
  type SearchProvider,
  SearchProviders
} from "../application/ports/SearchProvider.ts"
import { isOwnServer, type KnownProvider } from "../domain/search/SearchStatus.ts"
import { isSendable } from "../infrastructure/JsonPost.ts"
import * as Settings from "../infrastructure/Settings.ts"
import * as Readers from "./Readers.ts"

/** URL of a provider, and its key there. */
interface KeyPlace extends Settings.NumberedKey {
  readonly baseUrl: string
  /** `mock` if the sandbox plays the provider. */
  readonly label: Name | "mock"
  /** The provider's name of the project; absent if none is sent. */
  readonly projectId?: string
  /** Store of Tavily's raw page texts, if requested. */
  readonly rawPages?: TavilySearch.RawPages["Service"]
}

type Name = Exclude<KnownProvider, "mock">
/** Name of a provider's setting, which begins with the provider's name. */
type SettingOf<End extends string> = Extract<
  keyof Settings.SettingValues,
  `${Uppercase<Name>}_${End}`
>

/** Prices of a provider with keys, and the source of its ceiling. */
interface Ledger {
  /** Settings of its keys. The position in the list, from 1, is the key's slot. */
  readonly keys: ReadonlyArray<Settings.SecretName>
  /** Setting of a key's monthly ceiling. */
  readonly ceiling: SettingOf<`MONTHLY_${string}`>
  readonly creditsByDepth: CreditsByDepth
  /** A key of the sandbox: a real one must not be sent there. */
  readonly sandboxKey: string
}

interface Provider {
  readonly name: Name
  readonly baseUrl: SettingOf<"BASE_URL">
  /** Absent: called without a key, and not counted. */
  readonly ledger?: Ledger
  /** Default: when it has a URL, and any of its keys if it needs one. */
  readonly isSetUp?: (settings: Settings.SettingValues) => boolean
  readonly make: (place: KeyPlace, settings: Settings.SettingValues) => SearchProvider
}

const engine = <N extends Engine>(
  name: N,
  baseUrl: Provider["baseUrl"],
  paid?: Pick<Ledger, "ceiling" | "keys">
): Provider & { readonly name: N } => ({
  name,
  baseUrl,
  ...(paid === undefined ? {} : {
    ledger: { ...paid, creditsByDepth: dialects[name].price, sandboxKey: Fault.plain(name) }
  }),
  make: (place) => DialectSearch.make(dialects[name], place)
})

/** Beginning of the settings of an engine with a key and a ceiling in searches. */
type Prefix = SettingOf<"MONTHLY_SEARCHES"> extends `${infer Begin}_MONTHLY_SEARCHES` ? Begin
  : never

const paid = <N extends Engine>(name: N, prefix: Prefix & Uppercase<N>) =>
  engine(name, `${prefix}_BASE_URL`, {
    keys: [`${prefix}_API_KEY`],
    ceiling: `${prefix}_MONTHLY_SEARCHES`
  })

/** Providers in calling order: each is called when those before failed or found little. */
export const table: ReadonlyArray<Provider> = [
  {
    ...engine("tavily", "TAVILY_BASE_URL", {
      keys: Settings.tavilyKeys,
      ceiling: "TAVILY_MONTHLY_CREDITS"
    }),
    // Kept without any key, to report the missing key.
    isSetUp: () => true,
    make: TavilySearch.make
  },
  {
    ...engine("duckduckgo", "DUCKDUCKGO_BASE_URL"),
    isSetUp: ({ DUCKDUCKGO_ENABLED }) => DUCKDUCKGO_ENABLED
  },
  paid("serpapi", "SERPAPI"),
  engine("searxng", "SEARXNG_BASE_URL"),
  paid("brave", "BRAVE"),
  paid("brave_context", "BRAVE_CONTEXT"),
  paid("exa", "EXA"),
  paid("serper", "SERPER"),
  {
    name: "custom",
    baseUrl: "CUSTOM_BASE_URL",
    make: (place, { CUSTOM_API_KEY: apiKey, CUSTOM_DIALECT }) => {
      const { key, ...keyless } = dialects[CUSTOM_DIALECT]
      const spoken = key === undefined || Option.isNone(apiKey) ? keyless : { ...keyless, key }
      // Nothing is counted, so no key is paused either.
      const { name, search } = DialectSearch.make(spoken, { ...place, apiKey })
      return { name, search }
    }
  }
]

const inOrder = (names: ReadonlyArray<Name>): ReadonlyArray<Provider> =>
  names.flatMap((name) => table.filter((provider) => provider.name === name))

/** The deployment's chain, and those of tenants with an order; a provider is one in all of them. */
const chains = (
  settings: Settings.SettingValues,
  listOf: (order: Settings.SettingValues["SEARCH_PROVIDERS"]) => ReadonlyArray<Provider>,
  slotsOf: (provider: Provider) => KeySlots
) => {
  const made = table.map(slotsOf)
  const chainOf = (order: Parameters<typeof listOf>[0]) =>
    listOf(order).flatMap((provider) => made.filter((_, place) => table[place] === provider))
  const tenants = [...settings.SEARCH_PROVIDERS_TENANTS]
  return SearchProviders.of({
    everyone: chainOf(settings.SEARCH_PROVIDERS),
    byTenant: new Map(tenants.map(([tenant, order]) => [tenant, chainOf(Option.some(order))]))
  })
}

const playedByDefault: ReadonlyArray<Name> = ["tavily", "duckduckgo", "serpapi"]

/** The sandbox's providers share one label, and so one ring of keys: each has its own slot. */
const playedSlots = new Map(
  table.filter(({ ledger }) => ledger !== undefined).map(({ name }, index) => [name, index + 1])
)

/** Key of the played provider; none if it is called without a key. */
export const sandboxKeyOf = ({ ledger }: Provider): KeyPlace["apiKey"] =>
  Option.map(Option.fromUndefinedOr(ledger), ({ sandboxKey }) => Redacted.make(sandboxKey))

const priced = (
  { ledger, make }: Provider,
  place: KeyPlace,
  settings: Settings.SettingValues
): SearchProvider => ({
  ...make(place, settings),
  ...(ledger === undefined ? {} : { creditsByDepth: ledger.creditsByDepth })
})

/** The provider chain of the web, every provider played by a sandbox and labelled so. */
export const sandboxProviders = (baseUrl: string, raw: Pick<KeyPlace, "rawPages"> = {}) =>
  Layer.effect(
    SearchProviders,
    Effect.map(Settings.Settings, (settings) =>
      chains(
        settings,
        (order) => {
          const names = Option.getOrElse(order, () => playedByDefault)
          // The operator's own server is played as its dialect.
          const played = names.map((name) => name === "custom" ? settings.CUSTOM_DIALECT : name)
          return inOrder([...new Set(played)])
        },
        (provider) => [
          priced(provider, {
            ...raw,
            baseUrl: `${baseUrl}/${provider.name}`,
            label: "mock",
            apiKey: sandboxKeyOf(provider),
            keySlot: playedSlots.get(provider.name) ?? 1
          }, settings)
        ]
      ))
  )

/** Store of the raw texts, shared with their reader: one layer is built once. */
export const rawPlace = Effect.gen(function*() {
  const rawPages = yield* TavilySearch.RawPages
  return Readers.isRawAsked(yield* Settings.Settings) ? { rawPages } : {}
})

const keySlots = (
  provider: Provider,
  settings: Settings.SettingValues,
  raw: Pick<KeyPlace, "rawPages">
): KeySlots => {
  const keys = Settings.numberedKeys(settings, provider.ledger?.keys ?? [])
  const one = ({ apiKey, keySlot }: Settings.NumberedKey) =>
    priced(provider, {
      ...raw,
      apiKey,
      keySlot,
      baseUrl: addressOf(provider, settings),
      label: provider.name,
      projectId: settings.TAVILY_PROJECT
    }, settings)
  const [first = { apiKey: Option.none(), keySlot: 1 }, ...rest] = keys
  return [one(first), ...rest.map(one)]
}

/** Empty without one. */
const addressOf = ({ baseUrl }: Provider, settings: Settings.SettingValues): string => {
  const address = settings[baseUrl]
  return typeof address === "string" ? address : Option.getOrElse(address, () => "")
}

const isSetUp = (provider: Provider, settings: Settings.SettingValues): boolean =>
  provider.isSetUp?.(settings) ??
    (addressOf(provider, settings) !== "" &&
      (provider.ledger === undefined || isKeyed(provider, settings)))

/** Those of an order, else all. A named one stays without its key, to report the missing key. */
const askedBy = (
  settings: Settings.SettingValues,
  order: Settings.SettingValues["SEARCH_PROVIDERS"]
): ReadonlyArray<Provider> =>
  Option.match(order, { onNone: () => table, onSome: inOrder }).filter((provider) =>
    isSetUp(provider, settings) || (Option.isSome(order) && provider.ledger !== undefined)
  )

export const web = Layer.effect(
  SearchProviders,
  Effect.gen(function*() {
    const settings = yield* Settings.Settings
    const raw = yield* rawPlace
    return chains(
      settings,
      (order) => askedBy(settings, order),
      (provider) => keySlots(provider, settings, raw)
    )
  })
).pipe(Layer.provide(TavilySearch.layer))

export const ceilings = (settings: Settings.SettingValues): CreditCeilings => {
  const ledgers = table.flatMap(({ ledger, name }) =>
    ledger === undefined ? [] : [{ name, ceiling: settings[ledger.ceiling] }]
  )
  const mock = ledgers.map(({ ceiling, name }) => [playedSlots.get(name) ?? 1, ceiling] as const)
  return {
    ...Object.fromEntries(ledgers.map(({ ceiling, name }) => [name, ceiling])),
    mock: new Map(mock)
  }
}

const isKeyed = ({ ledger }: Provider, settings: Settings.SettingValues): boolean =>
  (ledger?.keys ?? []).some((key) => Option.isSome(settings[key]))

/** Why web searches are unreliable here; none while an active provider has a key. */
export const warningOf = (settings: Settings.SettingValues): Option.Option<string> => {
  const asked = askedBy(settings, settings.SEARCH_PROVIDERS)
  // The operator's own server counts as one with a key.
  if (asked.some((provider) => isKeyed(provider, settings) || isOwnServer(provider.name))) {
    return Option.none()
  }
  const keyless = asked.filter(({ ledger }) => ledger === undefined)
  return Option.some(
    keyless.length === 0
      ? "No search provider is set up, so every answer will be without the web: set TAVILY_API_KEY"
      : `No key of a search provider is set, so only ${
        keyless.map(({ name }) => name).join(", ")
      }` +
        " is asked, at best effort: set TAVILY_API_KEY for searches that can be relied on"
  )
}

export const reporters = (settings: Settings.SettingValues | "none") =>
  Layer.succeed(
    CreditReporters,
    settings === "none"
      ? []
      : Settings.numberedKeys(settings, Settings.tavilyKeys).flatMap(({ apiKey, keySlot }) =>
        Option.toArray(Option.filter(apiKey, isSendable)).map((apiKey) =>
          TavilyTransport.make({
            apiKey,
            keySlot,
            baseUrl: settings.TAVILY_BASE_URL,
            projectId: settings.TAVILY_PROJECT
          })
        )
      )
  )
