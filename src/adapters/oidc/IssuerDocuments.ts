/**
 * Reads what an issuer publishes: the address of its keys, and the keys. Addresses are the
 * operator's.
 */
import { Data, Effect, Option, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import type { JSONWebKeySet } from "jose"
import * as BoundedJson from "../../infrastructure/http/BoundedJson.ts"
import { isTrustworthy } from "../../infrastructure/http/TrustworthyUrl.ts"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"

/** Bytes of one document after decompression, at most. */
const documentBytesMax = 256 * 1_024
const keysMax = 50
/** Milliseconds for one document, from the first request to the last byte. */
const readTimeoutMs = 3_000

/** Names what is wrong, and nothing that the issuer sent. */
export class IssuerUnread extends Data.TaggedError("IssuerUnread")<{
  readonly problem: string
}> {}

export interface IssuerAddress {
  /** Issuer as its tokens write it. */
  readonly issuer: string
  /** Address of its keys. Absent: taken from its discovery document. */
  readonly keysUrl?: string
}

const Discovery = Schema.Struct({ issuer: Schema.String, jwks_uri: Schema.String })
const KeySet = Schema.Struct({
  keys: Schema.Array(Schema.Struct({ kty: Schema.String })).check(Schema.isMaxLength(keysMax))
})

const isDiscovery = Schema.is(Discovery)
const fitsKeySet = Schema.is(KeySet)
/** Whether a value is a set of keys, by its form alone; each key is checked when it is used. */
const isKeySet = (value: unknown): value is JSONWebKeySet => fitsKeySet(value)

const failed = (problem: string) => Effect.fail(new IssuerUnread({ problem }))

/** The public keys that the issuer signs by. */
export const keysOf = Effect.fnUntraced(function*({ issuer, keysUrl }: IssuerAddress) {
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
    const { body, status } = yield* Effect.mapError(
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
    if (body._tag !== "Whole") return yield* failed("a document is too large or was cut off")
    const fault = BoundedJson.sizeFaultOf(body.text)
    const value = fault === undefined ? BoundedJson.parse(body.text) : Option.none()
    return Option.isSome(value) ? value.value : yield* failed("a document is not the JSON expected")
  }).pipe(Effect.timeoutOrElse({
    duration: readTimeoutMs,
    orElse: () => failed("a document did not come in time")
  }))
