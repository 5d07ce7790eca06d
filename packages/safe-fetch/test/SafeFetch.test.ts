import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { RequestListener } from "node:http"
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import { fetcher, internet, outcome } from "./support/webServers.ts"

const page = "<!doctype html><title>Notice</title><p>A month's notice is enough.</p>"

/** Each path answers with its status, headers and body. */
const site = (
  answers: Readonly<Record<string, readonly [number, Record<string, string>, (string | Buffer)?]>>
): RequestListener =>
(request, response) => {
  const [status, headers, body = ""] = answers[request.url ?? ""] ?? [404, {}]
  response.writeHead(status, headers).end(body)
}

const html = { "content-type": "text/html; charset=utf-8" }

describe("a safe fetch", () => {
  it.live("answers with the text of a page, where it was found in the end", () =>
    Effect.gen(function*() {
      const seen: Array<unknown> = []
      const web = yield* internet({
        site: (request, response) => {
          seen.push(request.headers)
          site({
            "/old": [301, { location: "/new?a=1#part", "set-cookie": "id=1" }],
            "/new?a=1": [200, html, page]
          })(request, response)
        }
      })
      const { fetch } = yield* fetcher(web.network())
      const found = yield* fetch("http://www.wikipedia.org/old")
      assert.deepStrictEqual(found, {
        url: "http://www.wikipedia.org/new?a=1#part",
        contentType: "text/html; charset=utf-8",
        body: page
      })
      for (const headers of seen) {
        assert.deepStrictEqual(headers, {
          host: "www.wikipedia.org",
          connection: "keep-alive",
          "user-agent": "web-grounding/test",
          accept:
            "text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,application/pdf;q=0.8",
          "accept-encoding": "gzip, br, zstd"
        })
      }
      yield* Effect.sleep(20)
      assert.strictEqual(web.openSockets(), 0)
    }))

  it.live("unpacks what was packed, up to two layers", () =>
    Effect.gen(function*() {
      const packed = (coding: string, body: Buffer) =>
        [200, { ...html, "content-encoding": coding }, body] as const
      const bytes = Buffer.from(page)
      const web = yield* internet({
        site: site({
          "/gzip": packed("gzip", gzipSync(bytes)),
          "/br": packed("br", brotliCompressSync(bytes)),
          "/deflate": packed("deflate", deflateSync(bytes)),
          "/zstd": packed("zstd", zstdCompressSync(bytes)),
          "/two": packed("gzip, br", brotliCompressSync(gzipSync(bytes))),
          "/identity": packed("identity", bytes),
          "/three": packed("gzip, gzip, gzip", gzipSync(gzipSync(gzipSync(bytes)))),
          "/unknown": packed("rot13", bytes),
          "/lie": packed("gzip", bytes),
          "/half": packed("gzip", gzipSync(bytes).subarray(0, 40)),
          "/half-zstd": packed("zstd", zstdCompressSync(bytes).subarray(0, 40))
        })
      })
      const { fetch } = yield* fetcher(web.network())
      const at = (path: string) => fetch(`http://www.wikipedia.org${path}`)
      for (const path of ["/gzip", "/br", "/deflate", "/zstd", "/two", "/identity"]) {
        assert.strictEqual((yield* at(path)).body, page, path)
      }
      assert.strictEqual(yield* outcome(at("/three")), "encoding_unknown")
      assert.strictEqual(yield* outcome(at("/unknown")), "encoding_unknown")
      assert.strictEqual(yield* outcome(at("/lie")), "malformed")
      assert.strictEqual(yield* outcome(at("/half")), "truncated")
      assert.include(["truncated", "malformed"], yield* outcome(at("/half-zstd")))
    }))

  it.live("tells what it was told, and nothing of the address or the body", () =>
    Effect.gen(function*() {
      const web = yield* internet({
        site: site({ "/404?key=SECRET": [404, html, "SECRET"], "/503": [503, html, "SECRET"] })
      })
      const { fetch } = yield* fetcher(web.network())
      const failed = yield* Effect.flip(fetch("http://www.wikipedia.org/404?key=SECRET"))
      assert.deepInclude(failed, { fault: "http_status", status: 404 })
      assert.notInclude(JSON.stringify(failed) + String(failed) + failed.stack, "SECRET")
      assert.strictEqual(yield* outcome(fetch("http://www.wikipedia.org/503")), "http_503")
    }))

  it.live("closes its socket when it is interrupted, in head and in body", () =>
    Effect.gen(function*() {
      const web = yield* internet({
        site: (request, response) => {
          if (request.url === "/body") response.writeHead(200, html).write("<p>")
        }
      })
      const { fetch } = yield* fetcher(web.network())
      for (const path of ["/head", "/body"]) {
        yield* fetch(`http://www.wikipedia.org${path}`).pipe(Effect.timeoutOption(150))
        yield* Effect.sleep(20)
        assert.strictEqual(web.openSockets(), 0, path)
      }
      assert.lengthOf(web.dials, 2)
    }))
})
