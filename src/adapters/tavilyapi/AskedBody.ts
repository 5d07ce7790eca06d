/** The body of a call, bounded, parsed and checked; the key that it may hold is taken out first. */
import { Effect, Option, Predicate, Schema, SchemaIssue } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as BodyText from "../../infrastructure/http/BodyText.ts"
import * as BoundedJson from "../../infrastructure/http/BoundedJson.ts"
import type { Call } from "./Fields.ts"
import { badRequest, Refused } from "./Refused.ts"

export interface Body {
  /** `api_key`, where the body has one. It is in no other part of this. */
  readonly apiKey: unknown
  readonly fields: Readonly<Record<string, unknown>>
}

/** Input of a call, and one sentence for each field of it that was left out. */
export interface Asked<A> {
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
  const { api_key: apiKey, ...fields }: Readonly<Record<string, unknown>> = { ...parsed }
  return { apiKey, fields } satisfies Body
})

/** Whether a value is one by which clients leave a field out. */
const isAbsent = (value: unknown): boolean => value === null || value === "" || value === undefined

const isWanted = (value: unknown): boolean =>
  !isAbsent(value) && value !== false && value !== 0 &&
  !(Array.isArray(value) && value.length === 0)

/** Fields in which clients name themselves; nothing depends on them. */
const unspoken: ReadonlySet<string> = new Set(["client_source", "client_name"])

/** Names of unknown fields that are told. */
const unknownToldMax = 16

/** A name that may be told back: no key is made of these alone. */
const tellable = /^[a-z_]{1,40}$/

/** Reads the fields of a call. What is wrong is named by its field, and its value is not told. */
export const reader = <A>(
  schema: Schema.Codec<A, unknown>,
  { honoured, ignored, refused }: Call
) => {
  const decode = Schema.decodeUnknownEffect(schema)

  const notesOf = (wanted: ReadonlyArray<string>): ReadonlyArray<string> => {
    const left = wanted.filter((name) => !Object.hasOwn(honoured, name) && !unspoken.has(name))
    const named = left.flatMap((name) =>
      Object.hasOwn(ignored, name) ? [`${name} is ignored: ${ignored[name]}.`] : []
    )
    const unknown = left.filter((name) => !Object.hasOwn(ignored, name))
    if (unknown.length === 0) return named
    const told = unknown.filter((name) => tellable.test(name)).slice(0, unknownToldMax)
    const more = unknown.length - told.length
    const words = [...told, ...(more === 0 ? [] : [`${more} more`])].join(", ")
    return [...named, `Fields that are not known are ignored: ${words}.`]
  }

  return Effect.fnUntraced(function*(fields: Body["fields"]) {
    const sent = Object.entries(fields).filter(([, value]) => !isAbsent(value))
    const wanted = sent.flatMap(([name, value]) => isWanted(value) ? [name] : [])
    const barred = wanted.find((name) => Object.hasOwn(refused, name))
    if (barred !== undefined) return yield* badRequest(`${barred}: ${refused[barred]}`)
    const known = Object.fromEntries(sent.filter(([name]) => Object.hasOwn(honoured, name)))
    const values = yield* decode(known, { onExcessProperty: "error" }).pipe(
      Effect.mapError(({ issue }) => {
        const field = fieldOf(issue)
        return badRequest(
          Object.hasOwn(honoured, field)
            ? `${field}: Expected ${honoured[field]?.expected}.`
            : "Expected another body."
        )
      })
    )
    const asked: Asked<A> = { values, notes: notesOf(wanted) }
    return asked
  })
}

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** The field of the body that is wrong, empty for the body itself. */
const fieldOf = (issue: SchemaIssue.Issue): string => {
  const [first] = issuesOf(issue).issues[0]?.path ?? []
  return first === undefined ? "" : String(typeof first === "object" ? first.key : first)
}
