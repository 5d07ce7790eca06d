/**
 * One HTTP request and its answer, whole or cut: never redirected, never traced, with a ceiling.
 *
 * Effect's own client span carries the address, and a provider's key may be in it. So tracing is
 * off here, trace headers are not sent, and failures carry nothing of the request.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Data, DateTime, Effect, Option, type Scope, Stream } from "effect"
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

export interface Exchange {
  readonly status: number
  readonly retryAfterMs: Option.Option<number>
  readonly body: Body
}

/**
 * One connection a request: a pooled one gone stale would look like a failure of the server.
 * Interruption closes it, in head and in body. `bodyBytesMax` counts after decompression.
 */
export const exchange = Effect.fnUntraced(
  function*(
    request: HttpClientRequest.HttpClientRequest,
    bodyBytesMax: number
  ): Effect.fn.Return<
    Exchange,
    Unreachable.Unreachable,
    NodeHttpClient.Dispatcher | Scope.Scope
  > {
    const client = HttpClient.withScope(yield* NodeHttpClient.makeUndici)
    const response = yield* Effect.mapError(client.execute(request), Unreachable.from)
    const body = yield* bodyOf(response, bodyBytesMax)
    const { headers, status } = response
    const now = yield* DateTime.now
    const header = Option.fromUndefinedOr(headers["retry-after"])
    return {
      status,
      body,
      retryAfterMs: Option.flatMap(header, (text) => RetryAfter.millis(text, now))
    }
  },
  Effect.provideServiceEffect(
    NodeHttpClient.Dispatcher,
    NodeHttpClient.makeDispatcherOptions({ allowH2: false })
  ),
  Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
  Effect.scoped
)

interface Read {
  readonly bytes: number
  readonly chunks: Array<Uint8Array>
}

const bodyOf = (
  { headers, stream }: HttpClientResponse.HttpClientResponse,
  bytesMax: number
): Effect.Effect<Body> =>
  decoded(Stream.mapError(stream, () => Body.Cut()), headers["content-encoding"] ?? "").pipe(
    Stream.runFoldEffect((): Read => ({ bytes: 0, chunks: [] }), ({ bytes, chunks }, chunk) => {
      if (bytes + chunk.length > bytesMax) return Effect.fail(Body.TooLarge())
      chunks.push(chunk)
      return Effect.succeed({ bytes: bytes + chunk.length, chunks })
    }),
    Effect.map(({ chunks }) => Body.Whole({ text: textOf(chunks) })),
    Effect.catch((body) => Effect.succeed(body))
  )

const textOf = (chunks: ReadonlyArray<Uint8Array>): string =>
  new TextDecoder().decode(Buffer.concat(chunks))

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
