/**
 * Sends the call that Tavily's SDK writes. The SDK (0.7.13) posts through the shared axios, loses
 * status and headers, takes no AbortSignal and treats its timeout as idle time (seen 2026-11). It
 * forwards a name for each call as a header: by that name an interceptor finds the call and takes
 * its request, which is sent like any other. Other users' axios requests pass unchanged.
 */
import { tavily, type TavilyClient } from "@tavily/core"
import { Tavily, usageOf } from "@web-grounding/dialects/Tavily"
import axios from "axios"
import type { InternalAxiosRequestConfig } from "axios"
import { Effect, Redacted, Result } from "effect"
import { HttpClientRequest } from "effect/http"
import { randomUUID } from "node:crypto"
import {
  type CreditReporter,
  failureOf,
  SearchFailed
} from "../../application/ports/SearchProvider.ts"
import * as SearchStatus from "../../domain/search/SearchStatus.ts"
import type { SearchFault } from "../../domain/search/SearchStatus.ts"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"
import { Unreachable } from "../../infrastructure/Unreachable.ts"
import { type Account, keyOf, wholeOf } from "./DialectSearch.ts"

/** Most bytes of an answer with raw page text. */
export const rawBodyBytesMax = 16 * 1024 * 1024

const callHeader = "X-Client-Name"
const clientName = "web-grounding"

/** Placeholder for a setting that the SDK would otherwise take from the environment; not sent. */
const unset = "unset"

/** Calls passed to the SDK and not yet written by it. */
const calls = new Map<string, (written: InternalAxiosRequestConfig) => void>()

/** `send` must pass the given name. Interruption closes the socket, in head and in body. */
export const exchange = (
  send: (callName: string) => Promise<unknown>,
  bytesMax: number = Tavily.bodyBytesMax
): Effect.Effect<HttpExchange.Exchange, Unreachable> =>
  Effect.callback<InternalAxiosRequestConfig, Unreachable>((resume) => {
    const callName = randomUUID()
    const endUnsent = () => {
      if (calls.delete(callName)) resume(new Unreachable({ unsent: true }))
    }
    calls.set(callName, (written) => resume(Effect.succeed(written)))
    send(callName).then(endUnsent, endUnsent)
  }).pipe(Effect.flatMap((written) => HttpExchange.exchange(requestOf(written), bytesMax)))

const requestOf = (
  { data, headers, url = "" }: InternalAxiosRequestConfig
): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.post(url).pipe(
    HttpClientRequest.bodyText(String(data), "application/json"),
    HttpClientRequest.setHeaders({
      ...Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) =>
          typeof value === "string" && value !== unset ? [[name, value]] : []
        )
      ),
      [callHeader]: clientName,
      "accept-encoding": "gzip, deflate, br",
      "user-agent": "web-grounding"
    })
  )

/** Input for the SDK's mapping; the real answer bypasses it. */
const nothingToMap = { images: [], results: [] }

const taken = (config: InternalAxiosRequestConfig): InternalAxiosRequestConfig => {
  const callName = String(config.headers.get(callHeader) ?? "")
  const take = calls.get(callName)
  if (take === undefined) return config
  return {
    ...config,
    adapter: (written) => {
      calls.delete(callName)
      take(written)
      return Promise.resolve({
        data: nothingToMap,
        status: 200,
        statusText: "",
        headers: {},
        config: written
      })
    }
  }
}

axios.interceptors.request.use(taken)

// Account of one Tavily key for the SDK; nothing else is taken from the environment.

export interface TavilyAccount extends Account {
  readonly projectId?: string
}

/** Given settings are not taken from the environment; an escaped request goes nowhere. */
const nowhere = "http://127.0.0.1:9"

/** Client of the account. None without a key: the SDK itself would send the request without one. */
export const clientOf = (account: TavilyAccount): Result.Result<TavilyClient, SearchFault> =>
  Result.map(keyOf(account), (key) =>
    tavily({
      apiKey: Redacted.value(key),
      apiBaseURL: account.baseUrl.replace(/\/+$/, ""),
      proxies: { http: nowhere, https: nowhere },
      projectId: account.projectId ?? unset,
      orgId: unset
    }))

// Tavily's own count of a key's use: `GET /usage`, absent from its SDK.

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
