/** Certificates of their own authority, and a process that trusts one for a while. */
import { Effect, type Scope } from "effect"
import { generateKeyPairSync, sign } from "node:crypto"
import type { RequestListener } from "node:http"
import { createServer, type Server } from "node:https"
import { getCACertificates, setDefaultCACertificates } from "node:tls"

const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const body = Buffer.concat(parts)
  const length = body.length < 0x80
    ? [body.length]
    : body.length < 0x100
    ? [0x81, body.length]
    : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const sequence = (...parts: ReadonlyArray<Uint8Array>) => der(0x30, ...parts)
const bytes = (hex: string) => Buffer.from(hex, "hex")
const commonName = der(0x06, bytes("550403"))
const subjectAltName = der(0x06, bytes("551d11"))
const ecdsaWithSha256 = sequence(der(0x06, bytes("2a8648ce3d040302")))

/** For `host`, good for the years 2020 to 2049. */
export const certificateOf = (host: string) => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(host)))))
  const altNames = der(0x04, sequence(der(0x82, Buffer.from(host))))
  const body = sequence(
    der(0xa0, der(0x02, Uint8Array.of(2))),
    der(0x02, Uint8Array.of(1)),
    ecdsaWithSha256,
    name,
    sequence(der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("491231235959Z"))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(subjectAltName, altNames)))
  )
  const signature = der(0x03, Uint8Array.of(0), sign("sha256", body, privateKey))
  const cert = sequence(body, ecdsaWithSha256, signature).toString("base64")
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${cert}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  }
}

export const trusting = (cert: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = getCACertificates("default")
      setDefaultCACertificates([...before, cert])
      return before
    }),
    (before) => Effect.sync(() => setDefaultCACertificates(before))
  )

export const sealedListening = (
  made: { readonly cert: string; readonly key: string },
  listener: RequestListener
): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer(made, listener).on("tlsClientError", () => {})
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
