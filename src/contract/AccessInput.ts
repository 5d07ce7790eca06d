/** Schemas of the operations on tokens: their inputs and results. */
import { Effect, Schema } from "effect"
import { AccessScope, TenantId, TokenName, TokenNotFound } from "../domain/access/AccessToken.ts"
import { callFailures } from "./PublicFailure.ts"

/** Ten years. */
const expiresInDaysMax = 3_650

const scopesDefault = ["ground", "read"] as const

export const CreateTokenInput = Schema.Struct({
  /** Name for people: the token's owner or purpose. */
  name: TokenName,
  /** Tenant whose sessions the token opens. Default: the tenant of the service. */
  tenant_id: Schema.optionalKey(TenantId),
  /** Scopes that the token allows. Default: `ground` and `read`. */
  scopes: Schema.NonEmptyArray(AccessScope).check(Schema.isUnique()).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(scopesDefault))
  ),
  /** 1 to 3,650. Absent: accepted until it is revoked. */
  expires_in_days: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: expiresInDaysMax }))
  )
})

export const RevokeTokenInput = Schema.Struct({ token_id: Schema.NonEmptyString })

/** A token without its secret. */
export const TokenView = Schema.Struct({
  token_id: Schema.String,
  name: Schema.String,
  tenant_id: Schema.String,
  scopes: Schema.Array(AccessScope),
  /** ISO 8601 UTC, as the others. */
  created_at: Schema.String,
  /** Caller that made it. */
  created_by: Schema.optionalKey(Schema.String),
  expires_at: Schema.optionalKey(Schema.String),
  revoked_at: Schema.optionalKey(Schema.String),
  /** Caller that revoked it. */
  revoked_by: Schema.optionalKey(Schema.String),
  /** Whether it is accepted now. */
  live: Schema.Boolean
})
export type TokenView = typeof TokenView.Type

export const TokenMade = Schema.Struct({
  ...TokenView.fields,
  /**
   * Token to be sent as `Authorization: Bearer`. Shown this once; the service keeps its SHA-256.
   */
  token: Schema.String
})
export type TokenMade = typeof TokenMade.Type

export const AccessFailure = Schema.Union([...callFailures, TokenNotFound])
export type AccessFailure = typeof AccessFailure.Type
