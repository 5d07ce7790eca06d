/** How a call of an agent reaches the use cases: the two transports do it differently. */
import type { Effect } from "effect"
import type { CallToolResult } from "effect/ai/McpSchema"
import type { HealthOf } from "../../application/AskHealth.ts"
import type { EvidenceApi } from "../../application/EvidenceApi.ts"
import type { Caller } from "../../application/GroundQuestion.ts"
import type { PublicApi } from "../../application/PublicApi.ts"
import type { QueryReadModels } from "../../application/QueryReadModels.ts"
import type { OperationName } from "../../application/ServiceCalls.ts"

export interface Asked {
  readonly api: PublicApi["Service"]
  readonly evidence: EvidenceApi["Service"]
  readonly records: QueryReadModels["Service"]
  readonly caller: Caller
  /** Health figures that the agent may see. */
  readonly sees: HealthOf
}

export interface AgentCalls {
  /**
   * `name`: the operation that is asked, whose row says what that takes. Fails with `Error` where
   * nothing can be asked; its message is one sentence for a person.
   */
  readonly call: (
    name: OperationName
  ) => <A, E>(use: (asked: Asked) => Effect.Effect<A, E>) => Effect.Effect<A, E | Error>
  /** Sees each call of a tool. Absent: nobody does. */
  readonly observed?: ObservedTool
}

export type ObservedTool = (
  tool: string
) => <R>(
  call: Effect.Effect<CallToolResult, never, R>
) => Effect.Effect<CallToolResult, never, R>
