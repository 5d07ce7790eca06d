/**
 * The face for agents over HTTP. A module of its own: over standard input and output an agent is
 * answered before the application is loaded.
 */
import { Effect, Layer } from "effect"
import { callerOf } from "../../application/Access.ts"
import { ServiceCalls } from "../../application/operations/ServiceCalls.ts"
import type { AgentCalls, ObservedTool } from "./AgentCalls.ts"
import { type Allowed, registrationsOf, route } from "./McpFace.ts"

/** A route beside the others, behind their guard; each call takes a place of its kind. */
export const http = ({ observed, ...allowed }: Allowed & { readonly observed?: ObservedTool }) =>
  Layer.unwrap(Effect.map(ServiceCalls, ({ askedBy }) => {
    const calls: AgentCalls = {
      call: (use) => Effect.flatMap(callerOf("mcp"), (caller) => use(askedBy(caller))),
      ...(observed === undefined ? {} : { observed })
    }
    return route(allowed, registrationsOf(calls))
  }))
