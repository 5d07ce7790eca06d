import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import type { ServerResponse } from "node:http"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import { Agent, fetch } from "undici"
import { bodyBytesMax, totalTimeoutMs } from "../../src/infrastructure/web/SafeFetch.ts"
import { fetcher, internet, listening, outcome, portOf } from "../support/webServers.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const timeoutMs = full ? totalTimeoutMs : 800
const graceMs = 250
const mib = 1_024 * 1_024
/** 1:1,000 and more. */
const zeros = new Uint8Array(64 * mib)
const html = { "content-type": "text/html" }

type Attack = (response: ServerResponse) => void

const said =
  (headers: Record<string, string>, body: Uint8Array | string = ""): Attack => (response) =>
    void response.writeHead(200, { ...html, ...headers }).end(body)

const raw = (text: string, more?: string): Attack => (response) => {
  const { socket } = response
  socket?.write(text)
  if (more === undefined) return void socket?.end()
  const flood = () => {
    while (socket?.destroyed === false && socket.write(more) === true);
  }
  socket?.on("drain", flood)
  flood()
}

/** As long as the other side takes it in. */
const endless = (chunk: Uint8Array): Attack => (response) => {
  response.writeHead(200, html)
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on("drain", pour)
  pour()
}

const dripping = (headers: Record<string, string>, every: number): Attack => (response) => {
  response.writeHead(200, { ...html, ...headers })
  const timer = setInterval(() => response.write(" "), every)
  response.on("close", () => clearInterval(timer))
}

const bombs = {
  gzip: gzipSync(zeros),
  br: brotliCompressSync(zeros),
  deflate: deflateSync(zeros),
  zstd: zstdCompressSync(zeros)
}
const nested = gzipSync(bombs.gzip)
const page = "<!doctype html><p>A page.</p>"

const attacks: Readonly<Record<string, readonly [Attack, RegExp]>> = {
  gzip: [said({ "content-encoding": "gzip" }, bombs.gzip), /^too_large$/],
  br: [said({ "content-encoding": "br" }, bombs.br), /^too_large$/],
  deflate: [said({ "content-encoding": "deflate" }, bombs.deflate), /^too_large$/],
  zstd: [said({ "content-encoding": "zstd" }, bombs.zstd), /^too_large$/],
  nested: [said({ "content-encoding": "gzip, gzip" }, nested), /^too_large$/],
  layers: [
    said({ "content-encoding": Array(6).fill("gzip").join() }, nested),
    /^encoding_unknown$/
  ],
  endless: [endless(new Uint8Array(65_536).fill(0x61)), /^too_large$/],
  "200-mib": [said({ "content-length": String(200 * mib) }), /^too_large$/],
  "just-over": [said({}, new Uint8Array(bodyBytesMax + 1).fill(0x61)), /^too_large$/],
  drip: [dripping({}, 100), /^timeout$/],
  "drip-in-gzip": [
    (response) => {
      response.writeHead(200, { ...html, "content-encoding": "gzip" })
      response.write(gzipSync("x").subarray(0, 12))
    },
    /^timeout$/
  ],
  silence: [() => {}, /^timeout$/],
  "drip-of-head": [
    (response) => {
      response.socket?.write("HTTP/1.1 200 OK\r\nX-A: ")
      const timer = setInterval(() => response.socket?.write("a"), 50)
      response.socket?.on("close", () => clearInterval(timer))
    },
    /^timeout$/
  ],
  "head-flood": [
    raw("HTTP/1.1 200 OK\r\n", `X-A: ${"a".repeat(1_000)}\r\n`),
    /^headers_too_large$/
  ],
  "many-heads": [
    raw("HTTP/1.1 200 OK\r\n", "A:\r\n".repeat(1_000)),
    /^(headers_too_large|malformed)$/
  ],
  "hint-flood": [
    raw("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(50)),
    /^(timeout|malformed|unreachable|headers_too_large)$/
  ],
  "short-body": [
    raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 90\r\n\r\nabc"),
    /^truncated$/
  ],
  "long-body": [
    raw(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\nabcdef`),
    /^(fetched|malformed)$/
  ],
  "two-lengths": [
    raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 9\r\n\r\nabc"),
    /^malformed$/
  ],
  "bad-chunk": [
    raw(
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc"
    ),
    /^malformed$/
  ],
  "no-http": [raw("SSH-2.0-OpenSSH_9.9\r\n"), /^malformed$/],
  nothing: [raw(""), /^unreachable$/],
  pdf: [said({}, "%PDF-1.7 page"), /^type_forbidden$/],
  zip: [said({}, Buffer.from("PK\x03\x04\x14\x00", "latin1")), /^type_forbidden$/],
  svg: [said({}, "<svg xmlns='http://www.w3.org/2000/svg' onload='x()'>"), /^type_forbidden$/],
  program: [said({}, Buffer.from("\x7fELF\x02\x01\x01\x00", "latin1")), /^type_forbidden$/],
  "no-such-charset": [said({ "content-type": "text/html; charset=evil-9" }, page), /^fetched$/],
  "wide-charset": [said({ "content-type": "text/html; charset=utf-16le" }, page), /^fetched$/],
  "seven-bits": [
    said({ "content-type": "text/html; charset=utf-7" }, "+ADw-script+AD4-"),
    /^fetched$/
  ]
}

const site = (response: ServerResponse, name: string) =>
  (attacks[name]?.[0] ?? said({}, page))(response)

const attacked = internet({
  site: (request, response) => site(response, request.url?.slice(1) ?? "")
})

describe("a hostile body", () => {
  it.live.each(Object.keys(attacks))(
    "ends typed and in time: %s",
    (name) =>
      Effect.gen(function*() {
        const web = yield* attacked
        const { fetch } = yield* fetcher(web.network(), { timeoutMs })
        const before = yield* Clock.currentTimeMillis
        assert.match(
          yield* outcome(fetch(`http://www.wikipedia.org/${name}`)),
          attacks[name]?.[1] ?? /^$/
        )
        assert.isAtMost((yield* Clock.currentTimeMillis) - before, timeoutMs + graceMs)
        yield* Effect.sleep(20)
        assert.strictEqual(web.openSockets(), 0)
      })
  )

  it.live(
    "takes neither memory nor time from others, sixteen at once",
    () =>
      Effect.gen(function*() {
        const web = yield* attacked
        const { fetch } = yield* fetcher(web.network(), { timeoutMs })
        const at = (name: string, place: number) => fetch(`http://h${place}.wikipedia.org/${name}`)
        const names = ["gzip", "br", "zstd", "nested", "endless", "drip", "just-over", "silence"]
        const round = [...names, ...names]
        // Once before the count, so that libraries and pools are warm.
        yield* Effect.forEach(names.slice(0, 5), (name, place) => outcome(at(name, place)))
        globalThis.gc?.()

        const delay = monitorEventLoopDelay({ resolution: 10 })
        const rssBefore = process.memoryUsage.rss()
        let rssMost = rssBefore
        const watch = setInterval(() => {
          rssMost = Math.max(rssMost, process.memoryUsage.rss())
        }, 5)
        delay.enable()
        const served: Array<number> = []
        const innocent = Effect.gen(function*() {
          const before = yield* Clock.currentTimeMillis
          assert.strictEqual((yield* at("page", 99)).body, page)
          served.push((yield* Clock.currentTimeMillis) - before)
        })
        yield* Effect.all([
          Effect.forEach(round, (name, place) => outcome(at(name, place)), { concurrency: 16 }),
          Effect.forEach(Array.from({ length: 20 }), () => Effect.delay(innocent, 20))
        ], { concurrency: 2 })
        clearInterval(watch)
        delay.disable()
        const grownMib = (rssMost - rssBefore) / mib
        const p99Ms = delay.percentile(99) / 1e6
        console.info(
          `16 attacks: ${grownMib.toFixed(1)} MiB, loop p99 ${
            p99Ms.toFixed(1)
          } ms, others at most ` +
            `${Math.max(...served)} ms`
        )
        assert.lengthOf(served, 20)
        assert.isAtMost(grownMib, 64)
        assert.isAtMost(p99Ms, 100)
      }),
    60_000
  )

  it.live("holds only so much of all pages together", () =>
    Effect.gen(function*() {
      // Each stops short of its own ceiling and of its end.
      const large = new Uint8Array(bodyBytesMax - 1_024).fill(0x61)
      const web = yield* internet({
        site: (_, response) => void response.writeHead(200, html).write(large)
      })
      const { fetch } = yield* fetcher(web.network(), { timeoutMs: 1_000 })
      const ends = yield* Effect.forEach(
        Array.from({ length: 10 }),
        (_, place) => outcome(fetch(`http://h${place}.wikipedia.org/`)),
        { concurrency: 10 }
      )
      assert.lengthOf(ends.filter((end) => end === "timeout"), 6)
      assert.lengthOf(ends.filter((end) => end === "busy"), 4)
    }))

  it.live("would pass a client whose ceiling counts what is on the wire", () =>
    Effect.gen(function*() {
      const bomb = said({ "content-encoding": "gzip" }, bombs.gzip)
      const server = yield* listening((_, response) => bomb(response))
      const dispatcher = yield* Effect.acquireRelease(
        Effect.sync(() => new Agent({ maxResponseSize: mib })),
        (agent) => Effect.promise(() => agent.destroy())
      )
      const unpacked = yield* Effect.promise(() =>
        fetch(`http://127.0.0.1:${portOf(server)}/`, { dispatcher })
          .then((response) => response.arrayBuffer())
      )
      assert.strictEqual(unpacked.byteLength, zeros.length)
    }))
})
