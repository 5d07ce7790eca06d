/**
 * Sends one HTTP request: no redirects, bounded size. Effect's own client span contains the URL,
 * which may hold a key: tracing is off, and failures contain nothing of the request.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Proxies } from "@web-grounding/safe-fetch/Proxy"
import { DateTime, Effect, Option, type Scope, Stream } from "effect"
import { HttpClient, type HttpClientRequest, type HttpClientResponse } from "effect/http"
import type { Duplex } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import * as RetryAfter from "./RetryAfter.ts"
import * as Unreachable from "./Unreachable.ts"

/** `cut_off`: the connection or the compression ended early. `too_large`: above the limit. */
type Broken = "cut_off" | "too_large"

export interface Exchange {
  readonly status: number
  readonly retryAfterMs: Option.Option<number>
  /** Body, decompressed and read as UTF-8, whatever its type; empty if it is not whole. */
  readonly text: string
  /** Why the body is not whole. */
  readonly broken?: Broken
}

/** Through the proxy of the URL, if any: in a tunnel, except for plain HTTP. */
export const dispatcherTo = Effect.fnUntraced(function*(address: string) {
  const { of } = yield* Proxies
  const url = URL.parse(address)
  const secure = url?.protocol === "https:"
  const proxy = url === null ? undefined : of({
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port) || (secure ? 443 : 80),
    secure
  })
  if (proxy === undefined) return yield* NodeHttpClient.makeDispatcherOptions({ allowH2: false })
  const { ProxyAgent } = yield* Effect.promise(() => import("@effect/platform-node/Undici"))
  return yield* Effect.acquireRelease(
    Effect.sync(() => new ProxyAgent({ uri: proxy.href, allowH2: false })),
    (agent) => Effect.promise(() => agent.destroy())
  )
})

/**
 * Uses a connection of its own: a stale pooled one would look like a failure of the server.
 * Interruption closes it. `bodyBytesMax` counts after decompression.
 */
export const exchange = Effect.fnUntraced(
  function*(request: HttpClientRequest.HttpClientRequest, bodyBytesMax: number): Effect.fn.Return<
    Exchange,
    Unreachable.Unreachable,
    NodeHttpClient.Dispatcher | Scope.Scope
  > {
    const client = HttpClient.withScope(yield* NodeHttpClient.makeUndici)
    const response = yield* Effect.mapError(client.execute(request), Unreachable.unreachableFrom)
    const { headers, status } = response
    const body = yield* bodyOf(response, bodyBytesMax)
    const now = yield* DateTime.now
    const retryAfter = Option.fromUndefinedOr(headers["retry-after"])
    return {
      status,
      ...body,
      retryAfterMs: Option.flatMap(retryAfter, (text) => RetryAfter.millis(text, now))
    }
  },
  (answer, { url }) =>
    Effect.provideServiceEffect(answer, NodeHttpClient.Dispatcher, dispatcherTo(url)),
  Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
  Effect.scoped
)

const cutOff: Broken = "cut_off"

interface Read {
  readonly bytes: number
  readonly chunks: Array<Uint8Array>
}

const bodyOf = (
  { headers, stream }: HttpClientResponse.HttpClientResponse,
  bytesMax: number
): Effect.Effect<Pick<Exchange, "broken" | "text">> =>
  decoded(Stream.mapError(stream, () => cutOff), headers["content-encoding"] ?? "").pipe(
    Stream.runFoldEffect((): Read => ({ bytes: 0, chunks: [] }), ({ bytes, chunks }, chunk) => {
      if (bytes + chunk.length > bytesMax) return Effect.fail<Broken>("too_large")
      chunks.push(chunk)
      return Effect.succeed({ bytes: bytes + chunk.length, chunks })
    }),
    Effect.match({
      onFailure: (broken) => ({ text: "", broken }),
      onSuccess: ({ chunks }) => ({ text: new TextDecoder().decode(Buffer.concat(chunks)) })
    })
  )

const decoderByName: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress()
}

/** Encodings are undone last first; an unknown one is left in place. */
const decoded = (
  stream: Stream.Stream<Uint8Array, Broken>,
  contentEncoding: string
): Stream.Stream<Uint8Array, Broken> =>
  contentEncoding.toLowerCase().split(",").slice(-encodingsMax).reduceRight((inner, name) => {
    const evaluate = decoderByName[name.trim()]
    return evaluate === undefined
      ? inner
      : NodeStream.pipeThroughDuplex(inner, { evaluate, onError: () => cutOff })
  }, stream)

const encodingsMax = 2
