/** The span of a tool's call, joined to the trace that its client names in `_meta.traceparent`. */
import { Effect, Option, Predicate } from "effect"
import { McpRequestContext } from "effect/ai/McpSchema"
import { Headers, HttpTraceContext } from "effect/http"
import type { ToolName } from "./ToolSchema.ts"

/** Parent span that the client sent beside the arguments; none where it does not parse. */
const parentOf = (metadata: unknown) =>
  Predicate.hasProperty(metadata, "traceparent") && typeof metadata.traceparent === "string"
    ? HttpTraceContext.w3c(Headers.fromInput({ traceparent: metadata.traceparent }))
    : Option.none()

/** Traces a call. Without a parent of its own it stands below the request that it came with. */
export const traced = (name: ToolName) => <A, E, R>(call: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    McpRequestContext,
    ({ protocolVersion, requestMetadata }) =>
      Effect.withSpan(call, `tools/call ${name}`, {
        kind: "server",
        attributes: {
          "mcp.method.name": "tools/call",
          "mcp.protocol.version": protocolVersion,
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": name
        },
        ...Option.match(parentOf(requestMetadata), {
          onNone: () => ({}),
          onSome: (parent) => ({ parent })
        })
      })
  )
