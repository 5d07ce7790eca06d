/**
 * SearXNG's protocol: one GET to a self-hosted instance. By its documentation and source of 2026.
 */
import { Option, Result } from "effect"
import type { EngineAnswer, EngineSearch, Fault, SearchDialect, ServerAnswer } from "./Dialect.ts"
import * as Dialect from "./Dialect.ts"
import { textAt } from "./Dialect.ts"

/** Engines behind it cut longer queries. In UTF-16 code units. */
const queryCharsMax = 500

/** A language as an instance accepts it; any other is refused. */
const languageForm = /^[a-z]{2,3}(?:-[A-Z]{2})?$/

const told = (status: number, error: string) => Dialect.jsonAnswer(status, { error })

export const SearXng: SearchDialect = {
  ...Dialect.inJson,
  method: "GET",
  methodsElse: ["POST"],
  paths: ["/search"],
  carrier: "parameters",
  /** A page of results; their number cannot be set. */
  hitsMax: 20,
  price: { basic: 0, advanced: 0 },
  days: "by ranges",
  fieldsOf: (asked) => ({
    q: Dialect.withSites(asked.query.toWellFormed(), asked, { charsMax: queryCharsMax }),
    format: "json",
    ...Dialect.present({
      categories: asked.topic === "news" ? "news" : "",
      language: languageOf(asked),
      time_range: asked.timeRange
    })
  }),
  askedOf: (fields) => askedOf(fields),
  /** Some engines find nothing if a language is given. */
  instead: ({ country: _country, locale = "", ...asked }) =>
    languageOf({ locale }) === "" ? Option.none() : Option.some(asked),
  bodyOf: (said, { query }) => JSON.stringify(bodyOf(said, query)),
  answerOf: (body) => answerOf(body),
  faultOf: (status) => Dialect.ofStatus(status, faultByStatus),
  noKey: { status: 401 },
  faults: {
    "searxng-silent": Dialect.jsonAnswer(200, {
      query: "",
      results: [],
      unresponsive_engines: [["brave", "Suspended: too many requests"], ["duckduckgo", "CAPTCHA"]]
    })
  }
}

const faultByStatus: Readonly<Record<number, Fault>> = {
  401: { status: "unknown_error", detail: "forbidden" },
  403: { status: "unknown_error", detail: "format_off" }
}

const languageOf = (asked: Pick<EngineSearch, "country" | "locale">): string => {
  const { country, language } = Dialect.marketOf(asked)
  const tag = Option.match(country, { onNone: () => language, onSome: (of) => `${language}-${of}` })
  return languageForm.test(tag) ? tag : ""
}

const askedOf = (fields: unknown): Result.Result<EngineSearch, ServerAnswer> => {
  const query = textAt(fields, "q")
  const language = textAt(fields, "language")
  if (query.trim() === "") return Result.fail(told(400, "No query"))
  if (textAt(fields, "format") !== "json") return Result.fail(told(403, "Forbidden"))
  if (language !== "" && !languageForm.test(language)) {
    return Result.fail(told(400, "Invalid value for parameter language"))
  }
  return Result.succeed({
    ...Dialect.withoutSites(query),
    hitsMax: SearXng.hitsMax,
    ...(textAt(fields, "categories") === "news" ? { topic: "news" } : {}),
    ...Dialect.present({ locale: language }),
    ...Dialect.rangeBy(textAt(fields, "time_range").slice(0, 1))
  })
}

const bodyOf = (said: Dialect.PlayedAnswer, query: string) => ({
  query,
  number_of_results: 0,
  results: Dialect.written(said, ({ published_date, ...result }) => ({
    ...result,
    publishedDate: Option.getOrNull(Dialect.midnightOf(published_date)),
    engine: "sandbox",
    engines: ["sandbox"],
    category: "general"
  })),
  answers: [],
  corrections: [],
  infoboxes: [],
  suggestions: [],
  unresponsive_engines: []
})

/** Its scores are sums over engines, and not comparable with others'. */
const found = Dialect.foundBy({ url: "url", content: "content", day: "publishedDate" })
const read = Dialect.answerBy({ results: "results" }, found)

const hasFailedEngines = (body: string): boolean =>
  Dialect.listAt(Option.getOrNull(Dialect.jsonOf(body)), "unresponsive_engines").length > 0

/** No results while engines failed: whether there are any is unknown. */
const answerOf = (body: string): Result.Result<EngineAnswer, Fault> =>
  Result.filterOrFail(
    read(body),
    ({ results }) => results.length > 0 || !hasFailedEngines(body),
    (): Fault => ({ status: "network_error", detail: "engine_failed" })
  )
