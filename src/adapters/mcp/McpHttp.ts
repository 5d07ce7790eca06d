/**
 * The face for agents over HTTP. A module of its own: over standard input and output an agent is
 * answered before the application is loaded.
 */
import { Effect, Layer } from "effect"
import { callerOf } from "../../application/Access.ts"
import { healthSeenBy } from "../../application/AskHealth.ts"
import { EvidenceApi } from "../../application/EvidenceApi.ts"
import { PublicApi } from "../../application/PublicApi.ts"
import { QueryReadModels } from "../../application/QueryReadModels.ts"
import { ServiceCalls } from "../../application/ServiceCalls.ts"
import type { AgentCalls, ObservedTool } from "./AgentCalls.ts"
import { type Allowed, registrationsOf, route } from "./McpFace.ts"

/** A route beside the others, behind their guard; each call takes a place of its kind. */
export const http = ({ observed, ...allowed }: Allowed & { readonly observed?: ObservedTool }) =>
  Layer.unwrap(Effect.gen(function*() {
    const api = yield* PublicApi
    const evidence = yield* EvidenceApi
    const records = yield* QueryReadModels
    const { placed } = yield* ServiceCalls
    const calls: AgentCalls = {
      call: (name) => (use) =>
        Effect.flatMap(
          callerOf("mcp"),
          (caller) => {
            const asked = { api, evidence, records, caller, sees: healthSeenBy(caller) }
            return placed(name, caller)(use(asked))
          }
        ),
      ...(observed === undefined ? {} : { observed })
    }
    return route(allowed, registrationsOf(calls))
  }))
