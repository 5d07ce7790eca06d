/** Authenticates calls from outside and authorizes them by scope. */
import { Context, Data, Effect, Layer, Option, Schema } from "effect"
import { Forbidden, type StoreUnavailable } from "../contract/PublicFailure.ts"
import { AccessScope, allScopes, TenantId } from "../domain/access/AccessToken.ts"
import { AccessTokens, prefix } from "./AccessTokens.ts"
import type { Caller } from "./GroundQuestion.ts"
import * as InPublic from "./InPublic.ts"
import {
  type IssuedToken,
  type IssuerUnavailable,
  TokenIssuers,
  type TokenRefused
} from "./ports/access/TokenIssuers.ts"
import { Digest } from "./ports/Platform.ts"

export interface Identity {
  /** Always taken from the credential, never from an input. */
  readonly tenantId: string
  readonly scopes: ReadonlySet<AccessScope>
  /** Pseudonym of the credential, e.g. a token's id. Absent: none was needed. */
  readonly credential?: string
}

export interface RemoteCaller extends Caller, Pick<Identity, "scopes"> {}

/** The call has no accepted credential. The reason is not disclosed. */
export class Unauthenticated extends Data.TaggedError("Unauthenticated")<{}> {
  override readonly message =
    "Expected Authorization: Bearer with a token that this service accepts"
}

export class Access extends Context.Service<Access, {
  /** `credential`: the `Bearer` credential of a call. */
  readonly identify: (
    credential: Option.Option<string>
  ) => Effect.Effect<Identity, Unauthenticated | StoreUnavailable | IssuerUnavailable>
}>()("web-grounding/application/Access") {}

/** The authenticated caller of the running call. Faces refuse a call without one. */
export const CurrentIdentity = Context.Reference<Identity | undefined>(
  "web-grounding/application/Access/CurrentIdentity",
  { defaultValue: () => undefined }
)

export const credentialIn = (authorization: string | undefined): Option.Option<string> =>
  Option.fromUndefinedOr(/^bearer +(\S+)$/i.exec(authorization?.trim() ?? "")?.[1])

/** Accepts every call for one tenant with every scope, and checks no credential. */
export const open = (tenantId: string) =>
  Layer.succeed(Access, { identify: () => Effect.succeed({ tenantId, scopes: allScopes }) })

export interface AccessOptions {
  /** Tenant of callers without a credential, and of this machine's operator. */
  readonly tenantId: string
  readonly isRequired: boolean
  /** Secret of local commands, which can read the data directory. */
  readonly operatorSecret: string
}

const pseudonymChars = 16

const isTenantId = Schema.is(TenantId)

/** Accepts tokens of the service and of configured issuers. An invalid one is always refused. */
export const layer = ({ isRequired, operatorSecret, tenantId }: AccessOptions) =>
  Layer.effect(
    Access,
    Effect.gen(function*() {
      const { holder } = yield* AccessTokens
      const { sha256 } = yield* Digest
      const operator = sha256(operatorSecret)
      const everything: Identity = { tenantId, scopes: allScopes }
      const issuers = yield* Effect.serviceOption(TokenIssuers)

      const ofToken = (token: string) =>
        holder(token).pipe(
          Effect.mapError(InPublic.storeDown),
          Effect.flatMap(Option.match({
            onNone: () => new Unauthenticated(),
            onSome: ({ scopes, tenant_id, token_id }) =>
              Effect.succeed<Identity>({
                tenantId: tenant_id,
                scopes: new Set(scopes),
                credential: token_id
              })
          }))
        )

      const ofIssued = ({ issuer, scopes, subject, tenant }: IssuedToken) =>
        isTenantId(tenant)
          ? Effect.succeed<Identity>({
            tenantId: tenant,
            scopes: new Set(AccessScope.literals.filter((scope) => scopes.includes(scope))),
            credential: `jwt:${sha256(`${issuer}\n${subject}`).slice(0, pseudonymChars)}`
          })
          : refused({ issuer, reason: "claim of the tenant" })

      return Access.of({
        identify: Effect.fn("Access.identify")(function*(credential) {
          const given = Option.getOrElse(credential, () => "")
          if (sha256(given) === operator) return { ...everything, credential: "operator" }
          if (given.startsWith(prefix)) return yield* ofToken(given)
          if (Option.isSome(issuers) && given !== "") {
            return yield* issuers.value.verify(given).pipe(
              Effect.catchTag("TokenRefused", refused),
              Effect.flatMap(ofIssued)
            )
          }
          return isRequired ? yield* new Unauthenticated() : everything
        })
      })
    })
  )

/** Only the log has the reason. */
const refused = ({ issuer, reason }: Pick<TokenRefused, "issuer" | "reason">) =>
  Effect.logWarning("a token of an issuer was refused").pipe(
    Effect.annotateLogs({ reason, issuer }),
    Effect.andThen(new Unauthenticated())
  )

export const granted = (scope: AccessScope) =>
(
  { scopes }: Pick<Identity, "scopes">
): Effect.Effect<void, Forbidden> => scopes.has(scope) ? Effect.void : new Forbidden({ scope })

/** Caller of an operation. `face`: the interface of the call, for the events' metadata. */
export const callerBy = (
  { credential, scopes, tenantId }: Identity,
  face: string
): RemoteCaller => ({
  tenantId,
  scopes,
  actor: credential === undefined ? face : `${face}:${credential}`
})

export const callerOf = (face: string): Effect.Effect<RemoteCaller, Unauthenticated> =>
  Effect.flatMap(CurrentIdentity, (identity) =>
    identity === undefined
      ? new Unauthenticated()
      : Effect.succeed(callerBy(identity, face)))
