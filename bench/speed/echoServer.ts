/**
 * A bare RPC server in a process of its own: whatever `Ground` is asked, it answers with the outcome
 * in the file that its argument names. It checks, stores and looks up nothing.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Layer, Schema, Stream } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { groupOf } from "../../src/adapters/rpc/GroundingRpc.ts"
import { operations } from "../../src/contract/Operations.ts"
import { GroundingOutcome } from "../../src/domain/session/GroundingOutcome.ts"

class EchoRpc extends groupOf({ Ground: operations.Ground }) {}

const outcome = Schema.decodeUnknownSync(GroundingOutcome)(
  JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))
)
const handlers = EchoRpc.toLayer({
  Ground: () => Stream.succeed({ _tag: "Outcome" as const, outcome })
})
const rpc = RpcServer.layerHttp({ group: EchoRpc, path: "/rpc", protocol: "http" }).pipe(
  Layer.provide(handlers),
  Layer.provide(RpcSerialization.layerNdjson)
)

const listening = Layer.effectDiscard(
  HttpServer.addressFormattedWith((address) => Console.log(`Echoing on ${address}`))
)

NodeRuntime.runMain(Layer.launch(
  HttpRouter.serve(rpc, { disableListenLog: true, disableLogger: true }).pipe(
    Layer.merge(listening),
    Layer.provide(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 }))
  )
))
