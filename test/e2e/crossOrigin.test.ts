/** Web pages of other origins: those that the operator allows may call every face, others none. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as McpFace from "../../src/adapters/mcp/McpFace.ts"
import { scripted } from "../support/grounding.ts"
import { send, type Sent } from "../support/httpCalls.ts"
import { frame, serving, url } from "../support/service.ts"
import { answerWith } from "../support/sessionFacts.ts"

const origins = ["https://app.example", "https://tools.example"]
const foreign = ["https://evil.example", "http://app.example", "https://app.example:8443", "null"]

const service = () =>
  serving(scripted(answerWith([])), {
    beside: [McpFace.http({ origins })],
    allowed: { hosts: [], origins }
  })

const json = { "content-type": "application/json" }

/** A call of each face, with the headers that a page has to ask for. */
const calls: Readonly<Record<string, Sent>> = {
  "/v1": {
    method: "POST",
    path: "/v1/groundings",
    headers: {
      ...json,
      authorization: "Bearer x",
      "idempotency-key": "r",
      "web-grounding-version": "1"
    },
    body: JSON.stringify({ session_id: "s", topic: "Ferries" })
  },
  "/rpc": {
    method: "POST",
    path: "/rpc",
    headers: {
      "content-type": "application/x-ndjson",
      traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
      b3: `${"a".repeat(32)}-${"b".repeat(16)}-1`
    },
    body: frame("1", "GetHealth", {})
  },
  "/mcp": {
    method: "POST",
    path: "/mcp",
    headers: { ...json, accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "page", version: "1" }
      }
    })
  },
  "the end of a session of /mcp": {
    method: "DELETE",
    path: "/mcp",
    headers: { "mcp-session-id": "x", "mcp-protocol-version": "2025-11-25" }
  },
  "Tavily's": {
    method: "POST",
    path: "/search",
    headers: { ...json, authorization: "Bearer x", "x-client-source": "tavily-js" },
    body: JSON.stringify({ query: "ferry" })
  },
  "a document's": {
    method: "PUT",
    path: "/documents?source_type=user_note&source_id=d&title=D",
    headers: { "content-type": "text/plain" },
    body: "The ferry leaves at noon."
  }
}

const sentBy = (origin: string, { headers, ...sent }: Sent): Sent => ({
  ...sent,
  headers: { ...headers, origin, "sec-fetch-site": "cross-site" }
})

const preflightOf = (origin: string, { headers = {}, method, path }: Sent): Sent => ({
  method: "OPTIONS",
  path,
  headers: {
    origin,
    "access-control-request-method": method,
    "access-control-request-headers": Object.keys(headers).join(",")
  }
})

const listed = (header: string | null) => (header ?? "").split(/, ?/)

const safelisted = ["accept"]

describe.each(Object.entries(calls))("a web page's call: %s", (_, sent) => {
  it.live("is answered to an origin that is allowed, after its preflight", () =>
    Effect.gen(function*() {
      const address = yield* url
      for (const origin of origins) {
        const preflight = yield* send(address, preflightOf(origin, sent))
        assert.strictEqual(preflight.status, 204)
        assert.strictEqual(preflight.headers.get("access-control-allow-origin"), origin)
        assert.include(listed(preflight.headers.get("access-control-allow-methods")), sent.method)
        assert.includeMembers(
          [...listed(preflight.headers.get("access-control-allow-headers")), ...safelisted],
          Object.keys(sent.headers ?? {})
        )
        const answer = yield* send(address, sentBy(origin, sent))
        for (const { headers } of [preflight, answer]) {
          assert.strictEqual(headers.get("access-control-allow-origin"), origin)
          assert.isNull(headers.get("access-control-allow-credentials"))
          assert.include(listed(headers.get("vary")), "Origin")
          assert.includeMembers(listed(headers.get("access-control-expose-headers")), [
            "mcp-session-id",
            "retry-after",
            "web-grounding-version",
            "ignored-fields"
          ])
        }
        const plain = yield* send(address, sent)
        assert.strictEqual(answer.status, plain.status)
        assert.isNull(plain.headers.get("access-control-allow-origin"))
        assert.include(listed(plain.headers.get("vary")), "Origin")
      }
    }).pipe(Effect.provide(service()), Effect.scoped))

  it.live("of another origin is refused, and so is its preflight", () =>
    Effect.gen(function*() {
      const address = yield* url
      for (const origin of foreign) {
        for (const asked of [preflightOf(origin, sent), sentBy(origin, sent)]) {
          const { headers, status } = yield* send(address, asked)
          assert.strictEqual(status, 403, origin)
          assert.isNull(headers.get("access-control-allow-origin"))
        }
      }
    }).pipe(Effect.provide(service()), Effect.scoped))
})

describe("a web page's refused call", () => {
  it.live("is shown to the page of an allowed origin", () =>
    Effect.gen(function*() {
      const address = yield* url
      const sent = { method: "POST", path: "/v1/groundings", body: "topic" }
      const [origin = ""] = origins
      const { headers, status } = yield* send(address, {
        ...sent,
        headers: { origin, "content-type": "text/plain" }
      })
      assert.strictEqual(status, 415)
      assert.strictEqual(headers.get("access-control-allow-origin"), origin)
    }).pipe(Effect.provide(service()), Effect.scoped))

  it.live("is refused to every origin where none is allowed", () =>
    Effect.gen(function*() {
      const address = yield* url
      for (const sent of Object.values(calls)) {
        const { headers, status } = yield* send(address, preflightOf("https://app.example", sent))
        assert.strictEqual(status, 403)
        assert.isNull(headers.get("access-control-allow-origin"))
      }
    }).pipe(
      Effect.provide(serving(scripted("hangs"), { beside: [McpFace.http({ origins: [] })] })),
      Effect.scoped
    ))
})
