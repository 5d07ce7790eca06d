/**
 * Tavily's protocol: search and usage. JSON in both directions, the key in a header.
 */
import { DateTime, Option, Predicate, Result, Schema, SchemaIssue } from "effect"
import type { EngineSearch, Fault, PlayedAnswer, SearchDialect, ServerAnswer } from "./Dialect.ts"
import * as Dialect from "./Dialect.ts"
import { textAt } from "./Dialect.ts"
import countries from "./TavilyCountries.json" with { type: "json" }

// Tavily's country names: full English ones in lower case; it refuses ISO codes.

/** By ISO 3166-1 alpha-2 code: every name of Tavily's OpenAPI document of 2026-08, once. */
const nameByCode: Readonly<Record<string, string>> = countries
const codeByName = new Map(Object.entries(nameByCode).map(([code, name]) => [name, code]))

/** None for a country that Tavily does not list: the hint is then omitted, not refused. */
export const countryName = (code: string): Option.Option<string> =>
  Object.hasOwn(nameByCode, code) ? Option.fromNullishOr(nameByCode[code]) : Option.none()

/** ISO 3166-1 alpha-2 of a name in Tavily's spelling, in any case. */
export const countryCode = (name: string): Option.Option<string> =>
  Option.fromUndefinedOr(codeByName.get(name.trim().toLowerCase()))

// Fields of a search, by the OpenAPI document of 2026-08.

/** Longest query, in UTF-16 code units; a longer one is refused with 400 (recorded). */
const queryCharsMax = 400
const hitsMax = 20
const includesMax = 300
const excludesMax = 150

export const Depth = Schema.Literals(["basic", "advanced", "fast", "ultra-fast"])
export const Topic = Schema.Literals(["general", "news", "finance"])
export const Range = Schema.Literals(["day", "week", "month", "year", "d", "w", "m", "y"])
export const RawContent = Schema.Union([Schema.Boolean, Schema.Literals(["markdown", "text"])])
export const ExtractDepth = Schema.Literals(["basic", "advanced"])
export const Format = Schema.Literals(["markdown", "text"])

const Day = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/))
const between = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const domains = (most: number) => Schema.Array(Schema.String).check(Schema.isMaxLength(most))
const given = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Checked in this order; the first that fails names the refusal. */
const SearchFields = Schema.Struct({
  query: Schema.String,
  search_depth: given(Depth),
  topic: given(Topic),
  chunks_per_source: given(between(1, 3)),
  max_results: given(between(0, hitsMax)),
  time_range: given(Range),
  start_date: given(Day),
  end_date: given(Day),
  include_domains: given(domains(includesMax)),
  exclude_domains: given(domains(excludesMax)),
  /** The shortest names, such as `cuba`, have four letters. */
  country: given(Schema.String.check(Schema.isPattern(/^[a-z][a-z ]{3,}$/))),
  include_usage: given(Schema.Boolean),
  /** `true` is Markdown. */
  include_raw_content: given(RawContent)
})
const decodeSearch = Schema.decodeUnknownResult(SearchFields)
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** `auto_parameters` would choose depth, and so cost, for us. Locale has no field. */
const fieldsOf = (asked: EngineSearch) => ({
  query: asked.query.toWellFormed(),
  search_depth: asked.depth ?? "basic",
  topic: asked.topic ?? "general",
  max_results: Math.min(asked.hitsMax ?? hitsMax, hitsMax),
  include_answer: false,
  include_images: false,
  auto_parameters: false,
  include_usage: true,
  include_domains: (asked.includeDomains ?? []).slice(0, includesMax),
  exclude_domains: (asked.excludeDomains ?? []).slice(0, excludesMax),
  ...Dialect.present({
    time_range: asked.timeRange,
    start_date: asked.from,
    end_date: asked.until,
    country: (asked.topic ?? "general") === "general" ? countryName(asked.country ?? "") : ""
  }),
  include_raw_content: asked.pageText === true ? "text" : false
} as const)

const askedOf = (body: unknown): Result.Result<EngineSearch, ServerAnswer> => {
  if (!Predicate.isObject(body)) return Result.fail(refusal(422, "Input should be a valid object"))
  const query = textAt(body, "query")
  if (query.trim() === "") return Result.fail(refusal(400, "Query is missing."))
  if (query.length > queryCharsMax) {
    return Result.fail(
      refusal(400, `Query is too long. Max query length is ${queryCharsMax} characters.`)
    )
  }
  return Result.mapBoth(decodeSearch(body), {
    onFailure: ({ issue }) => {
      const [field = "request"] = issuesOf(issue).issues[0]?.path ?? []
      return refusal(400, `Invalid ${String(field)}.`)
    },
    onSuccess: (fields): EngineSearch => ({
      query,
      depth: fields.search_depth === "advanced" ? "advanced" : "basic",
      topic: fields.topic ?? "general",
      includeDomains: fields.include_domains ?? [],
      excludeDomains: fields.exclude_domains ?? [],
      ...Dialect.rangeBy(fields.time_range?.slice(0, 1)),
      ...Dialect.present({
        hitsMax: fields.max_results,
        country: countryCode(fields.country ?? ""),
        from: fields.start_date,
        until: fields.end_date
      }),
      charge: fields.include_usage === true,
      pageText: (fields.include_raw_content ?? false) !== false
    })
  })
}

type Envelope = Readonly<Record<"query" | "request_id" | "response_time" | "results", unknown>>

/** An answer with the fields of a search without images and without an answer text. */
export const searchBody = <E extends Envelope>(envelope: E) => ({
  follow_up_questions: null,
  answer: null,
  images: [],
  ...envelope
})

/** Dates as seen: RFC 1123 with topic news, else the plain day. */
const bodyOf = (said: PlayedAnswer, topic: string): PlayedAnswer => {
  const results = Dialect.written(said, ({ published_date }, _, result) => {
    const moment = DateTime.make(published_date)
    return topic === "news" && Option.isSome(moment)
      ? { ...result, published_date: DateTime.toDateUtc(moment.value).toUTCString() }
      : result
  })
  return { ...said, results }
}

const found = Dialect.foundBy(
  { url: "url", content: "content", score: "score", day: "published_date" },
  Dialect.isoDate
)

const faultByStatus: Readonly<Record<number, Fault>> = {
  432: { status: "quota_exhausted" },
  433: { status: "quota_exhausted", detail: "paygo_exhausted" }
}

/** Fault of a status; none from 200 to 299, where the body decides. */
const faultOf = (httpStatus: number, body: string): Option.Option<Fault> =>
  httpStatus === 429 ? Option.some(limitOf(body)) : Dialect.ofStatus(httpStatus, faultByStatus)

/** In 2024-09 an exhausted plan also answered 429; only the words distinguish it. */
const limitOf = (body: string): Fault => {
  const detail = Dialect.fieldAt(Option.getOrNull(Dialect.jsonOf(body)), "detail")
  return /\bplan\b|usage limit/i.test(textAt(detail, "error"))
    ? { status: "quota_exhausted" }
    : { status: "rate_limited" }
}

export const refusal = (status: number, error: string) =>
  Dialect.jsonAnswer(status, { detail: { error } })

/** In recorded words. */
const noKey = refusal(401, "Unauthorized: missing or invalid API key.")

export const Tavily = {
  ...Dialect.inJson,
  queryCharsMax,
  method: "POST",
  paths: ["/search"],
  carrier: "json",
  key: { header: "authorization" },
  hitsMax,
  price: { basic: 1, advanced: 2 },
  fieldsOf,
  askedOf,
  bodyOf: (said, { fields }) => JSON.stringify(bodyOf(said, textAt(fields, "topic"))),
  answerOf: Dialect.answerBy({
    results: "results",
    requestId: "request_id",
    credits: ["usage", "credits"]
  }, found),
  faultOf,
  noKey,
  faults: {
    401: noKey,
    429: refusal(
      429,
      "Your request has been blocked due to excessive requests. Please reduce the rate of " +
        "requests. Verify you are using production API keys."
    ),
    "429-plan": refusal(
      429,
      "Plan API usage limit reached. Please upgrade your plan or contact support@tavily.com"
    ),
    432: refusal(
      432,
      "This request exceeds your plan's set usage limit. Please upgrade your plan or contact " +
        "support@tavily.com"
    ),
    433: refusal(
      433,
      "This request exceeds the pay-as-you-go limit. You can increase your limit on the Tavily " +
        "dashboard."
    )
  }
} as const satisfies SearchDialect & { readonly queryCharsMax: number }

// Texts of pages that come with hits.

const RawPage = Schema.Struct({ url: Schema.String, raw_content: Schema.NonEmptyString })
const isRawPage = Schema.is(RawPage)

/** Texts of pages in a search's answer; none if it is invalid. */
export const rawPagesOf = (body: string): ReadonlyArray<typeof RawPage.Type> =>
  Dialect.listAt(Option.getOrNull(Dialect.jsonOf(body)), "results").filter(isRawPage)

// Usage of a key, `GET /usage`, absent from the SDK.

const Count = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
const decodeUsage = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({
    key: Schema.Struct({ usage: Count, limit: Schema.optionalKey(Schema.NullOr(Count)) })
  }))
)

export const usageOf = (body: string) =>
  Option.map(decodeUsage(body), ({ key: { limit, usage } }) => ({
    used: usage,
    ...(limit === null || limit === undefined ? {} : { limit })
  }))

export const usageBody = (usage: number, limit: number | null, current_plan = "Sandbox") => {
  const by = { search_usage: usage, extract_usage: 0, crawl_usage: 0, map_usage: 0 }
  const plan = { plan_usage: usage, plan_limit: limit, paygo_usage: 0, paygo_limit: 0 }
  return {
    key: { usage, limit, ...by, research_usage: 0 },
    account: { current_plan, ...plan, ...by, research_usage: 0 }
  }
}
