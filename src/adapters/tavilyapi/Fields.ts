/** Fields of Tavily's request bodies: honoured, ignored with a note, or refused in strict calls. */
import * as Tavily from "@web-grounding/dialects/Tavily"
import { Effect, Option, Predicate, Record, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as Input from "../../contract/Input.ts"
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
import * as BoundedJson from "../../infrastructure/http/BoundedJson.ts"
import * as HttpRequest from "../../infrastructure/http/HttpRequest.ts"
import { badRequest, Refused } from "./Refused.ts"

/** Words about a field, to follow its name in a sentence. */
type Words = Readonly<Record<string, string>>

export interface Call {
  /** Expected value by field, for the message; the sent value is never repeated. */
  readonly honoured: Words
  /** Noted if sent with a value other than false, 0 or empty. */
  readonly ignored: Words
  /** Likewise, and refused in strict calls. */
  readonly unkept: Words
}

/** A field, with the words for its expected value. */
export const field = <S extends Schema.Top>(schema: S, expected: string) =>
  schema.pipe(Schema.annotateKey({ description: expected }))

export const optional = <S extends Schema.Top>(schema: S, expected: string) =>
  field(Schema.optionalKey(schema), expected)

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
export const textThat = (finds: (text: string) => Option.Option<string>) =>
  Schema.String.check(
    Schema.isMaxLength(addressCharsMax),
    Schema.makeFilter((text: string) => Option.isSome(finds(text)) ? undefined : "Expected another")
  )

export const query = field(
  keptText(queryCharsMax),
  `text of 1 to ${queryCharsMax} characters`
)
const domains = optional(
  Schema.Array(textThat(hostOf)).check(Schema.isMaxLength(domainsMax)),
  `at most ${domainsMax} host names, e.g. city.example`
)
const flag = Schema.optionalKey(Schema.Boolean)

const common = {
  include_usage: optional(Schema.Boolean, "true or false"),
  timeout: optional(
    Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: secondsMax })),
    `a number of seconds from 1 to ${secondsMax}`
  ),
  web_grounding: optional(
    Schema.Struct({ redact: flag, consent_raw_content: flag, strict: flag }),
    "an object of redact, consent_raw_content and strict, each true or false"
  )
}

const Answered = Schema.Union([Schema.Boolean, Schema.Literals(["basic", "advanced"])])

const SearchBody = Schema.Struct({
  query,
  search_depth: optional(Tavily.Depth, "basic, advanced, fast or ultra-fast"),
  topic: optional(Tavily.Topic, "general, news or finance"),
  time_range: optional(Tavily.Range, "day, week, month, year, d, w, m or y"),
  days: optional(wholeBetween(1, daysMax), `a whole number from 1 to ${daysMax}`),
  start_date: optional(Day, "a day as YYYY-MM-DD"),
  end_date: optional(Day, "a day as YYYY-MM-DD, not before start_date"),
  max_results: optional(
    wholeBetween(0, hitsListedMax),
    `a whole number from 0 to ${hitsListedMax}`
  ),
  include_domains: domains,
  include_domains_mode: optional(Schema.Literal("restrict"), "restrict"),
  exclude_domains: domains,
  country: optional(
    textThat(Tavily.countryCode),
    "a country's full English name, e.g. united states"
  ),
  include_raw_content: optional(Tavily.RawContent, "true, false, markdown or text"),
  include_answer: optional(Answered, "true, false, basic or advanced"),
  ...common
}).check(
  Schema.makeFilter(({ end_date, start_date }) =>
    start_date !== undefined && end_date !== undefined && end_date < start_date
      ? { path: ["end_date"], issue: "before start_date" }
      : undefined
  )
)
export type SearchBody = typeof SearchBody.Type

const Addresses = Schema.Union([
  Schema.String,
  Schema.Array(Schema.String).check(Schema.isMinLength(1), Schema.isMaxLength(pagesNamedMax))
])

const ExtractBody = Schema.Struct({
  urls: field(Addresses, `one address, or 1 to ${pagesNamedMax} of them`),
  format: optional(Tavily.Format, "markdown or text"),
  extract_depth: optional(Tavily.ExtractDepth, "basic or advanced"),
  ...common
})
export type ExtractBody = typeof ExtractBody.Type

// The body of a call, bounded, parsed and validated; a key in it is taken out first.

type Sent = Readonly<Record<string, unknown>>

export interface TavilyCall<A> {
  readonly values: A
  readonly notes: ReadonlyArray<string>
}

export const readBody = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
  const text = yield* Effect.mapError(HttpRequest.readBody(request), (status) =>
    status === 413
      ? new Refused({
        status,
        error: `Expected a body of at most ${BoundedJson.bodyBytesMax} bytes.`
      })
      : badRequest("Expected the whole body, in UTF-8."))
  const size = BoundedJson.sizeFaultOf(text)
  if (size !== undefined) return yield* badRequest(`${size} in the body.`)
  const parsed = Option.getOrUndefined(BoundedJson.parse(text))
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

/** Fields of a call, and their reader. Errors name the field, never its value. */
export const callOf = <A>(
  body: Schema.Codec<A, unknown> & { readonly fields: Schema.Struct.Fields },
  { ignored = {}, unkept = {} }: Partial<Pick<Call, "ignored" | "unkept">> = {}
) => {
  const honoured: Words = Record.map(
    { ...body.fields },
    (field) => Schema.resolveAnnotationsKey(field)?.description ?? ""
  )
  const reasons: Words = { ...ignored, ...unkept }
  const decode = Input.decode(body)

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

  const read = Effect.fnUntraced(function*(fields: Sent) {
    const sent = Object.entries(fields)
    const wanted = sent.flatMap(([name, value]) => isWanted(value) ? [name] : [])
    const barred = isStrict(fields)
      ? wanted.find((name) => Object.hasOwn(unkept, name))
      : undefined
    if (barred !== undefined) return yield* badRequest(`${barred}: ${unkept[barred]}.`)
    const known = Object.fromEntries(sent.filter(([name]) => Object.hasOwn(honoured, name)))
    const values = yield* Effect.mapError(decode(known), ({ field }) => {
      const [name = ""] = field.split(".")
      const expected = Record.get(honoured, name)
      return badRequest(
        Option.isSome(expected) ? `${name}: Expected ${expected.value}.` : "Expected another body."
      )
    })
    return { values, notes: notesOf(wanted) } satisfies TavilyCall<A>
  })
  return { honoured, ignored, unkept, read }
}

// The two calls of Tavily's own.

export const search = callOf(SearchBody, {
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
})

export const extract = callOf(ExtractBody, {
  ignored: {
    query: "the whole text of each page is returned",
    chunks_per_source: "the whole text of each page is returned",
    include_favicon: "no favicon is returned"
  },
  unkept: { include_images: "images are not offered" }
})
