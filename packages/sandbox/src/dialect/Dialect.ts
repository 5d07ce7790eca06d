/** A dialect as played by the sandbox: the request as received, the answer of a healthy server. */
import {
  type EngineSearch,
  firstDayOf,
  jsonOf,
  type KeyPlace,
  type PlayedAnswer,
  present,
  type SearchDialect,
  type ServerAnswer,
  textAt
} from "@web-grounding/dialects/Dialect"
import { dialects, type Engine } from "@web-grounding/dialects/Dialects"
import { searchBody } from "@web-grounding/dialects/Tavily"
import { DateTime, Effect, Option, Predicate, Record, Result } from "effect"
import { type HttpServerError, HttpServerRequest } from "effect/http"
import { randomUUID } from "node:crypto"
import * as Corpus from "../corpus/Corpus.ts"
import type { CorpusPage } from "../corpus/Corpus.ts"
import * as Fault from "./Fault.ts"

/** Request as sent, without the key: for the ledger. */
export interface Sent extends Effect.Success<ReturnType<typeof sentTo>> {
  /** None for an invalid key; empty for a provider without keys. */
  readonly key: Option.Option<string>
}

export interface SandboxRequest<P> extends Sent {
  readonly query: string
  readonly parameters: Result.Result<P, ServerAnswer>
}

export interface Played<P> extends Pick<SearchDialect, "contentType" | "faults" | "noKey"> {
  readonly provider: string
  readonly asked: Effect.Effect<
    SandboxRequest<P>,
    HttpServerError.HttpServerError,
    HttpServerRequest.HttpServerRequest
  >
  /** Credits of an honest answer; absent if the ledger counts none. */
  readonly charges?: (parameters: P, answer: PlayedAnswer) => number
  /** Total: a fault may have replaced a result by any value. */
  readonly render: (answer: PlayedAnswer, asked: SandboxRequest<P>) => string
}

/** A field's value; the field is removed. */
const taken = (fields: Map<string, string> | URLSearchParams, name: string): string => {
  const value = fields.get(name) ?? ""
  fields.delete(name)
  return value
}

/** The request as its carrier has it, and the secret sent as the key. */
const sentTo = Effect.fnUntraced(function*(
  carrier: SearchDialect["carrier"],
  place: KeyPlace = { parameter: "" }
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { pathname, searchParams } = new URL(request.url, "http://sandbox.example")
  const headers = new Map(Object.entries(request.headers))
  const secret = "header" in place
    ? taken(headers, place.header)
    : taken(searchParams, place.parameter)
  const isBearer = "header" in place && place.header === "authorization"
  headers.delete("authorization")
  const query = searchParams.size === 0 ? "" : `?${searchParams}`
  const text = request.method === "GET" ? "" : yield* request.text
  return {
    path: `${pathname}${query}`,
    headers: Object.fromEntries(headers),
    body: carrier === "json"
      ? withoutKey(Option.getOrNull(jsonOf(text)))
      : Object.fromEntries([
        ...(carrier === "parameters" ? searchParams : []),
        ...new URLSearchParams(text)
      ]),
    /** Secret sent as the key, valid or not; empty if none. */
    secret,
    given: isBearer ? /^Bearer (.*)$/.exec(secret)?.[1] ?? "" : secret
  }
})

/** Body without the key, which older Tavily clients send there. */
const withoutKey = (body: unknown): unknown =>
  Predicate.isObject(body) ? Record.filter({ ...body }, (_, name) => name !== "api_key") : body

/** A JSON request with its key in `Authorization`, for the named services. */
export const jsonSent = (...services: ReadonlyArray<Fault.Service>) =>
  Effect.map(sentTo("json", { header: "authorization" }), (sent): Sent => ({
    ...sent,
    key: Fault.keyIn(sent.given, ...services)
  }))

export const searchOf = (engine: Engine): Played<EngineSearch> => {
  const dialect: SearchDialect = dialects[engine]
  return {
    ...dialect,
    provider: engine,
    asked: Effect.map(sentTo(dialect.carrier, dialect.key), (sent) => ({
      ...sent,
      key: dialect.key === undefined ? Option.some("") : Fault.keyIn(sent.given, engine),
      query: textAt(sent.body, "query") || textAt(sent.body, "q"),
      parameters: dialect.askedOf(sent.body)
    })),
    ...(engine === "tavily" ? { charges: creditsOf } : {}),
    render: (said, { body, query }) => dialect.bodyOf(said, { query, fields: body })
  }
}

const hitsDefault = 5
/** Constant: with a measured time, equal answers would differ. */
const responseTimeSeconds = 0.42

const creditsOf = ({ depth = "basic" }: EngineSearch): number => dialects.tavily.price[depth]

/** Answer without results in its full shape, for faults. */
export const empty = (query: string) =>
  searchBody({
    query,
    results: [],
    response_time: responseTimeSeconds,
    request_id: randomUUID()
  })

export const answer = Effect.fn("SandboxAnswer.answer")(function*(
  ranking: Corpus.Ranking,
  query: string,
  asked: EngineSearch
) {
  const now = yield* DateTime.now
  const ranked = Corpus.rank(ranking, {
    query,
    topic: asked.topic ?? "general",
    isWanted: (page) => isDomainWanted(page, asked) && isDayWanted(page, asked, now)
  })
  return {
    ...empty(query),
    results: ranked.slice(0, asked.hitsMax ?? hitsDefault).map((found) => ({
      url: found.page.url,
      title: found.page.title,
      content: found.passage,
      score: Math.round(found.score * 1e8) / 1e8,
      raw_content: asked.pageText === true ? found.page.paragraphs.join("\n\n") : null,
      ...present({ published_date: found.page.published_date })
    })),
    ...(asked.charge === true ? { usage: { credits: creditsOf(asked) } } : {})
  }
})

const isDomainWanted = (
  page: CorpusPage,
  { excludeDomains = [], includeDomains = [] }: EngineSearch
): boolean => {
  const host = URL.parse(page.url)?.hostname ?? ""
  const matches = (domain: string) => host === domain || host.endsWith(`.${domain}`)
  return (includeDomains.length === 0 || includeDomains.some(matches)) &&
    !excludeDomains.some(matches)
}

/** A page without a date is kept: it may be new enough. */
const isDayWanted = (
  { published_date }: CorpusPage,
  { from = "", timeRange, until = "9999-12-31" }: EngineSearch,
  now: DateTime.Utc
): boolean => {
  if (published_date === undefined) return true
  const since = timeRange === undefined ? from : firstDayOf(timeRange, now)
  return published_date >= since && published_date <= until
}

/** URL without user, fragment and query, which hold words for the sandbox; empty if invalid. */
export const addressOf = (address: string): string => {
  const url = URL.parse(address)
  return url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== ""
    ? ""
    : `${url.origin}${url.pathname}`
}
