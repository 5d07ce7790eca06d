/**
 * Input of a call, from path, query, headers and body. Reports all errors together; unknown fields
 * are ignored.
 */
import { Effect, Option, Predicate, Record, Schema, SchemaIssue } from "effect"
import { changedAt, loosely } from "../../contract/LooseInput.ts"
import type { OperationInput } from "../../contract/Operations.ts"
import {
  type InputOf,
  type OperationName,
  serviceOperations
} from "../../contract/ServiceOperations.ts"
import * as BoundedJson from "../../infrastructure/http/BoundedJson.ts"
import * as Problem from "./Problem.ts"
import { routeOf } from "./Problem.ts"

/** Problems of one answer, and characters of each. */
const errorsMax = 64
const problemCharsMax = 500

interface SentRequest<Input> {
  readonly input: Input
  /** Ignored fields, as keys joined by dots. */
  readonly ignored: ReadonlyArray<string>
}

export interface Sent {
  readonly fields: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** `Idempotency-Key`: the request's id, if the operation has one. */
  readonly idempotencyKey: string | undefined
  readonly body: string
}

type Path = ReadonlyArray<PropertyKey>

interface Check {
  readonly hasRequestId: boolean
  readonly decode: (sent: unknown) => Effect.Effect<unknown, Schema.SchemaError>
}

const strict = { errors: "all", onExcessProperty: "error" } as const

const checkOf = (name: OperationName): Check => {
  const input: OperationInput = serviceOperations[name].input
  const codec: Schema.Codec<unknown, unknown> = routeOf(name).method === "POST"
    ? input
    : Schema.toCodecStringTree(input)
  const decode = Schema.decodeUnknownEffect(codec)
  return {
    hasRequestId: "request_id" in input.fields,
    decode: loosely((sent) => decode(sent, strict))
  }
}

const checks = Record.map(serviceOperations, (_, name) => checkOf(name))

export const checkedInput = <Name extends OperationName>(name: Name, sent: Sent) =>
  // Decoded by the operation's schema, so it is its input.
  checked(name, sent) as Effect.Effect<SentRequest<InputOf<Name>>, Problem.Refused>

const checked = Effect.fnUntraced(function*(name: OperationName, sent: Sent) {
  const check = checks[name]
  const whole = yield* wholeOf(name, sent)
  const { input, problems } = merged(whole, sent, check)
  const asked = check.decode(input).pipe(
    Effect.map((input): SentRequest<unknown> => ({ input, ignored: [] })),
    Effect.catch(({ issue }) => {
      const { errors, unknown } = foundOf(issue)
      return errors.length > 0
        ? invalid([...problems, ...errors])
        : pruned(
          check,
          unknown.reduce((kept, path) => changedAt(kept, path, () => undefined), input),
          unknown
        )
    })
  )
  return yield* problems.length > 0
    ? Effect.andThen(asked, invalid(problems))
    : asked
})

/** Input without unknown fields. Validated again: without one, another may be missing. */
const pruned = (
  { decode }: Check,
  kept: unknown,
  unknown: ReadonlyArray<Path>
): Effect.Effect<SentRequest<unknown>, Problem.Refused> =>
  decode(kept).pipe(
    Effect.map((input) => ({ input, ignored: unknown.map(fieldOf) })),
    Effect.catch(({ issue }) => {
      const left = foundOf(issue)
      return invalid([...left.errors, ...left.unknown.map(unexpected)])
    })
  )

const invalid = (errors: ReadonlyArray<Problem.InputError>) =>
  new Problem.Refused({ problem: Problem.invalid(errors), headers: {} })

const wholeOf = (
  name: OperationName,
  { body, query }: Sent
): Effect.Effect<unknown, Problem.Refused> => {
  if (routeOf(name).method === "GET") return Effect.succeed(textsOf(query))
  if (body.trim() === "") return Effect.succeed({})
  const size = BoundedJson.sizeFaultOf(body)
  if (size !== undefined) return Effect.fail(Problem.refusedBy("malformed-body", size))
  const parsed = BoundedJson.parse(body)
  if (Option.isNone(parsed)) {
    return Effect.fail(Problem.refusedBy("malformed-body", "Expected one JSON object"))
  }
  const faulty = BoundedJson.notFinite(parsed.value, "")
  return faulty === undefined ? Effect.succeed(parsed.value) : invalid([{
    field: faulty.replace(/^\./, ""),
    problem: "Expected a number that JSON can hold"
  }])
}

/** A repeated name becomes a list, which no field accepts. */
const textsOf = (query: URLSearchParams): Readonly<Record<string, unknown>> =>
  Object.fromEntries([...new Set(query.keys())].map((name) => {
    const texts = query.getAll(name)
    return [name, texts.length === 1 ? texts[0] : texts]
  }))

const merged = (whole: unknown, { fields, idempotencyKey }: Sent, { hasRequestId }: Check) => {
  if (!Predicate.isObject(whole) || Array.isArray(whole)) return { input: whole, problems: [] }
  const sent: Readonly<Record<string, unknown>> = { ...whole }
  const problems = Object.entries(fields).flatMap(([field, value]) =>
    Object.hasOwn(sent, field) && sent[field] !== value
      ? [{ field, problem: "Expected what the path says, or nothing" }]
      : []
  )
  const isKeyed = idempotencyKey !== undefined && hasRequestId && !("request_id" in fields)
  if (isKeyed && Object.hasOwn(sent, "request_id") && sent["request_id"] !== idempotencyKey) {
    problems.push({ field: "Idempotency-Key", problem: "Expected the request_id of the body" })
  }
  const id = isKeyed ? { request_id: idempotencyKey } : {}
  return { input: { ...id, ...sent, ...fields }, problems }
}

/** Differs from every message of a schema. */
const unknownMark = "\u0000"

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) =>
    issue._tag === "UnexpectedKey" ? unknownMark : SchemaIssue.defaultLeafHook(issue)
})

const foundOf = (issue: SchemaIssue.Issue) => {
  const issues = issuesOf(issue).issues.slice(0, errorsMax).map(({ message, path = [] }) => ({
    message,
    path: path.map((part) => typeof part === "object" ? part.key : part)
  }))
  return {
    errors: issues.filter(({ message }) => message !== unknownMark).map(({ message, path }) => ({
      field: fieldOf(path),
      problem: message.slice(0, problemCharsMax)
    })),
    unknown: issues.filter(({ message }) => message === unknownMark).map(({ path }) => path)
  }
}

const unexpected = (path: Path): Problem.InputError => ({
  field: fieldOf(path),
  problem: "Expected no such field"
})

const fieldOf = (path: Path): string => path.map(String).join(".").slice(0, problemCharsMax)
