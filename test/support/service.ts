/** The service over HTTP on loopback, with its log in memory, and raw ways to call it. */
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { connect, type Socket } from "node:net"
import * as HttpFace from "../../src/adapters/http/HttpFace.ts"
import * as GroundingRpcServer from "../../src/adapters/rpc/GroundingRpcServer.ts"
import * as TavilyFace from "../../src/adapters/tavilyapi/TavilyFace.ts"
import * as Access from "../../src/application/Access.ts"
import type { SearchProvider } from "../../src/application/ports/SearchProvider.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { evidence, instance, limits, providers } from "./grounding.ts"
import * as MemoryEventStore from "./memory/MemoryEventStore.ts"

export const host = "127.0.0.1"

type Options = Omit<GroundingRpcServer.ServerOptions, "host" | "port">

/** Everything that the server needs, over one provider. */
export const behind = (provider: SearchProvider) =>
  Layer.mergeAll(useCases, evidence).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Access.open("default"),
        providers(provider),
        MemoryEventStore.layer,
        instance("p1"),
        limits()
      )
    )
  )

export const serving = (provider: SearchProvider, { beside = [], ...options }: Options = {}) =>
  GroundingRpcServer.layer({
    host,
    port: 0,
    beside: [HttpFace.httpFace, TavilyFace.tavilyFace, ...beside],
    ...options
  }).pipe(Layer.provideMerge(behind(provider)))

export const url = Effect.map(
  HttpServer.HttpServer,
  (server) => HttpServer.formatAddress(server.address)
)

/** A search request as a body of one frame. */
export const frame = (id: string, tag: string, payload: unknown): string =>
  `${JSON.stringify({ _tag: "Request", id, tag, payload, headers: [] })}\n`

/** Status and body of a POST. */
export const post = (
  service: string,
  body: string,
  headers: Readonly<Record<string, string>> = {}
) =>
  Effect.promise(async () => {
    const response = await fetch(`${service}/rpc`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson", ...headers },
      body
    })
    return { status: response.status, text: await response.text() }
  })

/** The failure, or `undefined`, that the answer to one frame holds. */
export const failureIn = (text: string, id: string): unknown => {
  const line = linesOf(text).find((one) => String(one["requestId"]) === id && one["exit"])
  const exit = line?.["exit"]
  return exit?._tag === "Failure" ? exit.cause[0]?.error ?? exit.cause[0] : undefined
}

export const linesOf = (text: string): ReadonlyArray<Record<string, any>> =>
  text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))

export const get = (service: string, path: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${service}${path}`)
    return { status: response.status, text: await response.text() }
  })

/** A connection of bytes that reads only on request; ends with the scope. */
export const dial = (service: string) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<Socket>((resolve, reject) => {
        const socket = connect(Number(new URL(service).port), host)
        socket.pause()
        socket.once("connect", () => resolve(socket)).once("error", reject)
        socket.on("error", () => {})
      })
    ),
    (socket) => Effect.sync(() => socket.destroy())
  )

export const rawPost = (body: string, declared = Buffer.byteLength(body)): string =>
  "POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\n" +
  `Content-Length: ${declared}\r\n\r\n${body}`
