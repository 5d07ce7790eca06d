/** MCP next to RPC: the same guard, the same limits, and a bound on bodies. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { request } from "node:http"
import * as McpFace from "../../src/adapters/mcp/McpFace.ts"
import { scripted } from "../support/grounding.ts"
import { serving, url } from "../support/service.ts"
import { answerWith } from "../support/sessionFacts.ts"

const beside = [McpFace.http({ origins: ["https://tools.example"] })]

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Not by `fetch`, which sets the host itself. */
const post = (service: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.callback<Answer>((resume) => {
    const sent = request(`${service}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers
      }
    }, (response) => {
      const chunks: Array<string> = []
      response.on("data", (chunk) => chunks.push(String(chunk)))
      response.on("end", () =>
        resume(Effect.succeed({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: chunks.join("")
        })))
    })
    sent.on("error", () => resume(Effect.succeed({ status: 0, headers: {}, text: "" })))
    sent.end(body)
  })

const message = (id: number, method: string, params: object) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params })

const hello = message(1, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" }
})

/** Headers of a session that has begun. */
const opened = Effect.fnUntraced(function*(service: string) {
  const { headers } = yield* post(service, hello)
  const session = {
    "mcp-session-id": String(headers["mcp-session-id"]),
    "mcp-protocol-version": "2025-11-25"
  }
  yield* post(
    service,
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
    session
  )
  return session
})

const calling = Effect.fnUntraced(function*(service: string) {
  const session = yield* opened(service)
  return (id: number, name: string, input: object) =>
    post(service, message(id, "tools/call", { name, arguments: input }), session).pipe(
      Effect.map(({ text }) => JSON.parse(text.replace(/^data: /, "").trim()).result)
    )
})

describe("MCP over HTTP", () => {
  it.live.each(
    [
      ["application/json, text/event-stream", 200, "application/json"],
      ["*/*", 200, "application/json"],
      ["application/*;q=0.9, text/*", 200, "application/json"],
      ["application/json", 200, "application/json"],
      ["text/event-stream", 200, "text/event-stream"],
      ["text/html, application/json;q=0", 406, "text/plain"],
      ["text/html", 406, "text/plain"]
    ] as const
  )(
    "answers in a form that the client takes: %s",
    ([accept, status, type]) =>
      Effect.gen(function*() {
        const answer = yield* post(yield* url, hello, { accept })
        assert.strictEqual(answer.status, status)
        assert.include(String(answer.headers["content-type"]), type)
        if (status === 406) return assert.match(answer.text, /application\/json/)
        const { result } = JSON.parse(answer.text.replace(/^data: /, ""))
        assert.strictEqual(result.protocolVersion, "2025-11-25")
      }).pipe(Effect.provide(serving(scripted("hangs"), { beside })), Effect.scoped)
  )

  it.live("answers a client that takes JSON alone with the result, behind whatever progress", () =>
    Effect.gen(function*() {
      const service = yield* url
      const session = yield* opened(service)
      const params = {
        name: "web_search",
        arguments: { query: "trams of Halvern", time_range: null, include_domains: "a.example" },
        _meta: { progressToken: "p" }
      }
      const asked = (accept: string) =>
        post(service, message(2, "tools/call", params), { ...session, accept })
      const stream = yield* asked("text/event-stream")
      assert.isAbove(stream.text.match(/^data: /gm)?.length ?? 0, 1)
      const json = yield* asked("application/json")
      assert.include(String(json.headers["content-type"]), "application/json")
      assert.isFalse(JSON.parse(json.text).result.isError)
    }).pipe(
      Effect.provide(serving(scripted(answerWith([])), { beside })),
      Effect.scoped
    ))

  it.live("reads arguments that came as one text, and a message behind a byte order mark", () =>
    Effect.gen(function*() {
      const service = yield* url
      const session = yield* opened(service)
      const asked = (given: unknown) =>
        post(
          service,
          `\uFEFF${message(2, "tools/call", { name: "web_search", arguments: given })}`,
          { ...session, accept: "application/json" }
        ).pipe(Effect.map(({ text }) => JSON.parse(text)))
      const { result } = yield* asked(JSON.stringify({ query: "trams of Halvern" }))
      assert.isFalse(result.isError)
      assert.property(yield* asked("trams of Halvern"), "error")
      assert.property(yield* asked("[1]"), "error")
    }).pipe(
      Effect.provide(serving(scripted(answerWith([])), { beside })),
      Effect.scoped
    ))

  it.live("refuses what a web page in a browser could send", () =>
    Effect.gen(function*() {
      const service = yield* url
      const statusOf = (headers: Readonly<Record<string, string>>) =>
        Effect.map(post(service, hello, headers), ({ status }) => status)
      assert.strictEqual(yield* statusOf({}), 200)
      assert.strictEqual(yield* statusOf({ origin: "https://tools.example" }), 200)
      assert.strictEqual(yield* statusOf({ origin: "https://evil.example" }), 403)
      assert.strictEqual(yield* statusOf({ host: "evil.example" }), 421)
      assert.strictEqual(yield* statusOf({ "content-type": "text/plain" }), 415)
    }).pipe(
      Effect.provide(serving(scripted("hangs"), {
        beside,
        allowed: { hosts: [], origins: ["https://tools.example"] }
      })),
      Effect.scoped
    ))

  it.live("speaks every published revision", () =>
    Effect.gen(function*() {
      const service = yield* url
      const meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}
      }
      const { text } = yield* post(service, message(1, "server/discover", { _meta: meta }), {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "server/discover"
      })
      assert.deepStrictEqual(JSON.parse(text).result.supportedVersions, [
        "2026-07-28",
        "2025-11-25",
        "2025-06-18"
      ])
    }).pipe(Effect.provide(serving(scripted("hangs"), { beside })), Effect.scoped))

  it.live("reads no message above its bound", () =>
    Effect.gen(function*() {
      const service = yield* url
      const { text } = yield* post(service, hello.replace("test", "x".repeat(600_000)))
      assert.notInclude(text, "serverInfo")
      assert.include((yield* post(service, hello)).text, "serverInfo")
    }).pipe(Effect.provide(serving(scripted("hangs"), { beside })), Effect.scoped))

  it.live("takes a slot of its kind, and reports when there is none", () =>
    Effect.gen(function*() {
      const call = yield* calling(yield* url)
      const wanted = { topic: "How much notice must a tenant give in Japan?" }
      const first = yield* Effect.forkChild(call(2, "web_grounding", wanted))
      yield* Effect.sleep("300 millis")
      const refused = yield* call(3, "web_grounding", { ...wanted, topic: "Notice in Korea?" })
      assert.isTrue(refused.isError)
      assert.include(refused._meta["web-grounding/failure"], { _tag: "Overloaded" })
      const health = yield* call(4, "search_health", {})
      assert.isNotTrue(health.isError)
      yield* Fiber.interrupt(first)
    }).pipe(
      Effect.provide(serving(
        scripted("hangs"),
        { beside, places: { grounding: 1, read: 1, health: 1, document: 1 } }
      )),
      Effect.scoped
    ))
})
