/**
 * Every failure over HTTP is a problem document, whichever part refuses: the guard, the router, the
 * input's check, a full service or a use case. It reveals no internals.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import * as OpenApiDocument from "../../src/adapters/http/OpenApiDocument.ts"
import * as Problem from "../../src/adapters/http/Problem.ts"
import { ErasureFailure, ErasureNotAllowed } from "../../src/contract/Erasure.ts"
import { AccessFailure } from "../../src/contract/Input.ts"
import * as Failures from "../../src/contract/PublicFailure.ts"
import { TokenNotFound } from "../../src/domain/access/AccessToken.ts"
import { SessionHeld } from "../../src/domain/erasure/ErasureRecord.ts"
import { buggy, scripted } from "../support/grounding.ts"
import { published, requestFor, send, type Sent, unpublished } from "../support/httpCalls.ts"
import { dial, serving, url } from "../support/service.ts"

const question = { session_id: "s", topic: "What does a tram ride in Halvern cost?" }
const ground = requestFor("Ground", question)
const health = requestFor("GetHealth", {})
const json = { "content-type": "application/json" }

type Row = readonly [
  what: string,
  sent: Sent,
  status: number,
  kind: Problem.Kind,
  headers?: Readonly<Record<string, string>>
]

const get = (path: string): Sent => ({ method: "GET", path })
const accepting = (accept: string): Sent => ({ ...health, headers: { accept } })
const typed = (type: string): Sent => ({ ...ground, headers: { "content-type": type } })

const rows: ReadonlyArray<Row> = [
  ["no JSON", { ...ground, body: "{" }, 400, "malformed-body"],
  ["two values", { ...ground, body: "{} {}" }, 400, "malformed-body"],
  ["no UTF-8", { ...ground, body: new Uint8Array([0x7b, 0xff]) }, 400, "malformed-body"],
  ["too deep", { ...ground, body: "[".repeat(40) }, 400, "malformed-body"],
  ["too many parts", { ...ground, body: `[${"0,".repeat(3_000)}0]` }, 400, "malformed-body"],
  ["a list", { ...ground, body: "[]" }, 400, "invalid-input"],
  ["nothing", { ...ground, body: "" }, 400, "invalid-input"],
  [
    "a number beyond all",
    { ...ground, body: `{"session_id":"s","topic":"t","deadline_ms":1e999}` },
    400,
    "invalid-input"
  ],
  [
    "another id in the body than in the key",
    {
      ...requestFor("Ground", { ...question, request_id: "a" }),
      headers: { ...json, "idempotency-key": "b" }
    },
    400,
    "invalid-input"
  ],
  [
    "another id in the body than in the path",
    {
      method: "POST",
      path: "/v1/groundings/s/r/shown",
      body: `{"session_id":"other","audience":"user"}`
    },
    400,
    "invalid-input"
  ],
  ["a field of a query twice", get("/v1/health?hours=1&hours=2"), 400, "invalid-input"],
  ["an origin", { ...health, headers: { origin: "https://evil.example" } }, 403, "origin-refused"],
  ["no such path", get("/v1/groundingz"), 404, "unknown-path"],
  ["a path outside", get("/favicon.ico"), 404, "unknown-path"],
  ["a broken escape", get("/v1/sessions/%E0%A4%A/events"), 404, "unknown-path"],
  [
    "a long id that nobody knows",
    get(`/v1/sessions/${encodeURIComponent("ä".repeat(200))}/events`),
    404,
    "session-not-found"
  ],
  ["too long an id", get(`/v1/sessions/${"x".repeat(201)}/events`), 400, "invalid-input"],
  ["an empty id", get("/v1/sessions//events"), 404, "unknown-path"],
  ["another method", { method: "DELETE", path: "/v1/groundings" }, 405, "method-not-allowed", {
    allow: "POST"
  }],
  ["a method of few", { method: "PROPFIND", path: "/v1/health" }, 405, "method-not-allowed", {
    allow: "GET"
  }],
  [
    "another method for the document",
    { method: "DELETE", path: "/v1/openapi.json" },
    405,
    "method-not-allowed",
    { allow: "GET" }
  ],
  ["a form that is not there", accepting("text/html"), 406, "not-acceptable"],
  ["progress where there is none", accepting("text/event-stream"), 406, "not-acceptable"],
  ["a form with weight 0", accepting("application/json;q=0"), 406, "not-acceptable"],
  [
    "too long a body",
    { ...ground, body: JSON.stringify({ x: "y".repeat(600_000) }) },
    413,
    "body-too-large"
  ],
  [
    "a form's body",
    typed("text/plain"),
    415,
    "unsupported-media-type",
    { accept: "application/json" }
  ],
  ["lines of JSON", typed("application/x-ndjson"), 415, "unsupported-media-type"]
]

const failures: ReadonlyArray<readonly [Parameters<typeof Problem.problemOf>[0], number]> = [
  [new Failures.InvalidInput({ field: "a.b", problem: "Expected c" }), 400],
  [new Failures.Forbidden({ scope: "audit" }), 403],
  [new Failures.VersionMismatch({ service: "1.0", caller: "2.0" }), 400],
  [new Failures.LimitReached({ limit: "searches_per_day", retry_after_ms: 1_500 }), 429],
  [new TokenNotFound({ token_id: "t" }), 404],
  [new Failures.RequestConflict({ request_id: "r" }), 409],
  [new Failures.RequestInProgress({ request_id: "r", retry_after_ms: 1_500 }), 409],
  [new Failures.SessionNotFound({ session_id: "s" }), 404],
  [new Failures.PackNotFound({ session_id: "s", request_id: "r" }), 404],
  [new Failures.SessionErased({ session_id: "s" }), 410],
  [new SessionHeld({ session_id: "s", matter: "case 7" }), 423],
  [new ErasureNotAllowed(), 501],
  [new Failures.StoreUnavailable({ retry_after_ms: 1, may_have_searched: true }), 503],
  [new Failures.Overloaded({ retry_after_ms: 1_000 }), 429],
  [new Failures.Interrupted({ request_id: "r", retry_after_ms: 0 }), 503],
  [new Failures.InternalFailure(), 500],
  [new Failures.EvidenceNotFound({ source_type: "paper", source_id: "p" }), 404],
  [new Failures.VectorsUnavailable({ reason: "not_kept" }), 501],
  [new Failures.VectorsUnavailable({ reason: "failed", engine: "e", detail: "timeout" }), 502],
  [new Failures.PageUnreadable({ url: "https://a.example/", reason: "timeout" }), 502]
]

const parsed = (text: string): Problem.Problem =>
  Schema.decodeUnknownSync(Problem.Problem)(JSON.parse(text))

/** What a connection that sends this gets. */
const answerTo = Effect.fnUntraced(function*(bytes: string) {
  const socket = yield* dial(yield* url)
  socket.write(bytes)
  return yield* Effect.promise(async () => {
    let text = ""
    for await (const part of socket) text += String(part)
    return text
  })
})

describe("a failure", () => {
  it("is the same problem for everybody, with what the failure says and when to ask again", () => {
    const tags = [
      ...Failures.PublicFailure.members,
      ...Failures.EvidenceFailure.members,
      ...AccessFailure.members,
      ...ErasureFailure.members
    ]
      .map((failure) => failure.identifier)
    assert.sameMembers([...new Set(tags)], [...new Set(failures.map(([{ _tag }]) => _tag))])
    for (const [failure, status] of failures) {
      const problem = Problem.problemOf(failure)
      assert.strictEqual(problem.status, status, failure._tag)
      assert.strictEqual(problem.detail, failure.message, failure._tag)
      const { _tag, field: _, problem: __, detail: ___, ...said }: Record<string, unknown> = {
        ...failure
      }
      assert.deepInclude({ ...problem }, said, String(_tag))
      const retry = "retry_after_ms" in failure
        ? { "retry-after": String(Math.ceil(failure.retry_after_ms / 1_000)) }
        : {}
      assert.deepStrictEqual({ ...Problem.headersOf(problem) }, retry)
    }
  })

  it.layer(serving(scripted("hangs")), { timeout: "60 seconds", excludeTestServices: true })(
    "of a request",
    (it) => {
      it.effect.each(rows)(
        "is a problem: %s",
        ([, sent, status, kind, headers = {}]) =>
          Effect.gen(function*() {
            const answer = yield* send(yield* url, sent)
            assert.strictEqual(answer.status, status, answer.text)
            assert.deepStrictEqual(unpublished(sent, answer), [])
            const problem = parsed(answer.text)
            assert.strictEqual(problem.type, `urn:web-grounding:problem:${kind}`)
            assert.strictEqual(problem.title, Problem.kinds[kind].title)
            assert.isNotEmpty(problem.detail)
            for (const [name, value] of Object.entries(headers)) {
              assert.strictEqual(answer.headers.get(name), value)
            }
            assert.strictEqual(answer.headers.get("cache-control"), "no-store")
          })
      )

      it.effect("is a page for a browser", () =>
        Effect.gen(function*() {
          const headers = { accept: "text/html,*/*;q=0.8" }
          const answer = yield* send(yield* url, { method: "GET", path: "/nope", headers })
          assert.strictEqual(answer.status, 404)
          assert.include(answer.text, "<a href=\"/\">")
        }))

      it.effect("is a problem where the name is another's", () =>
        Effect.gen(function*() {
          const text = yield* answerTo(
            "GET /v1/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
          )
          assert.include(text, "421")
          assert.include(text, "urn:web-grounding:problem:wrong-host")
        }).pipe(Effect.scoped))

      it.effect.each(
        [
          ["x\r\n\r\n", 400, "malformed-request"],
          [
            `GET /v1/health HTTP/1.1\r\nHost: localhost\r\na: ${"x".repeat(20_000)}\r\n\r\n`,
            431,
            "head-too-large"
          ]
        ] as const
      )(
        "is a problem where there is no request to read: %#",
        ([bytes, status, kind]) =>
          Effect.gen(function*() {
            const text = yield* answerTo(bytes)
            assert.match(text, new RegExp(`^HTTP/1.1 ${status} `))
            const [head = "", body = ""] = text.split("\r\n\r\n")
            assert.include(head, `Content-Length: ${body.length}`)
            const problem = parsed(body)
            assert.deepInclude(problem, { status, type: `urn:web-grounding:problem:${kind}` })
          }).pipe(Effect.scoped)
      )

      it.effect("leaves out what it does not know, and says so", () =>
        Effect.gen(function*() {
          const service = yield* url
          const query = { ...health, path: "/v1/health?hours=2&hour=3" }
          const { headers, status } = yield* send(service, query)
          assert.strictEqual(status, 200)
          assert.strictEqual(headers.get("ignored-fields"), "hour")
          const body = { query: "desks", colour: "red", filter: { a: { b: 1 }, "x\r\ny: z": 1 } }
          const found = yield* send(service, requestFor("SearchEvidence", body))
          assert.strictEqual(found.status, 200, found.text)
          assert.strictEqual(
            found.headers.get("ignored-fields"),
            "colour, filter.a, filter.x%0D%0Ay%3A%20z"
          )
          const asked = { session_id: "typo", topic: "Tell me a joke", user_asked: true }
          for (const accept of ["application/json", "text/event-stream"]) {
            const ground = { ...requestFor("Ground", asked), headers: { accept } }
            assert.include((yield* send(service, ground)).text, "were ignored: user_asked")
          }
        }))

      it.effect("is shown to readers of the page about it, which asks for nothing outside", () =>
        Effect.gen(function*() {
          const service = yield* url
          const { headers, text } = yield* send(service, { method: "GET", path: "/v1/docs" })
          assert.include(headers.get("content-security-policy"), "default-src 'none'")
          assert.strictEqual(text, OpenApiDocument.page)
          assert.notMatch(text, /<script|<link|<img|<iframe|@import|url\(/)
          assert.deepStrictEqual(text.match(/(?:href|src)="[^"]*"/g), ["href=\"/v1/openapi.json\""])
          const page = yield* send(service, { method: "GET", path: "/v1/openapi.json" })
          assert.deepStrictEqual(JSON.parse(page.text), published)
        }))
    }
  )

  const places = { grounding: 1, read: 8, health: 2, document: 1 }

  it.layer(serving(scripted("hangs"), { places }), {
    timeout: "60 seconds",
    excludeTestServices: true
  })("of a full service", (it) => {
    it.effect("says when to ask again", () =>
      Effect.gen(function*() {
        const service = yield* url
        const sent = requestFor("Ground", { ...question, user_asked_for_facts: true })
        const running = yield* Effect.forkChild(
          Effect.all([send(service, sent), send(service, sent), send(service, sent)], {
            concurrency: "unbounded"
          })
        )
        yield* Effect.sleep("300 millis")
        const events = { ...json, accept: "text/event-stream" }
        for (const one of [sent, { ...sent, headers: events }]) {
          const refused = yield* send(service, one)
          assert.strictEqual(refused.status, 429)
          assert.strictEqual(refused.headers.get("retry-after"), "1")
          assert.deepStrictEqual(unpublished(one, refused), [])
        }
        yield* Fiber.interrupt(running)
      }))
  })

  const canary = "tvly-canary-1234567890"

  it.layer(serving(buggy(canary)), { timeout: "60 seconds", excludeTestServices: true })(
    "of ours",
    (it) => {
      it.effect("reveals nothing of the inside", () =>
        Effect.gen(function*() {
          const service = yield* url
          const asked = { ...question, user_asked_for_facts: true }
          for (const accept of ["application/json", "text/event-stream"]) {
            const sent = { ...requestFor("Ground", asked), headers: { ...json, accept } }
            const { status, text } = yield* send(service, sent)
            assert.include(text, "urn:web-grounding:problem:internal-failure", accept)
            assert.notInclude(text, canary)
            assert.notMatch(text, /\bat \/|node_modules|\.ts:/)
            assert.strictEqual(status, accept === "application/json" ? 500 : 200)
          }
        }))
    }
  )
})
