/** Account of one Tavily key, as its SDK sends it; nothing else is taken from the environment. */
import { tavily, type TavilyClient } from "@tavily/core"
import { Option, Redacted, Result } from "effect"
import type { SearchFault } from "../../domain/search/SearchStatus.ts"
import { isSendable } from "../../infrastructure/JsonPost.ts"
import * as TavilyTransport from "./TavilyTransport.ts"

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
    ? Result.succeed(sdkWith(key, baseUrl, projectId ?? TavilyTransport.unset))
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
    orgId: TavilyTransport.unset
  })
