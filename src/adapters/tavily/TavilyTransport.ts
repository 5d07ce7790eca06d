/**
 * Sends one call through Tavily's SDK with its transport repaired. The SDK (0.7.13) posts through
 * the shared axios, loses status and headers, takes no AbortSignal and treats its timeout as one of
 * silence only (seen 2026-11). It does forward a name for each call as a header: by that name an
 * interceptor finds the call and gives its request a signal, a ceiling and a reader of our own.
 * Requests of anybody else pass untouched.
 */
import axios, { type AxiosResponse, type InternalAxiosRequestConfig } from "axios"
import { DateTime, Effect, Option, Predicate } from "effect"
import { randomUUID } from "node:crypto"
import { Agent as HttpAgent } from "node:http"
import { Agent as HttpsAgent } from "node:https"
import { Readable } from "node:stream"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"
import * as RetryAfter from "../../infrastructure/RetryAfter.ts"
import * as Unreachable from "../../infrastructure/Unreachable.ts"

/**
 * Bytes of an answer after decompression, at most. Twenty results with their snippets take about 60
 * kB.
 */
const bodyBytesMax = 4 * 1024 * 1024
/** Bytes of an answer that carries the pages' text, at most. */
export const rawBodyBytesMax = 16 * 1024 * 1024

const callHeader = "X-Client-Name"
const clientName = "web-grounding"

/** Given for a setting that the SDK would otherwise take from the environment; it is not sent. */
export const unset = "unset"
const unsettableHeaders = ["X-Project-ID", "X-Tavily-Orgid"]

interface Answered extends Pick<HttpExchange.Exchange, "body" | "status"> {
  readonly retryAfter: Option.Option<string>
}

interface Call {
  readonly signal: AbortSignal
  readonly bodyBytesMax: number
  readonly settle: (answered: Answered) => void
  readonly abandon: (cause: unknown) => void
}

/** Calls that the SDK was told and that have not reached the wire. */
const calls = new Map<string, Call>()

/**
 * Agents that open a connection for each call: a pooled one gone stale would look like a failure of
 * the provider.
 */
const httpAgent = new HttpAgent({ keepAlive: false })
const httpsAgent = new HttpsAgent({ keepAlive: false })
const http = axios.getAdapter("http")

/** `send` must name its call as told. Interruption closes the socket, in head and in body. */
export const exchange = (
  send: (callName: string) => Promise<unknown>,
  bytesMax: number = bodyBytesMax
): Effect.Effect<HttpExchange.Exchange, Unreachable.Unreachable> =>
  Effect.callback<Answered, Unreachable.Unreachable>((resume, signal) => {
    const callName = randomUUID()
    const settle = (answered: Answered) => resume(Effect.succeed(answered))
    const abandon = (cause: unknown) => resume(Effect.fail(Unreachable.unreachableFrom(cause)))
    const endUnsent = () => {
      if (calls.delete(callName)) abandon(undefined)
    }
    calls.set(callName, { signal, bodyBytesMax: bytesMax, settle, abandon })
    send(callName).then(endUnsent, endUnsent)
  }).pipe(
    Effect.zipWith(DateTime.now, ({ retryAfter, ...answered }, now) => ({
      ...answered,
      retryAfterMs: Option.flatMap(retryAfter, (header) => RetryAfter.millis(header, now))
    }))
  )

const repair = (config: InternalAxiosRequestConfig): InternalAxiosRequestConfig => {
  const callName = String(config.headers.get(callHeader) ?? "")
  const call = calls.get(callName)
  if (call === undefined) return config
  config.headers.set(callHeader, clientName)
  for (const header of unsettableHeaders) {
    if (config.headers.get(header) === unset) config.headers.delete(header)
  }
  return {
    ...config,
    signal: call.signal,
    timeout: 0,
    proxy: false,
    httpAgent,
    httpsAgent,
    maxRedirects: 0,
    responseType: "stream",
    validateStatus: () => true,
    transformResponse: [],
    adapter: (sent) => {
      calls.delete(callName)
      return http(sent).then(
        (response) => {
          readBody(
            response.data,
            call.bodyBytesMax,
            (body) => call.settle({ ...headOf(response), body })
          )
          return { ...response, data: nothingToMap }
        },
        (cause: unknown) => {
          call.abandon(cause)
          return Promise.reject(cause)
        }
      )
    }
  }
}

axios.interceptors.request.use(repair)

/** The SDK maps this; the answer itself goes past it. */
const nothingToMap = { images: [], results: [] }

const headOf = ({ headers, status }: AxiosResponse): Omit<Answered, "body"> => {
  const retryAfter: unknown = headers["retry-after"]
  return {
    status,
    retryAfter: Predicate.isString(retryAfter) ? Option.some(retryAfter) : Option.none()
  }
}

/** Settles at least once; the first time counts. */
const readBody = (
  stream: unknown,
  bytesMax: number,
  settle: (body: HttpExchange.Body) => void
): void => {
  if (!(stream instanceof Readable)) return settle(HttpExchange.Body.Cut())
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  stream.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes <= bytesMax) return
    settle(HttpExchange.Body.TooLarge())
    stream.destroy()
  })
  stream.on("end", () => settle(HttpExchange.Body.Whole({ text: textOf(chunks) })))
  stream.on("error", () => settle(HttpExchange.Body.Cut()))
  stream.on("close", () => settle(HttpExchange.Body.Cut()))
}

const textOf = (chunks: ReadonlyArray<Uint8Array>): string =>
  new TextDecoder().decode(Buffer.concat(chunks))
