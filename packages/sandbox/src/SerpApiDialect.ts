/** SerpAPI's protocol: everything in the address, the key too, and JSON out. */
import { DateTime, Effect, Option, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { createHash } from "node:crypto"
import * as Dialect from "./dialect/Dialect.ts"
import {
  type JsonAnswer as Answer,
  type Parameters,
  resultsOf,
  type SandboxRequest as Asked,
  type SearchDialect,
  textAt
} from "./dialect/Dialect.ts"
import * as Fault from "./dialect/Fault.ts"
import type { PlainAnswer, PlainAnswers } from "./dialect/PlainFault.ts"

const resultsDefault = 10
const resultsMost = 100

const errorBody = (error: string): string => JSON.stringify({ error })
const refusal = (status: number, error: string): PlainAnswer => ({ status, body: errorBody(error) })

const noKey = refusal(
  401,
  "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"
)
const hourly =
  "Your account is exceeding the hourly throughput limit. Spread your searches over the hour."

/** The words of 401 and of an account without searches are recorded; the others are made up. */
const plainFaults: PlainAnswers = {
  400: refusal(400, "Unsupported `num` parameter."),
  401: noKey,
  403: refusal(403, "Your account has been deleted."),
  404: refusal(404, "Not found."),
  429: refusal(429, hourly),
  500: refusal(500, "Internal server error."),
  503: {
    status: 503,
    body: JSON.stringify({
      search_metadata: { status: "Error" },
      error: "We couldn't get valid results for this search. Please try again later."
    })
  },
  "invalid-json": { status: 200, body: "{'organic_results': [], 'error': None}" },
  "wrong-shape": {
    status: 200,
    body: JSON.stringify({ organic_results: { link: "https://a.example" } })
  }
}

const keyIn = Fault.reader("", "serpapi")

export const SerpApiDialect: SearchDialect = {
  provider: "serpapi",
  routes: [{ method: "GET", path: "/search.json" }, { method: "GET", path: "/search" }],
  contentType: "application/json; charset=utf-8",
  noKey,
  plainFaults,
  errorBody,
  asked: Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { pathname, searchParams } = new URL(request.url, "http://sandbox.example")
    const secret = searchParams.get("api_key") ?? ""
    searchParams.delete("api_key")
    const { authorization: _authorization, ...headers } = request.headers
    return {
      query: searchParams.get("q") ?? "",
      path: `${pathname}?${searchParams}`,
      headers: { ...headers },
      body: Object.fromEntries(searchParams),
      secret,
      key: keyIn(secret),
      parameters: parametersOf(searchParams)
    }
  }),
  render: (answer, asked) => JSON.stringify(bodyOf(answer, asked))
}

const agePattern = /^qdr:([dwmy])$/

const parametersOf = (given: URLSearchParams): Result.Result<Parameters, PlainAnswer> => {
  const query = given.get("q") ?? ""
  if (query.trim() === "") return Result.fail(refusal(400, "Missing query `q` parameter."))
  if ((given.get("engine") ?? "google") !== "google") {
    return Result.fail(refusal(400, "Unsupported `engine` parameter."))
  }
  const most = Number(given.get("num") ?? resultsDefault)
  if (!Number.isInteger(most) || most < 1 || most > resultsMost) {
    return Result.fail(refusal(400, "Unsupported `num` parameter."))
  }
  const age = agePattern.exec(given.get("tbs") ?? "")?.[1]
  const known = (["d", "w", "m", "y"] as const).find((letter) => letter === age)
  return Result.succeed(Dialect.withSiteWords(query, {
    max_results: most,
    ...(known === undefined ? {} : { time_range: known })
  }))
}

/** Nothing found is a success with an error's words in it. */
const bodyOf = (answer: Answer, { body, query }: Asked) => {
  const results = resultsOf(answer)
  const about = {
    search_metadata: {
      id: createHash("sha256").update(query.toWellFormed()).digest("hex").slice(0, 24),
      status: "Success",
      total_time_taken: 0.42
    },
    search_parameters: body,
    search_information: {
      query_displayed: query,
      organic_results_state: results.length === 0 ? "Fully empty" : "Results for exact spelling"
    }
  }
  return results.length === 0
    ? { ...about, error: "Google hasn't returned any results for this query." }
    : { ...about, organic_results: results.map(resultAt) }
}

/** Result at its place; a value that is no object stays as it is. */
const resultAt = (result: unknown, place: number) => {
  if (typeof result !== "object" || result === null) return result
  const link = textAt(result, "url")
  const date = dayShown(textAt(result, "published_date"))
  return {
    position: place + 1,
    title: textAt(result, "title"),
    link,
    displayed_link: link,
    snippet: textAt(result, "content"),
    ...(date === "" ? {} : { date })
  }
}

/** Date in the form shown to readers: `Sep 1, 2026`. */
const dayShown = (day: string): string =>
  Option.match(Option.filter(DateTime.make(day), () => day !== ""), {
    onNone: () => "",
    onSome: (date) => DateTime.formatUtc(date, { locale: "en-US", dateStyle: "medium" })
  })
