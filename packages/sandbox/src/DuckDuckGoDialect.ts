/** DuckDuckGo's protocol: a browser's form in, a page out, no key. */
import { Effect, Option, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import * as Dialect from "./dialect/Dialect.ts"
import { type Parameters, resultsOf, type SearchDialect, textAt } from "./dialect/Dialect.ts"
import * as DuckDuckGoPages from "./dialect/DuckDuckGoPages.ts"
import type { PlainAnswer } from "./dialect/PlainFault.ts"

/** Longest query, in UTF-16 code units. */
const queryCharsMax = 499
const pageResults = 10

const ageByLetter: Readonly<Record<string, "d" | "w" | "m" | "y">> = {
  d: "d",
  w: "w",
  m: "m",
  y: "y"
}
const { type } = DuckDuckGoPages
const throttled: PlainAnswer = { status: 202, body: DuckDuckGoPages.home, type }
const elsewhere: PlainAnswer = {
  status: 303,
  body: "",
  type,
  headers: { location: "https://elsewhere.example/" }
}

export const DuckDuckGoDialect: SearchDialect = {
  provider: "duckduckgo",
  routes: [{ method: "POST", path: "/html/" }],
  contentType: type,
  noKey: { status: 401 },
  plainFaults: {
    202: throttled,
    403: { status: 403, body: "<html><body>403</body></html>", type }
  },
  errorBody: (error) => `<html><body>${error}</body></html>`,
  asked: Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const form = new URLSearchParams(yield* request.text)
    const { authorization: _authorization, ...headers } = request.headers
    return {
      query: form.get("q") ?? "",
      path: request.url,
      headers: { ...headers },
      body: Object.fromEntries(form),
      secret: "",
      key: Option.some(""),
      parameters: parametersOf(form)
    }
  }),
  render: (answer, { query }) => {
    const results = resultsOf(answer)
    if (results.length > 0) return DuckDuckGoPages.results(query, results.map(resultOf))
    return query.includes("fault:empty")
      ? DuckDuckGoPages.noneInWords(query)
      : DuckDuckGoPages.emptyPage(query)
  }
}

/** A bang leads away, and a later page without its token is what a bot asks for. */
const parametersOf = (form: URLSearchParams): Result.Result<Parameters, PlainAnswer> => {
  const query = form.get("q") ?? ""
  if (query.trim() === "") return Result.fail({ status: 200, body: DuckDuckGoPages.home, type })
  if (query.length > queryCharsMax) return Result.fail({ status: 400, body: "", type })
  if (/(?:^|\s)(?:!\S*|\S+!)(?=\s|$)|^\\/.test(query)) return Result.fail(elsewhere)
  if (form.has("s") && !form.has("vqd")) {
    return Result.fail({ status: 200, body: DuckDuckGoPages.challenge, type })
  }
  const age = ageByLetter[form.get("df") ?? ""]
  return Result.succeed(Dialect.withSiteWords(query, {
    max_results: pageResults,
    ...(age === undefined ? {} : { time_range: age })
  }))
}

const resultOf = (result: unknown): DuckDuckGoPages.Result => ({
  url: textAt(result, "url"),
  title: textAt(result, "title"),
  content: textAt(result, "content"),
  day: /^\d{4}-\d{2}-\d{2}$/.exec(textAt(result, "published_date"))?.[0] ?? ""
})
