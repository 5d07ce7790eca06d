/**
 * The operations over HTTP and JSON, on the address of RPC. Every failure is a problem document.
 */
import { Clock, Effect, Layer, Predicate, Schema } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { callerOf, type RemoteCaller, Unauthenticated } from "../../application/Access.ts"
import { Draining } from "../../application/CheckServing.ts"
import * as InPublic from "../../application/InPublic.ts"
import { ServiceCalls } from "../../application/operations/ServiceCalls.ts"
import { IssuerUnavailable } from "../../application/ports/access/TokenIssuers.ts"
import { InternalFailure, versionHeader, versionMismatchOf } from "../../contract/PublicFailure.ts"
import {
  type InputOf,
  type OperationName,
  serviceOperations
} from "../../contract/ServiceOperations.ts"

import { bodyBytesMax } from "../../infrastructure/http/BoundedJson.ts"
import * as HttpRequest from "../../infrastructure/http/HttpRequest.ts"
import * as WaitingAnswers from "../../infrastructure/http/WaitingAnswers.ts"
import { always } from "../../infrastructure/http/WaitingAnswers.ts"
import * as AskedInput from "./AskedInput.ts"
import * as OpenApiDocument from "./OpenApiDocument.ts"
import { document } from "./OpenApiDocument.ts"
import * as Problem from "./Problem.ts"
import { docsPath, documentPath, match, routeOf } from "./Problem.ts"
import * as Progress from "./Progress.ts"

const problemAnswer = ({ headers, problem }: Problem.Refused) =>
  HttpServerResponse.text(JSON.stringify(problem), {
    status: problem.status,
    contentType: Problem.contentType,
    headers: { ...always, ...Problem.headersOf(problem), ...headers }
  })

const prefix = "/v1"

/** Ignored fields listed in a response, and their total characters. */
const ignoredMax = 16
const ignoredCharsMax = 1_000

type Request = HttpServerRequest.HttpServerRequest

/** Handles every path without another route. */
const layer = Layer.effectDiscard(
  Effect.gen(function*() {
    const router = yield* HttpRouter.HttpRouter
    const service = yield* ServiceCalls
    const draining = yield* Draining
    const answers = yield* WaitingAnswers.make
    const face = (request: Request) =>
      answered(request, answers).pipe(
        // Only these: each request has its own scope, which closes when its caller disconnects.
        Effect.provideService(ServiceCalls, service),
        Effect.provideService(Draining, draining),
        Effect.catchTag("Refused", (refused) => Effect.succeed(problemAnswer(refused))),
        Effect.catchDefect((defect) =>
          Effect.as(
            Effect.logError("a bug", defect),
            problemAnswer(failed(new InternalFailure()))
          )
        )
      )
    yield* router.add("*", "/*", face)
  })
)

const refused = (
  { headers, url }: Request,
  status: number,
  because?: string
): HttpServerResponse.HttpServerResponse | undefined => {
  if (!url.startsWith(`${prefix}/`)) return undefined
  const mismatch = status === 400 ? versionMismatchOf(headers[versionHeader]) : undefined
  if (mismatch !== undefined) return problemAnswer(failed(mismatch))
  const told = status === 503 && because !== "IssuerUnavailable"
    ? failed(InPublic.storeDown())
    : guards[status]
  return told === undefined ? undefined : problemAnswer(told)
}

const unreadKinds = {
  400: ["malformed-request", "Expected a request of HTTP/1.1"],
  408: ["request-timeout", "Expected the whole request sooner"],
  431: ["head-too-large", "Expected at most 16 KiB of address and headers"],
  503: ["too-many-connections", "Expected fewer connections at the same time"]
} as const satisfies Readonly<Record<number, readonly [Problem.Kind, string]>>

const unread = (status: keyof typeof unreadKinds) => {
  const [kind, detail] = unreadKinds[status]
  return {
    contentType: Problem.contentType,
    text: JSON.stringify(Problem.make(kind, detail))
  }
}

const pathUnknown = Problem.refusedBy("unknown-path", `${documentPath} lists the operations`)

const nowhere = HttpServerResponse.text(
  "<!doctype html><title>Not found</title><h1>Not found</h1><a href=\"/\">web-grounding</a>",
  { status: 404, contentType: "text/html; charset=utf-8", headers: OpenApiDocument.headers }
)

const unauthenticated = Problem.refusedBy("unauthenticated", new Unauthenticated().message, {
  headers: { "www-authenticate": "Bearer" }
})

const jsonExpected = Problem.refusedBy(
  "unsupported-media-type",
  "Expected Content-Type: application/json",
  { headers: { accept: "application/json" } }
)

const guards: Readonly<Record<number, Problem.Refused>> = {
  401: unauthenticated,
  403: Problem.refusedBy("origin-refused", "Expected no Origin, or one that the operator allows"),
  404: pathUnknown,
  415: jsonExpected,
  421: Problem.refusedBy("wrong-host", "Expected a Host that this service is known by"),
  503: Problem.refusedBy(
    "issuer-unavailable",
    new IssuerUnavailable({ retry_after_ms: 0 }).message
  )
}

const failed = (failure: Problem.Failure): Problem.Refused =>
  new Problem.Refused({ problem: Problem.problemOf(failure), headers: {} })

const isNamed = (accept: string, type: string): boolean =>
  accept.split(",").some((range) => range.split(";", 1).join("").trim() === type)

const answered = Effect.fnUntraced(function*(
  request: Request,
  answers: WaitingAnswers.Answers
) {
  const arrivedAtMs = yield* Clock.currentTimeMillis
  const [path = "", ...rest] = request.url.split("?")
  if (path === documentPath || path === docsPath) return yield* pageOf(path, request)
  const matched = match(request.method, path)
  if (matched._tag === "Unknown") {
    const isPage = request.headers["accept"]?.includes("text/html") ?? false
    return isPage && !path.startsWith(`${prefix}/`) ? nowhere : yield* pathUnknown
  }
  if (matched._tag === "OtherMethod") return yield* notAllowed(matched.allow)
  const { fields, name } = matched
  const types = routeOf(name).events === true
    ? [jsonType, Progress.contentType] as const
    : [jsonType]
  const accept = request.headers["accept"]?.trim().toLowerCase() || "*/*"
  // Progress only where it is named: a wildcard means JSON.
  const named = types.filter((type) => type === jsonType || isNamed(accept, type))
  const [form] = HttpRequest.acceptable(accept, named)
  if (form === undefined) {
    return yield* Problem.refusedBy("not-acceptable", `Expected Accept: ${types.join(" or ")}`)
  }
  const sent: AskedInput.Sent = {
    fields,
    query: new URLSearchParams(rest.join("?")),
    idempotencyKey: request.headers["idempotency-key"],
    body: routeOf(name).method === "POST" ? yield* bodyOf(request) : ""
  }
  const caller = Effect.mapBoth(callerOf("http"), {
    onFailure: () => unauthenticated,
    onSuccess: (known): RemoteCaller => ({ ...known, arrivedAtMs })
  })
  if (form === Progress.contentType) {
    const { asked, run } = name === "GetPack"
      ? yield* following(sent, request)
      : yield* grounding(sent, request)
    const known = yield* caller
    const answer = yield* answers.open(request)
    return yield* Effect.mapError(
      Progress.answer(answer, run(known), ignoredOf(asked.ignored)),
      failed
    )
  }
  const { ignored, input } = yield* AskedInput.checkedInput(name, sent)
  const known = yield* caller
  const answer = yield* answers.open(request)
  const encoded = yield* Effect.mapError(called(name, input, known), failed)
  yield* answer.write(JSON.stringify(name === "Ground" ? noted(ignored)(encoded) : encoded))
  yield* answer.end
  return answer.response({ contentType: jsonType, headers: ignoredOf(ignored) })
})

const jsonType = "application/json"

const notAllowed = (allow: ReadonlyArray<string>) =>
  Problem.refusedBy("method-not-allowed", `Expected ${allow.join(" or ")}`, {
    headers: { allow: allow.join(", ") }
  })

const pageOf = (path: string, { method }: Request) => {
  if (method !== "GET") return Effect.fail(notAllowed(["GET"]))
  return path === docsPath
    ? Effect.succeed(HttpServerResponse.text(OpenApiDocument.page, {
      contentType: "text/html; charset=utf-8",
      headers: OpenApiDocument.headers
    }))
    : Effect.map(document, (json) =>
      HttpServerResponse.text(JSON.stringify(json), {
        contentType: jsonType,
        headers: { "x-content-type-options": "nosniff" }
      }))
}

const bodyOf = Effect.fnUntraced(function*(request: Request) {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  if (type !== jsonType) return yield* jsonExpected
  return yield* Effect.mapError(HttpRequest.readBody(request), (status) =>
    status === 413
      ? Problem.refusedBy("body-too-large", `Expected at most ${bodyBytesMax} bytes`)
      : Problem.refusedBy("malformed-body", "Expected the whole body, in UTF-8"))
})

/** Few callers look at headers, and a typo changes what is searched. */
const noted = (ignored: ReadonlyArray<string>) => (outcome: unknown): unknown => {
  const fields = ignoredOf(ignored)["ignored-fields"]
  if (fields === undefined || !Predicate.isObject(outcome)) return outcome
  const { notes = [] }: Record<string, unknown> = { ...outcome }
  const note = `Unknown fields were ignored: ${fields}`
  return { ...outcome, notes: Array.isArray(notes) ? [...notes, note] : [note] }
}

const ignoredOf = (ignored: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  ignored.length === 0 ? {} : {
    "ignored-fields": ignored.slice(0, ignoredMax)
      .map((field) => encodeURIComponent(field.toWellFormed()))
      .join(", ")
      .slice(0, ignoredCharsMax)
  }

const called = <Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  caller: RemoteCaller
): Effect.Effect<unknown, Problem.Failure, ServiceCalls> =>
  Effect.flatMap(ServiceCalls, ({ calls }) => {
    const answer: Effect.Effect<unknown, Problem.Failure> = calls[name](input, caller)
    // The use case's output fits its schema.
    return Effect.flatMap(answer, (output) => Effect.orDie(encoderOf(name)(output)))
  })

const encoderOf = (name: OperationName) => {
  const output: Schema.Codec<unknown, unknown> = serviceOperations[name].output
  return Schema.encodeUnknownEffect(Schema.toCodecJson(output))
}

const versionPattern = /^\d{1,9}$/

const afterOf = ({ headers }: Request) => {
  const last = headers["last-event-id"]?.trim() ?? ""
  if (last === "") return Effect.succeed(undefined)
  return versionPattern.test(last)
    ? Effect.succeed(Number(last))
    : invalid("Last-Event-ID", "Expected a stream_version")
}

/** Progress of a request, once its caller is identified. */
const following = Effect.fnUntraced(function*(sent: AskedInput.Sent, request: Request) {
  const asked = yield* AskedInput.checkedInput("GetPack", sent)
  const after = yield* afterOf(request)
  const run = (caller: RemoteCaller) => Progress.followRequest({ ...asked.input, after }, caller)
  return { asked, run }
})

const grounding = Effect.fnUntraced(function*(sent: AskedInput.Sent, request: Request) {
  const asked = yield* AskedInput.checkedInput("Ground", sent)
  const after = yield* afterOf(request)
  const { request_id, session_id } = asked.input
  if (request_id === undefined && after !== undefined) {
    return yield* invalid("Idempotency-Key", "Expected a request_id with Last-Event-ID")
  }
  const run = (caller: RemoteCaller) =>
    Progress.grounding(
      asked.input,
      { session_id, request_id, after },
      caller,
      noted(asked.ignored)
    )
  return { asked, run }
})

const invalid = (field: string, problem: string) =>
  new Problem.Refused({ problem: Problem.invalid([{ field, problem }]), headers: {} })

export const httpFace = { layer, refused, unread }
