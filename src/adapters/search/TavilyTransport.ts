/**
 * Sends one call through Tavily's SDK with its transport repaired. The SDK (0.7.13) posts through
 * the shared axios, loses status and headers, takes no AbortSignal and treats its timeout as one of
 * silence only (seen 2026-11). It does forward a name for each call as a header: by that name an
 * interceptor finds the call and gives its request a signal, a ceiling and a reader of our own.
 * Requests of anybody else pass untouched.
 */
import { tavily, type TavilyClient } from "@tavily/core"
import { Tavily, usageOf } from "@web-grounding/dialects/Tavily"
import axios from "axios"
import type { AxiosResponse, InternalAxiosRequestConfig } from "axios"
import { DateTime, Effect, Option, Predicate, Redacted, Result } from "effect"
import { HttpClientRequest } from "effect/http"
import { randomUUID } from "node:crypto"
import { Agent as HttpAgent } from "node:http"
import { Agent as HttpsAgent } from "node:https"
import { Readable } from "node:stream"
import {
  type CreditReporter,
  failureOf,
  SearchFailed
} from "../../application/ports/SearchProvider.ts"
import * as SearchStatus from "../../domain/search/SearchStatus.ts"
import type { SearchFault } from "../../domain/search/SearchStatus.ts"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"
import * as RetryAfter from "../../infrastructure/RetryAfter.ts"
import * as Unreachable from "../../infrastructure/Unreachable.ts"
import { type Account, keyOf, wholeOf } from "./DialectSearch.ts"

/** Bytes of an answer that carries the pages' text, at most. */
export const rawBodyBytesMax = 16 * 1024 * 1024

const callHeader = "X-Client-Name"
const clientName = "web-grounding"

/** Given for a setting that the SDK would otherwise take from the environment; it is not sent. */
const unset = "unset"
const unsettableHeaders = ["X-Project-ID", "X-Tavily-Orgid"]

interface TavilyExchange extends Pick<HttpExchange.Exchange, "body" | "status"> {
  readonly retryAfter: Option.Option<string>
}

interface Call {
  readonly signal: AbortSignal
  readonly bodyBytesMax: number
  readonly settle: (answered: TavilyExchange) => void
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
  bytesMax: number = Tavily.bodyBytesMax
): Effect.Effect<HttpExchange.Exchange, Unreachable.Unreachable> =>
  Effect.callback<TavilyExchange, Unreachable.Unreachable>((resume, signal) => {
    const callName = randomUUID()
    const settle = (answered: TavilyExchange) => resume(Effect.succeed(answered))
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

/** The SDK maps this; the answer itself goes past it. */
const nothingToMap = { images: [], results: [] }

const headOf = ({ headers, status }: AxiosResponse): Omit<TavilyExchange, "body"> => {
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

axios.interceptors.request.use(repair)

// Account of one Tavily key, as its SDK sends it; nothing else is taken from the environment.

export interface TavilyAccount extends Account {
  readonly projectId?: string
}

/**
 * Client of the account. Without a key there is none: the SDK alone would send the request without
 * one.
 */
export const clientOf = (account: TavilyAccount): Result.Result<TavilyClient, SearchFault> =>
  Result.map(
    keyOf(account),
    (key) => sdkWith(Redacted.value(key), account.baseUrl, account.projectId ?? unset)
  )

/**
 * Every setting is given, so that none is taken from the environment. The proxies lead nowhere on
 * purpose: the repaired transport does not use them, and a request that escaped it goes nowhere.
 */
const nowhere = "http://127.0.0.1:9"

const sdkWith = (apiKey: string, baseUrl: string, projectId: string): TavilyClient =>
  tavily({
    apiKey,
    apiBaseURL: baseUrl.replace(/\/+$/, ""),
    proxies: { http: nowhere, https: nowhere },
    projectId,
    orgId: unset
  })

// Tavily's own count of what a key has used: `GET /usage`, which its SDK does not know.

/** An answer takes a kilobyte. */
const usageBodyBytesMax = 64 * 1_024

interface TavilyUsageOptions {
  readonly apiKey: Redacted.Redacted<string>
  /** Origin of the API, with or without a trailing slash. */
  readonly baseUrl: string
  /** 1-based. */
  readonly keySlot: number
  readonly projectId: string
}

export const make = (
  { apiKey, baseUrl, keySlot, projectId }: TavilyUsageOptions
): CreditReporter => {
  const request = HttpClientRequest.get(`${baseUrl.replace(/\/+$/, "")}/usage`).pipe(
    HttpClientRequest.setHeaders({
      accept: "application/json",
      "user-agent": "web-grounding",
      "x-project-id": projectId,
      authorization: `Bearer ${Redacted.value(apiKey).trim()}`
    })
  )
  const provider = "tavily"
  const report: CreditReporter["report"] = Effect.gen(function*() {
    const exchange = yield* Effect.mapError(
      HttpExchange.exchange(request, usageBodyBytesMax),
      (unreachable) => new SearchFailed({ provider, ...SearchStatus.unreachable(unreachable) })
    )
    const read = wholeOf(
      exchange,
      Tavily,
      (text) => Result.fromOption(usageOf(text), () => SearchStatus.badBody)
    )
    return Result.isSuccess(read)
      ? read.success
      : yield* failureOf(provider, read.failure, exchange)
  })
  return { provider, keySlot, report: report.pipe(Effect.withSpan("TavilyUsage.report")) }
}
