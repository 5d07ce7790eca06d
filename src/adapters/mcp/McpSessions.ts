/**
 * MCP sessions over HTTP, each of one tenant, bounded in number, size and idle time. Effect's
 * server checks no credential, and keeps a client's `initialize` data until the session ends.
 */
import { Clock, Effect, Option, Schema, type Scope } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CurrentIdentity } from "../../application/Access.ts"
import type { AccessScope } from "../../domain/access/AccessToken.ts"

/** Most concurrent sessions. One more ends the least recently used. */
export const sessionsMax = 1_000
export const tenantSessionsMax = 250
export const openingBytesMax = 8_192
export const idleMsMax = 1_800_000

const sessionHeader = "mcp-session-id"

/** Scopes of the operations behind tools and resources; each call checks its own. */
const scopes: ReadonlyArray<AccessScope> = ["ground", "read"]

interface Session {
  readonly id: string
  readonly tenantId: string
  usedMs: number
  callsCount: number
}

type Served = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

const decodeOpening = Schema.decodeOption(
  Schema.fromJsonString(Schema.Struct({ method: Schema.Literal("initialize") }))
)

/** Enforces the session rules in front of `served`, whose URL is `url`. */
export const make = Effect.fnUntraced(function*(url: string, served: Served) {
  /** Least recently used first. */
  const sessions = new Map<string, Session>()
  const services = yield* Effect.context<never>()
  const handler = HttpEffect.toWebHandlerWith<never, Effect.Services<Served>>(services)(served)
  const ask = (init: RequestInit) => Effect.promise(() => handler(new Request(url, init)))

  const end = ({ id }: Session) => {
    sessions.delete(id)
    return ask({ method: "DELETE", headers: { [sessionHeader]: id } })
  }

  const endAbove = (most: number, kept: ReadonlyArray<Session>) =>
    Effect.forEach(
      // A session with a call in progress is in use, however old the call.
      kept.toSorted((one, other) => Math.sign(one.callsCount) - Math.sign(other.callsCount))
        .slice(0, Math.max(0, kept.length - most)),
      end
    )

  const endIdle = (nowMs: number) =>
    Effect.forEach(
      [...sessions.values()].filter(({ callsCount, usedMs }) =>
        callsCount === 0 && nowMs - usedMs >= idleMsMax
      ),
      end
    )

  /** Uninterruptible: a session opened but not registered here would never end. */
  const opened = Effect.fnUntraced(function*(
    tenantId: string,
    { headers }: HttpServerRequest.HttpServerRequest,
    body: string
  ) {
    const response = yield* ask({ method: "POST", headers: { ...headers }, body })
    const id = response.headers.get(sessionHeader)
    if (id !== null) {
      const others = [...sessions.values()]
      yield* endAbove(tenantSessionsMax - 1, others.filter((own) => own.tenantId === tenantId))
      yield* endAbove(sessionsMax - 1, [...sessions.values()])
      sessions.set(id, { id, tenantId, usedMs: yield* Clock.currentTimeMillis, callsCount: 0 })
    }
    return HttpServerResponse.fromWeb(response)
  }, Effect.uninterruptible)

  const used = (session: Session) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        sessions.delete(session.id)
        sessions.set(session.id, session)
        session.callsCount += 1
      }),
      () =>
        Effect.map(Clock.currentTimeMillis, (nowMs) => {
          session.callsCount -= 1
          session.usedMs = nowMs
        })
    )

  return Effect.gen(function*() {
    const identity = yield* CurrentIdentity
    if (identity === undefined || !scopes.some((scope) => identity.scopes.has(scope))) {
      return scopeMissing
    }
    yield* endIdle(yield* Clock.currentTimeMillis)
    const request = yield* HttpServerRequest.HttpServerRequest
    const id = request.headers[sessionHeader]
    if (id === undefined) {
      const body = yield* Effect.orElseSucceed(request.text, () => "")
      if (Option.isNone(decodeOpening(body))) return yield* served
      if (Buffer.byteLength(body) > openingBytesMax) return tooLong
      return yield* opened(identity.tenantId, request, body)
    }
    const session = sessions.get(id)
    if (session === undefined || session.tenantId !== identity.tenantId) return unknownSession
    yield* used(session)
    const response = yield* served
    if (request.method === "DELETE" && response.status === 204) sessions.delete(id)
    return response
  })
})

const scopeMissing = HttpServerResponse.empty({
  status: 403,
  headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${scopes.join(" ")}"` }
})

const unknownSession = HttpServerResponse.empty({ status: 404 })

const tooLong = HttpServerResponse.jsonUnsafe({
  jsonrpc: "2.0",
  id: null,
  error: {
    code: -32_600,
    message: `Expected a message of at most ${openingBytesMax} bytes to open a session`
  }
}, { status: 413 })
