/** Checks of Tavily's search endpoint, by its OpenAPI document of 2026-08. */
import { Option, Predicate, Result, Schema } from "effect"
import * as SandboxKey from "./SandboxKey.ts"

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

export const keyOf = SandboxKey.reader("Bearer ", "tavily")
