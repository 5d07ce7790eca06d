/** Protocol of a provider as the sandbox speaks it: how it is asked and how it answers. */
import { DateTime, Effect, Option, Predicate, Result, Schema } from "effect"
import type { HttpServerError, HttpServerRequest } from "effect/http"
import { randomUUID } from "node:crypto"
import * as Corpus from "../corpus/Corpus.ts"
import type { CorpusPage } from "../corpus/Corpus.ts"
import * as Fault from "./Fault.ts"
import type { Searcher, Service } from "./Fault.ts"
import type { PlainAnswer, PlainAnswers } from "./PlainFault.ts"

export interface SandboxRequest<P = Parameters> {
  readonly query: string
  /** Request as sent, without the key: for the ledger. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Secret that came in the key's place, good or not; empty where none did. */
  readonly secret: string
  /** None for a key that is no good; empty for a provider without keys. */
  readonly key: Option.Option<string>
  /**
   * Parameters of the request, such as the words to look for in the corpus, or the provider's
   * refusal.
   */
  readonly parameters: Result.Result<P, PlainAnswer>
}

/** An answer in Tavily's shape, whole or bent by a fault. */
export type JsonAnswer = Readonly<Record<string, unknown>>

export interface Dialect<P = Parameters> {
  readonly provider: Service
  readonly contentType: string
  readonly noKey: PlainAnswer
  /**
   * Faults that this provider tells in its own words, by the fault's name, each with a status, a
   * body and headers; those left out are told as `PlainFault.answers` has them. A fault that no
   * name stands for, such as a second meaning of one status, gets one in `Fault.ts` and its answer
   * in `PlainFault.ts`.
   */
  readonly plainFaults: PlainAnswers
  readonly errorBody: (error: string) => string
  readonly asked: Effect.Effect<
    SandboxRequest<P>,
    HttpServerError.HttpServerError,
    HttpServerRequest.HttpServerRequest
  >
  /** Credits of an honest answer; absent where the ledger counts none. */
  readonly charges?: (parameters: P, answer: JsonAnswer) => number
  /** Total: a fault may have put anything in the place of a result. */
  readonly render: (answer: JsonAnswer, asked: SandboxRequest<P>) => string
}

interface Route {
  readonly method: "GET" | "POST"
  readonly path: `/${string}`
}

/** Protocol of a search provider. */
export interface SearchDialect extends Dialect {
  readonly provider: Searcher
  /** Ways to ask for a search; what was recorded at one of the paths is a search, too. */
  readonly routes: readonly [Route, ...ReadonlyArray<Route>]
}

/** The results of an answer, if it has a list of them. */
export const resultsOf = ({ results }: JsonAnswer): ReadonlyArray<unknown> =>
  Array.isArray(results) ? results : []

/** A field of what may be a result; empty where there is no such text. */
export const textAt = (result: unknown, name: string): string => {
  const value: unknown = typeof result === "object" && result !== null
    ? Reflect.get(result, name)
    : undefined
  return typeof value === "string" ? value : ""
}

/** A field of what may be a result; empty where there is no list of numbers. */
export const numbersAt = (result: unknown, name: string): ReadonlyArray<number> => {
  const value: unknown = typeof result === "object" && result !== null
    ? Reflect.get(result, name)
    : undefined
  return Array.isArray(value) ? value.filter((item) => typeof item === "number") : []
}

// Checks of Tavily's search endpoint, by its OpenAPI document of 2026-08.

/** Longest query, in UTF-16 code units; a longer one is refused with the recorded words. */
const queryCharsMax = 400

const Depth = Schema.Literals(["basic", "advanced", "fast", "ultra-fast"])
const Day = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/))
const between = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const domains = (most: number) => Schema.Array(Schema.String).check(Schema.isMaxLength(most))
const given = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Checked in this order; the first that fails names the refusal. */
const fields = {
  search_depth: given(Depth),
  topic: given(Schema.Literals(["general", "news", "finance"])),
  chunks_per_source: given(between(1, 3)),
  max_results: given(between(0, 20)),
  time_range: given(Schema.Literals(["day", "week", "month", "year", "d", "w", "m", "y"])),
  start_date: given(Day),
  end_date: given(Day),
  include_domains: given(domains(300)),
  exclude_domains: given(domains(150)),
  /** Full English names in lower case; the shortest, such as `cuba`, have four letters. */
  country: given(Schema.String.check(Schema.isPattern(/^[a-z][a-z ]{3,}$/))),
  include_usage: given(Schema.Boolean),
  /** `true` is Markdown; the corpus has one form of text. */
  include_raw_content: given(
    Schema.Union([Schema.Boolean, Schema.Literals(["markdown", "text"])])
  )
}
const Parameters = Schema.Struct({ query: Schema.String, ...fields })
export type Parameters = typeof Parameters.Type

export interface Refusal {
  readonly status: number
  readonly body: unknown
}

const refusal = (status: number, error: string): Refusal => ({
  status,
  body: { detail: { error } }
})

/** Refusal of a request without a key, in Tavily's recorded words. */
export const noKey = refusal(401, "Unauthorized: missing or invalid API key.")
const tooLong = refusal(
  400,
  `Query is too long. Max query length is ${queryCharsMax} characters.`
)

const decodeParameters = Schema.decodeUnknownResult(Parameters)

/** The parameters of a body, or how Tavily refuses it. */
export const parametersOf = (body: unknown): Result.Result<Parameters, Refusal> => {
  if (!Predicate.isObject(body)) return Result.fail(refusal(422, "Input should be a valid object"))
  const query: unknown = Reflect.get(body, "query")
  if (!Predicate.isString(query) || query.trim() === "") {
    return Result.fail(refusal(400, "Query is missing."))
  }
  if (query.length > queryCharsMax) return Result.fail(tooLong)
  const odd = Object.entries(fields).find(([name, schema]) => !isFine(name, schema, body))
  return Result.mapError(
    decodeParameters(body),
    () => refusal(400, `Invalid ${odd?.[0] ?? "request"}.`)
  )
}

const isFine = (name: string, schema: Schema.ConstraintDecoder<unknown>, body: object): boolean =>
  Option.isSome(Schema.decodeUnknownOption(Schema.Struct({ [name]: schema }))(body))

export const keyOf = Fault.reader("Bearer ", "tavily")

// An honest answer of the sandbox: pages of the corpus in the shape that Tavily answers in.

const hitsDefault = 5
/** Fewer than Tavily's three: pages are short here, and their snippets are not to be the pages. */
const passagesDefault = 1
/** Said of every answer: a measured time would make two equal answers differ. */
const responseTimeSeconds = 0.42

const daysByRange = { day: 1, d: 1, week: 7, w: 7, month: 31, m: 31, year: 366, y: 366 } as const

export const creditsOf = ({ search_depth }: Parameters): number =>
  search_depth === "advanced" ? 2 : 1

/** Answer without results in its full shape, for faults. */
export const empty = (query: string) => ({
  query,
  follow_up_questions: null,
  answer: null,
  images: [],
  results: [],
  response_time: responseTimeSeconds,
  request_id: randomUUID()
})

export const answer = Effect.fn("SandboxAnswer.answer")(function*(
  ranking: Corpus.Ranking,
  query: string,
  parameters: Parameters
) {
  const now = yield* DateTime.now
  const topic = parameters.topic ?? "general"
  const ranked = Corpus.rank(ranking, {
    query,
    topic,
    passagesMax: parameters.chunks_per_source ?? passagesDefault,
    isWanted: (page) => isDomainWanted(page, parameters) && isDayWanted(page, parameters, now)
  })
  const isRaw = (parameters.include_raw_content ?? false) !== false
  return {
    ...empty(query),
    results: ranked.slice(0, parameters.max_results ?? hitsDefault).map((found) => ({
      url: found.page.url,
      title: found.page.title,
      content: found.passages.join(" [...] "),
      score: Math.round(found.score * 1e8) / 1e8,
      raw_content: isRaw ? found.page.paragraphs.join("\n\n") : null,
      ...publishedDateOf(found.page, topic)
    })),
    ...(parameters.include_usage === true ? { usage: { credits: creditsOf(parameters) } } : {})
  }
})

const isDomainWanted = (page: CorpusPage, parameters: Parameters): boolean => {
  const host = URL.parse(page.url)?.hostname ?? ""
  const matches = (domain: string) => host === domain || host.endsWith(`.${domain}`)
  const included = parameters.include_domains ?? []
  return (included.length === 0 || included.some(matches)) &&
    !(parameters.exclude_domains ?? []).some(matches)
}

/** A page without a date is kept: nobody knows that it is too old. */
const isDayWanted = (
  { publishedDate }: CorpusPage,
  { end_date, start_date, time_range }: Parameters,
  now: DateTime.Utc
): boolean => {
  if (publishedDate === undefined) return true
  const days = time_range == null ? undefined : daysByRange[time_range]
  const since = days === undefined
    ? start_date ?? ""
    : DateTime.formatIsoDateUtc(DateTime.subtract(now, { days }))
  return publishedDate >= since && publishedDate <= (end_date ?? "9999-12-31")
}

/**
 * Publication date in Tavily's forms, as seen: RFC 1123 with topic news; else the plain day, where
 * known.
 */
const publishedDateOf = ({ publishedDate }: CorpusPage, topic: CorpusPage["topic"]) => {
  if (publishedDate === undefined) return {}
  if (topic !== "news") return { published_date: publishedDate }
  return {
    published_date: Option.match(DateTime.make(publishedDate), {
      onNone: () => publishedDate,
      onSome: (date) => DateTime.toDateUtc(date).toUTCString()
    })
  }
}

// Addresses as the sandbox compares them.

/** An http(s) address without user, fragment and default port; none for what is no such. */
export const plain = (address: string): Option.Option<string> => {
  const url = URL.parse(address)
  return url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== ""
    ? Option.none()
    : Option.some(`${url.origin}${url.pathname}${url.search}`)
}

// A query of an engine that is told its domains in words: `rent (site:a.example OR site:b.de)`.

const wanted = /^\(?site:([^\s()]+)\)?$/
const unwanted = /^-site:(\S+)$/

/** Words to look for in the corpus; one passage a page, as those engines show. */
export const withSiteWords = (query: string, given: Partial<Parameters>): Parameters => {
  const words = query.split(/\s+/)
  const domainsOf = (form: RegExp) => words.flatMap((word) => form.exec(word)?.[1] ?? [])
  const isOperator = (word: string) => wanted.test(word) || unwanted.test(word) || word === "OR"
  return {
    query: words.filter((word) => !isOperator(word)).join(" "),
    include_domains: domainsOf(wanted),
    exclude_domains: domainsOf(unwanted),
    chunks_per_source: 1,
    ...given
  }
}
