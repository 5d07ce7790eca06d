/**
 * Table of the search providers, in order of preference, with their keys and prices, which chain,
 * ledger and documents follow.
 */
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

/** Address of a provider, and the key that is used there. */
interface KeyPlace extends Settings.NumberedKey {
  readonly baseUrl: string
  /** `mock` where the sandbox plays the provider. */
  readonly label: Name | "mock"
  /** Name under which the provider knows the project; absent where none is told. */
  readonly projectId?: string
  /** Keeper of the page texts that Tavily sends, where they are asked for. */
  readonly rawPages?: TavilySearch.RawPages["Service"]
}

type Name = Exclude<KnownProvider, "mock">
/** Name of a setting of a provider, which begins with the provider's own name. */
type SettingOf<End extends string> = Extract<
  keyof Settings.SettingValues,
  `${Uppercase<Name>}_${End}`
>

/** Prices of a provider with keys, and the source of its ceiling. */
interface Ledger {
  /** Settings of its keys. The place in the list, from 1, is the key's slot. */
  readonly keys: ReadonlyArray<Settings.SecretName>
  /** Setting of what each key may spend in a calendar month. */
  readonly ceiling: SettingOf<`MONTHLY_${string}`>
  readonly creditsByDepth: CreditsByDepth
  /** A key of the sandbox: a real one must not go there. */
  readonly sandboxKey: string
}

interface Provider {
  readonly name: Name
  readonly baseUrl: SettingOf<"BASE_URL">
  /** Absent: it is asked without a key, and nothing is counted. */
  readonly ledger?: Ledger
  /** Default: when it has an address, and any of its keys where it needs one. */
  readonly isSetUp?: (settings: Settings.SettingValues) => boolean
  readonly make: (
    place: KeyPlace,
    settings: Settings.SettingValues
  ) => Effect.Effect<SearchProvider>
}

/** An engine that is asked by its dialect alone. */
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

/** Providers in the order of asking: each when those before it failed or found little. */
export const table: ReadonlyArray<Provider> = [
  {
    ...engine("tavily", "TAVILY_BASE_URL", {
      keys: [
        "TAVILY_API_KEY",
        "TAVILY_API_KEY_2",
        "TAVILY_API_KEY_3",
        "TAVILY_API_KEY_4",
        "TAVILY_API_KEY_5"
      ],
      ceiling: "TAVILY_MONTHLY_CREDITS"
    }),
    // Without any key it stays, to say so.
    isSetUp: () => true,
    make: TavilySearch.make
  },
  {
    ...engine("duckduckgo", "DUCKDUCKGO_BASE_URL"),
    isSetUp: ({ DUCKDUCKGO_ENABLED }) => DUCKDUCKGO_ENABLED
  },
  engine("serpapi", "SERPAPI_BASE_URL", {
    keys: ["SERPAPI_API_KEY"],
    ceiling: "SERPAPI_MONTHLY_SEARCHES"
  }),
  engine("searxng", "SEARXNG_BASE_URL"),
  engine("brave", "BRAVE_BASE_URL", {
    keys: ["BRAVE_API_KEY"],
    ceiling: "BRAVE_MONTHLY_SEARCHES"
  }),
  engine("brave_context", "BRAVE_CONTEXT_BASE_URL", {
    keys: ["BRAVE_CONTEXT_API_KEY"],
    ceiling: "BRAVE_CONTEXT_MONTHLY_SEARCHES"
  }),
  engine("exa", "EXA_BASE_URL", { keys: ["EXA_API_KEY"], ceiling: "EXA_MONTHLY_SEARCHES" }),
  engine("serper", "SERPER_BASE_URL", {
    keys: ["SERPER_API_KEY"],
    ceiling: "SERPER_MONTHLY_SEARCHES"
  }),
  {
    name: "custom",
    baseUrl: "CUSTOM_BASE_URL",
    make: (place, { CUSTOM_API_KEY, CUSTOM_DIALECT }) => {
      const { key, ...keyless } = dialects[CUSTOM_DIALECT]
      const apiKey = Settings.givenSecret(CUSTOM_API_KEY)
      const spoken = key === undefined || Option.isNone(apiKey) ? keyless : { ...keyless, key }
      return Effect.map(
        DialectSearch.make(spoken, { ...place, apiKey }),
        // Nothing is counted, so that no key of it rests either.
        ({ name, search }) => ({ name, search })
      )
    }
  }
]

/** The providers of an order, of all that there are where none is given. */
const inOrder = (order: Option.Option<ReadonlyArray<Name>>): ReadonlyArray<Provider> =>
  Option.match(order, {
    onNone: () => table,
    onSome: (names) => names.flatMap((name) => table.filter((provider) => provider.name === name))
  })

/** Those that the sandbox plays where no order is set. */
const playedByDefault: ReadonlyArray<Name> = ["tavily", "duckduckgo", "serpapi"]

/**
 * Slots of the providers that the sandbox plays. They share one label, and with it one ring of
 * keys, so each has a slot of its own.
 */
export const playedSlots = new Map(
  table.filter(({ ledger }) => ledger !== undefined).map(({ name }, index) => [name, index + 1])
)

/** Key under which the sandbox plays the provider; none for one that is asked without a key. */
export const sandboxKeyOf = ({ ledger }: Provider): KeyPlace["apiKey"] =>
  Option.map(Option.fromUndefinedOr(ledger), ({ sandboxKey }) => Redacted.make(sandboxKey))

const priced = (
  { ledger, make }: Provider,
  place: KeyPlace,
  settings: Settings.SettingValues
): Effect.Effect<SearchProvider> =>
  Effect.map(
    make(place, settings),
    (provider) =>
      ledger === undefined ? provider : { ...provider, creditsByDepth: ledger.creditsByDepth }
  )

/** The provider chain as on the web, every provider played by a sandbox and labelled so. */
export const sandboxProviders = (baseUrl: string, raw: Pick<KeyPlace, "rawPages"> = {}) =>
  Layer.effect(
    SearchProviders,
    Effect.gen(function*() {
      const settings = yield* Settings.Settings
      const order = Option.getOrElse(settings.SEARCH_PROVIDERS, () => playedByDefault)
      // A server of one's own is played as its dialect.
      const names = order.map((name) => name === "custom" ? settings.CUSTOM_DIALECT : name)
      return yield* Effect.forEach(
        inOrder(Option.some([...new Set(names)])),
        (provider) =>
          Effect.map(
            priced(provider, {
              ...raw,
              baseUrl: `${baseUrl}/${provider.name}`,
              label: "mock",
              apiKey: sandboxKeyOf(provider),
              keySlot: playedSlots.get(provider.name) ?? 1
            }, settings),
            (played): KeySlots => [played]
          )
      )
    })
  )

/** Keeper of the raw texts, which their reader is given, too: one layer of it is built once. */
export const rawPlace = Effect.gen(function*() {
  const rawPages = yield* TavilySearch.RawPages
  return Readers.isRawAsked(yield* Settings.Settings) ? { rawPages } : {}
})

const keySlots = Effect.fnUntraced(function*(
  provider: Provider,
  settings: Settings.SettingValues,
  raw: Pick<KeyPlace, "rawPages">
): Effect.fn.Return<KeySlots> {
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
  return [yield* one(first), ...(yield* Effect.forEach(rest, one))]
})

/** Empty where it has none. */
const addressOf = ({ baseUrl }: Provider, settings: Settings.SettingValues): string => {
  const address = settings[baseUrl]
  return typeof address === "string" ? address : Option.getOrElse(address, () => "")
}

const isSetUp = (provider: Provider, settings: Settings.SettingValues): boolean =>
  provider.isSetUp?.(settings) ??
    (addressOf(provider, settings) !== "" &&
      (provider.ledger === undefined || isKeyed(provider, settings)))

/** Providers that are asked. One that an operator named stays without its key, to say so. */
const askedBy = (settings: Settings.SettingValues): ReadonlyArray<Provider> =>
  inOrder(settings.SEARCH_PROVIDERS).filter((provider) =>
    isSetUp(provider, settings) ||
    (Option.isSome(settings.SEARCH_PROVIDERS) && provider.ledger !== undefined)
  )

export const web = Layer.effect(
  SearchProviders,
  Effect.gen(function*() {
    const settings = yield* Settings.Settings
    const raw = yield* rawPlace
    return yield* Effect.forEach(
      askedBy(settings),
      (provider) => keySlots(provider, settings, raw)
    )
  })
).pipe(Layer.provide(TavilySearch.layer))

/** Credits that each key may spend in a month, those too with which the sandbox is asked. */
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
  (ledger?.keys ?? []).some((key) => Option.isSome(Settings.givenSecret(settings[key])))

/** Why no search of the web can be relied on here; none while anything asked has a key. */
export const warningOf = (settings: Settings.SettingValues): Option.Option<string> => {
  const asked = askedBy(settings)
  // A server of the operator's own can be relied on as one with a key.
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

/** Reporters of credits: Tavily, for each of its keys. */
export const reporters = (settings: Settings.SettingValues | "none") =>
  Layer.succeed(
    CreditReporters,
    settings === "none" ?
      [] :
      table.flatMap(({ ledger, name }) =>
        name !== "tavily" || ledger === undefined
          ? []
          : Settings.numberedKeys(settings, ledger.keys).flatMap(({ apiKey, keySlot }) =>
            Option.toArray(
              Option.map(Option.filter(Settings.givenSecret(apiKey), isSendable), (apiKey) =>
                TavilyTransport.make({
                  apiKey,
                  keySlot,
                  baseUrl: settings.TAVILY_BASE_URL,
                  projectId: settings.TAVILY_PROJECT
                }))
            )
          )
      )
  )
