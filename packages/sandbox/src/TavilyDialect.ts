/** Tavily's protocol: JSON both ways, the key in a header. */
import { Effect, Option, Predicate, Result, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import type { CorpusPage } from "./corpus/Corpus.ts"
import * as PageAddress from "./dialect/Dialect.ts"
import {
  type Dialect,
  type JsonAnswer as Answer,
  resultsOf,
  type SearchDialect,
  textAt
} from "./dialect/Dialect.ts"
import * as Fault from "./dialect/Fault.ts"
import * as PlainFault from "./dialect/PlainFault.ts"

const decodeBody = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
const decodeQuery = Schema.decodeUnknownOption(Schema.Struct({ query: Schema.String }))

const plain = ({ body, status }: PageAddress.Refusal): PlainFault.PlainAnswer => ({
  status,
  body: JSON.stringify(body)
})

export const TavilyDialect: SearchDialect = {
  provider: "tavily",
  routes: [{ method: "POST", path: "/search" }],
  contentType: "application/json",
  noKey: plain(PageAddress.noKey),
  plainFaults: {},
  errorBody: PlainFault.errorBody,
  asked: Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const body = Option.getOrNull(decodeBody(yield* request.text))
    const { query } = Option.getOrElse(decodeQuery(body), () => ({ query: "" }))
    const { authorization = "", ...headers } = request.headers
    return {
      query,
      path: request.url,
      headers: { ...headers },
      body: Predicate.isObject(body) ? withoutKey(body) : body,
      secret: authorization,
      key: PageAddress.keyOf(authorization),
      parameters: Result.mapError(PageAddress.parametersOf(body), plain)
    }
  }),
  charges: PageAddress.creditsOf,
  render: (answer) => JSON.stringify(answer)
}

/** Body of a request without the key, which older clients send there. */
const withoutKey = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== "api_key"))

// Tavily's extraction: up to 20 addresses in, the text of the corpus pages among them out.

const urlsMax = 20
const pagesPerCredit: Readonly<Record<string, number>> = { basic: 5, advanced: 2.5 }
/** Said of every answer: a measured time would make two equal answers differ. */
const responseTimeSeconds = 0.42

const given = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Checked in this order; the first that fails names the refusal. By the document of 2026-08. */
const fields = {
  extract_depth: given(Schema.Literals(["basic", "advanced"])),
  format: given(Schema.Literals(["markdown", "text"])),
  timeout: given(Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 60 }))),
  include_usage: given(Schema.Boolean)
}
const Parameters = Schema.Struct({
  urls: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  ...fields
})

interface Extraction {
  readonly urls: ReadonlyArray<string>
  readonly depth: "basic" | "advanced"
  readonly isUsageTold: boolean
}
const decodeParameters = Schema.decodeUnknownResult(Parameters)

export const TavilyExtractDialect: Dialect<Extraction> = {
  ...TavilyDialect,
  asked: Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const body = Option.getOrNull(decodeBody(yield* request.text))
    const { authorization = "", ...headers } = request.headers
    const parameters = parametersOf(body)
    const { urls } = Result.getOrElse(parameters, () => ({ urls: [] }))
    return {
      query: [...urls, ...urls.map(faultIn)].join(" "),
      path: request.url,
      headers: { ...headers },
      body: Predicate.isObject(body) ? withoutKey(body) : body,
      secret: authorization,
      key: PageAddress.keyOf(authorization),
      parameters
    }
  }),
  charges: ({ depth }, answer) => creditsOf(resultsOf(answer).length, depth),
  render: (answer) => JSON.stringify(bodyOf(answer))
}

const creditsOf = (pages: number, depth: Extraction["depth"]): number =>
  Math.ceil(pages / (pagesPerCredit[depth] ?? 1))

const refused = (error: string) =>
  Result.fail({ status: 400, body: JSON.stringify({ detail: { error } }) })

const parametersOf = (body: unknown): ReturnType<typeof refused> | Result.Result<Extraction> => {
  const read = decodeParameters(body)
  if (Result.isFailure(read)) {
    const odd = Object.entries(fields).find(([name, schema]) =>
      !Option.isSome(Schema.decodeUnknownOption(Schema.Struct({ [name]: schema }))(body))
    )
    return refused(`Invalid ${odd?.[0] ?? "urls"}.`)
  }
  const { extract_depth, include_usage, urls } = read.success
  const all = typeof urls === "string" ? [urls] : urls
  if (all.length === 0) return refused("No URLs provided.")
  return all.length > urlsMax
    ? refused(`Max ${urlsMax} URLs are allowed.`)
    : Result.succeed({
      urls: all,
      depth: extract_depth ?? "basic",
      isUsageTold: include_usage === true
    })
}

/** Fault that an address asks for, as in Jina's Reader: `?fault=404`. */
const faultIn = (url: string): string => {
  const word = URL.parse(url)?.searchParams.get("fault") ?? ""
  return Option.isSome(Fault.inWord(word)) ? `fault:${word}` : ""
}

/** Pages of the corpus by their address; what is none has failed, and the answer is 200. */
export const extract = (
  pages: ReadonlyArray<CorpusPage>,
  { depth, isUsageTold, urls }: Extraction
): Answer => {
  const found = urls.map((url) => ({
    url,
    page: pages.find((known) => addressOf(known.url) === addressOf(url))
  }))
  const results = found.flatMap(({ page, url }) =>
    page === undefined ? [] : [{ url, content: page.paragraphs.join("\n\n") }]
  )
  return {
    results,
    failed_results: found.flatMap(({ page, url }) =>
      page === undefined ? [{ url, error: "Failed to fetch url" }] : []
    ),
    response_time: responseTimeSeconds,
    ...(isUsageTold ? { usage: { credits: creditsOf(results.length, depth) } } : {})
  }
}

/** Address without its query: directives are no part of a page's address. */
const addressOf = (url: string): string =>
  Option.match(PageAddress.plain(url), {
    onNone: () => url,
    onSome: (href) => href.replace(/\?.*$/, "")
  })

/** A fault may have put anything in the place of a result, or of the failures. */
const bodyOf = (answer: Answer) => ({
  ...answer,
  results: Array.isArray(answer["results"])
    ? resultsOf(answer).map((result) =>
      Predicate.isObject(result)
        ? { url: textAt(result, "url"), raw_content: textAt(result, "content"), images: [] }
        : result
    )
    : answer["results"],
  failed_results: answer["failed_results"] ?? []
})
