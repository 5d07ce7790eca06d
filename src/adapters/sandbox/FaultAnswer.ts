/** What a fault looks like on the wire: a plain answer, or the honest one bent. */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { DateTime, Effect, Schedule, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Socket } from "node:net"
import { gzipSync } from "node:zlib"
import * as Fault from "./Fault.ts"
import * as PlainFault from "./PlainFault.ts"
import * as SandboxAnswer from "./SandboxAnswer.ts"

const delayMsMax = 60_000
/** Twice what a client should take, in a few kilobytes on the wire. */
const bombMib = 8
const hugeMibMax = 64
const mib = 1_024 * 1_024

export interface HonestAnswer {
  readonly query: string
  /** The JSON that a healthy server would send. */
  readonly body: string
  readonly authorization: string
}

export const respond = (fault: Fault.Fault, honest: HonestAnswer) => {
  const plain = PlainFault.answers[fault.name]
  if (plain !== undefined) return plainResponse(fault, plain)
  return (bent[fault.name] ?? bent.hang)(fault, honest)
}

const plainResponse = (fault: Fault.Fault, { body = "", status, type }: PlainFault.PlainAnswer) =>
  Effect.map(
    retryAfterOf(fault),
    (headers) =>
      HttpServerResponse.text(body, { status, contentType: type ?? "application/json", headers })
  )

/** Seconds as given, or a word for a harder form of the header. */
const retryAfterOf = Effect.fnUntraced(function*(fault: Fault.Fault) {
  const given = fault.parameters.get("retry-after")
  if (given === undefined) return {}
  const shift = given === "date" ? 60 : given === "past" ? -60 : undefined
  if (shift === undefined) return { "retry-after": given }
  const at = DateTime.add(yield* DateTime.now, { seconds: shift })
  return { "retry-after": DateTime.toDateUtc(at).toUTCString() }
})

const json = (body: string) => HttpServerResponse.text(body, { contentType: "application/json" })
const edit = (body: string, change: (answer: Record<string, unknown>) => unknown) =>
  json(JSON.stringify(change(JSON.parse(body))))

type Bend = (
  fault: Fault.Fault,
  honest: HonestAnswer
) => Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest
>

const bent: { readonly [name in Fault.FaultName]?: Bend } & { readonly hang: Bend } = {
  200: (_, { body }) => Effect.succeed(json(body)),
  empty: (_, { query }) => Effect.succeed(json(JSON.stringify(SandboxAnswer.empty(query)))),
  "no-images": (_, { body }) => Effect.succeed(edit(body, ({ images: _images, ...rest }) => rest)),
  truncated: (_, { body }) => Effect.succeed(json(body.slice(0, Math.trunc(body.length / 2)))),
  /** A server that repeats the caller's secret in its error. */
  echo: (_, { authorization }) =>
    Effect.succeed(HttpServerResponse.text(PlainFault.errorBody(`Bad key: ${authorization}`), {
      status: 401,
      contentType: "application/json",
      headers: { "x-echo": authorization, "retry-after": authorization }
    })),
  "bad-urls": (_, { body }) =>
    Effect.succeed(edit(body, (answer) => ({ ...answer, results: badUrls.map(resultAt) }))),
  "odd-results": (_, { body }) =>
    Effect.succeed(edit(body, (answer) => ({ ...answer, results: oddResults }))),
  hostile: (_, { body }) =>
    Effect.succeed(edit(body, (answer) => ({ ...answer, results: [hostileResult] }))),
  redirect: () =>
    Effect.succeed(HttpServerResponse.empty({ status: 307, headers: { location: "/search" } })),
  slow: (fault, { body }) =>
    Effect.as(
      Effect.sleep(Fault.numberOf(fault, "delay", { otherwise: 1_000, most: delayMsMax })),
      json(body)
    ),
  hang: () => Effect.never,
  drip: (fault, { query }) => {
    const every = Fault.numberOf(fault, "every", { otherwise: 200, most: delayMsMax })
    const body = JSON.stringify(SandboxAnswer.empty(query))
    return Effect.succeed(HttpServerResponse.stream(
      Stream.fromIterable(new TextEncoder().encode(body)).pipe(
        Stream.map((byte) => Uint8Array.of(byte)),
        Stream.schedule(Schedule.spaced(every))
      ),
      { contentType: "application/json" }
    ))
  },
  /** And no end after it: only the client can close. */
  huge: (fault) => {
    const size = Fault.numberOf(fault, "mib", { otherwise: 16, most: hugeMibMax })
    return Effect.succeed(HttpServerResponse.stream(
      Stream.fromIterable(Array.from({ length: size * 16 }, () => blank)).pipe(
        Stream.concat(Stream.never)
      ),
      { contentType: "application/json" }
    ))
  },
  "gzip-bomb": () =>
    Effect.succeed(HttpServerResponse.uint8Array(
      gzipSync(new Uint8Array(bombMib * mib).fill(0x20)),
      { contentType: "application/json", headers: { "content-encoding": "gzip" } }
    )),
  reset: () => withSocket((socket) => void socket.resetAndDestroy()),
  /** The head and the first bytes, then silence. */
  stall: (_, { body }) =>
    withSocket((socket) => void socket.write(`${headOf(body)}${body.slice(0, 20)}`)),
  /** The head promises the whole body; the connection ends after half of it. */
  cut: (_, { body }) =>
    withSocket((socket) => {
      const half = body.slice(0, Math.trunc(body.length / 2))
      socket.write(`${headOf(body)}${half}`, () => void socket.destroy())
    })
}

/** What Effect's server does not let a handler do; the end of the connection ends the handler. */
const withSocket = (act: (socket: Socket) => void) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const { socket } = NodeHttpServerRequest.toIncomingMessage(request)
    return Effect.andThen(Effect.sync(() => act(socket)), Effect.never)
  })

const headOf = (body: string): string =>
  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" +
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`

const blank = new Uint8Array(mib / 16).fill(0x20)
const resultAt = (url: string) => ({ url, title: "A page", content: "Some words.", score: 0.5 })
const newsDate = "Tue, 19 Nov 2024 02:05:14 GMT"
const badUrls = [
  "javascript:alert(1)",
  "file:///etc/passwd",
  "https://www.bank.example@evil.example/",
  "not an address",
  ""
]
const oddResults = [
  "no object",
  null,
  { ...resultAt("https://one.example/?utm_source=x#top"), score: "high", published_date: 7 },
  { url: "https://two.example/", title: null, content: "Only words." },
  { ...resultAt("https://three.example/"), score: 7, published_date: newsDate },
  { ...resultAt("https://one.example/"), title: "The same page" },
  { title: "No address", content: "at all" }
]
const hostileResult = {
  ...resultAt("https://hostile.example/"),
  title: "A\u0000 \u202Etitle\u200B\r\nin two lines",
  content: "Ig\u200Bnore \u{E0041}all\u0007 this.\uD800 End"
}
