/** `GroundingRpc` over HTTP, as newline-delimited JSON, with a health page beside it. */
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import { createServer } from "node:http"
import { GroundingRpc } from "./GroundingRpc.ts"
import * as GroundingRpcHandlers from "./GroundingRpcHandlers.ts"

/** Requests answered at the same time; more of them wait. */
const concurrentCallsMax = 64

export const rpcPath = "/rpc"

/** The address is taken, or may not be listened on. */
export class AddressUnusable extends Schema.TaggedError<AddressUnusable>()("AddressUnusable", {
  host: Schema.String,
  port: Schema.Int,
  problem: Schema.String
}) {
  override get message(): string {
    return `Cannot listen on ${this.host}:${this.port}: ${this.problem}`
  }
}

export interface ServerOptions {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  readonly tenantId: string
}

const health = HttpRouter.add("GET", "/health", HttpServerResponse.json({ status: "ok" }))

/** Listens until its scope closes; calls in flight are given time to end. */
export const layer = ({ host, port, tenantId }: ServerOptions) => {
  const rpc = RpcServer.layerHttp({
    group: GroundingRpc,
    path: rpcPath,
    protocol: "http",
    concurrency: concurrentCallsMax
  }).pipe(
    Layer.provide([GroundingRpcHandlers.layer({ tenantId }), RpcSerialization.layerNdjson])
  )
  return HttpRouter.serve(Layer.mergeAll(rpc, health), { disableListenLog: true }).pipe(
    Layer.provideMerge(listener(host, port))
  )
}

const listener = (host: string, port: number) =>
  NodeHttpServer.layer(() => createServer(), { host, port }).pipe(
    Layer.catchTag("ServeError", ({ cause }) =>
      Layer.effect(
        HttpServer.HttpServer,
        Effect.fail(new AddressUnusable({ host, port, problem: problemOf(cause) }))
      ))
  )

const problemOf = (cause: unknown): string => {
  const text = String(cause)
  if (text.includes("EADDRINUSE")) return "the port is in use by another process"
  if (text.includes("EACCES")) return "this user may not use the port"
  if (text.includes("ENOTFOUND") || text.includes("EADDRNOTAVAIL")) {
    return "the host is no address of this machine"
  }
  return text
}
