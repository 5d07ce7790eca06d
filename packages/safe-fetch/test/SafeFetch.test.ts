import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import type { RequestListener } from "node:http"
import { PassThrough } from "node:stream"
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync
} from "node:zlib"
import { collect, heldBytes } from "../src/WebExchange.ts"
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

/** A gzip member with a file's name, a comment, a field of its own and a checksum in its head. */
const named = (bytes: Buffer, nameLength = 8): Buffer => {
  const head = Buffer.from(gzipSync(bytes).subarray(0, 10))
  head[3] = 2 + 4 + 8 + 16
  const extra = Buffer.from([3, 0, 1, 0, 2])
  const texts = Buffer.from(`${"n".repeat(nameLength)}\0a comment\0`)
  return Buffer.concat([head, extra, texts, Buffer.alloc(2), gzipSync(bytes).subarray(10)])
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
      for (const [hop, headers] of seen.entries()) {
        assert.deepStrictEqual(headers, {
          ...(hop === 0 ? {} : { cookie: "id=1" }),
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
          "/raw-deflate": packed("deflate", deflateRawSync(bytes)),
          "/zstd": packed("zstd", zstdCompressSync(bytes)),
          "/two": packed("gzip, br", brotliCompressSync(gzipSync(bytes))),
          "/identity": packed("identity", bytes),
          "/three": packed("gzip, gzip, gzip", gzipSync(gzipSync(gzipSync(bytes)))),
          "/none": packed("none", bytes),
          "/utf-8": packed("UTF-8", bytes),
          "/unknown-in-gzip": packed("rot13, gzip", gzipSync(bytes)),
          "/behind-gzip": packed(
            "gzip",
            Buffer.concat([gzipSync(bytes), Buffer.from("\n<!-- x -->")])
          ),
          "/behind-br": packed(
            "br",
            Buffer.concat([brotliCompressSync(bytes), Buffer.from("<p>")])
          ),
          "/behind-zstd": packed(
            "zstd",
            Buffer.concat([zstdCompressSync(bytes), Buffer.from("<p>")])
          ),
          "/without-trailer": packed("gzip", gzipSync(bytes).subarray(0, -8)),
          "/named": packed("gzip", named(bytes)),
          "/endless-name": packed("gzip", named(bytes, 1 << 20)),
          "/lie": packed("gzip", bytes),
          "/half": packed("gzip", gzipSync(bytes).subarray(0, 40)),
          "/half-zstd": packed("zstd", zstdCompressSync(bytes).subarray(0, 40))
        })
      })
      const { fetch } = yield* fetcher(web.network())
      const at = (path: string) => fetch(`http://www.wikipedia.org${path}`)
      for (
        const path of [
          "/gzip",
          "/br",
          "/deflate",
          "/raw-deflate",
          "/zstd",
          "/two",
          "/identity",
          "/none",
          "/utf-8",
          "/unknown-in-gzip",
          "/behind-gzip",
          "/behind-br",
          "/behind-zstd",
          "/without-trailer",
          "/named"
        ]
      ) {
        assert.strictEqual((yield* at(path)).body, page, path)
      }
      assert.strictEqual(yield* outcome(at("/three")), "encoding_unknown")
      assert.strictEqual(yield* outcome(at("/endless-name")), "malformed")
      assert.strictEqual(yield* outcome(at("/lie")), "malformed")
      assert.strictEqual(yield* outcome(at("/half")), "truncated")
      assert.include(["truncated", "malformed"], yield* outcome(at("/half-zstd")))
    }))

  it.live("takes a body in pieces of any size, with what comes behind it", () =>
    Effect.gen(function*() {
      const packed = Buffer.concat([named(Buffer.from(page)), Buffer.from("\n<!-- x -->")])
      const web = yield* internet({
        site: (request, response) => {
          const size = Number(request.url?.slice(1))
          response.writeHead(200, { ...html, "content-encoding": "gzip" })
          const send = (at: number): unknown =>
            at >= packed.length
              ? response.end()
              : response.write(packed.subarray(at, at + size), () => send(at + size))
          send(0)
        }
      })
      const { fetch } = yield* fetcher(web.network())
      for (const size of [1, 2, 11, 60]) {
        assert.strictEqual((yield* fetch(`http://www.wikipedia.org/${size}`)).body, page)
      }
    }))

  it.live("follows a page of a few words, as a redirect", () =>
    Effect.gen(function*() {
      const leading = (content: string, more = "") =>
        [200, html, `<meta http-equiv=Refresh content="${content}"><p>Moved.</p>${more}`] as const
      const refresh = (value: string) => [200, { ...html, refresh: value }, "<p>Moved."] as const
      const web = yield* internet({
        site: site({
          "/there?a=1&b=2": [200, html, page],
          "/url": leading("0; url=/there?a=1&amp;b=2"),
          "/quoted": leading("3;URL='/there?a=1&b=2'"),
          "/bare": leading("1, /there?a=1&b=2"),
          "/header": refresh("0; url=/there?a=1&b=2"),
          "/long": leading("0; url=/there?a=1&b=2", "<p>A notice has to be in writing.".repeat(40)),
          "/late": leading("300; url=/there?a=1&b=2"),
          "/again": leading("5"),
          "/itself": leading("5; url=/itself#top"),
          "/comment": [200, html, "<!-- <meta http-equiv=refresh content='0;url=/there'> --><p>A."],
          "/script": [
            200,
            html,
            "<noscript><meta http-equiv=refresh content='0;url=/x'></noscript>A."
          ],
          "/circle": leading("0; url=/circle2"),
          "/circle2": leading("0; url=/circle"),
          "/inside": leading("0; url=http://127.0.0.1/"),
          "/app": leading("0; url=intent://open")
        })
      })
      const { fetch } = yield* fetcher(web.network())
      const at = (path: string) => fetch(`http://www.wikipedia.org${path}`)
      for (const path of ["/url", "/quoted", "/bare", "/header"]) {
        const { body, url } = yield* at(path)
        assert.deepStrictEqual([body, url], [page, "http://www.wikipedia.org/there?a=1&b=2"], path)
      }
      for (const path of ["/long", "/late", "/again", "/itself", "/comment", "/script"]) {
        assert.strictEqual((yield* at(path)).url, `http://www.wikipedia.org${path}`)
      }
      assert.strictEqual(yield* outcome(at("/circle")), "too_many_redirects")
      assert.strictEqual(yield* outcome(at("/inside")), "address_forbidden")
      assert.strictEqual(yield* outcome(at("/app")), "scheme_forbidden")
    }))

  it.live("follows the bytes of a location, encoded once", () =>
    Effect.gen(function*() {
      const written = ["/手数料", "/%E6%89%8B%E6%95%B0%E6%96%99", "http://www.wikipedia.org/手数料"]
      const web = yield* internet({
        site: (request, response) => {
          const place = written[Number(request.url?.slice(1))]
          if (place === undefined) return void response.writeHead(200, html).end(request.url)
          const head = `HTTP/1.1 301 Moved\r\nLocation: ${place}\r\nConnection: close\r\n`
          request.socket.end(Buffer.from(`${head}Content-Length: 0\r\n\r\n`))
        }
      })
      const { fetch } = yield* fetcher(web.network())
      for (const place of written.keys()) {
        const { body } = yield* fetch(`http://www.wikipedia.org/${place}`)
        assert.strictEqual(body, "/%E6%89%8B%E6%95%B0%E6%96%99")
      }
    }))

  it.live("gives a host its own cookies back, within one call alone", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const web = yield* internet({
        site: ({ headers: { cookie = "", host = "" }, url }, response) => {
          seen.push(`${host}${url} ${cookie}`)
          if (/\bseen=1\b/.test(cookie)) return void response.writeHead(200, html).end(page)
          const location = url === "/across" ? "http://de.wikipedia.org/wall" : url
          response.writeHead(302, {
            location,
            "set-cookie": ["seen=1; Path=/; HttpOnly", "gone=1", "gone=; Max-Age=0", "bad=a b\tc"]
          }).end()
        }
      })
      const { fetch } = yield* fetcher(web.network())
      assert.strictEqual((yield* fetch("http://www.wikipedia.org/wall")).body, page)
      assert.strictEqual((yield* fetch("http://www.wikipedia.org/across")).body, page)
      assert.deepStrictEqual(seen, [
        "www.wikipedia.org/wall ",
        "www.wikipedia.org/wall seen=1",
        "www.wikipedia.org/across ",
        "de.wikipedia.org/wall ",
        "de.wikipedia.org/wall seen=1"
      ])
    }))

  it.live("reports what it was given, and nothing of the address or the body", () =>
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

  it.live("ends without its bytes where it is interrupted at the body's end", () =>
    Effect.gen(function*() {
      const body = new PassThrough()
      const bounds = { bytesMax: 1_024, held: heldBytes(1_024) }
      const fiber = yield* Effect.forkChild(Effect.scoped(collect(body, "", bounds)))
      yield* Effect.sleep(1)
      body.on("end", () => fiber.interruptUnsafe())
      body.end("whole")
      // A throw in a stream's callback would end the process.
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
      yield* Effect.sleep(10)
      assert.isTrue(bounds.held.take(1_024))
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
