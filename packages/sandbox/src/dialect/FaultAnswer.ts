/** Encodes a fault: a plain answer, or the honest one altered. */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import {
  listAt,
  type PlayedAnswer as Answer,
  resultsOf,
  type SearchDialect,
  type ServerAnswer
} from "@web-grounding/dialects/Dialect"
import { dialects } from "@web-grounding/dialects/Dialects"
import { Tavily } from "@web-grounding/dialects/Tavily"
import { DateTime, Effect, Option, Predicate, Schedule, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Socket } from "node:net"
import { gzipSync } from "node:zlib"
import * as Dialect from "./Dialect.ts"
import * as Fault from "./Fault.ts"

const delayMsMax = 60_000
/** Twice what a client should accept, in a few kilobytes on the wire. */
const bombMib = 8
const hugeMibMax = 64
const mib = 1_024 * 1_024

export interface HonestAnswer extends Pick<SearchDialect, "contentType" | "faults"> {
  readonly query: string
  readonly answer: Answer
  readonly render: (answer: Answer) => string
  /** The caller's key, as it came. */
  readonly secret: string
}

export const respond = (fault: Fault.Fault, honest: HonestAnswer) => {
  const plain = honest.faults[fault.name] ?? plainAnswers[fault.name]
  if (plain !== undefined) return plainResponse(fault, plain)
  const withheld = withholding[fault.name]
  if (withheld !== undefined) return withheld(fault, honest)
  const sent = sending[fault.name]?.(fault, honest)
  const altered = altering[fault.name]?.(honest.answer) ?? honest.answer
  return Effect.succeed(sent ?? said(honest, altered))
}

const plainResponse = (fault: Fault.Fault, plain: ServerAnswer) =>
  Effect.map(
    retryAfterOf(fault),
    (asked) => responseOf({ ...plain, headers: { ...plain.headers, ...asked } })
  )

/** Plain response; JSON if it names no type. */
export const responseOf = ({ body = "", headers = {}, status, type }: ServerAnswer) =>
  HttpServerResponse.text(body, { status, contentType: type ?? "application/json", headers })

/** Seconds as given, or a word for a harder form of the header. */
const retryAfterOf = Effect.fnUntraced(function*(fault: Fault.Fault) {
  const given = fault.parameters.get("retry-after")
  if (given === undefined) return {}
  const shift = given === "date" ? 60 : given === "past" ? -60 : undefined
  if (shift === undefined) return { "retry-after": given }
  const at = DateTime.add(yield* DateTime.now, { seconds: shift })
  return { "retry-after": DateTime.toDateUtc(at).toUTCString() }
})

/** By fault name. Faults of one dialect are played in its words by the others, too. */
const plainAnswers: Readonly<Record<string, ServerAnswer>> = Object.assign(
  {},
  ...Object.values(dialects).map(({ faults }) => faults),
  Tavily.faults,
  Fault.common
)

const said = ({ contentType, render }: HonestAnswer, answer: Answer) =>
  HttpServerResponse.text(render(answer), { contentType })

type Alter = (answer: Answer) => Answer

const withResults =
  (change: (results: ReadonlyArray<unknown>) => ReadonlyArray<unknown>): Alter => (answer) => ({
    ...answer,
    results: change(resultsOf(answer))
  })

/** Every object result, with some fields changed. */
const withFields = (change: (result: object) => object): Alter =>
  withResults((results) =>
    results.map((result) => Predicate.isObject(result) ? { ...result, ...change(result) } : result)
  )

/** Warning that Jina's Reader returns with a page; other providers have no such field. */
const withWarning = (warning: string): Alter => (answer) => ({ ...answer, warning })

/** The honest answer, altered before it is written in a protocol. */
const altering: Readonly<Record<string, Alter>> = {
  200: (answer) => answer,
  "bad-urls": withResults(() => badUrls.map(resultAt)),
  "odd-results": withResults(() => oddResults),
  hostile: withResults(() => [hostileResult]),
  "target-404": withWarning("Target URL returned error 404: Not Found"),
  "captcha-warning": withWarning(
    "This page maybe requiring CAPTCHA, please make sure you are authorized to access this page."
  ),
  snapshot: withWarning(
    "This is a cached snapshot of the original page, consider retry with caching opt-out."
  ),
  "missing-result": withResults((results) => results.slice(1)),
  "doubled-result": withResults((results) => [...results.slice(0, 1), ...results]),
  "odd-numbers": withFields(() => ({ score: null, relevance_score: "NaN", embedding: [null] })),
  "short-vectors": withFields((one) => ({ embedding: listAt(one, "embedding").slice(1) })),
  "zero-vectors": withFields((one) => ({ embedding: listAt(one, "embedding").map(() => 0) }))
}

type Send = (fault: Fault.Fault, honest: HonestAnswer) => HttpServerResponse.HttpServerResponse

/** Responses with a head or a body of their own. */
const sending: Readonly<Record<string, Send>> = {
  empty: (_, honest) => said(honest, Dialect.empty(honest.query)),
  truncated: (_, { answer, contentType, render }) =>
    HttpServerResponse.text(halfOf(render(answer)), { contentType }),
  /** A server that repeats the caller's secret in its error. */
  echo: (_, { contentType, secret }) =>
    HttpServerResponse.text(JSON.stringify({ error: `Bad key: ${secret}` }), {
      status: 401,
      contentType,
      headers: { "x-echo": secret, "retry-after": secret }
    }),
  redirect: () => HttpServerResponse.empty({ status: 307, headers: { location: "/search" } }),
  drip: (fault, { contentType, query, render }) => {
    const every = Fault.numberOf(fault, "every", { otherwise: 200, most: delayMsMax })
    const bytes = Stream.fromIterable(new TextEncoder().encode(render(Dialect.empty(query)))).pipe(
      Stream.map((byte) => Uint8Array.of(byte)),
      Stream.schedule(Schedule.spaced(every))
    )
    return HttpServerResponse.stream(bytes, { contentType })
  },
  /** Without an end: only the client can close. */
  huge: (fault, { contentType }) => {
    const size = Fault.numberOf(fault, "mib", { otherwise: 16, most: hugeMibMax })
    const blanks = Stream.fromIterable(Array.from({ length: size * 16 }, () => blank))
    return HttpServerResponse.stream(Stream.concat(blanks, Stream.never), { contentType })
  },
  "gzip-bomb": (_, { contentType }) =>
    HttpServerResponse.uint8Array(gzipSync(new Uint8Array(bombMib * mib).fill(0x20)), {
      contentType,
      headers: { "content-encoding": "gzip" }
    })
}

type Withhold = (fault: Fault.Fault, honest: HonestAnswer) => Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest
>

/** Answers that come late, in part or not at all. */
const withholding: Readonly<Record<string, Withhold>> = {
  slow: (fault, honest) =>
    Effect.as(
      Effect.sleep(Fault.numberOf(fault, "delay", { otherwise: 1_000, most: delayMsMax })),
      said(honest, honest.answer)
    ),
  hang: () => Effect.never,
  reset: () => withSocket((socket) => void socket.resetAndDestroy()),
  /** The head and the first bytes, then silence. */
  stall: (_, honest) => {
    const body = honest.render(honest.answer)
    return withSocket((socket) =>
      void socket.write(`${headOf(body, honest.contentType)}${body.slice(0, 20)}`)
    )
  },
  /** The head promises the whole body; the connection ends after half of it. */
  cut: (_, honest) => {
    const body = honest.render(honest.answer)
    const sent = `${headOf(body, honest.contentType)}${halfOf(body)}`
    return withSocket((socket) => void socket.write(sent, () => void socket.destroy()))
  }
}

const halfOf = (body: string): string => body.slice(0, Math.trunc(body.length / 2))

export const faultNames: ReadonlyArray<string> = Object.keys({
  ...plainAnswers,
  ...altering,
  ...sending,
  ...withholding
})

const timesMax = 1_000_000
const pattern = /(?:^|\s)fault:([a-z0-9-]+?)(?:x(\d{1,6}))?((?:,[a-z-]+=[^\s,]*)*)(?=\s|$)/

export const inText = (text: string): Option.Option<Fault.Fault> => {
  const [found, written, times, parameters = ""] = pattern.exec(text) ?? []
  const name = faultNames.find((known) => known === written)
  if (found === undefined || name === undefined) return Option.none()
  return Option.some({
    name,
    times: times === undefined ? undefined : Math.min(timesMax, Number(times)),
    parameters: new Map(
      parameters.split(",").slice(1).map((pair) => {
        const [key = "", value = ""] = pair.split("=", 2)
        return [key, value]
      })
    ),
    word: found.trim()
  })
}

/** Fault of a header or setting, without the prefix `fault:`; none if unknown. */
export const inWord = (word: string): Option.Option<Fault.Fault> => inText(`fault:${word.trim()}`)

/** Permanent fault of a sandbox key, for tests of key rotation: `tvly-sandbox-fault-429`. */
export const inKey = (key: string): Option.Option<Fault.Fault> => {
  const word = Fault.faultWord(key)
  return word === undefined ? Option.none() : inWord(word)
}

/** Effect's server does not expose the socket; closing it ends the handler. */
const withSocket = (act: (socket: Socket) => void) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const { socket } = NodeHttpServerRequest.toIncomingMessage(request)
    return Effect.andThen(Effect.sync(() => act(socket)), Effect.never)
  })

const headOf = (body: string, contentType: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${contentType}\r\n` +
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
