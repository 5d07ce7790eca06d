/** How a call of an agent reaches the operations: the two transports do it differently. */
import type { Effect } from "effect"
import type { CallToolResult } from "effect/ai/McpSchema"
import type { AskedCalls } from "../../application/operations/Calls.ts"

export interface AgentCalls {
  /**
   * Asks by the calls of whoever sent the running message. Fails with `Error` where nothing can be
   * asked; its message is one sentence for a person.
   */
  readonly call: <A, E>(
    use: (calls: AskedCalls) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | Error>
  /** Sees each call of a tool. Absent: nobody does. */
  readonly observed?: ObservedTool
}

export type ObservedTool = (
  tool: string
) => <R>(
  call: Effect.Effect<CallToolResult, never, R>
) => Effect.Effect<CallToolResult, never, R>
