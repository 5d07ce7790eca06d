/** The service over HTTP on loopback with every face, over the bundled sandbox. */
import { Context, Effect, Layer } from "effect"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as HttpFace from "../../src/adapters/http/HttpFace.ts"
import * as McpFace from "../../src/adapters/mcp/McpFace.ts"
import * as GroundingRpcServer from "../../src/adapters/rpc/GroundingRpcServer.ts"
import * as TavilyFace from "../../src/adapters/tavilyapi/TavilyFace.ts"
import * as Access from "../../src/application/Access.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { evidence, instance, limits, sandbox, sandboxProviders } from "./grounding.ts"
import * as MemoryEventStore from "./memory/MemoryEventStore.ts"
import { host } from "./service.ts"

/** Without the router that it serves by: the service has its own. */
export const sandboxAlone = Layer.effect(
  SandboxServer.SandboxServer,
  Effect.map(Layer.build(sandbox), Context.get(SandboxServer.SandboxServer))
)

export const sandboxService = GroundingRpcServer.layer({
  host,
  port: 0,
  beside: [HttpFace.httpFace, TavilyFace.tavilyFace, McpFace.http({ origins: [] })]
}).pipe(
  Layer.provide(Layer.mergeAll(useCases, evidence, Access.open("default"))),
  Layer.provide(Layer.mergeAll(sandboxProviders, MemoryEventStore.layer, instance("p1"), limits())),
  Layer.provide(sandboxAlone)
)
