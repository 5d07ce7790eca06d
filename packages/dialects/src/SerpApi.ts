/** SerpAPI's protocol: Google's results by one GET, everything in the URL, the key too. */
import { dayWritten } from "@web-grounding/language/Quantities"
import { DateTime, Option, Result, Schema } from "effect"
import type {
  EngineAnswer,
  EngineSearch,
  Fault,
  Market,
  PlayedAnswer,
  SearchDialect,
  ServerAnswer
} from "./Dialect.ts"
import * as Dialect from "./Dialect.ts"
import { textAt } from "./Dialect.ts"

/** Google reads no more than 2,048. In UTF-16 code units. */
const queryCharsMax = 2_000
const resultsDefault = 10

const refusal = (status: number, error: string) => Dialect.jsonAnswer(status, { error })

const noKey = refusal(
  401,
  "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"
)
const noResults = "We couldn't get valid results for this search. Please try again later."

export const SerpApi: SearchDialect = {
  ...Dialect.inJson,
  method: "GET",
  paths: ["/search.json", "/search"],
  carrier: "parameters",
  key: { parameter: "api_key" },
  contentType: "application/json; charset=utf-8",
  hitsMax: 100,
  /** Topic and depth have no field; a news search has no organic results. */
  fieldsOf: (asked) => ({
    engine: "google",
    q: Dialect.withSites(asked.query.toWellFormed(), asked, { charsMax: queryCharsMax }),
    num: String(asked.hitsMax ?? resultsDefault),
    ...googleMarket(Dialect.marketOf(asked)),
    ...googleRange(asked)
  }),
  askedOf: (fields) => askedOf(fields),
  bodyOf: (said, { fields, query }) => JSON.stringify(bodyOf(said, query, fields)),
  answerOf: (body, now) => answerOf(body, now),
  faultOf: (status, body) =>
    status === 429
      ? Option.some(limitOf(textAt(Option.getOrNull(Dialect.jsonOf(body)), "error")))
      : Dialect.ofStatus(status, {}),
  noKey,
  /** The words of an account without searches are recorded; the others are made up. */
  faults: {
    "serp-error": Dialect.jsonAnswer(200, {
      search_metadata: { status: "Error" },
      error: noResults
    }),
    "serp-hourly": refusal(
      429,
      "Your account is exceeding the hourly throughput limit of your plan."
    ),
    "serp-out-of-searches": refusal(429, "Your account has run out of searches."),
    "wrong-shape": Dialect.jsonAnswer(200, { organic_results: { link: "https://a.example" } })
  }
}

/** Country and language in Google's names: `gl` and `hl`. */
export const googleMarket = (market: Market) =>
  Dialect.present({
    gl: Option.map(market.country, (country) => country === "GB" ? "uk" : country.toLowerCase()),
    hl: languageCode(market)
  })

/** Days in Google's order: month, day, year. */
export const googleRange = (
  { from, timeRange, until }: EngineSearch
): Readonly<Record<string, string>> => {
  const days = [["cd_min", from], ["cd_max", until]].flatMap(([name, day]) =>
    day === undefined ? [] : [`${name}:${day.replace(/^(\d+)-(\d+)-(\d+)$/, "$2/$3/$1")}`]
  )
  if (days.length > 0) return { tbs: ["cdr:1", ...days].join() }
  return timeRange === undefined ? {} : { tbs: `qdr:${timeRange.slice(0, 1)}` }
}

const googleDay = (tbs: string, name: "cd_max" | "cd_min"): string | undefined => {
  const [, month, day, year] = new RegExp(`${name}:(\\d\\d)/(\\d\\d)/(\\d{4})`).exec(tbs) ?? []
  return year === undefined ? undefined : `${year}-${month}-${day}`
}

export const askedInGoogle = (fields: unknown): Omit<EngineSearch, "query"> => {
  const country = textAt(fields, "gl")
  const [language = ""] = textAt(fields, "hl").split("-", 1)
  const tbs = textAt(fields, "tbs")
  const [from, until] = [googleDay(tbs, "cd_min"), googleDay(tbs, "cd_max")]
  return {
    ...Dialect.present({
      country: country === "uk" ? "GB" : country.toUpperCase(),
      locale: languageByCode[language] ?? language,
      from,
      until
    }),
    ...Dialect.rangeBy(/^qdr:([dwmy])$/.exec(tbs)?.[1])
  }
}

const askedOf = (fields: unknown): Result.Result<EngineSearch, ServerAnswer> => {
  const query = textAt(fields, "q")
  if (query.trim() === "") return Result.fail(refusal(400, "Missing query `q` parameter."))
  if ((textAt(fields, "engine") || "google") !== "google") {
    return Result.fail(refusal(400, "Unsupported `engine` parameter."))
  }
  const hitsMax = Number(textAt(fields, "num") || resultsDefault)
  return Number.isInteger(hitsMax) && hitsMax >= 1 && hitsMax <= SerpApi.hitsMax
    ? Result.succeed({ ...askedInGoogle(fields), ...Dialect.withoutSites(query), hitsMax })
    : Result.fail(refusal(400, "Unsupported `num` parameter."))
}

// Answers: organic results. An empty result is a success with an error message.

const bodyOf = (said: PlayedAnswer, query: string, fields: unknown) => {
  const results = Dialect.written(said, googleShown)
  const isEmpty = results.length === 0
  return {
    search_metadata: { id: "0123456789abcdef01234567", status: "Success" },
    search_parameters: fields,
    search_information: {
      query_displayed: query,
      organic_results_state: isEmpty ? "Fully empty" : "Results for exact spelling"
    },
    ...(isEmpty
      ? { error: "Google hasn't returned any results for this query." }
      : { organic_results: results })
  }
}

const read = Dialect.readerOf(Schema.Struct({
  organic_results: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  error: Schema.optionalKey(Schema.Unknown),
  search_metadata: Schema.optionalKey(Schema.Unknown),
  search_information: Schema.optionalKey(Schema.Unknown)
}))

const answerOf = (body: string, now: DateTime.Utc): Result.Result<EngineAnswer, Fault> =>
  Result.flatMap(read(body), (answer): Result.Result<EngineAnswer, Fault> => {
    const { organic_results = [], search_information, search_metadata } = answer
    const error = textAt(answer, "error")
    const status = textAt(search_metadata, "status")
    const isEmpty = typeof answer.error === "string"
      ? status !== "Error" && /hasn['’]t returned any results/i.test(error)
      : status === "Success" &&
        /^Fully empty$/i.test(textAt(search_information, "organic_results_state"))
    if (organic_results.length === 0 && !isEmpty) return Result.fail(faultOfAnswer(status, error))
    return Result.succeed({
      results: organic_results.map(googleResult(now)),
      ...Dialect.present({ requestId: textAt(search_metadata, "id") })
    })
  })

export const googleShown = (
  { content, published_date, title, url }: ReturnType<typeof Dialect.playedOf>,
  index: number
) => ({
  position: index + 1,
  title,
  link: url,
  snippet: content,
  ...Dialect.present({ date: dayShown(published_date) })
})

export const googleResult = (now: DateTime.Utc) =>
  Dialect.foundBy({ url: "link", content: "snippet", day: "date" }, (text) => dayOf(text, now))

// Parses a result's `date`, which is written for readers, in the requested language.

/** Displayed date: `Sep 1, 2026`. */
const dayShown = (day: string): Option.Option<string> =>
  Option.map(
    DateTime.make(day),
    (date) => DateTime.formatUtc(date, { locale: "en-US", dateStyle: "medium" })
  )

/** Numbers with the year first, in Korean and Japanese. */
const yearFirst = /^(\d{4})[./] ?(\d{1,2})[./] ?(\d{1,2})\.?$/

/** Relative dates up to weeks: a month ago is no day. */
const relative: ReadonlyArray<readonly [RegExp, "minutes" | "hours" | "days" | "weeks"]> = [
  [/^(\d{1,3}) (?:min|mins|minutes?) ago$|^(\d{1,3}) ?(?:분 전|分前)$/, "minutes"],
  [/^(\d{1,3}) hours? ago$|^(\d{1,3}) ?(?:시간 전|時間前)$/, "hours"],
  [/^(\d{1,3}) days? ago$|^(\d{1,3}) ?(?:일 전|日前)$/, "days"],
  [/^(\d{1,2}) weeks? ago$|^(\d{1,2}) ?(?:주 전|週間前)$/, "weeks"]
]

/** `YYYY-MM-DD`; none for an invalid or ambiguous date. */
export const dayOf = (text: string, now: DateTime.Utc): Option.Option<string> => {
  const shown = text.trim()
  const written = dayWritten(shown.replace(yearFirst, "$1年$2月$3日"))
  return written === undefined ? dayBefore(shown, now) : Dialect.isoDay(written)
}

const dayBefore = (shown: string, now: DateTime.Utc): Option.Option<string> => {
  const found = relative.flatMap(([form, unit]) => {
    const [, latin, other] = form.exec(shown) ?? []
    const count = latin ?? other
    return count === undefined ? [] : [DateTime.subtract(now, { [unit]: Number(count) })]
  })
  return Option.map(Option.fromUndefinedOr(found[0]), DateTime.formatIsoDateUtc)
}

// Google's interface languages; SerpAPI refuses a search in any other.

/** A part of SerpAPI's list: those written as in ISO 639-1, and its own names. */
const languages: ReadonlySet<string> = new Set(
  (`af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu hi hr hu hy id is it
iw ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my ne nl no pa pl pt-br pt-pt ro ru si sk sl sq sr
sv sw ta te th tl tr uk ur uz vi zh-cn zh-tw zu`).split(/\s+/)
)

const otherNames: Readonly<Record<string, string>> = { fil: "tl", he: "iw", nb: "no", nn: "no" }
const languageByCode: Readonly<Record<string, string>> = { tl: "fil", iw: "he" }

const languageCode = Dialect.languageBy(languages, otherNames)

/** 429 means too many in an hour, or an exhausted plan; only the words decide. */
const limitOf = (error: string): Fault =>
  /run out of searches|searches (?:left|remaining)|monthly|\bplan\b.*\b(?:limit|exhausted)/i
      .test(error) && !/hour/i.test(error)
    ? { status: "quota_exhausted" }
    : { status: "rate_limited" }

/** Fault of a 200 without results and without a statement that there are none. */
const faultOfAnswer = (searchStatus: string, error: string): Fault => {
  // Still being searched: the answer is not awaited.
  if (/^(?:Processing|Queued)$/i.test(searchStatus)) {
    return { status: "unknown_error", detail: "unfinished" }
  }
  if (/run out of searches/i.test(error)) return { status: "quota_exhausted" }
  if (/invalid api key/i.test(error)) return { status: "invalid_key" }
  // The engine behind it did not answer; the search was accepted without result.
  if (/^Error$/i.test(searchStatus)) return { status: "network_error", detail: "engine_failed" }
  return error === "" ? Dialect.badBody : { status: "unknown_error", detail: "refused" }
}
