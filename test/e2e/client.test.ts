/** The client when the service is away, silent, cut off, busy or something else. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { HttpServer } from "effect/http"
import { connect, type Socket } from "node:net"
import * as RawServer from "../../packages/client/test/support/rawServer.ts"
import * as GroundingRpcServer from "../../src/adapters/rpc/GroundingRpcServer.ts"
import * as Access from "../../src/application/Access.ts"
import { type ClientOptions, GroundingClient, layer as clientLayer } from "../../src/client.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { evidence, instance, limits, providers, scripted } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import { hit } from "../support/sessionFacts.ts"

const host = "127.0.0.1"
const question = { session_id: "s", topic: "How much notice must a tenant give in Japan?" } as const

/** A server of bytes on a free port, until the scope closes. */
const listening = (onConnection: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.promise(() => RawServer.listening(onConnection)),
    ({ close }) => Effect.sync(close)
  )

/** Reads a request and answers with these bytes. */
const answering = (text: string, seen: Array<string> = []) =>
  listening((socket) => {
    socket.once("data", (data) => {
      seen.push(String(data))
      socket.end(text)
    })
  })

const asking = (options: ClientOptions) =>
  Effect.flip(Effect.flatMap(GroundingClient, ({ ground }) => ground(question))).pipe(
    Effect.provide(clientLayer(options), { local: true })
  )

const ok = (body: string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n` +
  `Connection: close\r\n\r\n${body}`

describe("the client", () => {
  it.live("says that no server listens, where, and that nothing was done", () =>
    Effect.gen(function*() {
      const { url } = yield* Effect.scoped(listening(() => {}))
      const failure = yield* asking({ url, retries: 1 })
      assert.deepInclude(failure, {
        _tag: "ServiceUnreachable",
        url,
        cause: "refused",
        detail: "ECONNREFUSED",
        may_have_run: false
      })
      assert.include(failure.message, url)
      assert.isString("request_id" in failure ? failure.request_id : undefined)
    }))

  it.live("gives up on a silent server, and says that it may have run", () =>
    Effect.gen(function*() {
      const { url } = yield* listening(() => {})
      const failure = yield* asking({ url, timeoutMs: 300 })
      assert.deepInclude(failure, { cause: "timeout", may_have_run: true })
    }).pipe(Effect.scoped))

  it.live("sends a call that was cut off again, under the same request id, and then gives up", () =>
    Effect.gen(function*() {
      const ids = new Set<string>()
      let calls = 0
      const { url } = yield* listening((socket) => {
        socket.once("data", (data) => {
          calls += 1
          ids.add(/"request_id":"([^"]+)"/.exec(String(data))?.[1] ?? "")
          socket.destroy()
        })
      })
      const failure = yield* asking({ url, retries: 2, timeoutMs: 20_000 })
      assert.strictEqual(calls, 3)
      assert.deepInclude(failure, { cause: "reset", may_have_run: true })
      assert.deepStrictEqual([...ids], ["request_id" in failure ? failure.request_id : ""])
      assert.include(failure.message, [...ids][0] ?? "-")
    }).pipe(Effect.scoped))

  it.live("distinguishes a status and another server's page", () =>
    Effect.gen(function*() {
      const busy = yield* answering(
        "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
      )
      assert.deepInclude(yield* asking({ url: busy.url, retries: 0 }), {
        cause: "status",
        detail: "503",
        may_have_run: false
      })
      const other = yield* answering(ok("<html>not this service</html>"))
      assert.deepInclude(yield* asking({ url: other.url, retries: 0 }), { cause: "malformed" })
    }).pipe(Effect.scoped))

  it.live("sends its headers, and ends when its signal says so", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const { url } = yield* answering(ok(""), seen)
      yield* asking({ url, retries: 0, headers: { "x-team": "halvern" } })
      assert.include(seen.join().toLowerCase(), "x-team: halvern")
      const silent = yield* listening(() => {})
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 50)
      const failure = yield* asking({ url: silent.url, signal: controller.signal })
      assert.deepInclude(failure, { cause: "aborted", may_have_run: true })
    }).pipe(Effect.scoped))
})

const found = {
  droppedCount: 0,
  credits: 1,
  hits: [hit("https://housing.gov.example/notice", {
    content: "A tenant in Japan must give one month's notice."
  })]
}

describe("the client behind a line that is cut", () => {
  const provider = scripted(found)
  const service = GroundingRpcServer.layer({ host, port: 0 }).pipe(
    Layer.provide(Layer.mergeAll(useCases, evidence, Access.open("default"))),
    Layer.provide(
      Layer.mergeAll(providers(provider), MemoryEventStore.layer, instance("p1"), limits())
    )
  )

  it.layer(service, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    /** A line to the service whose first connection is cut when the search has begun. */
    const cutOnce = Effect.gen(function*() {
      const server = yield* HttpServer.HttpServer
      const port = Number(new URL(HttpServer.formatAddress(server.address)).port)
      let connections = 0
      return yield* listening((socket) => {
        connections += 1
        const isCut = connections === 1
        const upstream = connect(port, host).on("error", () => socket.destroy())
        socket.pipe(upstream)
        upstream.on("data", (data) => {
          if (isCut && String(data).includes("CALL_STARTED")) {
            socket.destroy()
            upstream.destroy()
          } else socket.write(data)
        }).on("end", () => socket.end())
        socket.on("close", () => upstream.destroy())
      })
    })

    const progress = (session_id: string, options: ClientOptions) =>
      Effect.flatMap(GroundingClient, (client) =>
        Stream.runCollect(client.progress({
          ...question,
          session_id,
          phase: "mid_chat",
          user_asked_for_facts: true,
          overrides: { max_queries: 1, exclude_domains: [`${session_id}.example`] }
        }))).pipe(Effect.provide(clientLayer(options), { local: true }))

    const requestsOf = (session_id: string, url: string) =>
      Effect.flatMap(GroundingClient, ({ session }) => session({ session_id })).pipe(
        Effect.provide(clientLayer({ url }), { local: true }),
        Effect.map(({ events }) =>
          events.filter(({ type }) => type === "WEB_GROUNDING_REQUESTED").length
        )
      )

    it.effect("gets the whole answer at the second try, for one request and one search", () =>
      Effect.gen(function*() {
        const { url } = yield* cutOnce
        const before = provider.queries.length
        const elements = yield* progress("kept", { url })
        assert.strictEqual(elements.at(-1)?._tag, "Outcome")
        assert.strictEqual(provider.queries.length - before, 1)
        assert.strictEqual(yield* requestsOf("kept", url), 1)
      }).pipe(Effect.scoped))
  })
})
