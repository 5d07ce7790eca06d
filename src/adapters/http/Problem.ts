/** Problem documents (RFC 9457) for callers without our client: one form for every failure. */
import { Option, Record, Schema } from "effect"
import * as FailureTable from "../../contract/FailureTable.ts"
import type { Route } from "../../contract/Operations.ts"
import {
  type OperationName,
  operationNames,
  serviceOperations
} from "../../contract/ServiceOperations.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import * as RetryAfter from "../../infrastructure/RetryAfter.ts"

export const contentType = "application/problem+json"

export const typePrefix = "urn:web-grounding:problem:"
const requestPrefix = "urn:web-grounding:request:"

/** Kinds of problems. The last part of `type` is its key. */
export const kinds = FailureTable.problemKinds

export type Kind = FailureTable.ProblemKind

export const InputError = Schema.Struct({
  /** Keys joined by dots, e.g. `region.country`; empty for the whole input. */
  field: Schema.String,
  problem: Schema.String
})
export type InputError = typeof InputError.Type

const text = Schema.optionalKey(Schema.String)

const memberFields = {
  /** Milliseconds until a retry may help; also in whole seconds as `Retry-After`. */
  retry_after_ms: Schema.optionalKey(Schema.Int),
  /** Id to repeat the request under: completed work is not repeated. */
  request_id: text,
  session_id: text,
  erased_at: text,
  /** Reference of the matter that a session is held for. */
  matter: text,
  may_have_searched: Schema.optionalKey(Schema.Boolean),
  source_type: text,
  source_id: text,
  url: text,
  reason: text,
  token_id: text,
  limit: text,
  service: text,
  caller: text,
  scope: text,
  engine: text
}

export const Problem = Schema.Struct({
  type: Schema.String,
  title: Schema.String,
  status: Schema.Int,
  detail: Schema.String,
  /** `urn:web-grounding:request:` and the request's id. Absent without a request. */
  instance: text,
  errors: Schema.optionalKey(Schema.Array(InputError)),
  ...memberFields
}).annotate({ identifier: "Problem" })
export type Problem = typeof Problem.Type

export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  problem: Problem,
  /** Headers besides those derived from the problem. */
  headers: Schema.Record(Schema.String, Schema.String)
}) {}

type Members = Partial<Omit<Problem, "type" | "title" | "status" | "detail" | "instance">>

export const make = (kind: Kind, detail: string, members: Members = {}): Problem => ({
  type: `${typePrefix}${kind}`,
  ...kinds[kind],
  detail,
  ...(members.request_id === undefined
    ? {}
    : { instance: `${requestPrefix}${encodeURIComponent(members.request_id.toWellFormed())}` }),
  ...members
})

export const refusedBy = (
  kind: Kind,
  detail: string,
  { headers = {}, ...members }: Members & { readonly headers?: Record<string, string> } = {}
): Refused => new Refused({ problem: make(kind, detail, members), headers })

export const invalid = (errors: ReadonlyArray<InputError>): Problem =>
  make("invalid-input", errors.map(sentenceOf).join("; "), { errors })

const sentenceOf = ({ field, problem }: InputError): string =>
  field === "" ? problem : `${field}: ${problem}`

export type Failure = FailureTable.AnyFailure

export const problemOf = (failure: Failure): Problem => {
  if (failure._tag === "InvalidInput") {
    const { field, problem, request_id } = failure
    const errors = [{ field, problem }]
    return make("invalid-input", failure.message, { errors, ...asGiven({ request_id }) })
  }
  return make(FailureTable.kindOf(failure), failure.message, membersOf(failure))
}

type Other = Exclude<Failure, { readonly _tag: "InvalidInput" }>

const membersOf = (failure: Other): Members =>
  Option.getOrElse(Schema.decodeUnknownOption(Schema.Struct(memberFields))(failure), () => ({}))

export const headersOf = ({ retry_after_ms }: Problem): Readonly<Record<string, string>> =>
  retry_after_ms === undefined ? {} : RetryAfter.header(retry_after_ms)

// Routing: method and path to operation; see the table of operations.

export const routeOf = (name: OperationName): Route => serviceOperations[name].http

export const documentPath = "/v1/openapi.json"
export const docsPath = "/v1/docs"

export const pathFieldsOf = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(/\{(\w+)\}/g), (named) => named[1] ?? "")

type Match =
  | {
    readonly _tag: "Found"
    readonly name: OperationName
    readonly fields: Readonly<Record<string, string>>
  }
  /** The path exists with other methods. */
  | { readonly _tag: "OtherMethod"; readonly allow: ReadonlyArray<string> }
  | { readonly _tag: "Unknown" }

/** Operation for a method and a path. `path` is as sent, without its query. */
export const match = (method: string, path: string): Match => {
  const there = operationNames.flatMap((name) =>
    Option.toArray(Option.map(fieldsOf(name, path), (fields) => ({ name, fields })))
  )
  if (there.length === 0) return { _tag: "Unknown" }
  const found = there.find(({ name }) => routeOf(name).method === method)
  return found === undefined
    ? { _tag: "OtherMethod", allow: there.map(({ name }) => routeOf(name).method) }
    : { _tag: "Found", ...found }
}

const decodeSegment = Option.liftThrowable(decodeURIComponent)

/** Segments have no character with a meaning in a pattern. */
const patterns = Record.map(
  serviceOperations,
  ({ http }) => new RegExp(`^${http.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`)
)

const fieldsOf = (name: OperationName, path: string) =>
  Option.flatMap(
    Option.fromNullishOr(patterns[name].exec(path)),
    ({ groups }) => Option.all(Record.map({ ...groups }, decodeSegment))
  )
