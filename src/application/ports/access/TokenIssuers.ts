/** Tokens that an external issuer signs: whether one is valid, and its claims. */
import { Context, Data, type Effect } from "effect"

export interface IssuedToken {
  readonly issuer: string
  /** The issuer's name of the token's holder: PII, kept out of every event and log. */
  readonly subject: string
  /** Tenant as the issuer wrote it. `undefined`: the claim is absent, or is no text. */
  readonly tenant: string | undefined
  /** Scopes without the prefix, unknown ones too; may be empty. */
  readonly scopes: ReadonlyArray<string>
}

/** No token, no trusted issuer, or not valid now. Callers do not learn which. */
export class TokenRefused extends Data.TaggedError("TokenRefused")<{
  /** For the log: a name of the fault, or of the claim at fault, without anything of the token. */
  readonly reason: string
  /** Absent: none that is trusted. */
  readonly issuer?: string
}> {}

/** The token cannot be checked: its issuer's keys cannot be read. */
export class IssuerUnavailable extends Data.TaggedError("IssuerUnavailable")<{
  readonly retry_after_ms: number
}> {
  override readonly message = "The keys that the token would be checked by cannot be read now"
}

export class TokenIssuers extends Context.Service<TokenIssuers, {
  /** Verifies signature, audience and expiry. `token` may have any length and form. */
  readonly verify: (token: string) => Effect.Effect<IssuedToken, TokenRefused | IssuerUnavailable>
}>()("web-grounding/application/ports/access/TokenIssuers") {}
