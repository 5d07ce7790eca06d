/** Tokens of OpenID Connect issuers (JWT, RFC 7519), by the keys that those publish. */
import { Data, DateTime, Effect, Layer } from "effect"
import { errors, jwtVerify, type JWTVerifyGetKey } from "jose"
import {
  type IssuedToken,
  IssuerUnavailable,
  TokenIssuers,
  TokenRefused
} from "../../application/ports/access/TokenIssuers.ts"
import type { IssuerAddress } from "./IssuerDocuments.ts"
import * as IssuerKeys from "./IssuerKeys.ts"
import * as UnverifiedToken from "./UnverifiedToken.ts"

export interface OidcOptions {
  /** Trusted issuers, at least one. Each may name any tenant. */
  readonly issuers: readonly [IssuerAddress, ...ReadonlyArray<IssuerAddress>]
  /** Expected `aud`: the name by which the issuers know this service. */
  readonly audience: string
  /** Accepted algorithms, asymmetric signatures alone. */
  readonly algorithms: ReadonlyArray<string>
  /** Seconds by which the issuers' clocks may differ from this one's, whole. */
  readonly clockSkewSeconds: number
  readonly tenantClaim: string
  /** Claim that holds the scopes: a text with spaces between, or a list. */
  readonly scopesClaim: string
  /** Prefix of the scopes that are meant for this service; others are left out. */
  readonly scopePrefix: string
}

/** The token is signed by a key that is not among those that were read. */
class KeyUnknown extends Data.TaggedError("KeyUnknown")<{}> {}

export const layer = (options: OidcOptions) =>
  Layer.effect(
    TokenIssuers,
    Effect.gen(function*() {
      const issuers = new Map<string, IssuerKeys.IssuerKeys>()
      for (const address of options.issuers) {
        issuers.set(address.issuer, yield* IssuerKeys.make(address))
      }

      const claimsBy = Effect.fnUntraced(function*(
        { issuer, token }: UnverifiedToken.UnverifiedToken,
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
            cause instanceof errors.JWKSNoMatchingKey ? new KeyUnknown() : new TokenRefused()
        })
        const { iat, sub } = payload
        const latest = now.epochMilliseconds / msInSecond + options.clockSkewSeconds
        // The library looks at the other times. An issue in the future is no issue.
        if (iat !== undefined && !(iat <= latest)) return yield* new TokenRefused()
        if (typeof sub !== "string" || sub === "") return yield* new TokenRefused()
        const issued: IssuedToken = {
          issuer,
          subject: sub,
          tenant: textIn(UnverifiedToken.claimOf(payload, options.tenantClaim)),
          scopes: scopesIn(UnverifiedToken.claimOf(payload, options.scopesClaim))
            .filter((scope) => scope.startsWith(options.scopePrefix))
            .map((scope) => scope.slice(options.scopePrefix.length))
        }
        return issued
      })

      return TokenIssuers.of({
        verify: Effect.fn("TokenIssuers.verify")(function*(token) {
          const unverified = UnverifiedToken.parse(token, options.algorithms)
          const known = unverified && issuers.get(unverified.issuer)
          if (unverified === undefined || known === undefined) return yield* new TokenRefused()
          const { keys } = yield* known.current
          if (keys === undefined) return yield* unavailable
          const claimsByRenewed = Effect.flatMap(known.renewed, (renewed) =>
            Effect.catchTag(
              claimsBy(unverified, renewed.keys ?? keys),
              "KeyUnknown",
              () => Effect.fail(renewed.wasRead ? new TokenRefused() : unavailable)
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

const msInSecond = 1_000

const unavailable = new IssuerUnavailable({ retry_after_ms: IssuerKeys.retryMs })

const textIn = (claim: unknown): string | undefined => typeof claim === "string" ? claim : undefined

const scopesIn = (claim: unknown): ReadonlyArray<string> => {
  if (typeof claim === "string") return claim.split(" ")
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === "string") : []
}
