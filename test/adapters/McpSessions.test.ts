/** Sessions of agents: whose they are, how many, how large, and how long without a request. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Schema, type Scope } from "effect"
import * as McpSchema from "effect/ai/McpSchema"
import { McpServer } from "effect/ai/McpServer"
import { HttpEffect, HttpRouter, type HttpServerRequest } from "effect/http"
import * as McpFace from "../../src/adapters/mcp/McpFace.ts"
import {
  idleMsMax,
  openingBytesMax,
  sessionsMax,
  tenantSessionsMax
} from "../../src/adapters/mcp/McpSessions.ts"
import { CurrentIdentity } from "../../src/application/Access.ts"
import { AccessScope } from "../../src/domain/access/AccessToken.ts"
import { timePasses } from "../support/testTime.ts"

const waiting = Layer.effectDiscard(Effect.gen(function*() {
  const { addTool } = yield* McpServer
  yield* addTool({
    tool: new McpSchema.Tool({ name: "wait", inputSchema: { type: "object" } }),
    annotations: Context.empty(),
    handle: () => Effect.never
  })
}))

interface Asked {
  readonly method?: "POST" | "DELETE"
  readonly session?: string | undefined
  readonly scopes?: ReadonlyArray<AccessScope>
}

const version = "2025-11-25"

const handlerOf = HttpEffect.toWebHandlerWith<
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

const Refusal = Schema.Struct({ error: Schema.Struct({ message: Schema.String }) })

const face = Effect.gen(function*() {
  const route = yield* HttpRouter.toHttpEffect(McpFace.route({ origins: [] }, waiting))
  const services = yield* Effect.context<never>()

  const ask = (
    tenantId: string,
    message: object,
    { method = "POST", scopes = ["read"], session }: Asked = {}
  ) =>
    Effect.promise((signal) => {
      const identity = { tenantId, scopes: new Set(scopes) }
      const identified = Effect.provideService(route, CurrentIdentity, identity)
      return handlerOf(services)(identified)(
        new Request("http://localhost/mcp", {
          method,
          signal,
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            ...(session === undefined
              ? {}
              : { "mcp-session-id": session, "mcp-protocol-version": version })
          },
          ...(method === "POST" ? { body: JSON.stringify({ jsonrpc: "2.0", ...message }) } : {})
        })
      )
    })
  const open = (tenantId: string, name = "test", asked: Asked = {}) =>
    ask(tenantId, {
      id: 1,
      method: "initialize",
      params: { protocolVersion: version, capabilities: {}, clientInfo: { name, version: "1" } }
    }, asked)
  const opened = (tenantId: string) =>
    Effect.map(open(tenantId), ({ headers }) => headers.get("mcp-session-id") ?? "none")
  const statusOf = (tenantId: string, session: string, asked: Asked = {}) =>
    Effect.map(
      ask(tenantId, { id: 2, method: "ping" }, { ...asked, session }),
      ({ status }) => status
    )
  return { ask, open, opened, statusOf }
})

describe("sessions of agents", () => {
  it.effect("are used and ended by their tenant alone", () =>
    Effect.gen(function*() {
      const { opened, statusOf } = yield* face
      const session = yield* opened("shop")
      const end = { method: "DELETE" } as const
      assert.strictEqual(yield* statusOf("shop", session), 200)
      assert.strictEqual(yield* statusOf("rival", session), 404)
      assert.strictEqual(yield* statusOf("rival", session, end), 404)
      assert.strictEqual(yield* statusOf("rival", "unknown", end), 404)
      assert.strictEqual(yield* statusOf("shop", session), 200)
      assert.strictEqual(yield* statusOf("shop", session, end), 204)
      assert.strictEqual(yield* statusOf("shop", session), 404)
    }))

  it.effect("need a scope that some tool needs", () =>
    Effect.gen(function*() {
      const { open, opened, statusOf } = yield* face
      const session = yield* opened("shop")
      for (const scope of AccessScope.literals) {
        const scopes = [scope]
        const expected = scope === "ground" || scope === "read" ? 200 : 403
        assert.strictEqual((yield* open("shop", "test", { scopes })).status, expected, scope)
        assert.strictEqual(yield* statusOf("shop", session, { scopes }), expected, scope)
      }
      const { headers } = yield* open("shop", "test", { scopes: ["metrics"] })
      assert.isFalse(headers.has("mcp-session-id"))
      assert.include(headers.get("www-authenticate"), "insufficient_scope")
    }))

  it.effect("are so many for a tenant, and the least recently used one ends", () =>
    Effect.gen(function*() {
      const { opened, statusOf } = yield* face
      const other = yield* opened("other")
      const [first = "", second = ""] = yield* Effect.replicateEffect(
        opened("shop"),
        tenantSessionsMax
      )
      assert.strictEqual(yield* statusOf("shop", first), 200)
      const newest = yield* opened("shop")
      assert.deepStrictEqual(
        yield* Effect.forEach([first, second, newest], (session) => statusOf("shop", session)),
        [200, 404, 200]
      )
      assert.strictEqual(yield* statusOf("other", other), 200)
    }))

  it.effect("are so many for all tenants together", () =>
    Effect.gen(function*() {
      const { opened, statusOf } = yield* face
      const tenants = Array.from(
        { length: sessionsMax / tenantSessionsMax },
        (_, place) => `tenant-${place}`
      )
      const all = yield* Effect.forEach(
        tenants,
        (tenantId) => Effect.replicateEffect(opened(tenantId), tenantSessionsMax)
      )
      const [oldest = "", next = ""] = all[0] ?? []
      assert.strictEqual(yield* statusOf("tenant-0", oldest), 200)
      assert.strictEqual(yield* statusOf("new", yield* opened("new")), 200)
      assert.strictEqual(yield* statusOf("tenant-0", next), 404)
      assert.strictEqual(yield* statusOf("tenant-0", oldest), 200)
    }))

  it.effect("with a call under way outlive idle ones, and end with their calls", () =>
    Effect.gen(function*() {
      const { ask, opened, statusOf } = yield* face
      const call = { id: 3, method: "tools/call", params: { name: "wait", arguments: {} } }
      const busy = Effect.gen(function*() {
        const session = yield* opened("shop")
        const answer = yield* Effect.forkChild(ask("shop", call, { session }), {
          startImmediately: true
        })
        return { answer, session }
      })
      const first = yield* busy
      yield* Effect.replicateEffect(opened("shop"), tenantSessionsMax, { discard: true })
      yield* timePasses(idleMsMax)
      assert.strictEqual(yield* statusOf("shop", first.session), 200)
      assert.isUndefined(first.answer.pollUnsafe())
      yield* Effect.replicateEffect(busy, tenantSessionsMax, { discard: true })
      const { body } = yield* Fiber.join(first.answer)
      assert.isNull(body)
      assert.strictEqual(yield* statusOf("shop", first.session), 404)
    }))

  it.effect("end after their idle time", () =>
    Effect.gen(function*() {
      const { opened, statusOf } = yield* face
      const [used, idle] = [yield* opened("shop"), yield* opened("shop")]
      yield* timePasses(idleMsMax - 1)
      assert.strictEqual(yield* statusOf("shop", used), 200)
      yield* timePasses(1)
      assert.strictEqual(yield* statusOf("shop", idle), 404)
      assert.strictEqual(yield* statusOf("shop", used), 200)
    }))

  it.effect("are not opened by a message above their bound", () =>
    Effect.gen(function*() {
      const { open, opened, statusOf } = yield* face
      const answer = yield* open("shop", "x".repeat(openingBytesMax))
      assert.strictEqual(answer.status, 413)
      assert.isFalse(answer.headers.has("mcp-session-id"))
      const { error } = Schema.decodeUnknownSync(Refusal)(
        yield* Effect.promise(() => answer.json())
      )
      assert.include(error.message, String(openingBytesMax))
      assert.strictEqual(yield* statusOf("shop", yield* opened("shop")), 200)
    }))
})
