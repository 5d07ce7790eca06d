/** Fields of Tavily's request bodies: honoured, ignored with a note, or refused in strict calls. */
import * as Tavily from "@web-grounding/dialects/Tavily"
import { Effect, Option, Predicate, Schema, SchemaIssue } from "effect"
import type { HttpServerRequest } from "effect/http"
import { loosely } from "../../contract/LooseInput.ts"
import {
  addressCharsMax,
  Day,
  deadlineMsMax,
  domainsMax,
  hitsListedMax,
  keptText,
  pagesNamedMax,
  queryCharsMax,
  wholeBetween
} from "../../domain/request/GroundingRequest.ts"
import * as BodyText from "../../infrastructure/http/BodyText.ts"
import * as BoundedJson from "../../infrastructure/http/BoundedJson.ts"
import { badRequest, Refused } from "./Refused.ts"

/** Noted if sent with a value other than false, 0 or empty. */
type Unhonoured = Readonly<Record<string, string>>

export interface Call {
  /** Expected value by field, for the message; the sent value is never repeated. */
  readonly honoured: Readonly<Record<string, string>>
  /** Reason for ignoring the field, to follow its name in a sentence. */
  readonly ignored: Unhonoured
  readonly unkept: Unhonoured
}

const secondsMax = deadlineMsMax / 1_000
const daysMax = 36_500

const hostPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

/** Host in lower case, without scheme and trailing slash. */
export const hostOf = (text: string): Option.Option<string> =>
  Option.liftPredicate(
    text.trim().toLowerCase().replace(/^https?:\/\//, "").replace(/\/$/, ""),
    (host) => hostPattern.test(host)
  )

/** Text for which the function returns a value. */
const textThat = (finds: (text: string) => Option.Option<string>) =>
  Schema.String.check(
    Schema.isMaxLength(addressCharsMax),
    Schema.makeFilter((text: string) => Option.isSome(finds(text)) ? undefined : "Expected another")
  )

const domains = Schema.optionalKey(
  Schema.Array(textThat(hostOf)).check(Schema.isMaxLength(domainsMax))
)
const flag = Schema.optionalKey(Schema.Boolean)

const common = {
  include_usage: flag,
  timeout: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: secondsMax }))
  ),
  web_grounding: Schema.optionalKey(
    Schema.Struct({ redact: flag, consent_raw_content: flag, strict: flag })
  )
}

const aboutCommon = {
  include_usage: "true or false",
  timeout: `a number of seconds from 1 to ${secondsMax}`,
  web_grounding: "an object of redact, consent_raw_content and strict, each true or false"
}

export const SearchBody = Schema.Struct({
  query: keptText(queryCharsMax),
  search_depth: Schema.optionalKey(Tavily.Depth),
  topic: Schema.optionalKey(Tavily.Topic),
  time_range: Schema.optionalKey(Tavily.Range),
  days: Schema.optionalKey(wholeBetween(1, daysMax)),
  start_date: Schema.optionalKey(Day),
  end_date: Schema.optionalKey(Day),
  max_results: Schema.optionalKey(wholeBetween(0, hitsListedMax)),
  include_domains: domains,
  include_domains_mode: Schema.optionalKey(Schema.Literal("restrict")),
  exclude_domains: domains,
  country: Schema.optionalKey(textThat(Tavily.countryCode)),
  include_raw_content: Schema.optionalKey(Tavily.RawContent),
  include_answer: Schema.optionalKey(
    Schema.Union([Schema.Boolean, Schema.Literals(["basic", "advanced"])])
  ),
  ...common
}).check(
  Schema.makeFilter(({ end_date, start_date }) =>
    start_date !== undefined && end_date !== undefined && end_date < start_date
      ? { path: ["end_date"], issue: "before start_date" }
      : undefined
  )
)
export type SearchBody = typeof SearchBody.Type

const hostsExpected = `at most ${domainsMax} host names, e.g. city.example`

export const search = {
  honoured: {
    query: `text of 1 to ${queryCharsMax} characters`,
    search_depth: "basic, advanced, fast or ultra-fast",
    topic: "general, news or finance",
    time_range: "day, week, month, year, d, w, m or y",
    days: `a whole number from 1 to ${daysMax}`,
    start_date: "a day as YYYY-MM-DD",
    end_date: "a day as YYYY-MM-DD, not before start_date",
    max_results: `a whole number from 0 to ${hitsListedMax}`,
    include_domains: hostsExpected,
    include_domains_mode: "restrict",
    exclude_domains: hostsExpected,
    country: "a country's full English name, e.g. united states",
    include_raw_content: "true, false, markdown or text",
    include_answer: "true, false, basic or advanced",
    ...aboutCommon
  },
  ignored: {
    auto_parameters: "parameters are taken as they were sent",
    chunks_per_source: "each result has its provider's own excerpt",
    include_favicon: "no favicon is returned",
    include_image_descriptions: "there are no images",
    fetch_timeout: "the service has limits of its own",
    cache_fallback: "older results are used where every provider fails, and are marked",
    language: "results are in the language of their pages"
  },
  unkept: {
    include_images: "images are not offered",
    exact_match: "not every provider can promise it",
    safe_search: "not every provider can promise it",
    max_hours: "hours are not offered, only time_range",
    filter_by_language: "not every provider can promise it"
  }
} as const satisfies Call & {
  readonly honoured: Readonly<Record<keyof SearchBody, string>>
}

export const ExtractBody = Schema.Struct({
  urls: Schema.Union([
    Schema.String,
    Schema.Array(Schema.String).check(Schema.isMinLength(1), Schema.isMaxLength(pagesNamedMax))
  ]),
  format: Schema.optionalKey(Tavily.Format),
  extract_depth: Schema.optionalKey(Tavily.ExtractDepth),
  ...common
})
export type ExtractBody = typeof ExtractBody.Type

export const extract = {
  honoured: {
    urls: `one address, or 1 to ${pagesNamedMax} of them`,
    format: "markdown or text",
    extract_depth: "basic or advanced",
    ...aboutCommon
  },
  ignored: {
    query: "the whole text of each page is returned",
    chunks_per_source: "the whole text of each page is returned",
    include_favicon: "no favicon is returned"
  },
  unkept: { include_images: "images are not offered" }
} as const satisfies Call & {
  readonly honoured: Readonly<Record<keyof ExtractBody, string>>
}

// The body of a call, bounded, parsed and validated; a key in it is taken out first.

type Sent = Readonly<Record<string, unknown>>

export interface TavilyCall<A> {
  readonly values: A
  readonly notes: ReadonlyArray<string>
}

export const readBody = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
  const body = yield* BodyText.readBody(request)
  if (body._tag === "Refused") {
    return yield* body.status === 413
      ? new Refused({
        status: 413,
        error: `Expected a body of at most ${BoundedJson.bodyBytesMax} bytes.`
      })
      : badRequest("Expected the whole body, in UTF-8.")
  }
  const size = BoundedJson.sizeFaultOf(body.text)
  if (size !== undefined) return yield* badRequest(`${size} in the body.`)
  const parsed = Option.getOrUndefined(BoundedJson.parse(body.text))
  if (!Predicate.isObject(parsed) || Array.isArray(parsed)) {
    return yield* badRequest("Expected a body of one JSON object.")
  }
  const { api_key: apiKey, ...fields }: Sent = { ...parsed }
  return { apiKey, fields }
})

/** Values of an omitted field, or of one that asks for nothing. */
const unwanted: ReadonlySet<unknown> = new Set([null, undefined, "", false, 0])

const isWanted = (value: unknown): boolean =>
  !unwanted.has(value) && !(Array.isArray(value) && value.length === 0)

/** Fields with a client's own name; they have no effect. */
const unspoken: ReadonlySet<string> = new Set(["client_source", "client_name"])

const isStrict = ({ web_grounding }: Sent): boolean =>
  Predicate.hasProperty(web_grounding, "strict") && web_grounding.strict === true

const unknownToldMax = 16

/** A name that may be repeated: no key consists of these characters alone. */
const tellable = /^[a-z_]{1,40}$/

/** Reads the fields of a call. Errors name the field, never its value. */
export const reader = <A>(
  schema: Schema.Codec<A, unknown>,
  { honoured, ignored, unkept }: Call
) => {
  const reasons: Unhonoured = { ...ignored, ...unkept }
  const decodeStrictly = Schema.decodeUnknownEffect(schema)
  const decode = loosely((fields) =>
    decodeStrictly(fields, { onExcessProperty: "error", errors: "all" })
  )

  const notesOf = (wanted: ReadonlyArray<string>): ReadonlyArray<string> => {
    const left = wanted.filter((name) => !Object.hasOwn(honoured, name) && !unspoken.has(name))
    const named = left.flatMap((name) =>
      Object.hasOwn(reasons, name) ? [`${name} is ignored: ${reasons[name]}.`] : []
    )
    const unknown = left.filter((name) => !Object.hasOwn(reasons, name))
    if (unknown.length === 0) return named
    const repeatable = unknown.filter((name) => tellable.test(name)).slice(0, unknownToldMax)
    const more = unknown.length - repeatable.length
    const words = [...repeatable, ...(more === 0 ? [] : [`${more} more`])].join(", ")
    return [...named, `Fields that are not known are ignored: ${words}.`]
  }

  return Effect.fnUntraced(function*(fields: Sent) {
    const sent = Object.entries(fields)
    const wanted = sent.flatMap(([name, value]) => isWanted(value) ? [name] : [])
    const barred = isStrict(fields)
      ? wanted.find((name) => Object.hasOwn(unkept, name))
      : undefined
    if (barred !== undefined) return yield* badRequest(`${barred}: ${unkept[barred]}.`)
    const known = Object.fromEntries(sent.filter(([name]) => Object.hasOwn(honoured, name)))
    const values = yield* decode(known).pipe(
      Effect.mapError(({ issue }) => {
        const field = fieldOf(issue)
        return badRequest(
          Object.hasOwn(honoured, field)
            ? `${field}: Expected ${honoured[field]}.`
            : "Expected another body."
        )
      })
    )
    return { values, notes: notesOf(wanted) } satisfies TavilyCall<A>
  })
}

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** The invalid field of the body, empty for the body itself. */
const fieldOf = (issue: SchemaIssue.Issue): string => {
  const [first] = issuesOf(issue).issues[0]?.path ?? []
  return first === undefined ? "" : String(typeof first === "object" ? first.key : first)
}
