/** Searches in the formats of Perplexity and Open WebUI, translated to Tavily's fields. */
import { type EngineResult, isoDay } from "@web-grounding/dialects/Dialect"
import { Option, Schema } from "effect"
import { asGiven } from "../../domain/request/GivenFields.ts"
import {
  domainsMax,
  hitsListedMax,
  queryCharsMax,
  wholeBetween
} from "../../domain/request/GroundingRequest.ts"
import * as Fields from "./Fields.ts"

const usDay = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

/** "3/1/2026" as an ISO day. */
const isoDayOf = (text: string): Option.Option<string> => {
  const [, month = "", day = "", year = ""] = usDay.exec(text) ?? []
  return isoDay(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`)
}

const aDay = Fields.optional(Fields.textThat(isoDayOf), "a day as MM/DD/YYYY")

/** A host, left out where "-" precedes it. */
const FilteredHost = Fields.textThat((text) => Fields.hostOf(text.replace(/^-/, "")))

const resultsCount = Fields.optional(
  wholeBetween(1, hitsListedMax),
  `a whole number from 1 to ${hitsListedMax}`
)
const perplexityDefault = 10

const PerplexityBody = Schema.Struct({
  query: Fields.field(
    Schema.Union([Fields.query, Schema.Tuple([Fields.query])]),
    `text of 1 to ${queryCharsMax} characters; one query a call`
  ),
  max_results: resultsCount,
  country: Fields.optional(
    Schema.String.check(Schema.isPattern(/^[a-z]{2}$/i)),
    "two letters of ISO 3166"
  ),
  search_domain_filter: Fields.optional(
    Schema.Array(FilteredHost).check(Schema.isMaxLength(domainsMax)),
    `at most ${domainsMax} host names; "-" before one leaves it out`
  ),
  search_recency_filter: Fields.optional(
    Schema.Literals(["day", "week", "month", "year"]),
    "day, week, month or year"
  ),
  search_after_date_filter: aDay,
  search_before_date_filter: aDay
})

const englishNameOf = (code: string): string =>
  new Intl.DisplayNames("en", { type: "region" }).of(code.toUpperCase())?.toLowerCase() ?? code

const fromPerplexity = (body: typeof PerplexityBody.Type) => {
  const { max_results = perplexityDefault, query, search_domain_filter = [] } = body
  const [denied = [], allowed = []] = [true, false].map((isDenied) =>
    search_domain_filter.filter((host) => host.startsWith("-") === isDenied)
  )
  return {
    query: typeof query === "string" ? query : query[0],
    max_results,
    include_domains: allowed,
    exclude_domains: denied.map((host) => host.slice(1)),
    ...asGiven({
      time_range: body.search_recency_filter,
      country: Option.map(Option.fromUndefinedOr(body.country), englishNameOf),
      start_date: isoDayOf(body.search_after_date_filter ?? ""),
      end_date: isoDayOf(body.search_before_date_filter ?? "")
    })
  }
}

const WebUiBody = Schema.Struct({ query: Fields.query, count: resultsCount })

interface Answer {
  readonly request_id: string
  readonly results: ReadonlyArray<EngineResult>
}

/** By path: its reader, its body in Tavily's fields, and the answer in its own. */
export const perplexity = {
  read: Fields.callOf(PerplexityBody).read,
  fieldsOf: fromPerplexity,
  answerOf: ({ request_id, results }: Answer) => ({
    id: request_id,
    results: results.map(({ content, published_date = null, title, url }) => ({
      title,
      url,
      snippet: content,
      date: published_date,
      last_updated: null
    }))
  })
}

export const webUi = {
  read: Fields.callOf(WebUiBody).read,
  fieldsOf: ({ count, query }: typeof WebUiBody.Type) => ({
    query,
    ...asGiven({ max_results: count })
  }),
  answerOf: ({ results }: Answer) =>
    results.map(({ content, title, url }) => ({ link: url, title, snippet: content }))
}
