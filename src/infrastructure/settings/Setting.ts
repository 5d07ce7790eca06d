/**
 * Kinds of settings. A kind makes from one default and bounds both the parser of a setting and its
 * row in `docs/reference/settings.md`.
 */
import { Config, Option, Redacted, Result, Schema } from "effect"
import * as PayloadCipher from "../encryption/PayloadCipher.ts"
import { isTrustworthy } from "../http/TrustworthyUrl.ts"
import * as Ed25519 from "../signing/Ed25519.ts"
import * as DatabaseUrl from "./DatabaseUrl.ts"
import * as Retentions from "./Retentions.ts"

export interface Setting<Name extends string, A> {
  readonly name: Name
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

const setting = <const Name extends string, A>(
  name: Name,
  meaning: string,
  written: Written<A>
): Setting<Name, A> => ({ default: "none", holds: "open", ...written, name, meaning })

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

export const whole = <const Name extends string>(name: Name, of: Whole, meaning: string) =>
  setting(name, meaning, {
    config: between(name, of),
    default: of.defaultText ?? grouped(of.default),
    bounds: `${grouped(of.minimum)} to ${grouped(of.maximum)}`
  })

type Wait = Pick<Whole, "default" | "maximum">

/** Setting for a duration in milliseconds, at least 100. */
export const milliseconds = <const Name extends string>(name: Name, of: Wait, meaning: string) =>
  whole(name, { ...of, minimum: 100 }, meaning)

/** Setting for a duration in seconds, where the source documents use them. */
export const seconds = <const Name extends string>(name: Name, of: Wait, meaning: string) => {
  const inSeconds = whole(name, { ...of, minimum: 1 }, meaning)
  return { ...inSeconds, bounds: `${inSeconds.bounds}, seconds` }
}

const decimalBetween = (name: string, minimum: number, maximum: number) =>
  Config.schema(Schema.NumberFromString.check(Schema.isBetween({ minimum, maximum })), name)

export const share = <const Name extends string>(name: Name, fallback: number, meaning: string) =>
  setting(name, meaning, {
    config: decimalBetween(name, 0, 1).pipe(Config.withDefault(fallback)),
    default: grouped(fallback),
    bounds: "0 to 1"
  })

/** Setting for a price in US dollars for a million tokens. */
export const price = <const Name extends string>(name: Name, meaning: string) =>
  setting(name, meaning, {
    config: decimalBetween(name, 0, priceMax).pipe(Config.option),
    bounds: `0 to ${grouped(priceMax)}`
  })

/** Setting for prices by model; an empty map by default. */
export const prices = <const Name extends string>(name: Name, meaning: string) =>
  setting(name, meaning, {
    config: checked(name, (text) =>
      Option.isSome(parsePrices(text))
        ? undefined
        : "Expected model=prompt/completion, with commas between, each model once").pipe(
        Config.withDefault(""),
        Config.map((text) => Option.getOrElse(parsePrices(text), () => new Map()))
      ),
    bounds: `${modelsMax} models, 0 to ${grouped(priceMax)} each`
  })

/** Setting for retention times by tenant; an empty map by default. */
export const retentions = <const Name extends string>(name: Name, meaning: string) =>
  setting(name, meaning, {
    config: checked(name, (text) =>
      Option.isSome(Retentions.parseRetentions(text))
        ? undefined
        : "Expected tenant=sessions/caches/pages in days, with commas, each tenant once").pipe(
        Config.withDefault(""),
        Config.map((text) => Option.getOrElse(Retentions.parseRetentions(text), () => new Map()))
      ),
    bounds: "1,000 tenants, 0 to 99,999 days each"
  })

export const flag = <const Name extends string>(name: Name, fallback: boolean, meaning: string) =>
  setting(name, meaning, {
    config: Config.Boolean(name).pipe(Config.withDefault(fallback)),
    default: String(fallback),
    bounds: "true or false"
  })

export const text = <const Name extends string>(name: Name, fallback: string, meaning: string) =>
  setting(name, meaning, {
    config: Config.NonEmptyString(name).pipe(Config.withDefault(fallback)),
    default: `\`${fallback}\``,
    bounds: "not empty"
  })

export const optionalText = <const Name extends string>(name: Name, meaning: string) =>
  setting(name, meaning, {
    config: Config.NonEmptyString(name).pipe(Config.option),
    bounds: "not empty"
  })

/** Setting for a header's value: up to 200 characters, no surrounding spaces. */
export const header = <const Name extends string>(name: Name, fallback: string, meaning: string) =>
  setting(name, meaning, {
    config: Config.schema(
      Schema.String.check(Schema.isPattern(/^[!-~](?:[ -~]{0,198}[!-~])?$/)),
      name
    ).pipe(Config.withDefault(fallback)),
    default: `\`${fallback}\``,
    bounds: "printable ASCII, 200"
  })

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
export const list = <const Name extends string>(
  name: Name,
  of: "domains" | "names" | "origins",
  meaning: string
) =>
  setting(name, meaning, {
    config: checked(name, (text) =>
      partsOf(text.toLowerCase()).every(listed[of].fits)
        ? undefined
        : `Expected ${listed[of].expected}, with commas`).pipe(
        Config.withDefault(""),
        Config.map((text) => partsOf(text.toLowerCase()))
      ),
    bounds: `${of}, with commas`
  })

const urlsMax = 10

/** Setting for comma-separated URLs whose responses are protected in transit. */
export const trustworthyUrls = <const Name extends string>(name: Name, meaning: string) =>
  setting(name, meaning, {
    config: checked(name, (text) => {
      const parts = partsOf(text)
      const fits = parts.length <= urlsMax && new Set(parts).size === parts.length &&
        parts.every((part) => isTrustworthy(part) && !/[?#]/.test(part))
      return fits
        ? undefined
        : `Expected up to ${urlsMax} different https addresses, with commas; http on loopback alone`
    }).pipe(Config.withDefault(""), Config.map(partsOf)),
    bounds: `${urlsMax} of https, or http on loopback, with commas`
  })

interface Choices {
  readonly of: ReadonlyArray<string>
  readonly default: ReadonlyArray<string>
}

/** Setting for one or more words of a list, comma-separated. */
export const choices = <const Name extends string>(name: Name, of: Choices, meaning: string) =>
  setting(name, meaning, {
    config: checked(name, (text) => {
      const parts = partsOf(text)
      return parts.length > 0 && parts.every((part) => of.of.includes(part))
        ? undefined
        : `Expected one or more of ${of.of.join(", ")}, with commas`
    }).pipe(Config.withDefault(of.default.join(",")), Config.map(partsOf)),
    default: `\`${of.default.join(",")}\``,
    bounds: of.of.map((word) => `\`${word}\``).join(", ")
  })

/** Setting for some words of a list in an order, each once; absent: none. */
export const order = <const Name extends string, const Word extends string>(
  name: Name,
  of: ReadonlyArray<Word>,
  meaning: string
) =>
  setting(name, meaning, {
    config: checked(name, (text) => {
      const parts = partsOf(text)
      const isFine = parts.length > 0 && new Set(parts).size === parts.length &&
        parts.every((part) => of.some((word) => word === part))
      return isFine ? undefined : `Expected one or more of ${of.join(", ")}, each once, with commas`
    }).pipe(
      Config.map((text) => partsOf(text).flatMap((part) => of.filter((word) => word === part))),
      Config.option
    ),
    bounds: of.map((word) => `\`${word}\``).join(", ")
  })

interface Choice<Word extends string> {
  readonly of: ReadonlyArray<Word>
  readonly default: NoInfer<Word>
}

export const choice = <const Name extends string, const Word extends string>(
  name: Name,
  of: Choice<Word>,
  meaning: string
) =>
  setting(name, meaning, {
    config: Config.Literals(of.of, name).pipe(Config.withDefault(of.default)),
    default: `\`${of.default}\``,
    bounds: of.of.map((word) => `\`${word}\``).join(", ")
  })

/** An HTTP URL. One with a password is refused, since the URL is shown. */
const httpAddress = (name: string) =>
  checked(name, (text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === ""
      ? undefined
      : "Expected an http or https address without user and password"
  })

export const optionalHttpUrl = <const Name extends string>(name: Name, meaning: string) =>
  setting(name, meaning, { config: Config.option(httpAddress(name)), bounds: "http or https" })

export const httpUrl = <const Name extends string>(name: Name, fallback: string, meaning: string) =>
  setting(name, meaning, {
    config: httpAddress(name).pipe(Config.withDefault(fallback)),
    default: `\`${fallback}\``,
    bounds: "http or https"
  })

/** Setting for a proxy's URL, `http://` by default. It may hold a user. */
export const proxy = <const Name extends string>(name: Name, meaning: string) =>
  setting(name, meaning, {
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
  })

const proxyAddress = (text: string): string => text.includes("://") ? text : `http://${text}`

/**
 * Setting for a database URL. Its problem is reported without the value, which holds a password.
 */
export const databaseUrl = <const Name extends string>(name: Name, meaning: string) =>
  setting(name, meaning, {
    config: checked(name, (text) =>
      Result.match(DatabaseUrl.parse(text), {
        onFailure: (problem) => `Expected postgres://user:password@host:port/database: ${problem}`,
        onSuccess: () => undefined
      })).pipe(Config.map((text) => Redacted.make(text)), Config.option),
    bounds: "`postgres://…`",
    holds: "secret"
  })

export const key = <const Name extends string>(name: Name, meaning: string) =>
  setting(name, meaning, {
    config: Config.Redacted(name).pipe(Config.option),
    bounds: "any text",
    holds: "key"
  })

/** Setting for a signing key, as PKCS#8 PEM. Its problem is reported without the value. */
export const signingKey = <const Name extends string>(name: Name, meaning: string) =>
  setting(name, meaning, {
    config: checked(
      name,
      (text) =>
        Option.isSome(Ed25519.privateKey(text))
          ? undefined
          : "Expected an Ed25519 key as PKCS#8 PEM (openssl genpkey -algorithm ed25519)"
    ).pipe(Config.map((text) => Redacted.make(text)), Config.option),
    bounds: "PKCS#8 PEM",
    holds: "key"
  })

/** Setting for a key that encrypts other keys. Its problem is reported without the value. */
export const encryptionKey = <const Name extends string>(name: Name, meaning: string) =>
  setting(name, meaning, {
    config: checked(
      name,
      (text) => PayloadCipher.isKeyText(text) ? undefined : `Expected ${encryptionKeyForm}`
    ).pipe(Config.map((text) => Redacted.make(text)), Config.option),
    bounds: "32 bytes, base64",
    holds: "key"
  })

const encryptionKeyForm = "32 bytes in base64 (openssl rand -base64 32)"
const encryptionKeysMax = 20

/** Setting for wrapping keys, comma-separated, the current one first. */
export const encryptionKeys = <const Name extends string>(name: Name, meaning: string) =>
  setting(name, meaning, {
    config: checked(name, (text) => {
      const keys = text.split(",")
      return keys.length <= encryptionKeysMax &&
          keys.every((key) => PayloadCipher.isKeyText(key.trim()))
        ? undefined
        : `Expected up to ${encryptionKeysMax} keys of ${encryptionKeyForm}, with commas`
    }).pipe(Config.map((text) => Redacted.make(text)), Config.option),
    bounds: `${encryptionKeysMax} of 32 bytes, base64, with commas`,
    holds: "key"
  })

const checked = (name: string, problemOf: (text: string) => string | undefined) =>
  Config.schema(Schema.String.check(Schema.makeFilter(problemOf)), name)

// Prices of models in the operator's format: `model=prompt/completion`, comma-separated.

/** US dollars for a million tokens of prompt, and of completion. */
interface ModelPrice {
  readonly prompt: number
  readonly completion: number
}

type ModelPrices = ReadonlyMap<string, ModelPrice>

/** US dollars for a million tokens. */
const priceMax = 10_000
const modelsMax = 100

/** Parses prices. None for an invalid entry, a price out of 0 to 10,000, or a repeated model. */
const parsePrices = (text: string): Option.Option<ModelPrices> => {
  const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "")
  const pairs = parts.flatMap((part) => Option.toArray(pairOf(part)))
  const prices = new Map(pairs)
  return prices.size === parts.length && parts.length <= modelsMax
    ? Option.some(prices)
    : Option.none()
}

/** A model's name may hold `/`, `:` and `=`; its prices follow the last `=`. */
const pairOf = (part: string): Option.Option<readonly [model: string, price: ModelPrice]> => {
  const [, model = "", prompt = "", completion = ""] = pair.exec(part) ?? []
  const price = { prompt: Number(prompt), completion: Number(completion) }
  return model !== "" && Math.max(price.prompt, price.completion) <= priceMax
    ? Option.some([model.trim(), price])
    : Option.none()
}

const pair = /^(.*\S)\s*=\s*(\d{1,5}(?:\.\d{1,9})?)\s*\/\s*(\d{1,5}(?:\.\d{1,9})?)$/
