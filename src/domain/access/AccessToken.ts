/**
 * API tokens: which tenant each opens, which scopes it has, and until when. A decider.
 *
 * Events hold the SHA-256 of a token and never the token. It has 256 random bits, so nobody can
 * guess it from its fingerprint.
 */
import { Option, Result, Schema } from "effect"

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

const created = {
  token_id: Schema.String,
  /** Name for people. */
  name: TokenName,
  /** SHA-256 of the token as it is sent, lower-case hex. */
  secret_sha256: Schema.String,
  tenant_id: TenantId,
  scopes: Schema.NonEmptyArray(AccessScope),
  /** ISO 8601 UTC. */
  created_at: Schema.String,
  /** ISO 8601 UTC: not accepted from then on. Absent: until it is revoked. */
  expires_at: Schema.optionalKey(Schema.String)
}

const revoked = {
  token_id: Schema.String,
  /** ISO 8601 UTC. */
  revoked_at: Schema.String
}

const TokenCreated = Schema.TaggedStruct("WEB_GROUNDING_TOKEN_CREATED", created)
const TokenRevoked = Schema.TaggedStruct("WEB_GROUNDING_TOKEN_REVOKED", revoked)

export const AccessEvent = Schema.Union([TokenCreated, TokenRevoked]).pipe(
  Schema.toTaggedUnion("_tag")
)
export type AccessEvent = typeof AccessEvent.Type

export const CreateToken = Schema.TaggedStruct("CreateToken", created)
export const RevokeToken = Schema.TaggedStruct("RevokeToken", revoked)

export const AccessCommand = Schema.Union([CreateToken, RevokeToken]).pipe(
  Schema.toTaggedUnion("_tag")
)
export type AccessCommand = typeof AccessCommand.Type

/** No such token was made. */
export class TokenNotFound extends Schema.TaggedError<TokenNotFound>()("TokenNotFound", {
  token_id: Schema.String
}) {
  override get message(): string {
    return `No token ${this.token_id} is recorded`
  }
}

export class TooManyTokens extends Schema.TaggedError<TooManyTokens>()("TooManyTokens", {}) {}

export interface AccessToken extends Omit<typeof CreateToken.Type, "_tag"> {
  /** ISO 8601 UTC. Absent: it was not revoked. */
  readonly revoked_at?: string
}

/** Tokens by `token_id`, in the order they were made. */
export type AccessTokens = ReadonlyMap<string, AccessToken>

export const initial: AccessTokens = new Map()

/** Whether a token is accepted. `now`: ISO 8601 UTC. */
export const isLive = ({ expires_at, revoked_at }: AccessToken, now: string): boolean =>
  revoked_at === undefined && (expires_at === undefined || now < expires_at)

type Decision = Result.Result<ReadonlyArray<AccessEvent>, TokenNotFound | TooManyTokens>

export const decide = (command: AccessCommand, tokens: AccessTokens): Decision =>
  AccessCommand.match(command, {
    CreateToken: ({ _tag, ...facts }): Decision =>
      [...tokens.values()].filter((token) => isLive(token, facts.created_at)).length >=
          liveTokensMax
        ? Result.fail(new TooManyTokens())
        : Result.succeed([TokenCreated.make(facts)]),
    RevokeToken: ({ _tag, ...facts }): Decision => {
      const token = tokens.get(facts.token_id)
      if (token === undefined) return Result.fail(new TokenNotFound({ token_id: facts.token_id }))
      return Result.succeed(token.revoked_at === undefined ? [TokenRevoked.make(facts)] : [])
    }
  })

export const evolve = (tokens: AccessTokens, event: AccessEvent): AccessTokens =>
  AccessEvent.match(event, {
    WEB_GROUNDING_TOKEN_CREATED: ({ _tag, ...token }) => new Map(tokens).set(token.token_id, token),
    WEB_GROUNDING_TOKEN_REVOKED: ({ revoked_at, token_id }) => {
      const token = tokens.get(token_id)
      return token === undefined ? tokens : new Map(tokens).set(token_id, { ...token, revoked_at })
    }
  })

/** The live token with this fingerprint. `now`: ISO 8601 UTC. */
export const accepted = (
  tokens: AccessTokens,
  secretSha256: string,
  now: string
): Option.Option<AccessToken> =>
  Option.fromUndefinedOr(
    [...tokens.values()].find((token) => token.secret_sha256 === secretSha256 && isLive(token, now))
  )
