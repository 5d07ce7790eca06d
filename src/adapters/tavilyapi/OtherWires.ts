/** Searches in the formats of Perplexity and Open WebUI, translated to Tavily's fields. */
import type { EngineResult } from "@web-grounding/dialects/Dialect"
import { Option, Schema } from "effect"
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

const aDay = { expected: "a day as MM/DD/YYYY", means: "As it is" }

const readPerplexity = Fields.reader(PerplexityBody, {
  honoured: {
    query: {
      expected: `text of 1 to ${queryCharsMax} characters; one query a call`,
      means: "As it is"
    },
    max_results: { expected: `a whole number from 1 to ${hitsListedMax}`, means: "Default 10" },
    country: { expected: "two letters of ISO 3166", means: "As it is" },
    search_domain_filter: {
      expected: `at most ${domainsMax} host names; "-" before one leaves it out`,
      means: "As it is"
    },
    search_recency_filter: { expected: "day, week, month or year", means: "As it is" },
    search_after_date_filter: aDay,
    search_before_date_filter: aDay
  },
  ignored: {},
  unkept: {}
})

const englishNameOf = (code: string): string =>
  new Intl.DisplayNames("en", { type: "region" }).of(code.toUpperCase())?.toLowerCase() ?? code

const fromPerplexity = (body: typeof PerplexityBody.Type) => {
  const { country, max_results = perplexityDefault, query, search_domain_filter = [] } = body
  const { search_after_date_filter: after, search_before_date_filter: before } = body
  const [denied, allowed] = [true, false].map((isDenied) =>
    search_domain_filter.filter((host) => host.startsWith("-") === isDenied)
  )
  return {
    query: typeof query === "string" ? query : query[0],
    max_results,
    include_domains: allowed,
    exclude_domains: denied?.map((host) => host.slice(1)),
    time_range: body.search_recency_filter,
    ...(country === undefined ? {} : { country: englishNameOf(country) }),
    ...(after === undefined ? {} : { start_date: isoDayOf(after) }),
    ...(before === undefined ? {} : { end_date: isoDayOf(before) })
  }
}

const WebUiBody = Schema.Struct({
  query: queryText,
  count: Schema.optionalKey(wholeBetween(1, hitsListedMax))
})

const readWebUi = Fields.reader(WebUiBody, {
  honoured: {
    query: { expected: `text of 1 to ${queryCharsMax} characters`, means: "As it is" },
    count: { expected: `a whole number from 1 to ${hitsListedMax}`, means: "Default 5" }
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
    ...(count === undefined ? {} : { max_results: count })
  }),
  answerOf: ({ results }: Answer) =>
    results.map(({ content, title, url }) => ({ link: url, title, snippet: content }))
}
