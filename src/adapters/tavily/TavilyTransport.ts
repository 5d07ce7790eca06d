/**
 * Sends one call through Tavily's SDK with its transport repaired. The SDK (0.7.13) posts through
 * the shared axios, loses status and headers, takes no AbortSignal and treats its timeout as one of
 * silence only (seen 2026-11). It does forward a name for each call as a header: by that name an
 * interceptor finds the call and gives its request a signal, a ceiling and a reader of our own.
 * Requests of anybody else pass untouched.
 */
import { tavily, type TavilyClient } from "@tavily/core"
import axios from "axios"
import type { AxiosResponse, InternalAxiosRequestConfig } from "axios"
import { DateTime, Effect, Option, Predicate, Redacted, Result, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { randomUUID } from "node:crypto"
import { Agent as HttpAgent } from "node:http"
import { Agent as HttpsAgent } from "node:https"
import { Readable } from "node:stream"
import {
  type CreditReport,
  type CreditReporter,
  failureOf,
  SearchFailed
} from "../../application/ports/SearchProvider.ts"
import * as SearchStatus from "../../domain/search/SearchStatus.ts"
import { ofStatus, type SearchFault } from "../../domain/search/SearchStatus.ts"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"
import { isSendable } from "../../infrastructure/JsonPost.ts"
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
  bytesMax: number = bodyBytesMax
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

export interface TavilyAccount {
  readonly apiKey: Option.Option<Redacted.Redacted<string>>
  /** Origin of the API, with or without a trailing slash. */
  readonly baseUrl: string
  /** 1-based. */
  readonly keySlot: number
  /** `mock` when `baseUrl` is the sandbox: made-up pages are never shown as Tavily's. */
  readonly label: "tavily" | "mock"
  readonly projectId?: string
}

/**
 * Client of the account. Without a key there is none: the SDK alone would send the request without
 * one.
 */
export const clientOf = (
  { apiKey, baseUrl, projectId }: TavilyAccount
): Result.Result<TavilyClient, SearchFault> => {
  const key = Option.match(apiKey, { onNone: () => "", onSome: Redacted.value }).trim()
  if (key === "") return Result.fail({ status: "api_key_missing" })
  return isSendable(Redacted.make(key))
    ? Result.succeed(sdkWith(key, baseUrl, projectId ?? unset))
    : Result.fail({ status: "invalid_key" })
}

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

// Maps an answer of Tavily's to a status, by HTTP status and body alone.

const faultByStatus: Readonly<Record<number, SearchFault>> = {
  400: { status: "bad_request" },
  401: { status: "invalid_key" },
  403: { status: "unknown_error", detail: "forbidden" },
  413: { status: "bad_request" },
  422: { status: "bad_request" },
  432: { status: "quota_exhausted" },
  433: { status: "quota_exhausted", detail: "paygo_exhausted" }
}

/** The fault of a status; none from 200 to 299, where the body decides. */
export const faultOf = (httpStatus: number, body: string): Option.Option<SearchFault> =>
  httpStatus === 429
    ? Option.some(limitOf(body))
    : ofStatus(httpStatus, faultByStatus)

const ErrorBody = Schema.fromJsonString(
  Schema.Struct({ detail: Schema.Struct({ error: Schema.String }) })
)
const decodeErrorBody = Schema.decodeUnknownOption(ErrorBody)

/** An exhausted plan answered 429 too in 2024-09; only the words tell it from too many requests. */
const limitOf = (body: string): SearchFault => {
  const words = Option.match(decodeErrorBody(body), {
    onNone: () => "",
    onSome: ({ detail }) => detail.error
  })
  return /\bplan\b|usage limit/i.test(words)
    ? { status: "quota_exhausted" }
    : { status: "rate_limited" }
}

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

const Count = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))

const Answer = Schema.fromJsonString(Schema.Struct({
  key: Schema.Struct({ usage: Count, limit: Schema.optionalKey(Schema.NullOr(Count)) })
}))

const decode = Schema.decodeUnknownOption(Answer)

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
    const read = readingOf(exchange)
    return "report" in read ? read.report : yield* failureOf(provider, read.fault, exchange)
  })
  return { provider, keySlot, report: report.pipe(Effect.withSpan("TavilyUsage.report")) }
}

type Reading = { readonly report: CreditReport } | { readonly fault: SearchStatus.SearchFault }

const readingOf = ({ body, status }: HttpExchange.Exchange): Reading => {
  const text = body._tag === "Whole" ? body.text : ""
  const refused = faultOf(status, text)
  if (Option.isSome(refused)) return { fault: refused.value }
  if (body._tag === "TooLarge") return { fault: SearchStatus.tooLarge }
  if (body._tag === "Cut") return { fault: SearchStatus.cutOff }
  return Option.match(decode(text), {
    onNone: (): Reading => ({ fault: SearchStatus.badBody }),
    onSome: ({ key: { limit, usage } }): Reading => ({
      report: { used: usage, ...(limit === null || limit === undefined ? {} : { limit }) }
    })
  })
}
