/**
 * Brave's web search, and LLM Context, whose snippets are the pages' text. As documented in 2026.
 */
import { DateTime, Option, Result, Schema } from "effect"
import type {
  EngineAnswer,
  EngineResult,
  EngineSearch,
  Fault,
  SearchDialect,
  ServerAnswer
} from "./Dialect.ts"
import * as Dialect from "./Dialect.ts"
import { listAt, textAt } from "./Dialect.ts"

/** Longer queries are refused. In UTF-16 code units, and in words. */
const bounds = { charsMax: 400, wordsMax: 50 }

const refusal = (
  status: number,
  code: string,
  detail: string,
  meta: object = {}
) =>
  Dialect.jsonAnswer(status, {
    type: "ErrorResponse",
    error: { id: "0", status, code, detail, meta },
    time: 1_790_000_000
  })

const noKey = refusal(
  422,
  "SUBSCRIPTION_TOKEN_INVALID",
  "The provided subscription token is invalid.",
  { component: "authentication" }
)

type Own = "answerOf" | "bodyOf" | "fieldsOf" | "hitsMax" | "paths"

const dialect = (own: Pick<SearchDialect, Own> & { readonly countMax: number }): SearchDialect => ({
  ...Dialect.inJson,
  ...own,
  method: "GET",
  carrier: "parameters",
  key: { header: "x-subscription-token" },
  askedOf: (fields) => askedOf(fields, own.countMax),
  faultOf: (status, body) => {
    const error = Dialect.fieldAt(Option.getOrNull(Dialect.jsonOf(body)), "error")
    // A wrong key and a wrong request have the same status.
    if (/^SUBSCRIPTION_TOKEN_/.test(textAt(error, "code"))) {
      return Option.some({ status: "invalid_key" })
    }
    return status === 429 && isSpent(error)
      ? Option.some({ status: "quota_exhausted" })
      : Dialect.ofStatus(status, {})
  },
  noKey,
  faults: {
    "brave-quota": refusal(429, "RATE_LIMITED", "Request rate limit exceeded for plan", {
      rate_limit: 1,
      rate_current: 0,
      quota_limit: 2_000,
      quota_current: 2_000
    })
  }
})

const decodeQuota = Schema.decodeUnknownOption(
  Schema.Struct({
    meta: Schema.Struct({ quota_limit: Schema.Finite, quota_current: Schema.Finite })
  })
)

const isSpent = (error: unknown): boolean =>
  Option.exists(
    decodeQuota(error),
    ({ meta }) => meta.quota_limit > 0 && meta.quota_current >= meta.quota_limit
  )

// Request of both. Brave refuses a country or language that it does not list, so those are omitted.

const countries: ReadonlySet<string> = new Set(
  (`AR AT AU BE BR CA CH CL CN DE DK ES FI FR GB HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE TR
TW US ZA`).split(/\s+/)
)

const languages: ReadonlySet<string> = new Set(
  (`ar eu bn bg ca hr cs da nl en et fi fr gl de gu he hi hu is it jp kn ko lv lt ms ml mr nb pl
pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi zh-hans zh-hant`).split(/\s+/)
)
const otherNames: Readonly<Record<string, string>> = {
  ja: "jp",
  "zh-cn": "zh-hans",
  "zh-tw": "zh-hant"
}

const languageOf = Dialect.languageBy(languages, otherNames)

/** One of the two days may be missing: the first defaults to before the web, the last to today. */
const freshnessOf = (
  { from, timeRange, until }: EngineSearch,
  now: DateTime.Utc
): Readonly<Record<string, string>> => {
  if ((from ?? until) !== undefined) {
    return { freshness: `${from ?? "1990-01-01"}to${until ?? DateTime.formatIsoDateUtc(now)}` }
  }
  return timeRange === undefined ? {} : { freshness: `p${timeRange.slice(0, 1)}` }
}

const commonFields = (asked: EngineSearch, now: DateTime.Utc) => {
  const market = Dialect.marketOf(asked)
  return {
    q: Dialect.withSites(asked.query.toWellFormed(), asked, bounds),
    ...Dialect.present({
      country: Option.filter(market.country, (code) => countries.has(code)),
      search_lang: languageOf(market)
    }),
    ...freshnessOf(asked, now)
  }
}

const askedOf = (fields: unknown, countMax: number): Result.Result<EngineSearch, ServerAnswer> => {
  const query = textAt(fields, "q")
  const count = Number(textAt(fields, "count") || countMax)
  const country = textAt(fields, "country")
  const [language = ""] = textAt(fields, "search_lang").split("-", 1)
  const freshness = textAt(fields, "freshness")
  const isFine = query.trim() !== "" && query.length <= bounds.charsMax &&
    query.split(/\s+/).length <= bounds.wordsMax && Number.isInteger(count) && count >= 1 &&
    count <= countMax && (country === "" || countries.has(country))
  const [, from, until] = /^(\d{4}-\d\d-\d\d)to(\d{4}-\d\d-\d\d)$/.exec(freshness) ?? []
  return isFine
    ? Result.succeed({
      ...Dialect.withoutSites(query),
      hitsMax: count,
      ...Dialect.present({ country, locale: language === "jp" ? "ja" : language, from, until }),
      ...Dialect.rangeBy(/^p([dwmy])$/.exec(freshness)?.[1])
    })
    : Result.fail(refusal(422, "VALIDATION", "Unable to validate request parameter(s)"))
}

// Web search. An empty result is an answer of its type without results.

const webHitsMax = 20

const readWeb = Dialect.readerOf(Schema.Struct({
  type: Schema.Literal("search"),
  web: Schema.optionalKey(Schema.NullOr(Schema.Struct({ results: Schema.Array(Schema.Unknown) })))
}))

const webFound = Dialect.foundBy({ url: "url", content: "description", day: "page_age" })

export const Brave: SearchDialect = dialect({
  paths: ["/res/v1/web/search"],
  hitsMax: webHitsMax,
  countMax: webHitsMax,
  fieldsOf: (asked, now) => ({
    ...commonFields(asked, now),
    count: String(Math.min(asked.hitsMax ?? webHitsMax, webHitsMax)),
    result_filter: "web",
    text_decorations: "false"
  }),
  bodyOf: (said, { query }) => {
    const results = Dialect.written(said, ({ content, published_date, title, url }) => ({
      title,
      url,
      description: content,
      ...Dialect.present({ page_age: Dialect.midnightOf(published_date) })
    }))
    return JSON.stringify({
      type: "search",
      query: { original: query },
      ...(results.length === 0 ? {} : { web: { type: "search", results } })
    })
  },
  answerOf: (body) =>
    Result.map(readWeb(body), ({ web }) => ({ results: (web?.results ?? []).map(webFound) }))
})

// LLM Context. A hit's content is the passages of its page.

const contextHitsMax = 20
/** Tokens of a page: as much as is kept of a hit's text. */
const pageTokens = 2_048
const tokensMin = 1_024
const tokensMax = 32_768
const joint = " [...] "

const readContext = Dialect.readerOf(Schema.Struct({
  grounding: Schema.Struct({
    generic: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Unknown)))
  }),
  sources: Schema.optionalKey(Schema.Unknown)
}))

const contextFound = Dialect.foundBy({ url: "url", content: "" })

/** The age of a source is given in several forms; one of them is the day. */
const dayIn = (sources: unknown, url: string): Option.Option<string> =>
  Option.firstSomeOf(
    listAt(Dialect.fieldAt(sources, url), "age").map((age) =>
      typeof age === "string" ? Dialect.isoDay(age) : Option.none()
    )
  )

const contextAnswer = (body: string): Result.Result<EngineAnswer, Fault> =>
  Result.map(readContext(body), ({ grounding, sources }) => ({
    results: (grounding.generic ?? []).map((result) =>
      Option.map(contextFound(result), (one): EngineResult => {
        const snippets = listAt(result, "snippets").filter((part) => typeof part === "string")
        return Dialect.dated({ ...one, content: snippets.join(joint) }, dayIn(sources, one.url))
      })
    )
  }))

export const BraveContext: SearchDialect = dialect({
  paths: ["/res/v1/llm/context"],
  hitsMax: contextHitsMax,
  countMax: 50,
  fieldsOf: (asked, now) => {
    const hits = Math.min(asked.hitsMax ?? contextHitsMax, contextHitsMax)
    return {
      ...commonFields(asked, now),
      count: String(hits),
      maximum_number_of_urls: String(hits),
      maximum_number_of_tokens: String(
        Math.min(tokensMax, Math.max(tokensMin, hits * pageTokens))
      ),
      maximum_number_of_tokens_per_url: String(pageTokens)
    }
  },
  bodyOf: (said) => {
    const generic = Dialect.written(said, ({ content, title, url }) => ({
      url,
      title,
      snippets: content === "" ? [] : content.split(joint)
    }))
    const sources = Dialect.resultsOf(said).map(Dialect.playedOf)
      .filter(({ url }) => url !== "")
      .map(({ published_date, title, url }) => {
        const hostname = URL.parse(url)?.hostname ?? ""
        const day = Option.toArray(Dialect.isoDay(published_date))
        const age = day.flatMap((date) => ["a day", date, "days ago"])
        return [url, { title, hostname, age }] as const
      })
    return JSON.stringify({
      grounding: { generic, poi: null, map: [] },
      sources: Object.fromEntries(sources)
    })
  },
  answerOf: contextAnswer
})
