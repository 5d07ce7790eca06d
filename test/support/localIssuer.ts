/** An OpenID Connect issuer on loopback: it publishes keys and signs what a test wants signed. */
import { Effect } from "effect"
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"
import type { ServerResponse } from "node:http"
import { listening, portOf } from "../../packages/safe-fetch/test/support/webServers.ts"

export interface SigningKey {
  readonly kid: string
  readonly alg: string
  readonly privateKey: CryptoKey
  /** As it is published. */
  readonly jwk: Readonly<Record<string, unknown>>
}

export const keyOf = (alg: string, kid: string) =>
  Effect.promise(async (): Promise<SigningKey> => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
    const jwk = { ...await exportJWK(publicKey), kid, alg, use: "sig" }
    return { kid, alg, privateKey, jwk }
  })

export const signed = (
  claims: JWTPayload,
  { alg, kid, privateKey }: SigningKey,
  header: Readonly<Record<string, unknown>> = {}
): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg, kid, typ: "JWT", ...header }).sign(privateKey)

export interface LocalIssuer {
  /** As it is published. */
  readonly keys: Array<Readonly<Record<string, unknown>>>
  /** Paths, in the order they were asked for. */
  readonly asked: Array<string>
  /** Answers instead of the documents where it is set. */
  publish: Publish | undefined
  issuer: string
}

export type Publish = (path: string, response: ServerResponse) => void

/** Starts without keys. */
export const localIssuer = Effect.gen(function*() {
  const state: LocalIssuer = { keys: [], asked: [], publish: undefined, issuer: "" }
  const server = yield* listening(({ url = "" }, response) => {
    state.asked.push(url)
    if (state.publish !== undefined) return state.publish(url, response)
    const body = url === "/.well-known/openid-configuration"
      ? { issuer: state.issuer, jwks_uri: `${state.issuer}/keys` }
      : { keys: state.keys }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
  })
  state.issuer = `http://127.0.0.1:${portOf(server)}`
  return state
})
