/**
 * Sends one HTTP request and gives its answer, whole or cut: never redirected, never traced, with a
 * ceiling. Effect's own client span carries the address, and a provider's key may be in it. So
 * tracing is off here, trace headers are not sent, and failures carry nothing of the request.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Data, DateTime, Effect, Option, Result, type Scope, Stream } from "effect"
import { HttpClient, type HttpClientRequest, type HttpClientResponse } from "effect/http"
import type { Duplex } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import * as RetryAfter from "./RetryAfter.ts"
import * as Unreachable from "./Unreachable.ts"

export type Body = Data.TaggedEnum<{
  /** Decompressed and read as UTF-8, whatever its type says. */
  Whole: { readonly text: string }
  /** The connection ended, or the compression broke, before the body was complete. */
  Cut: {}
  /** More than the ceiling; nothing of it is kept. */
  TooLarge: {}
}>
export const Body = Data.taggedEnum<Body>()

interface HttpAnswer {
  readonly status: number
  readonly headers: HttpClientResponse.HttpClientResponse["headers"]
  /** The bytes, or what became of a body that is not whole. */
  readonly body: Result.Result<Uint8Array, Body>
}

export interface Exchange {
  readonly status: number
  readonly retryAfterMs: Option.Option<number>
  readonly body: Body
}

/** Exchange with all headers, for a server that tells more by them than `Retry-After`. */
interface HeadedExchange extends Exchange {
  /**
   * Headers by their names in lower case, at most 16 KiB together. They may repeat what was sent:
   * no failure and no log line carries one of them as it came.
   */
  readonly headers: Readonly<Record<string, string | undefined>>
}

const answered = Effect.fnUntraced(
  function*(
    request: HttpClientRequest.HttpClientRequest,
    bodyBytesMax: number
  ): Effect.fn.Return<
    HttpAnswer,
    Unreachable.Unreachable,
    NodeHttpClient.Dispatcher | Scope.Scope
  > {
    const client = HttpClient.withScope(yield* NodeHttpClient.makeUndici)
    const response = yield* Effect.mapError(client.execute(request), Unreachable.unreachableFrom)
    const { headers, status } = response
    return { status, headers, body: yield* bodyOf(response, bodyBytesMax) }
  },
  Effect.provideServiceEffect(
    NodeHttpClient.Dispatcher,
    NodeHttpClient.makeDispatcherOptions({ allowH2: false })
  ),
  Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
  Effect.scoped
)

/**
 * Exchanges one request over a connection of its own: a pooled one gone stale would look like a
 * failure of the server. Interruption closes it, in head and in body. `bodyBytesMax` counts after
 * decompression.
 */
export const exchange = Effect.fnUntraced(
  function*(request: HttpClientRequest.HttpClientRequest, bodyBytesMax: number) {
    const { body, headers, status } = yield* answered(request, bodyBytesMax)
    const now = yield* DateTime.now
    const header = Option.fromUndefinedOr(headers["retry-after"])
    const exchanged: HeadedExchange = {
      status,
      headers,
      body: Result.match(body, {
        onFailure: (body) => body,
        onSuccess: (bytes) => Body.Whole({ text: new TextDecoder().decode(bytes) })
      }),
      retryAfterMs: Option.flatMap(header, (text) => RetryAfter.millis(text, now))
    }
    return exchanged
  }
)

/**
 * Status and bytes of an answer that is no text; no bytes where its body was cut off or too large.
 */
export const bytes = (request: HttpClientRequest.HttpClientRequest, bodyBytesMax: number) =>
  Effect.map(answered(request, bodyBytesMax), ({ body, status }) => ({
    status,
    bytes: Result.getSuccess(body)
  }))

interface Read {
  readonly bytes: number
  readonly chunks: Array<Uint8Array>
}

const bodyOf = (
  { headers, stream }: HttpClientResponse.HttpClientResponse,
  bytesMax: number
): Effect.Effect<Result.Result<Uint8Array, Body>> =>
  decoded(Stream.mapError(stream, () => Body.Cut()), headers["content-encoding"] ?? "").pipe(
    Stream.runFoldEffect((): Read => ({ bytes: 0, chunks: [] }), ({ bytes, chunks }, chunk) => {
      if (bytes + chunk.length > bytesMax) return Effect.fail(Body.TooLarge())
      chunks.push(chunk)
      return Effect.succeed({ bytes: bytes + chunk.length, chunks })
    }),
    Effect.map(({ chunks }) => Buffer.concat(chunks)),
    Effect.result
  )

const decoderByName: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress()
}

/** Encodings are undone last first; an unknown one is left to whoever reads the text. */
const decoded = (
  stream: Stream.Stream<Uint8Array, Body>,
  contentEncoding: string
): Stream.Stream<Uint8Array, Body> =>
  contentEncoding.toLowerCase().split(",").slice(-encodingsMax).reduceRight((inner, name) => {
    const evaluate = decoderByName[name.trim()]
    return evaluate === undefined
      ? inner
      : NodeStream.pipeThroughDuplex(inner, { evaluate, onError: () => Body.Cut() })
  }, stream)

const encodingsMax = 2
