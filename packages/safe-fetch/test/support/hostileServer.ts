/** A server of hostile bodies, in a process of its own so that its work is not counted. */
import { createServer, type ServerResponse } from "node:http"
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"

const mib = 1_024 * 1_024
const bodyBytesMax = 5 * mib
const html = { "content-type": "text/html" }

/** 1:1,000 and more. */
const zeros = new Uint8Array(64 * mib)

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

const attacks: Readonly<Record<string, Attack>> = {
  gzip: said({ "content-encoding": "gzip" }, bombs.gzip),
  br: said({ "content-encoding": "br" }, bombs.br),
  deflate: said({ "content-encoding": "deflate" }, bombs.deflate),
  zstd: said({ "content-encoding": "zstd" }, bombs.zstd),
  nested: said({ "content-encoding": "gzip, gzip" }, nested),
  layers: said({ "content-encoding": Array(6).fill("gzip").join() }, nested),
  endless: endless(new Uint8Array(65_536).fill(0x61)),
  "200-mib": said({ "content-length": String(200 * mib) }),
  "just-over": said({}, new Uint8Array(bodyBytesMax + 1).fill(0x61)),
  drip: dripping({}, 100),
  "drip-in-gzip": (response) => {
    response.writeHead(200, { ...html, "content-encoding": "gzip" })
    response.write(gzipSync("x").subarray(0, 12))
  },
  silence: () => {},
  "drip-of-head": (response) => {
    response.socket?.write("HTTP/1.1 200 OK\r\nX-A: ")
    const timer = setInterval(() => response.socket?.write("a"), 50)
    response.socket?.on("close", () => clearInterval(timer))
  },
  "head-flood": raw("HTTP/1.1 200 OK\r\n", `X-A: ${"a".repeat(1_000)}\r\n`),
  "many-heads": raw("HTTP/1.1 200 OK\r\n", "A:\r\n".repeat(1_000)),
  "hint-flood": raw("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(50)),
  "short-body": raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 90\r\n\r\nabc"),
  "long-body": raw(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\nabcdef`),
  "two-lengths": raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 9\r\n\r\nabc"),
  "bad-chunk": raw(
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc"
  ),
  "no-http": raw("SSH-2.0-OpenSSH_9.9\r\n"),
  nothing: raw(""),
  pdf: said({}, "%PDF-1.7 page"),
  zip: said({}, Buffer.from("PK\x03\x04\x14\x00", "latin1")),
  svg: said({}, "<svg xmlns='http://www.w3.org/2000/svg' onload='x()'>"),
  program: said({}, Buffer.from("\x7fELF\x02\x01\x01\x00", "latin1")),
  "no-such-charset": said({ "content-type": "text/html; charset=evil-9" }, page),
  "wide-charset": said({ "content-type": "text/html; charset=utf-16le" }, page),
  "seven-bits": said({ "content-type": "text/html; charset=utf-7" }, "+ADw-script+AD4-")
}

const site = (response: ServerResponse, name: string) => (attacks[name] ?? said({}, page))(response)

const server = createServer((request, response) => {
  response.on("error", () => {})
  response.socket?.on("error", () => {})
  site(response, request.url?.slice(1) ?? "")
})
server.listen(0, "127.0.0.1", () => process.send?.(server.address()))
process.once("disconnect", () => process.exit())
