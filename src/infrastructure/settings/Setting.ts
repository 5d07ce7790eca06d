/**
 * Kinds of settings. A kind makes the parser of a setting and its row in
 * `docs/reference/settings.md`.
 */
import { Config, Option, Record, Redacted, Result, Schema } from "effect"
import * as PayloadCipher from "../encryption/PayloadCipher.ts"
import { isTrustworthy } from "../http/TrustworthyUrl.ts"
import * as Ed25519 from "../signing/Ed25519.ts"
import * as DatabaseUrl from "./DatabaseUrl.ts"

export interface Setting<A> {
  readonly name: string
  readonly config: Config.Config<A>
  /** Default in the words of the documents, or code between backticks. */
  readonly default: string
  /** Bounds of the value, in the same form. */
  readonly bounds: string
  readonly meaning: string
  /** Keys and other secrets are never shown. An empty key counts as absent. */
  readonly holds: "key" | "secret" | "open"
}

interface Written<A> {
  readonly config: Config.Config<A>
  readonly default?: string
  readonly bounds: string
  readonly holds?: "key" | "secret"
}

/** A setting that has no name yet. */
export type Kind<A> = (name: string) => Setting<A>

const setting = <A>(meaning: string, written: (name: string) => Written<A>): Kind<A> => (name) => ({
  default: "none",
  holds: "open",
  ...written(name),
  name,
  meaning
})

export const named = <const Kinds extends Readonly<Record<string, Kind<unknown>>>>(kinds: Kinds) =>
  // Each is made by the kind under its name.
  Record.map(kinds, (kind, name) => kind(name)) as {
    readonly [Name in keyof Kinds]: ReturnType<Kinds[Name]>
  }

interface Whole {
  readonly default: number
  /** The default in the documents, if not the grouped digits. */
  readonly defaultText?: string
  readonly minimum: number
  readonly maximum: number
}

/** Thousands grouped; done here, as the first use of a locale takes 20 ms of every start. */
const grouped = (value: number): string => {
  const [whole = "", ...part] = String(value).split(".")
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, ","), ...part].join(".")
}

const between = (name: string, { maximum, minimum, ...of }: Whole) =>
  Config.schema(
    Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum })),
    name
  ).pipe(Config.withDefault(of.default))

export const whole = (of: Whole, meaning: string) =>
  setting(meaning, (name) => ({
    config: between(name, of),
    default: of.defaultText ?? grouped(of.default),
    bounds: `${grouped(of.minimum)} to ${grouped(of.maximum)}`
  }))

type Wait = Pick<Whole, "default" | "maximum">

export const milliseconds = (of: Wait, meaning: string) => whole({ ...of, minimum: 100 }, meaning)

/** Setting for a duration in seconds, where the source documents use them. */
export const seconds = (of: Wait, meaning: string) => (name: string) => {
  const inSeconds = whole({ ...of, minimum: 1 }, meaning)(name)
  return { ...inSeconds, bounds: `${inSeconds.bounds}, seconds` }
}

const decimalBetween = (name: string, minimum: number, maximum: number) =>
  Config.schema(Schema.NumberFromString.check(Schema.isBetween({ minimum, maximum })), name)

export const share = (fallback: number, meaning: string) =>
  setting(meaning, (name) => ({
    config: decimalBetween(name, 0, 1).pipe(Config.withDefault(fallback)),
    default: grouped(fallback),
    bounds: "0 to 1"
  }))

export const price = (meaning: string) =>
  setting(meaning, (name) => ({
    config: decimalBetween(name, 0, priceMax).pipe(Config.option),
    bounds: `0 to ${grouped(priceMax)}`
  }))

const entriesMax = 1_000

/** Setting for a map that is written with commas, each name once; an empty one by default. */
const mapOf = <Value>(
  entryOf: (part: string) => Option.Option<readonly [name: string, value: Value]>,
  form: string,
  bounds: string
) =>
(meaning: string) => {
  const entriesOf = (text: string) => partsOf(text).flatMap((part) => Option.toArray(entryOf(part)))
  return setting(meaning, (name) => ({
    config: checked(name, (text) => {
      const { length } = partsOf(text)
      return length <= entriesMax && new Map(entriesOf(text)).size === length
        ? undefined
        : `Expected ${form}, with commas between, each once`
    }).pipe(
      Config.withDefault(""),
      Config.map((text): ReadonlyMap<string, Value> => new Map(entriesOf(text)))
    ),
    bounds
  }))
}

export const flag = (fallback: boolean, meaning: string) =>
  setting(meaning, (name) => ({
    config: Config.Boolean(name).pipe(Config.withDefault(fallback)),
    default: String(fallback),
    bounds: "true or false"
  }))

export const text = (fallback: string, meaning: string) =>
  setting(meaning, (name) => ({
    config: Config.NonEmptyString(name).pipe(Config.withDefault(fallback)),
    default: `\`${fallback}\``,
    bounds: "not empty"
  }))

export const optionalText = (meaning: string) =>
  setting(meaning, (name) => ({
    config: Config.NonEmptyString(name).pipe(Config.option),
    bounds: "not empty"
  }))

/** Setting for a header's value: up to 200 characters, no surrounding spaces. */
export const header = (fallback: string, meaning: string) =>
  setting(meaning, (name) => ({
    config: Config.schema(
      Schema.String.check(Schema.isPattern(/^[!-~](?:[ -~]{0,198}[!-~])?$/)),
      name
    ).pipe(Config.withDefault(fallback)),
    default: `\`${fallback}\``,
    bounds: "printable ASCII, 200"
  }))

const partsOf = (text: string): ReadonlyArray<string> =>
  text.split(",").map((part) => part.trim()).filter((part) => part !== "")

const listed = {
  names: {
    fits: (part: string) => /^[a-z0-9_.:-]+$/.test(part) && !/:\d+$/.test(part),
    expected: "names without scheme, path and port"
  },
  domains: {
    fits: (part: string) => /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/.test(part),
    expected: "domains as in city.example, in ASCII"
  },
  origins: {
    fits: (part: string) => URL.parse(part)?.origin === part,
    expected: "origins as in https://tools.example"
  }
}

/** Setting for names, domains or origins, comma-separated, converted to lower case. */
export const list = (
  of: "domains" | "names" | "origins",
  meaning: string
) =>
  setting(meaning, (name) => ({
    config: checked(name, (text) =>
      partsOf(text.toLowerCase()).every(listed[of].fits)
        ? undefined
        : `Expected ${listed[of].expected}, with commas`).pipe(
        Config.withDefault(""),
        Config.map((text) => partsOf(text.toLowerCase()))
      ),
    bounds: `${of}, with commas`
  }))

const urlsMax = 10

/** Setting for comma-separated URLs whose responses are protected in transit. */
export const trustworthyUrls = (meaning: string) =>
  setting(meaning, (name) => ({
    config: checked(name, (text) => {
      const parts = partsOf(text)
      const fits = parts.length <= urlsMax && new Set(parts).size === parts.length &&
        parts.every((part) => isTrustworthy(part) && !/[?#]/.test(part))
      return fits
        ? undefined
        : `Expected up to ${urlsMax} different https addresses, with commas; http on loopback alone`
    }).pipe(Config.withDefault(""), Config.map(partsOf)),
    bounds: `${urlsMax} of https, or http on loopback, with commas`
  }))

/** Setting for one or more words of a list, comma-separated. */
export const choices = (
  of: Readonly<Record<"default" | "of", ReadonlyArray<string>>>,
  meaning: string
) =>
  setting(meaning, (name) => ({
    config: checked(name, (text) => {
      const parts = partsOf(text)
      return parts.length > 0 && parts.every((part) => of.of.includes(part))
        ? undefined
        : `Expected one or more of ${of.of.join(", ")}, with commas`
    }).pipe(Config.withDefault(of.default.join(",")), Config.map(partsOf)),
    default: `\`${of.default.join(",")}\``,
    bounds: of.of.map((word) => `\`${word}\``).join(", ")
  }))

const inOrder = <Word extends string>(
  of: ReadonlyArray<Word>,
  parts: ReadonlyArray<string>
): Option.Option<Array<Word>> => {
  const words = parts.flatMap((part) => of.filter((word) => word === part))
  const isFine = words.length > 0 && words.length === parts.length &&
    new Set(words).size === words.length
  return isFine ? Option.some(words) : Option.none()
}

/** Setting for some words of a list in an order, each once; absent: none. */
export const order = <const Word extends string>(
  of: ReadonlyArray<Word>,
  meaning: string
) =>
  setting(meaning, (name) => ({
    config: checked(name, (text) =>
      Option.isSome(inOrder(of, partsOf(text)))
        ? undefined
        : `Expected one or more of ${of.join(", ")}, each once, with commas`).pipe(
        Config.map((text) => Option.toArray(inOrder(of, partsOf(text))).flat()),
        Config.option
      ),
    bounds: of.map((word) => `\`${word}\``).join(", ")
  }))

interface Choice<Word extends string> {
  readonly of: ReadonlyArray<Word>
  readonly default: NoInfer<Word>
}

export const choice = <const Word extends string>(
  of: Choice<Word>,
  meaning: string
) =>
  setting(meaning, (name) => ({
    config: Config.Literals(of.of, name).pipe(Config.withDefault(of.default)),
    default: `\`${of.default}\``,
    bounds: of.of.map((word) => `\`${word}\``).join(", ")
  }))

/** An HTTP URL. One with a password is refused, since the URL is shown. */
const httpAddress = (name: string) =>
  checked(name, (text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === ""
      ? undefined
      : "Expected an http or https address without user and password"
  })

export const optionalHttpUrl = (meaning: string) =>
  setting(
    meaning,
    (name) => ({ config: Config.option(httpAddress(name)), bounds: "http or https" })
  )

export const httpUrl = (fallback: string, meaning: string) =>
  setting(meaning, (name) => ({
    config: httpAddress(name).pipe(Config.withDefault(fallback)),
    default: `\`${fallback}\``,
    bounds: "http or https"
  }))

/** Setting for a proxy's URL, `http://` by default. It may hold a user. */
export const proxy = (meaning: string) =>
  setting(meaning, (name) => ({
    config: checked(name, (text) => {
      const url = URL.parse(proxyAddress(text))
      const isFine = url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/" &&
        [url.username, url.password].every((part) => !/%(?![0-9a-f]{2})/i.test(part))
      return isFine
        ? undefined
        : "Expected http://host:port or https://host:port, maybe with user:password@"
    }).pipe(Config.map((text) => Redacted.make(proxyAddress(text))), Config.option),
    bounds: "http or https, maybe with a user",
    holds: "key"
  }))

const proxyAddress = (text: string): string => text.includes("://") ? text : `http://${text}`

/** Setting for a key of any form. A blank one counts as absent. */
export const key = (meaning: string) =>
  setting(meaning, (name) => ({
    config: Config.Redacted(name).pipe(
      Config.option,
      Config.map(Option.filter((value) => Redacted.value(value).trim() !== ""))
    ),
    bounds: "any text",
    holds: "key"
  }))

/** Setting for a secret of a form. Its problem is reported without the value. */
const secret = (
  form: (text: string) => string | undefined,
  bounds: string,
  holds: "key" | "secret" = "key"
) =>
(meaning: string) =>
  setting(meaning, (name) => ({
    config: checked(name, form).pipe(Config.map((text) => Redacted.make(text)), Config.option),
    bounds,
    holds
  }))

/** Setting for a database URL, which holds a password. */
export const databaseUrl = secret(
  (text) =>
    Result.match(DatabaseUrl.parse(text), {
      onFailure: (problem) => `Expected postgres://user:password@host:port/database: ${problem}`,
      onSuccess: () => undefined
    }),
  "`postgres://…`",
  "secret"
)

export const signingKey = secret(
  (text) =>
    Option.isSome(Ed25519.privateKey(text))
      ? undefined
      : "Expected an Ed25519 key as PKCS#8 PEM (openssl genpkey -algorithm ed25519)",
  "PKCS#8 PEM"
)

const encryptionKeyForm = "32 bytes in base64 (openssl rand -base64 32)"

export const encryptionKey = secret(
  (text) => PayloadCipher.isKeyText(text) ? undefined : `Expected ${encryptionKeyForm}`,
  "32 bytes, base64"
)

const encryptionKeysMax = 20

/** Setting for wrapping keys, comma-separated, the current one first. */
export const encryptionKeys = secret(
  (text) => {
    const keys = text.split(",")
    return keys.length <= encryptionKeysMax &&
        keys.every((key) => PayloadCipher.isKeyText(key.trim()))
      ? undefined
      : `Expected up to ${encryptionKeysMax} keys of ${encryptionKeyForm}, with commas`
  },
  `${encryptionKeysMax} of 32 bytes, base64, with commas`
)

const checked = (name: string, problemOf: (text: string) => string | undefined) =>
  Config.schema(Schema.String.check(Schema.makeFilter(problemOf)), name)

// Prices of models in the operator's format: `model=prompt/completion`, comma-separated.

/** US dollars for a million tokens of prompt, and of completion. */
interface ModelPrice {
  readonly prompt: number
  readonly completion: number
}

/** US dollars for a million tokens. */
const priceMax = 10_000

/** Parses prices. None for an invalid entry, a price out of 0 to 10,000, or a repeated model. */
/** A model's name may hold `/`, `:` and `=`; its prices follow the last `=`. */
const pairOf = (part: string): Option.Option<readonly [model: string, price: ModelPrice]> => {
  const [, model = "", prompt = "", completion = ""] = pair.exec(part) ?? []
  const price = { prompt: Number(prompt), completion: Number(completion) }
  return model !== "" && Math.max(price.prompt, price.completion) <= priceMax
    ? Option.some([model.trim(), price])
    : Option.none()
}

const pair = /^(.*\S)\s*=\s*(\d{1,5}(?:\.\d{1,9})?)\s*\/\s*(\d{1,5}(?:\.\d{1,9})?)$/

export const prices = mapOf(
  pairOf,
  "model=prompt/completion",
  `1,000 models, 0 to ${grouped(priceMax)} each`
)

const tenantForm = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})=(\S.*)$/

/** Setting for words of tenants: `shop=word word`. */
const byTenant = <Value>(
  valueOf: (words: ReadonlyArray<string>) => Option.Option<Value>,
  form: string,
  bounds: string
) =>
  mapOf(
    (part) => {
      const [, tenant = "", words = ""] = tenantForm.exec(part) ?? []
      return tenant === ""
        ? Option.none()
        : Option.map(valueOf(words.split(/ +/)), (value) => [tenant, value] as const)
    },
    `tenant=${form}`,
    `1,000 tenants, ${bounds}`
  )

/** Setting for some words of a list in an order of a tenant's own. */
export const tenantOrders = <const Word extends string>(
  of: ReadonlyArray<Word>,
  meaning: string
) => byTenant((words) => inOrder(of, words), of.join(" "), "those names")(meaning)

/** Setting for domains that a tenant allows and, with a minus before them, denies. */
export const tenantDomains = byTenant(
  (words) =>
    Option.liftPredicate(
      words.map((word) => word.toLowerCase()),
      (all) => all.every((word) => listed.domains.fits(word.replace(/^-/, "")))
    ),
  "city.example -ads.example",
  "domains in ASCII"
)

/** Setting for days of retention by tenant. 0: unlimited. */
export const retentions = byTenant(
  ([word = "", ...others]) => {
    const [, sessions, caches, pages] = /^(\d{1,5})\/(\d{1,5})\/(\d{1,5})$/.exec(word) ?? []
    return sessions === undefined || others.length > 0
      ? Option.none()
      : Option.some({
        /** After a session's last event. */
        sessions: Number(sessions),
        /** Of cached searches and packs. */
        caches: Number(caches),
        /** Of collected web pages in the evidence store. */
        pages: Number(pages)
      })
  },
  "sessions/caches/pages in days",
  "0 to 99,999 days each"
)
