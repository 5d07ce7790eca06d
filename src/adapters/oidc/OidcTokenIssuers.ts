/** Verifies tokens of OpenID Connect issuers (JWT, RFC 7519), by their published keys. */
import {
  Clock,
  Data,
  DateTime,
  Effect,
  Fiber,
  Layer,
  Option,
  Predicate,
  Ref,
  Schema,
  Semaphore
} from "effect"
import { HttpClientRequest } from "effect/http"
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  jwtVerify,
  type JWTVerifyGetKey
} from "jose"
import {
  type IssuedToken,
  IssuerUnavailable,
  TokenIssuers,
  TokenRefused
} from "../../application/ports/access/TokenIssuers.ts"
import * as BoundedJson from "../../infrastructure/http/BoundedJson.ts"
import { isTrustworthy } from "../../infrastructure/http/TrustworthyUrl.ts"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"

interface OidcOptions {
  /** Trusted issuers, at least one. Each may name any tenant. */
  readonly issuers: readonly [IssuerAddress, ...ReadonlyArray<IssuerAddress>]
  /** Expected `aud`: the issuers' name of this service. */
  readonly audience: string
  /** Accepted algorithms, asymmetric signatures only. */
  readonly algorithms: ReadonlyArray<string>
  /** Largest difference between the issuers' clocks and this one, in whole seconds. */
  readonly clockSkewSeconds: number
  readonly tenantClaim: string
  /** Claim with the scopes: space-separated text, or a list. */
  readonly scopesClaim: string
  /** Prefix of this service's scopes; others are ignored. */
  readonly scopePrefix: string
}

class KeyUnknown extends Data.TaggedError("KeyUnknown")<{}> {}

export const layer = (options: OidcOptions) =>
  Layer.effect(
    TokenIssuers,
    Effect.gen(function*() {
      const issuers = new Map<string, IssuerKeys>()
      for (const address of options.issuers) {
        issuers.set(address.issuer, yield* make(address))
      }

      const claimsBy = Effect.fnUntraced(function*(
        { issuer, token }: UnverifiedToken,
        keys: JWTVerifyGetKey
      ) {
        const now = yield* DateTime.now
        const { payload } = yield* Effect.tryPromise({
          try: () =>
            jwtVerify(token, keys, {
              issuer,
              audience: options.audience,
              algorithms: [...options.algorithms],
              clockTolerance: options.clockSkewSeconds,
              requiredClaims: ["exp", "sub"],
              currentDate: DateTime.toDateUtc(now)
            }),
          catch: (cause) =>
            cause instanceof errors.JWKSNoMatchingKey
              ? new KeyUnknown()
              : new TokenRefused({ issuer, reason: reasonOf(cause) })
        })
        const { iat, sub } = payload
        const latest = now.epochMilliseconds / msInSecond + options.clockSkewSeconds
        // The library checks the other times. A future `iat` is refused here.
        if (iat !== undefined && !(iat <= latest)) {
          return yield* new TokenRefused({ issuer, reason: "claim iat" })
        }
        if (typeof sub !== "string" || sub === "") {
          return yield* new TokenRefused({ issuer, reason: "claim sub" })
        }
        const issued: IssuedToken = {
          issuer,
          subject: sub,
          tenant: textIn(claimOf(payload, options.tenantClaim)),
          scopes: scopesIn(claimOf(payload, options.scopesClaim))
            .filter((scope) => scope.startsWith(options.scopePrefix))
            .map((scope) => scope.slice(options.scopePrefix.length))
        }
        return issued
      })

      return TokenIssuers.of({
        verify: Effect.fn("TokenIssuers.verify")(function*(token) {
          const unverified = parse(token, options.algorithms)
          if (unverified === undefined) return yield* new TokenRefused({ reason: "malformed" })
          const { issuer } = unverified
          const known = issuers.get(issuer)
          if (known === undefined) return yield* new TokenRefused({ reason: "unknown issuer" })
          const { keys } = yield* known.current
          if (keys === undefined) return yield* unavailable
          const claimsByRenewed = Effect.flatMap(known.renewed, (renewed) =>
            Effect.catchTag(
              claimsBy(unverified, renewed.keys ?? keys),
              "KeyUnknown",
              () =>
                Effect.fail(
                  renewed.wasRead
                    ? new TokenRefused({ issuer, reason: "unknown key" })
                    : unavailable
                )
            ))
          return yield* Effect.catchTag(
            claimsBy(unverified, keys),
            "KeyUnknown",
            () => claimsByRenewed
          )
        })
      })
    })
  )

const reasonOf = (cause: unknown): string => {
  if (cause instanceof errors.JWTExpired) return "expired"
  if (cause instanceof errors.JWTClaimValidationFailed) return `claim ${cause.claim}`
  return cause instanceof errors.JWSSignatureVerificationFailed ? "signature" : "malformed"
}

const msInSecond = 1_000

// An issuer's keys. Read with the first token, again in the background when old, and for an unknown
// key, at a minimum interval: made-up key ids must not become requests to the issuer.

/** Least milliseconds between two reads before there are any keys. */
const retryMs = 5_000

const unavailable = new IssuerUnavailable({ retry_after_ms: retryMs })

const textIn = (claim: unknown): string | undefined => typeof claim === "string" ? claim : undefined

const scopesIn = (claim: unknown): ReadonlyArray<string> => {
  if (typeof claim === "string") return claim.split(" ")
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === "string") : []
}

/** Least milliseconds between two reads once there are keys. */
const pauseMs = 30_000

/** Older keys are read again: keys withdrawn by the issuer are refused from then on. */
const freshMs = 10 * 60_000

interface Known {
  /** `undefined`: never read. */
  readonly keys: JWTVerifyGetKey | undefined
  /** Time of the last attempt, in milliseconds; -Infinity: never. */
  readonly triedAtMs: number
  readonly wasRead: boolean
}

type CurrentKeys = Pick<Known, "keys" | "wasRead">

interface IssuerKeys {
  /** Waits for a read only if there are no keys. */
  readonly current: Effect.Effect<CurrentKeys>
  /** Reads the keys again for an unknown key, unless that was just tried. */
  readonly renewed: Effect.Effect<CurrentKeys>
}

export const make = Effect.fnUntraced(function*(address: IssuerAddress) {
  const scope = yield* Effect.scope
  const alone = Semaphore.makeUnsafe(1)
  const known = yield* Ref.make<Known>({
    keys: undefined,
    triedAtMs: Number.NEGATIVE_INFINITY,
    wasRead: false
  })

  const sinceTried = Effect.gen(function*() {
    const { triedAtMs } = yield* Ref.get(known)
    const sinceMs = (yield* Clock.currentTimeMillis) - triedAtMs
    // A clock set back does not keep old keys alive.
    return sinceMs < 0 ? Number.POSITIVE_INFINITY : sinceMs
  })

  const read = Effect.gen(function*() {
    const { keys } = yield* Ref.get(known)
    if ((yield* sinceTried) < (keys === undefined ? retryMs : pauseMs)) return
    const triedAtMs = yield* Clock.currentTimeMillis
    const found = yield* keysOf(address).pipe(
      Effect.flatMap((set) =>
        Effect.try({
          try: (): JWTVerifyGetKey | undefined => createLocalJWKSet(set),
          catch: () => new IssuerUnread({ problem: "the keys are not a set of keys" })
        })
      ),
      Effect.catch(({ problem }) =>
        Effect.as(
          Effect.logWarning(`the keys of ${address.issuer} cannot be read: ${problem}`),
          undefined
        )
      )
    )
    yield* Ref.set(known, { keys: found ?? keys, triedAtMs, wasRead: found !== undefined })
  }).pipe(alone.withPermits(1))

  /** Continues when its caller disconnects: no caller can abort a shared read. */
  const reading = Effect.forkIn(read, scope)
  const awaited = Effect.flatMap(reading, Fiber.await)

  const issuerKeys: IssuerKeys = {
    current: Effect.gen(function*() {
      const { keys, wasRead } = yield* Ref.get(known)
      if (keys === undefined) yield* awaited
      else if ((yield* sinceTried) >= (wasRead ? freshMs : pauseMs)) yield* reading
      return yield* Ref.get(known)
    }),
    renewed: Effect.andThen(awaited, Ref.get(known))
  }
  return issuerKeys
})

// Reads an issuer's discovery document and keys. URLs come from the operator.

const documentBytesMax = 256 * 1_024
const keysMax = 50
/** Milliseconds for one document, from the first request to the last byte. */
const readTimeoutMs = 3_000

/** Names the fault without anything the issuer sent. */
class IssuerUnread extends Data.TaggedError("IssuerUnread")<{
  readonly problem: string
}> {}

interface IssuerAddress {
  /** Issuer as in the `iss` claim. */
  readonly issuer: string
  /** URL of its keys. Absent: taken from its discovery document. */
  readonly keysUrl?: string
}

const Discovery = Schema.Struct({ issuer: Schema.String, jwks_uri: Schema.String })
const KeySet = Schema.Struct({
  keys: Schema.Array(Schema.Struct({ kty: Schema.String })).check(Schema.isMaxLength(keysMax))
})

const isDiscovery = Schema.is(Discovery)
const fitsKeySet = Schema.is(KeySet)
const isKeySet = (value: unknown): value is JSONWebKeySet => fitsKeySet(value)

const failed = (problem: string) => new IssuerUnread({ problem })

const keysOf = Effect.fnUntraced(function*({ issuer, keysUrl }: IssuerAddress) {
  const keys = yield* documentAt(keysUrl ?? (yield* keysUrlOf(issuer)))
  return isKeySet(keys) ? keys : yield* failed("the keys are not a set of keys")
})

const keysUrlOf = Effect.fnUntraced(function*(issuer: string) {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`
  const found = yield* documentAt(address)
  if (!isDiscovery(found)) return yield* failed("the discovery document has no jwks_uri")
  if (found.issuer !== issuer) return yield* failed("the discovery document is another issuer's")
  return found.jwks_uri
})

const documentAt = (address: string): Effect.Effect<unknown, IssuerUnread> =>
  Effect.gen(function*() {
    if (!isTrustworthy(address)) return yield* failed("an address is neither https nor loopback")
    const { broken, status, text } = yield* Effect.mapError(
      HttpExchange.exchange(
        HttpClientRequest.get(address).pipe(
          HttpClientRequest.setHeaders({
            accept: "application/json",
            "user-agent": "web-grounding"
          })
        ),
        documentBytesMax
      ),
      () => new IssuerUnread({ problem: "a document cannot be reached" })
    )
    if (status !== 200) return yield* failed(`a document was answered with ${status}`)
    if (broken !== undefined) return yield* failed("a document is too large or was cut off")
    const fault = BoundedJson.sizeFaultOf(text)
    const value = fault === undefined ? BoundedJson.parse(text) : Option.none()
    return Option.isSome(value) ? value.value : yield* failed("a document is not the JSON expected")
  }).pipe(Effect.timeoutOrElse({
    duration: readTimeoutMs,
    orElse: () => failed("a document did not come in time")
  }))

// Refuses tokens by size, form and header before trusting anything in them.

/** Most bytes of a token; it is ASCII. */
const tokenBytesMax = 8 * 1_024

/** Three parts of base64url without padding: signed, and neither encrypted nor unsigned. */
const form = /^([\w-]+)\.([\w-]+)\.[\w-]+$/

/** Accepted types. Other tokens have the same signing keys: for logging out, for one request. */
const types: ReadonlySet<string> = new Set([
  "jwt",
  "at+jwt",
  "application/jwt",
  "application/at+jwt"
])

/** Header parameters that change the interpretation of the token and are not supported. */
const unwanted = ["crit", "b64", "cty", "enc", "zip"]

interface UnverifiedToken {
  readonly token: string
  readonly issuer: string
}

const Header = Schema.Struct({
  alg: Schema.String,
  kid: Schema.optionalKey(Schema.String),
  typ: Schema.optionalKey(Schema.String)
})
const isHeader = Schema.is(Header)

/** Signature unchecked. `undefined`: malformed, too long, or none of `algorithms`. */
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

/** A claim's own value; `undefined` for absent and inherited names. */
const claimOf = (claims: object, name: string): unknown =>
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

// Duplicate names in JSON: parsers disagree on which of the two counts.

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:]/gs

/** Whether an object in the text repeats a name. `text`: valid JSON. */
const hasRepeatedName = (text: string): boolean => {
  const open: Array<Set<unknown>> = []
  let last = ""
  for (const [token] of text.matchAll(tokens)) {
    if (token === "{" || token === "[") open.push(new Set())
    else if (token === "}" || token === "]") open.pop()
    else if (token === ":") {
      // Escapes are decoded: equal names may be written differently.
      const name: unknown = JSON.parse(last)
      const names = open.at(-1)
      if (names?.has(name) === true) return true
      names?.add(name)
    }
    last = token
  }
  return false
}
