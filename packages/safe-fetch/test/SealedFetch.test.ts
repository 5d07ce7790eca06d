import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { generateKeyPairSync, sign } from "node:crypto"
import { createServer } from "node:https"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { fetcher, internet, outcome } from "./support/webServers.ts"

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
const certificateOf = (host: string) => {
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

const host = "www.wikipedia.org"

/** A site behind TLS, and the name that each caller asked it for. */
const sealed = Effect.gen(function*() {
  const { cert, key } = certificateOf(host)
  const names: Array<string | undefined> = []
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const made = createServer({
        cert,
        key,
        SNICallback: (name, done) => {
          names.push(name)
          done(null)
        }
      }, (_, response) => {
        response.writeHead(200, { "content-type": "text/html" }).end("<p>Sealed.</p>")
      })
      made.on("tlsClientError", () => {})
      made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) =>
      Effect.sync(() => {
        made.closeAllConnections()
        made.close()
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const web = yield* internet({ site: port })
  const { fetch } = yield* fetcher(web.network(), { timeoutMs: 2_000 })
  return { cert, fetch, names, web }
})

const trusting = (cert: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = getCACertificates("default")
      setDefaultCACertificates([...before, cert])
      return before
    }),
    (before) => Effect.sync(() => setDefaultCACertificates(before))
  )

describe("a fetch over https", () => {
  it.live("compares the certificate with the name, though it dials the address", () =>
    Effect.gen(function*() {
      const { cert, fetch, names, web } = yield* sealed
      assert.strictEqual(yield* outcome(fetch(`https://${host}/`)), "tls_failed")
      yield* trusting(cert)
      assert.strictEqual((yield* fetch(`https://${host}/`)).body, "<p>Sealed.</p>")
      assert.strictEqual(yield* outcome(fetch("https://en.wikipedia.org/")), "tls_failed")
      assert.strictEqual(yield* outcome(fetch("https://93.184.215.14/")), "tls_failed")
      assert.include(names, host)
      yield* Effect.sleep(20)
      assert.strictEqual(web.openSockets(), 0)
      assert.deepStrictEqual(new Set(web.dials), new Set(["93.184.215.14:443"]))
    }))

  it.live("is refused by a server that speaks no TLS", () =>
    Effect.gen(function*() {
      const web = yield* internet({ site: (_, response) => void response.end("open") })
      const { fetch } = yield* fetcher(web.network(), { timeoutMs: 2_000 })
      assert.strictEqual(yield* outcome(fetch(`https://${host}/`)), "tls_failed")
    }))
})
