/** Counts and times the calls of every face, and those of agents' tools. */
import { Effect, Predicate } from "effect"
import type { ObservedCall } from "../../application/operations/ServiceCalls.ts"
import type { Meters } from "./Meters.ts"
import { timed } from "./ObservedParts.ts"
import { outcomeOf } from "./Outcomes.ts"

export const calls = (meters: Meters): ObservedCall => (operation) => (call) =>
  call.pipe(
    timed((seconds, exit) => {
      meters.add("web_grounding_calls_total", { operation, outcome: outcomeOf(exit) })
      meters.observe("web_grounding_call_duration_seconds", { operation }, seconds)
    }),
    Effect.withSpan("call", { attributes: { operation } })
  )

/** Tools called over MCP: one that failed answers that it did. */
export const tools =
  (meters: Meters) =>
  (gen_ai_tool_name: string) =>
  <A extends { readonly isError?: boolean | undefined }, E, R>(call: Effect.Effect<A, E, R>) => {
    const ended = (error_type: string) => (seconds: number) =>
      meters.observe("mcp_server_operation_duration_seconds", {
        mcp_method_name: "tools/call",
        gen_ai_tool_name,
        error_type
      }, seconds)
    return timed((seconds, exit) => {
      if (exit._tag === "Failure") return ended(outcomeOf(exit))(seconds)
      const isError = Predicate.hasProperty(exit.value, "isError") && exit.value.isError === true
      return ended(isError ? "tool_error" : "")(seconds)
    })(call)
  }
