/**
 * API tokens. Only the SHA-256 is kept: with 256 random bits, a token cannot be guessed from it.
 */
import { Schema } from "effect"

/**
 * Scope of a credential.
 * - `ground`: to ask, and to add own material to the evidence store.
 * - `read`: own sessions, packs, evidence and health.
 * - `audit`: to replay sessions.
 * - `erase`: to erase sessions and to hold them.
 * - `admin`: tokens, the evidence store as a whole, and the deployment beyond one tenant.
 * - `metrics`: the metrics of the process and nothing else.
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

export const liveTokensMax = 1_000

/** Tenants of tokens. Names that begin with `_` are reserved for the service. */
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
  name: TokenName,
  /** SHA-256 of the token as it is sent, lower-case hex. */
  secret_sha256: Schema.String,
  tenant_id: TenantId,
  scopes: Schema.NonEmptyArray(AccessScope),
  /** ISO 8601 UTC. */
  created_at: Schema.String,
  created_by: Schema.optionalKey(Schema.String),
  /** Expiry, ISO 8601 UTC. Absent: valid until it is revoked. */
  expires_at: Schema.optionalKey(Schema.String),
  /** ISO 8601 UTC. Absent: it was not revoked. */
  revoked_at: Schema.optionalKey(Schema.String),
  revoked_by: Schema.optionalKey(Schema.String)
})
export type AccessToken = typeof AccessToken.Type

export class TokenNotFound extends Schema.TaggedError<TokenNotFound>()("TokenNotFound", {
  token_id: Schema.String
}) {
  override get message(): string {
    return `No token ${this.token_id} is recorded`
  }
}

/** `now`: ISO 8601 UTC. */
export const isLive = ({ expires_at, revoked_at }: AccessToken, now: string): boolean =>
  revoked_at === undefined && (expires_at === undefined || now < expires_at)
