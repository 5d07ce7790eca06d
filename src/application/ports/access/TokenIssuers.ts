/** Tokens that somebody else signs: whether one is good, and what it says. */
import { Context, Data, type Effect } from "effect"

/** Claims of a token whose signature, audience and expiry were verified. */
export interface IssuedToken {
  /** Issuer, one of those that the operator trusts. */
  readonly issuer: string
  /**
   * Name that the issuer gives the token's holder: personal data, kept out of every event and log.
   */
  readonly subject: string
  /** Tenant as the issuer wrote it. `undefined`: the claim is absent, or is no text. */
  readonly tenant: string | undefined
  /** Scopes without the prefix, whatever the issuer wrote, unknown ones too; may be empty. */
  readonly scopes: ReadonlyArray<string>
}

/** The token is none, has no trusted issuer, or is not valid now. Callers are not told which. */
export class TokenRefused extends Data.TaggedError("TokenRefused")<{}> {}

/** Whether the token is good cannot be told: its issuer's keys cannot be read. */
export class IssuerUnavailable extends Data.TaggedError("IssuerUnavailable")<{
  readonly retry_after_ms: number
}> {
  override readonly message = "The keys that the token would be checked by cannot be read now"
}

/** Verifies bearer tokens (JWT) against the keys that trusted issuers publish. */
export class TokenIssuers extends Context.Service<TokenIssuers, {
  /** Verifies the token's signature, audience and expiry. `token` may have any length and form. */
  readonly verify: (
    token: string
  ) => Effect.Effect<IssuedToken, TokenRefused | IssuerUnavailable>
}>()("web-grounding/application/ports/access/TokenIssuers") {}
