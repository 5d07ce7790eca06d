/** Tavily's answer as we read it: little of it, decoded by ourselves, cleaned and cut. */
import { clean, cut } from "@web-grounding/language/Sentences"
import { DateTime, Option, Schema } from "effect"
import type { SearchAnswer } from "../../application/ports/SearchProvider.ts"
import {
  contentCharsMax,
  type ProviderName,
  type SearchHit,
  titleCharsMax
} from "../../domain/search/SearchStatus.ts"
import * as WebAddress from "../../domain/search/WebAddress.ts"
import { isOfficial } from "../../domain/search/WebAddress.ts"
import * as RegistrableDomain from "../../infrastructure/RegistrableDomain.ts"

const requestIdCharsMax = 100

/** Results are read one by one: an odd one costs itself, not the answer. */
const Answer = Schema.fromJsonString(Schema.Struct({
  results: Schema.Array(Schema.Unknown),
  usage: Schema.optionalKey(Schema.Unknown),
  request_id: Schema.optionalKey(Schema.Unknown)
}))
const Result = Schema.Struct({
  url: Schema.String,
  title: Schema.optionalKey(Schema.NullOr(Schema.String)),
  content: Schema.optionalKey(Schema.NullOr(Schema.String)),
  score: Schema.optionalKey(Schema.Unknown),
  published_date: Schema.optionalKey(Schema.Unknown)
})
type Result = typeof Result.Type

const decodeAnswer = Schema.decodeUnknownOption(Answer)
const decodeResult = Schema.decodeUnknownOption(Result)
const decodeUsage = Schema.decodeUnknownOption(Schema.Struct({
  credits: Schema.Unknown
}))
const isFinite = Schema.is(Schema.Finite)
const isString = Schema.is(Schema.String)

/**
 * Hits and charge of an answer's body. None for what is no answer of Tavily's, nor for one whose
 * results are all unusable: it must not pass for an honest "nothing found".
 */
export const readAnswer = (
  body: string,
  provider: ProviderName,
  hitsMax: number
): Option.Option<SearchAnswer> =>
  Option.flatMap(decodeAnswer(body), ({ request_id, results, usage }) => {
    const readHits = results.map((result, place) => hitOf(result, provider, place + 1))
    const hits = readHits.flatMap(Option.toArray)
    if (hits.length === 0 && results.length > 0) return Option.none()
    return Option.some({
      hits: withoutRepeats(hits).slice(0, hitsMax),
      droppedCount: results.length - hits.length,
      ...creditsOf(usage),
      ...(isString(request_id) ? { upstreamRequestId: lineOf(request_id, requestIdCharsMax) } : {})
    })
  })

/** Credits that the answer reports, however odd: the ledger decides whether they can be true. */
const creditsOf = (usage: unknown): Pick<SearchAnswer, "credits"> =>
  Option.match(decodeUsage(usage), {
    onNone: () => ({}),
    onSome: ({ credits }) => {
      if (credits === null || credits === undefined) return {}
      return { credits: typeof credits === "number" ? credits : NaN }
    }
  })

const withoutRepeats = (hits: ReadonlyArray<SearchHit>): ReadonlyArray<SearchHit> => {
  const seen = new Set<string>()
  return hits.filter(({ url }) => !seen.has(url) && seen.add(url))
}

const hitOf = (result: unknown, provider: ProviderName, rank: number): Option.Option<SearchHit> =>
  Option.flatMap(
    decodeResult(result),
    (read) =>
      Option.flatMap(WebAddress.canonical(read.url), ({ host, href }) => {
        const title = lineOf(read.title ?? "", titleCharsMax)
        const content = cut(clean(read.content ?? "").text.trim(), contentCharsMax)
        if (title === "" && content === "") return Option.none()
        return Option.some({
          url: href,
          title: title === "" ? host : title,
          content,
          ...scoreOf(read),
          ...publishedDateOf(read),
          provider,
          rank,
          site: RegistrableDomain.registrableDomain(host),
          official: isOfficial(host)
        })
      })
  )

const lineOf = (text: string, charsMax: number): string =>
  cut(clean(text).text.replace(/\s+/gu, " ").trim(), charsMax)

const scoreOf = ({ score }: Result): Pick<SearchHit, "score"> =>
  isFinite(score) ? { score: Math.min(1, Math.max(0, score)) } : {}

const publishedDateOf = ({ published_date }: Result): Pick<SearchHit, "published_date"> =>
  isString(published_date)
    ? Option.match(isoDate(published_date.trim()), {
      onNone: () => ({}),
      onSome: (date) => ({ published_date: date })
    })
    : {}

const isoPrefix = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/
const rfc1123 =
  /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:GMT|UTC|[+-]\d{4})$/

/**
 * Publication day as `YYYY-MM-DD`: the publisher's own where it wrote an ISO form, the day in UTC
 * otherwise.
 */
export const isoDate = (text: string): Option.Option<string> => {
  const day = isoPrefix.exec(text)?.[0]
  if (day !== undefined) return Option.filter(dayOf(day), (real) => real === day)
  return rfc1123.test(text) ? dayOf(text.replace(/UTC$/, "GMT")) : Option.none()
}

const dayOf = (text: string): Option.Option<string> =>
  Option.map(DateTime.make(text), DateTime.formatIsoDateUtc)
