/** Searches in the formats of Perplexity and Open WebUI, translated to Tavily's fields. */
import type { EngineResult } from "@web-grounding/dialects/Dialect"
import { Option, Schema } from "effect"
import { asGiven } from "../../domain/request/GivenFields.ts"
import {
  domainsMax,
  hitsListedMax,
  keptText,
  queryCharsMax,
  wholeBetween
} from "../../domain/request/GroundingRequest.ts"
import * as Fields from "./Fields.ts"

const queryText = keptText(queryCharsMax)
const usDay = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

/** "3/1/2026" as an ISO day. */
const isoDayOf = (text: string): string =>
  text.replace(
    usDay,
    (_, month: string, day: string, year: string) =>
      `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
  )

const UsDay = Schema.String.check(
  Schema.makeFilter((text: string) =>
    usDay.test(text) && !Number.isNaN(Date.parse(isoDayOf(text))) ? undefined : "Expected a day"
  )
)

/** A host, left out where "-" precedes it. */
const DomainFilter = Schema.Array(
  Schema.String.check(
    Schema.makeFilter((text: string) =>
      Option.isSome(Fields.hostOf(text.replace(/^-/, ""))) ? undefined : "Expected a host"
    )
  )
).check(Schema.isMaxLength(domainsMax))

const perplexityDefault = 10

const PerplexityBody = Schema.Struct({
  query: Schema.Union([queryText, Schema.Tuple([queryText])]),
  max_results: Schema.optionalKey(wholeBetween(1, hitsListedMax)),
  country: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[a-z]{2}$/i))),
  search_domain_filter: Schema.optionalKey(DomainFilter),
  search_recency_filter: Schema.optionalKey(Schema.Literals(["day", "week", "month", "year"])),
  search_after_date_filter: Schema.optionalKey(UsDay),
  search_before_date_filter: Schema.optionalKey(UsDay)
})

const aDay = "a day as MM/DD/YYYY"

const readPerplexity = Fields.reader(PerplexityBody, {
  honoured: {
    query: `text of 1 to ${queryCharsMax} characters; one query a call`,
    max_results: `a whole number from 1 to ${hitsListedMax}`,
    country: "two letters of ISO 3166",
    search_domain_filter: `at most ${domainsMax} host names; "-" before one leaves it out`,
    search_recency_filter: "day, week, month or year",
    search_after_date_filter: aDay,
    search_before_date_filter: aDay
  },
  ignored: {},
  unkept: {}
})

const englishNameOf = (code: string): string =>
  new Intl.DisplayNames("en", { type: "region" }).of(code.toUpperCase())?.toLowerCase() ?? code

const fromPerplexity = (body: typeof PerplexityBody.Type) => {
  const { max_results = perplexityDefault, query, search_domain_filter = [] } = body
  const [denied = [], allowed = []] = [true, false].map((isDenied) =>
    search_domain_filter.filter((host) => host.startsWith("-") === isDenied)
  )
  const dayOf = (text: string | undefined) => Option.map(Option.fromUndefinedOr(text), isoDayOf)
  return {
    query: typeof query === "string" ? query : query[0],
    max_results,
    include_domains: allowed,
    exclude_domains: denied.map((host) => host.slice(1)),
    ...asGiven({
      time_range: body.search_recency_filter,
      country: Option.map(Option.fromUndefinedOr(body.country), englishNameOf),
      start_date: dayOf(body.search_after_date_filter),
      end_date: dayOf(body.search_before_date_filter)
    })
  }
}

const WebUiBody = Schema.Struct({
  query: queryText,
  count: Schema.optionalKey(wholeBetween(1, hitsListedMax))
})

const readWebUi = Fields.reader(WebUiBody, {
  honoured: {
    query: `text of 1 to ${queryCharsMax} characters`,
    count: `a whole number from 1 to ${hitsListedMax}`
  },
  ignored: {},
  unkept: {}
})

interface Answer {
  readonly request_id: string
  readonly results: ReadonlyArray<EngineResult>
}

/** By path: its reader, its body in Tavily's fields, and the answer in its own. */
export const perplexity = {
  read: readPerplexity,
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
  read: readWebUi,
  fieldsOf: ({ count, query }: typeof WebUiBody.Type) => ({
    query,
    ...asGiven({ max_results: count })
  }),
  answerOf: ({ results }: Answer) =>
    results.map(({ content, title, url }) => ({ link: url, title, snippet: content }))
}
