/** Exa's protocol: JSON both ways, page text with the hits. By its OpenAPI document of 2026. */
import { type DateTime, Option, Result, Schema } from "effect"
import type { EngineSearch, SearchDialect, ServerAnswer } from "./Dialect.ts"
import * as Dialect from "./Dialect.ts"

/** No bound is documented. In UTF-16 code units. */
const queryCharsMax = 2_000
const resultsDefault = 10
const resultsMost = 100
const domainsMost = 1_200
/** Characters of a page's text with its hit: as much as is kept of a hit. */
const textCharsMax = 8_000

const refusal = (status: number, tag: string, error: string) =>
  Dialect.jsonAnswer(status, { requestId: "0", error, tag })
const noKey = refusal(401, "INVALID_API_KEY", "Invalid API key")

export const Exa: SearchDialect = {
  ...Dialect.inJson,
  method: "POST",
  paths: ["/search"],
  carrier: "json",
  key: { header: "x-api-key" },
  hitsMax: resultsMost,
  fieldsOf: (asked, now) => fieldsOf(asked, now),
  askedOf: (fields) => askedOf(fields),
  bodyOf: (said) =>
    JSON.stringify({
      requestId: "0123456789abcdef",
      resolvedSearchType: "neural",
      results: Dialect.written(said, ({ content, published_date, title, url }, _, result) => ({
        id: url,
        title,
        url,
        text: content,
        score: Reflect.get(result, "score"),
        publishedDate: Option.getOrNull(
          Option.map(Dialect.midnightOf(published_date), (midnight) => `${midnight}.000Z`)
        )
      }))
    }),
  answerOf: (body) => answerOf(body),
  faultOf: (status) => Dialect.ofStatus(status, { 402: { status: "quota_exhausted" } }),
  noKey,
  faults: {}
}

// Requests. A time range is sent as its first day.

const fieldsOf = (asked: EngineSearch, now: DateTime.Utc) => ({
  query: asked.query.toWellFormed().slice(0, queryCharsMax),
  type: "auto",
  numResults: Math.min(asked.hitsMax ?? resultsDefault, resultsMost),
  contents: { text: { maxCharacters: textCharsMax } },
  ...Dialect.present({
    category: asked.topic === "news" ? "news" : "",
    userLocation: asked.country,
    includeDomains: domainsOf(asked.includeDomains),
    excludeDomains: domainsOf(asked.excludeDomains),
    startPublishedDate: momentOf(firstDayOf(asked, now), "T00:00:00.000Z"),
    endPublishedDate: momentOf(asked.until, "T23:59:59.999Z")
  })
})

const domainsOf = (domains: ReadonlyArray<string> = []) =>
  domains.length === 0 ? undefined : domains.slice(0, domainsMost)

const momentOf = (day: string | undefined, time: string) => day && `${day}${time}`

const firstDayOf = ({ from, timeRange }: EngineSearch, now: DateTime.Utc): string | undefined =>
  timeRange === undefined || from !== undefined ? from : Dialect.firstDayOf(timeRange, now)

const Domains = Schema.Array(Schema.String).check(Schema.isMaxLength(domainsMost))
const Fields = Schema.Struct({
  query: Schema.NonEmptyString,
  numResults: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: resultsMost }))
  ),
  category: Schema.optionalKey(Schema.String),
  userLocation: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/))),
  includeDomains: Schema.optionalKey(Domains),
  excludeDomains: Schema.optionalKey(Domains),
  startPublishedDate: Schema.optionalKey(Schema.String),
  endPublishedDate: Schema.optionalKey(Schema.String)
})
const decodeFields = Schema.decodeUnknownResult(Fields)

const askedOf = (body: unknown): Result.Result<EngineSearch, ServerAnswer> =>
  Result.mapBoth(
    Result.filterOrFail(decodeFields(body), ({ query }) => query.trim() !== "", () => body),
    {
      onFailure: () => refusal(400, "INVALID_REQUEST_BODY", "Invalid request body"),
      onSuccess: (fields): EngineSearch => ({
        query: fields.query,
        hitsMax: fields.numResults ?? resultsDefault,
        includeDomains: fields.includeDomains ?? [],
        excludeDomains: fields.excludeDomains ?? [],
        ...(fields.category === "news" ? { topic: "news" } : {}),
        ...Dialect.present({
          country: fields.userLocation,
          from: Dialect.isoDay(fields.startPublishedDate ?? ""),
          until: Dialect.isoDay(fields.endPublishedDate ?? "")
        })
      })
    }
  )

const answerOf = Dialect.answerBy(
  { results: "results", requestId: "requestId" },
  Dialect.foundBy({ url: "url", content: "text", score: "score", day: "publishedDate" })
)
