import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:https"
import { certificateOf, trusting } from "./support/certificate.ts"
import { fetcher, internet, outcome } from "./support/webServers.ts"

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
