/**
 * A foreign wire, both ways: the adapter encodes a request and decodes its answer, the sandbox
 * decodes the request and encodes the answer. Pure: nothing is sent from here.
 */
import { cut } from "@web-grounding/language/Sentences"
import { DateTime, Equal, Option, Predicate, Result, Schema } from "effect"

// A search and its answer, in words that every dialect shares.

/** A search that a provider is asked for. What a wire has no field for does not come through. */
export interface EngineSearch {
  readonly query: string
  readonly hitsMax?: number
  readonly depth?: "basic" | "advanced"
  readonly topic?: "general" | "news" | "finance"
  /** BCP 47, as the caller gave it. */
  readonly locale?: string
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country?: string
  readonly timeRange?: TimeRange
  /** First and last day of publication, `YYYY-MM-DD`. */
  readonly from?: string
  readonly until?: string
  readonly includeDomains?: ReadonlyArray<string>
  readonly excludeDomains?: ReadonlyArray<string>
  /** Passages of each page, joined. */
  readonly passages?: number
  /** Whether the page's own text is to come with a hit. */
  readonly pageText?: boolean
  /** Whether the answer is to name its charge. */
  readonly charge?: boolean
}

const timeRanges = ["day", "week", "month", "year"] as const
export type TimeRange = typeof timeRanges[number]

const daysByRange = { day: 1, week: 7, month: 31, year: 366 } as const

/** First day of a range that ends now. */
export const firstDayOf = (range: TimeRange, now: DateTime.Utc): string =>
  DateTime.formatIsoDateUtc(DateTime.subtract(now, { days: daysByRange[range] }))

/** Search of a wire that has ranges alone: the shortest one that begins early enough. */
export const inRanges = <A extends EngineSearch>(
  { from, until: _, ...asked }: A,
  now: DateTime.Utc
) => {
  const timeRange = from === undefined
    ? undefined
    : timeRanges.find((range) => firstDayOf(range, now) <= from)
  return timeRange === undefined ? asked : { ...asked, timeRange }
}

/** A result as the wire has it: neither cleaned nor cut, its address not looked at. */
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
  /** In the wire's order; none for a result that could not be read. */
  readonly results: ReadonlyArray<Option.Option<EngineResult>>
  /** Charge as the provider names it, however odd; `NaN` where it is no number. */
  readonly credits?: number
  readonly requestId?: string
}

/** Why there is no answer, in words that the service records. */
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

/** Fault of an answer that is complete and not what the provider promises. */
export const badBody: Fault = { status: "unknown_error", detail: "bad_body" }

/** A plain answer of a provider's server. */
export interface ServerAnswer {
  readonly status: number
  readonly body?: string
  /** Default: JSON. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer for `bodyOf`, as the sandbox makes it; a fault may have bent all of it. */
export interface PlayedAnswer {
  readonly results?: unknown
  readonly [name: string]: unknown
}

/** A header in lower case, where `authorization` has `Bearer` before the key; or the address. */
export type KeyPlace = { readonly header: string } | { readonly parameter: string }

type Path = `/${string}`

/** One provider's search. */
export interface SearchDialect {
  readonly method: "GET" | "POST"
  /** Paths at which a search can be asked for; the first is the one to ask at. */
  readonly paths: readonly [Path, ...ReadonlyArray<Path>]
  /** Part of the request that carries the fields. */
  readonly carrier: "parameters" | "form" | "json"
  /** Absent: it is asked without a key. */
  readonly key?: KeyPlace
  /** How the keys of a played provider begin. */
  readonly keyBeginning: string
  readonly contentType: string
  /** Bytes of an answer after decompression, at most. */
  readonly bodyBytesMax: number
  /** Most results of one answer. */
  readonly hitsMax: number
  /** Price of a search that was answered with hits, in the unit that its keys are counted in. */
  readonly price: { readonly basic: number; readonly advanced: number }
  /** Days of publication have no field of their own; absent: they have. */
  readonly days?: "by ranges"
  /** Milliseconds that a limit lasts where the provider names no end. */
  readonly limitMs?: number
  /** Headers that only this provider gets. `origin` has no slash at its end. */
  readonly headersOf?: (asked: EngineSearch, origin: string) => Readonly<Record<string, string>>
  /** `now`: where a range of time is sent as its first day. */
  readonly fieldsOf: (asked: EngineSearch, now: DateTime.Utc) => Readonly<Record<string, unknown>>
  /** What the fields ask for, or how the provider refuses them. */
  readonly askedOf: (fields: unknown) => Result.Result<EngineSearch, ServerAnswer>
  /** The search to ask for once more where an answer has no results. */
  readonly instead?: (asked: EngineSearch) => Option.Option<EngineSearch>
  /** Total: a result may be any value. */
  readonly bodyOf: (
    said: PlayedAnswer,
    asked: { readonly query: string; readonly fields: unknown }
  ) => string
  /** `now`: a day may be written as "3 days ago". */
  readonly answerOf: (body: string, now: DateTime.Utc) => Result.Result<EngineAnswer, Fault>
  /** Fault of a status and a body; none where the answer is to be read. */
  readonly faultOf: (status: number, body: string) => Option.Option<Fault>
  /** Refusal of a request without a good key. */
  readonly noKey: ServerAnswer
  readonly errorBody: (error: string) => string
  /** Faults in the provider's own words, by the sandbox's name of each. */
  readonly faults: Readonly<Record<string, ServerAnswer>>
}

/** Fields as the carrier brings them: JSON as it is, everything else as texts. */
export const carried = (
  { carrier }: Pick<SearchDialect, "carrier">,
  fields: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> =>
  carrier === "json"
    ? fields
    : Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))

type Honour = "applied" | "approximated" | "ignored"

/** Absent: it was not asked. */
export interface Honoured {
  readonly published?: Honour
  readonly time_range?: Honour
  readonly country?: Honour
  readonly language?: Honour
}

/** What a server of the wire reads in `sent` of what was asked. */
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

// Statuses.

/**
 * Fault of an HTTP status: as the provider's own table says, otherwise by the status's class. None
 * from 200 to 299, where the body decides, unless the table names the status.
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

/** Statuses that mean the same to every provider whose table says nothing else. */
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

// Fields of what may be anything.

/** A field of a value; undefined where it has none. */
export const fieldAt = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) ? Reflect.get(value, name) : undefined

/** A text among the fields of a value; empty where there is none. */
export const textAt = (value: unknown, name: string): string => {
  const text = fieldAt(value, name)
  return typeof text === "string" ? text : ""
}

/** A list of numbers among the fields of a value; empty where there is none. */
export const numbersAt = (value: unknown, name: string): ReadonlyArray<number> =>
  listAt(value, name).filter((item) => typeof item === "number")

/** A list among the fields of a value; empty where there is none. */
export const listAt = (value: unknown, name: string): ReadonlyArray<unknown> => {
  const list = fieldAt(value, name)
  return Array.isArray(list) ? list : []
}

/** The results of an answer, if it has a list of them. */
export const resultsOf = (said: PlayedAnswer): ReadonlyArray<unknown> => listAt(said, "results")

/** Results as a wire writes them; a value that is no object stays as it is. */
export const written = (
  said: PlayedAnswer,
  write: (result: object, place: number) => unknown
): ReadonlyArray<unknown> =>
  resultsOf(said).map((result, place) => Predicate.isObject(result) ? write(result, place) : result)

/** Names of a result's fields; absent where a wire has no such field. */
export interface ResultNames {
  readonly url: string
  readonly content: string
  readonly score?: string
  readonly day?: string
}

const decodeObject = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))
const optionalText = Schema.is(Schema.Union([Schema.String, Schema.Null, Schema.Undefined]))

/**
 * A result read by its names, with the day that its text says. None without an address, or with a
 * text that is none.
 */
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

/** A day added to what was found, where the text says one. */
export const dated = (found: EngineResult, day: Option.Option<string>): EngineResult =>
  Option.match(day, {
    onNone: () => found,
    onSome: (published_date) => ({ ...found, published_date })
  })

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** A body as JSON; none for what is none. */
export const jsonOf: (body: string) => Option.Option<unknown> = decodeJson

// Days.

const isoForm = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/

/** The calendar's day of a text that begins with it in ISO's form: the publisher's own. */
export const isoDay = (text: string): Option.Option<string> => {
  const day = isoForm.exec(text.trim())?.[0]
  return day === undefined
    ? Option.none()
    : Option.filter(utcDay(`${day}T00:00:00Z`), (real) => real === day)
}

/** The day in UTC of a moment; none for what is no moment. */
export const utcDay = (text: string): Option.Option<string> =>
  Option.map(DateTime.make(text), DateTime.formatIsoDateUtc)

// Wanted and unwanted domains, for search engines that know them only as words of the query.

interface Domains {
  readonly includeDomains?: ReadonlyArray<string>
  readonly excludeDomains?: ReadonlyArray<string>
}

/** Length kept for operators however long the query is, in UTF-16 code units. */
const operatorCharsMin = 120

/** Bounds of a query with its operators: UTF-16 code units and, where they count, words. */
interface QueryBounds {
  readonly charsMax: number
  readonly wordsMax?: number
}

/**
 * The query with `site:` operators, within the bounds. Domains that do not fit are left out, so an
 * answer has to be looked through all the same.
 */
export const withSites = (
  query: string,
  { excludeDomains = [], includeDomains = [] }: Domains,
  { charsMax, wordsMax = Infinity }: QueryBounds
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

/** Share of the words that a query keeps where operators follow. */
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

/** The words of a query, and the domains that its operators name. */
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

/** The range of a word that begins with this letter. */
export const rangeBy = (letter: string | undefined): { readonly timeRange?: TimeRange } => {
  const timeRange = timeRanges.find((range) => range.startsWith(letter || "-"))
  return timeRange === undefined ? {} : { timeRange }
}

// The country and the language that a search is for, as far as the caller says.

export interface Market {
  /** ISO 639, lower case; empty where none is given. */
  readonly language: string
  /** ISO 3166-1 alpha-2, upper case: the region's, else the one named in the locale. */
  readonly country: Option.Option<string>
}

export const marketOf = (
  { country, locale = "" }: Pick<EngineSearch, "country" | "locale">
): Market => {
  const [language = "", ...subtags] = locale.split("-")
  const ofLocale = subtags.find((subtag) => /^[A-Za-z]{2}$/.test(subtag))?.toUpperCase()
  return {
    language: language.toLowerCase(),
    country: Option.fromUndefinedOr(country ?? ofLocale)
  }
}
