/**
 * A provider's protocol in both directions: for the adapter that sends requests, and for the
 * sandbox that answers them. Pure.
 */
import { cut } from "@web-grounding/language/Sentences"
import { DateTime, Equal, Option, Predicate, Result, Schema } from "effect"

/** A search. Fields that a protocol lacks are not sent. */
export interface EngineSearch {
  readonly query: string
  readonly hitsMax?: number
  readonly depth?: "basic" | "advanced"
  readonly topic?: "general" | "news" | "finance"
  /** BCP 47, from the caller. */
  readonly locale?: string
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country?: string
  readonly timeRange?: TimeRange
  /** First and last day of publication, `YYYY-MM-DD`. */
  readonly from?: string
  readonly until?: string
  readonly includeDomains?: ReadonlyArray<string>
  readonly excludeDomains?: ReadonlyArray<string>
  /** Whether a hit should contain the page's own text. */
  readonly pageText?: boolean
  readonly charge?: boolean
}

const timeRanges = ["day", "week", "month", "year"] as const
export type TimeRange = typeof timeRanges[number]

const daysByRange = { day: 1, week: 7, month: 31, year: 366 } as const

/** The shortest range of so many days. */
export const rangeOf = (days: number): TimeRange | undefined =>
  timeRanges.find((range) => days <= daysByRange[range])

export const firstDayOf = (range: TimeRange, now: DateTime.Utc): string =>
  DateTime.formatIsoDateUtc(DateTime.subtract(now, { days: daysByRange[range] }))

/** Converts days for a protocol with ranges only: the shortest range that begins early enough. */
export const inRanges = <A extends EngineSearch>(
  { from, until: _, ...asked }: A,
  now: DateTime.Utc
) => {
  const timeRange = from === undefined
    ? undefined
    : timeRanges.find((range) => firstDayOf(range, now) <= from)
  return timeRange === undefined ? asked : { ...asked, timeRange }
}

/** A raw result: neither cleaned nor cut, its URL unchecked. */
export interface EngineResult {
  readonly url: string
  readonly title: string
  readonly content: string
  /** 0 to 1. */
  readonly score?: number
  /** `YYYY-MM-DD`. */
  readonly published_date?: string
}

export interface EngineAnswer {
  /** In the protocol's order; none for an unreadable result. */
  readonly results: ReadonlyArray<Option.Option<EngineResult>>
  /** Charge as stated by the provider, unchecked; `NaN` if it is no number. */
  readonly credits?: number
  readonly requestId?: string
}

export interface Fault {
  readonly status:
    | "bad_request"
    | "invalid_key"
    | "network_error"
    | "quota_exhausted"
    | "rate_limited"
    | "unknown_error"
  readonly detail?:
    | "bad_body"
    | "captcha"
    | "engine_failed"
    | "forbidden"
    | "format_off"
    | "paygo_exhausted"
    | "redirect"
    | "refused"
    | "throttled"
    | "unfinished"
    | "upstream_4xx"
    | "upstream_5xx"
}

/** Fault of a complete answer that violates the provider's format. */
export const badBody: Fault = { status: "unknown_error", detail: "bad_body" }

/** Reads a body that is JSON of this form; any other is a bad body. */
export const readerOf = <A>(form: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(form))
  return (body: string) => Result.fromOption(decode(body), () => badBody)
}

export interface ServerAnswer {
  readonly status: number
  readonly body?: string
  /** Default: JSON. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

export const jsonAnswer = (status: number, body: unknown): ServerAnswer => ({
  status,
  body: JSON.stringify(body)
})

/** Of engines that answer in JSON. Twenty results with their snippets take about 75 kB. */
export const inJson = {
  contentType: "application/json",
  bodyBytesMax: 4 * 1024 * 1024,
  price: { basic: 1, advanced: 1 }
} as const

/** The sandbox's answer for `bodyOf`; a fault may have altered all of it. */
export interface PlayedAnswer {
  readonly results?: unknown
  readonly [name: string]: unknown
}

/** A lower-case header, with `Bearer` before the key in `authorization`; or a URL parameter. */
export type KeyPlace = { readonly header: string } | { readonly parameter: string }

type Path = `/${string}`

export interface SearchDialect {
  readonly method: "GET" | "POST"
  /** Other methods that a server takes, with the fields in the URL or in a form. */
  readonly methodsElse?: ReadonlyArray<"POST">
  /** Paths of the search; requests use the first. */
  readonly paths: readonly [Path, ...ReadonlyArray<Path>]
  /** Part of the request that carries the fields. */
  readonly carrier: "parameters" | "form" | "json"
  /** Absent: no key is needed. */
  readonly key?: KeyPlace
  readonly contentType: string
  readonly bodyBytesMax: number
  readonly hitsMax: number
  /** Price of a search with hits, in the unit in which its keys are counted. */
  readonly price: { readonly basic: number; readonly advanced: number }
  /** How days of publication are sent; absent: in fields of their own. */
  readonly days?: "by ranges"
  /** Milliseconds of a rate limit if the provider states no end. */
  readonly limitMs?: number
  /** Headers for this provider only. `origin` has no trailing slash. */
  readonly headersOf?: (asked: EngineSearch, origin: string) => Readonly<Record<string, string>>
  /** `now`: for a time range sent as its first day. */
  readonly fieldsOf: (asked: EngineSearch, now: DateTime.Utc) => Readonly<Record<string, unknown>>
  /** The search in the fields, or the provider's refusal. */
  readonly askedOf: (fields: unknown) => Result.Result<EngineSearch, ServerAnswer>
  /** Second search to try after an answer without results. */
  readonly instead?: (asked: EngineSearch) => Option.Option<EngineSearch>
  /** Total: a result may be any value. */
  readonly bodyOf: (
    said: PlayedAnswer,
    asked: { readonly query: string; readonly fields: unknown }
  ) => string
  /** `now`: for a day written as "3 days ago". */
  readonly answerOf: (body: string, now: DateTime.Utc) => Result.Result<EngineAnswer, Fault>
  /** Fault of a status and a body; none if the answer is to be read. */
  readonly faultOf: (status: number, body: string) => Option.Option<Fault>
  readonly noKey: ServerAnswer
  /** Faults that only the provider's own words tell apart, by the sandbox's names. */
  readonly faults: Readonly<Record<string, ServerAnswer>>
}

/** Fields as the carrier transports them: JSON unchanged, everything else as text. */
export const carried = (
  { carrier }: Pick<SearchDialect, "carrier">,
  fields: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> =>
  carrier === "json"
    ? fields
    : Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))

type Honour = "applied" | "approximated" | "ignored"

/** Fields that a server honours; absent: not requested. */
export type Honoured = Readonly<
  Partial<Record<"published" | "time_range" | "country" | "language", Honour>>
>

/** What a server of the protocol reads in `sent` of the search. */
export const honouredOf = (
  dialect: SearchDialect,
  { asked, now, sent }: {
    readonly asked: EngineSearch
    readonly sent: EngineSearch
    readonly now: DateTime.Utc
  }
): Honoured => {
  const read = Result.getOrElse(
    dialect.askedOf(carried(dialect, dialect.fieldsOf(sent, now))),
    (): EngineSearch => ({ query: "" })
  )
  const [wanted, got] = [marketOf(asked), marketOf(read)]
  const dated = [read.from, read.until, read.timeRange].some((part) => part !== undefined)
  const isOf = (name: "from" | "until") => asked[name] === undefined || asked[name] === read[name]
  return {
    ...((asked.from ?? asked.until) === undefined
      ? {}
      : { published: honourOf(isOf("from") && isOf("until"), dated) }),
    ...(asked.timeRange === undefined ? {} : { time_range: honourOf(dated, false) }),
    ...(asked.country === undefined
      ? {}
      : { country: honourOf(Equal.equals(wanted.country, got.country), false) }),
    ...(wanted.language === "" || wanted.language === "en"
      ? {}
      : { language: honourOf(wanted.language === got.language, got.language !== "") })
  }
}

const honourOf = (isWhole: boolean, isPart: boolean): Honour =>
  isWhole ? "applied" : isPart ? "approximated" : "ignored"

/**
 * By the provider's own table, else by class. None from 200 to 299, where the body decides, unless
 * the table lists the status.
 */
export const ofStatus = (
  httpStatus: number,
  known: Readonly<Record<number, Fault>>
): Option.Option<Fault> => {
  const fault = known[httpStatus] ?? refusals[httpStatus]
  if (fault !== undefined) return Option.some(fault)
  return httpStatus >= 200 && httpStatus < 300
    ? Option.none()
    : Option.some(ofClass(Math.trunc(httpStatus / 100)))
}

/** Statuses with the same meaning for every provider, unless its table differs. */
const refusals: Readonly<Record<number, Fault>> = {
  400: { status: "bad_request" },
  401: { status: "invalid_key" },
  403: { status: "unknown_error", detail: "forbidden" },
  413: { status: "bad_request" },
  414: { status: "bad_request" },
  422: { status: "bad_request" },
  429: { status: "rate_limited" }
}

const ofClass = (hundreds: number): Fault => {
  if (hundreds === 5) return { status: "network_error", detail: "upstream_5xx" }
  if (hundreds === 3) return { status: "unknown_error", detail: "redirect" }
  return { status: "unknown_error", detail: "upstream_4xx" }
}

export const fieldAt = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) ? Reflect.get(value, name) : undefined

/** A text field of a value; empty if absent. */
export const textAt = (value: unknown, name: string): string => {
  const text = fieldAt(value, name)
  return typeof text === "string" ? text : ""
}

/** A field with a list; empty if absent. */
export const listAt = (value: unknown, name: string): ReadonlyArray<unknown> => {
  const list = fieldAt(value, name)
  return Array.isArray(list) ? list : []
}

export const resultsOf = (said: PlayedAnswer): ReadonlyArray<unknown> => listAt(said, "results")

/** A played result. A field that is missing, or altered by a fault, is empty. */
export const playedOf = (result: unknown) => ({
  url: textAt(result, "url"),
  title: textAt(result, "title"),
  content: textAt(result, "content"),
  published_date: textAt(result, "published_date")
})
type Played = ReturnType<typeof playedOf>

/** Results in a protocol's form; a result that is no object stays as it is. */
export const written = (
  said: PlayedAnswer,
  write: (played: Played, index: number, result: object) => unknown
): ReadonlyArray<unknown> =>
  resultsOf(said).map((result, index) =>
    Predicate.isObject(result) ? write(playedOf(result), index, result) : result
  )

export interface ResultNames {
  readonly url: string
  readonly content: string
  readonly score?: string
  readonly day?: string
}

const decodeObject = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))
const optionalText = Schema.is(Schema.Union([Schema.String, Schema.Null, Schema.Undefined]))

/** A result with the day of its date text. None without a valid URL. */
export const foundBy = (names: ResultNames, dayOf = isoDay) => (result: unknown) =>
  Option.flatMap(decodeObject(result), (fields): Option.Option<EngineResult> => {
    const { [names.url]: url, [names.content]: content, title } = fields
    if (typeof url !== "string" || !optionalText(title) || !optionalText(content)) {
      return Option.none()
    }
    const score = names.score === undefined ? undefined : fields[names.score]
    const found = {
      url,
      title: title ?? "",
      content: content ?? "",
      ...(Number.isFinite(score) ? { score: Number(score) } : {})
    }
    return Option.some(dated(found, dayOf(textAt(fields, names.day ?? ""))))
  })

export const dated = (found: EngineResult, day: Option.Option<string>): EngineResult =>
  Option.match(day, {
    onNone: () => found,
    onSome: (published_date) => ({ ...found, published_date })
  })

type Given<V> = V extends Option.Option<infer A> ? A : Exclude<V, null | undefined>
type Present<T> = { readonly [Name in keyof T]?: Given<T[Name]> }

/** The fields that have a value: not null, undefined, empty or an option of none. */
export const present = <T extends object>(fields: T): Present<T> => {
  const kept: Present<T> = {}
  const given = Object.entries(fields).map(([name, value]) =>
    [name, Option.isOption(value) ? Option.getOrUndefined(value) : value] as const
  )
  const isGiven = (value: unknown) => (value ?? "") !== ""
  return Object.assign(kept, Object.fromEntries(given.filter(([, value]) => isGiven(value))))
}

interface AnswerNames {
  readonly results: string
  readonly requestId?: string
  /** Path of the reported charge. */
  readonly credits?: ReadonlyArray<string>
}

/** Reads a body of JSON with a list of results; any other is a bad body. */
export const answerBy = (
  names: AnswerNames,
  found: (result: unknown) => Option.Option<EngineResult>
) =>
(body: string): Result.Result<EngineAnswer, Fault> => {
  const answer = Option.getOrNull(jsonOf(body))
  const results = fieldAt(answer, names.results)
  if (!Array.isArray(results)) return Result.fail(badBody)
  const credits = names.credits?.reduce(fieldAt, answer) ?? undefined
  return Result.succeed({
    results: results.map(found),
    // Unchecked: the ledger decides whether it is plausible.
    ...(credits === undefined ? {} : { credits: Predicate.isNumber(credits) ? credits : NaN }),
    ...present({ requestId: textAt(answer, names.requestId ?? "") })
  })
}

export const jsonOf = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const isoForm = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/

/** The publisher's day of a text that begins with an ISO date. */
export const isoDay = (text: string): Option.Option<string> => {
  const day = isoForm.exec(text.trim())?.[0]
  return day === undefined
    ? Option.none()
    : Option.filter(utcDay(`${day}T00:00:00Z`), (real) => real === day)
}

/** The first second of a day. */
export const midnightOf = (text: string): Option.Option<string> =>
  Option.map(isoDay(text), (day) => `${day}T00:00:00`)

const utcDay = (text: string): Option.Option<string> =>
  Option.map(DateTime.make(text), DateTime.formatIsoDateUtc)

const rfc1123 =
  /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:GMT|UTC|[+-]\d{4})$/

/** `YYYY-MM-DD`: the publisher's own day in ISO form, the day in UTC of any other. */
export const isoDate = (text: string): Option.Option<string> =>
  Option.orElse(
    isoDay(text),
    () =>
      rfc1123.test(text.trim())
        ? utcDay(text.trim().replace(/UTC$/, "GMT"))
        : Option.none()
  )

// Domains to include and exclude, for search engines that take them only as operators in the query.

interface Domains {
  readonly includeDomains?: ReadonlyArray<string>
  readonly excludeDomains?: ReadonlyArray<string>
}

/** Length reserved for operators however long the query is, in UTF-16 code units. */
const operatorCharsMin = 120

/** The query with `site:` operators that fit its bounds; hits must be filtered all the same. */
export const withSites = (
  query: string,
  { excludeDomains = [], includeDomains = [] }: Domains,
  { charsMax, wordsMax = Infinity }: { readonly charsMax: number; readonly wordsMax?: number }
): string => {
  const isPlain = includeDomains.length + excludeDomains.length === 0
  const words = cutWords(
    cut(query, isPlain ? charsMax : charsMax - operatorCharsMin),
    isPlain ? wordsMax : Math.trunc(wordsMax * wordsShare)
  )
  const fits = (text: string) => text.length <= charsMax && wordsIn(text) <= wordsMax
  const included = fitting(includeDomains, (some) => fits(spaced(words, anyOf(some))))
  const start = spaced(words, anyOf(included))
  const excluded = fitting(excludeDomains, (some) => fits(spaced(start, noneOf(some))))
  return spaced(start, noneOf(excluded))
}

/** Share of the words kept for the query if operators follow. */
const wordsShare = 0.6

const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length

const cutWords = (text: string, wordsMax: number): string =>
  wordsIn(text) <= wordsMax ? text : text.trim().split(/\s+/).slice(0, wordsMax).join(" ")

const fitting = (
  domains: ReadonlyArray<string>,
  fits: (some: ReadonlyArray<string>) => boolean
): ReadonlyArray<string> =>
  domains.reduce<ReadonlyArray<string>>((some, domain) => {
    const more = [...some, domain]
    return fits(more) ? more : some
  }, [])

const anyOf = (domains: ReadonlyArray<string>): string => {
  const operators = domains.map((domain) => `site:${domain}`).join(" OR ")
  return domains.length > 1 ? `(${operators})` : operators
}

const noneOf = (domains: ReadonlyArray<string>): string =>
  domains.map((domain) => `-site:${domain}`).join(" ")

const spaced = (left: string, right: string): string => right === "" ? left : `${left} ${right}`

const wanted = /^\(?site:([^\s()]+)\)?$/
const unwanted = /^-site:(\S+)$/

/** The words of a query, and the domains in its operators. */
export const withoutSites = (query: string): Pick<EngineSearch, "query"> & Domains => {
  const words = query.split(/\s+/)
  const domainsOf = (form: RegExp) => words.flatMap((word) => form.exec(word)?.[1] ?? [])
  const isOperator = (word: string) => wanted.test(word) || unwanted.test(word) || word === "OR"
  return {
    query: words.filter((word) => !isOperator(word)).join(" "),
    includeDomains: domainsOf(wanted),
    excludeDomains: domainsOf(unwanted)
  }
}

/** The time range whose name begins with this letter. */
export const rangeBy = (letter: string | undefined): { readonly timeRange?: TimeRange } => {
  const timeRange = timeRanges.find((range) => range.startsWith(letter || "-"))
  return timeRange === undefined ? {} : { timeRange }
}

// The country and language of a search, as far as the caller states them.

export type Market = ReturnType<typeof marketOf>

export const marketOf = (
  { country, locale = "" }: Pick<EngineSearch, "country" | "locale">
) => {
  const [language = "", ...subtags] = locale.split("-")
  const ofLocale = subtags.find((subtag) => /^[A-Za-z]{2}$/.test(subtag))?.toUpperCase()
  return {
    /** ISO 639, lower case; empty if not given. */
    language: language.toLowerCase(),
    /** ISO 3166-1 alpha-2, upper case: the region's, else the one in the locale. */
    country: Option.fromUndefinedOr(country ?? ofLocale)
  }
}

/** The language; Chinese and Portuguese as written in a country, as in `zh-tw`. */
const variantOf = ({ country, language }: Market): string => {
  const code = Option.getOrElse(country, () => "")
  if (language === "zh") return /^(?:TW|HK|MO)$/.test(code) ? "zh-tw" : "zh-cn"
  if (language === "pt") return code === "BR" ? "pt-br" : "pt-pt"
  return language
}

/** A language's name at a provider; none for one that it does not list. */
export const languageBy =
  (listed: ReadonlySet<string>, otherNames: Readonly<Record<string, string>>) =>
  (market: Market): Option.Option<string> => {
    const language = variantOf(market)
    return Option.liftPredicate(otherNames[language] ?? language, (name) => listed.has(name))
  }
