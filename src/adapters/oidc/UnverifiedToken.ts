/**
 * Refuses tokens before anything in them is believed: by size, form, and what the header asks for.
 * Only `issuer` is read of the claims, to know whose keys to look at.
 */
import { Option, Predicate, Schema } from "effect"
import * as BoundedJson from "../../infrastructure/http/BoundedJson.ts"
import { hasRepeatedName } from "../../infrastructure/http/RepeatedName.ts"

/** Bytes of a whole token, at most; it is ASCII. */
const tokenBytesMax = 8 * 1_024

/** Three parts of base64url without padding: signed, and neither encrypted nor unsigned. */
const form = /^([\w-]+)\.([\w-]+)\.[\w-]+$/

/** Tokens of other kinds are signed by the same keys: for logging out, for one request. */
const types: ReadonlySet<string> = new Set([
  "jwt",
  "at+jwt",
  "application/jwt",
  "application/at+jwt"
])

/** Header parameters that change how the rest is read, and ask for what is not done here. */
const unwanted = ["crit", "b64", "cty", "enc", "zip"]

export interface UnverifiedToken {
  readonly token: string
  readonly issuer: string
}

const Header = Schema.Struct({
  alg: Schema.String,
  kid: Schema.optionalKey(Schema.String),
  typ: Schema.optionalKey(Schema.String)
})
const isHeader = Schema.is(Header)

/**
 * Header and claims of a JWT, its signature unchecked. `undefined` when it is malformed, too long,
 * or signed by none of `algorithms`.
 */
export const parse = (
  token: string,
  algorithms: ReadonlyArray<string>
): UnverifiedToken | undefined => {
  if (token.length > tokenBytesMax) return undefined
  const [, headerPart = "", claimsPart = ""] = form.exec(token) ?? []
  const header = objectIn(headerPart)
  const claims = objectIn(claimsPart)
  if (header === undefined || claims === undefined || !isHeader(header)) return undefined
  if (!algorithms.includes(header.alg)) return undefined
  if (header.typ !== undefined && !types.has(header.typ.toLowerCase())) return undefined
  if (unwanted.some((name) => Object.hasOwn(header, name))) return undefined
  const issuer = claimOf(claims, "iss")
  return typeof issuer === "string" ? { token, issuer } : undefined
}

/**
 * A claim's value; `undefined` when the token makes no such claim, whatever every object inherits.
 */
export const claimOf = (claims: object, name: string): unknown =>
  Object.hasOwn(claims, name) && Predicate.hasProperty(claims, name) ? claims[name] : undefined

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const textOf = Option.liftThrowable((part: string) => utf8.decode(Buffer.from(part, "base64url")))

const objectIn = (part: string): object | undefined =>
  textOf(part).pipe(
    Option.filter((text) => BoundedJson.sizeFaultOf(text) === undefined),
    Option.flatMap((text) => Option.filter(BoundedJson.parse(text), () => !hasRepeatedName(text))),
    Option.filter(Predicate.isObject),
    Option.getOrUndefined
  )
