/**
 * API tokens: which tenant each opens, which scopes it has, and until when.
 *
 * The SHA-256 of a token is kept and never the token. It has 256 random bits, so nobody can
 * guess it from its fingerprint.
 */
import { Schema } from "effect"

/**
 * Scope of a credential.
 * - `ground`: to ask, and to put own material into the evidence store. - `read`: own sessions,
 * packs, evidence and health. - `audit`: to replay sessions. - `erase`: to erase sessions and to
 * hold them. - `admin`: tokens, the evidence store as a whole, and what is of the deployment and
 * not of one tenant. - `metrics`: the metrics of the process and nothing else.
 */
export const AccessScope = Schema.Literals([
  "ground",
  "read",
  "audit",
  "erase",
  "admin",
  "metrics"
])
export type AccessScope = typeof AccessScope.Type

export const allScopes: ReadonlySet<AccessScope> = new Set(AccessScope.literals)

/** Live tokens of a deployment at most. */
export const liveTokensMax = 1_000

/** Tenants of tokens. What begins with `_` is the service's own. */
export const TenantId = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
    message: "Expected 1 to 64 letters, digits, dots, hyphens and underscores"
  })
)

export const TokenName = Schema.String.check(
  Schema.isPattern(/^[\p{L}\p{N}](?:[\p{L}\p{N} ._@/-]{0,98}[\p{L}\p{N}])?$/u, {
    message: "Expected 1 to 100 letters, digits, spaces and . _ @ / - between them"
  })
)

export const AccessToken = Schema.Struct({
  token_id: Schema.String,
  /** Name for people. */
  name: TokenName,
  /** SHA-256 of the token as it is sent, lower-case hex. */
  secret_sha256: Schema.String,
  tenant_id: TenantId,
  scopes: Schema.NonEmptyArray(AccessScope),
  /** ISO 8601 UTC. */
  created_at: Schema.String,
  /** Caller that made it. */
  created_by: Schema.optionalKey(Schema.String),
  /** ISO 8601 UTC: not accepted from then on. Absent: until it is revoked. */
  expires_at: Schema.optionalKey(Schema.String),
  /** ISO 8601 UTC. Absent: it was not revoked. */
  revoked_at: Schema.optionalKey(Schema.String),
  /** Caller that revoked it. */
  revoked_by: Schema.optionalKey(Schema.String)
})
export type AccessToken = typeof AccessToken.Type

/** No such token was made. */
export class TokenNotFound extends Schema.TaggedError<TokenNotFound>()("TokenNotFound", {
  token_id: Schema.String
}) {
  override get message(): string {
    return `No token ${this.token_id} is recorded`
  }
}

/** Whether a token is accepted. `now`: ISO 8601 UTC. */
export const isLive = ({ expires_at, revoked_at }: AccessToken, now: string): boolean =>
  revoked_at === undefined && (expires_at === undefined || now < expires_at)
