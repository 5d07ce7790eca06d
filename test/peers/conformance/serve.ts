/**
 * Serves what the official suite calls, by the server, the guard and the route that agents meet,
 * on the port that is named, and says so. Its own origin may call, as an operator would have to
 * allow it. Ends with its input.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Layer } from "effect"
import * as HttpFace from "../../../src/adapters/http/HttpFace.ts"
import * as McpFace from "../../../src/adapters/mcp/McpFace.ts"
import * as GroundingRpcServer from "../../../src/adapters/rpc/GroundingRpcServer.ts"
import { scripted } from "../../support/grounding.ts"
import { behind, host } from "../../support/service.ts"
import * as AskingTools from "./fixture/AskingTools.ts"
import * as PlainTools from "./fixture/PlainTools.ts"
import * as Records from "./fixture/Records.ts"

const port = Number(process.argv[2])
const origins = [`http://${host}:${port}`]

const registrations = Layer.effectDiscard(
  Effect.all([PlainTools.register, AskingTools.register, Records.register], { discard: true })
)

const service = Layer.effectDiscard(Console.log("ready")).pipe(
  Layer.provide(GroundingRpcServer.layer({
    host,
    port,
    beside: [HttpFace.httpFace, { layer: McpFace.route({ origins }, registrations) }],
    allowed: { hosts: [], origins }
  })),
  Layer.provide(behind(scripted("hangs")))
)

process.stdin.resume().on("end", () => process.exit(0))
NodeRuntime.runMain(Layer.launch(service))
