/** Inputs of the operations. A failed check names the field of the first fault. */
import { Effect, Schema, SchemaIssue, Struct } from "effect"
import {
  AccessScope,
  AccessToken,
  TenantId,
  TokenName,
  TokenNotFound
} from "../domain/access/AccessToken.ts"
import {
  CallerRequest,
  Listing,
  newId,
  newLocale,
  newOverrides,
  wholeBetween,
  wholeOr
} from "../domain/request/GroundingRequest.ts"
import { ViewAudience } from "../domain/view/ViewSchemas.ts"
import { loosely } from "./LooseInput.ts"
import { callFailures, InvalidInput } from "./PublicFailure.ts"

const { request_id, session_id } = CallerRequest.fields

/**
 * Ids are of the alphabet of new ones. Inputs that create nothing have no such bound: older records
 * stay readable.
 */
const IdentifiedGroundInput = Schema.Struct({
  ...CallerRequest.fields,
  /** The turns of a chat share it. It has two searches, four if its first request is `premium`. */
  session_id: newId,
  request_id: newId,
  /** BCP 47. Language of messages and of a model's claims. */
  locale: newLocale,
  overrides: newOverrides
})

/** Input of `ground` as a caller sends it: an absent `request_id` is generated. */
export const GroundInput = Schema.Struct({
  ...IdentifiedGroundInput.fields,
  /** Idempotency key within the session: the same key asks for the same answer. */
  request_id: Schema.optionalKey(newId)
})

export const ListingInput = Schema.Struct({ ...GroundInput.fields, listing: Listing })

export const SessionInput = Schema.Struct({ session_id })

const pageEventsMax = 200
const pageEventsDefault = 100

export const SessionPageInput = Schema.Struct({
  session_id,
  /** Version after which the events begin. Default 0: the first event. */
  after: wholeOr(0, 0, 2_147_483_647),
  limit: wholeOr(pageEventsDefault, 1, pageEventsMax)
})

export const PackInput = Schema.Struct({ session_id, request_id })
/** More than a pack has. */
const claimsMax = 1_000

export const ReceiptInput = Schema.Struct({
  session_id,
  request_id,
  /**
   * Number of the only claim shown, from 1: key points, norms, constraints, disputed ones. Default:
   * all.
   */
  claim: Schema.optionalKey(wholeBetween(1, claimsMax))
})

export const ViewInput = Schema.Struct({ session_id, request_id, audience: ViewAudience })

/** A recorded request whose pack was shown to a user. */
export const ShownInput = Schema.Struct({
  session_id,
  request_id,
  audience: Schema.Literals(["roleplay_background", "coach", "user"])
})

const hoursMax = 168

export const HealthInput = Schema.Struct({
  /** Hours up to now. Default 24. */
  hours: wholeOr(24, 1, hoursMax)
})

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) =>
    issue._tag === "UnexpectedKey" ? "Unknown field" : SchemaIssue.defaultLeafHook(issue)
})

/** Decodes; refuses unknown fields, so that no misspelt name is ignored. */
export const decode = <A, I>(schema: Schema.Codec<A, I>) => {
  const decodeStrictly = Schema.decodeUnknownEffect(schema)
  const decodeInput = loosely((input) =>
    decodeStrictly(input, { onExcessProperty: "error", errors: "all" })
  )
  return (input: unknown): Effect.Effect<A, InvalidInput> =>
    decodeInput(input).pipe(
      Effect.mapError(({ issue }) => {
        const [first] = issuesOf(issue).issues
        const path = first?.path?.map((part) => String(typeof part === "object" ? part.key : part))
        return new InvalidInput({
          field: path?.join(".") ?? "",
          problem: first?.message ?? "Expected other input"
        })
      })
    )
}

/** Ten years. */
const expiresInDaysMax = 3_650

const tokenIdCharsMax = 200

const scopesDefault = ["ground", "read"] as const

export const CreateTokenInput = Schema.Struct({
  /** Name for people: the token's owner or purpose. */
  name: TokenName,
  /** Tenant of the token. Default: the tenant of the service. */
  tenant_id: Schema.optionalKey(TenantId),
  /** Default: `ground` and `read`. */
  scopes: Schema.NonEmptyArray(AccessScope).check(Schema.isUnique()).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(scopesDefault))
  ),
  /** 1 to 3,650. Absent: valid until it is revoked. */
  expires_in_days: Schema.optionalKey(wholeBetween(1, expiresInDaysMax))
})

export const RevokeTokenInput = Schema.Struct({
  token_id: Schema.NonEmptyString.check(Schema.isMaxLength(tokenIdCharsMax))
})

export const TokenView = Schema.Struct({
  ...Struct.omit(AccessToken.fields, ["secret_sha256"]),
  live: Schema.Boolean
})
export type TokenView = typeof TokenView.Type

export const TokenMade = Schema.Struct({
  ...TokenView.fields,
  /** Token for `Authorization: Bearer`. Shown only once; the service keeps its SHA-256. */
  token: Schema.String
})
export type TokenMade = typeof TokenMade.Type

export const AccessFailure = Schema.Union([...callFailures, TokenNotFound])
export type AccessFailure = typeof AccessFailure.Type
