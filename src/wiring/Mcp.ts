/**
 * MCP for one agent over standard input and output. The first call opens the data directory; it is
 * closed after some idle time, so that other processes can use it. While a service holds it, that
 * service is called.
 */
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import { Effect, Layer, Predicate, RcRef, Schedule } from "effect"
import type { Wiring } from "../adapters/cli/Wiring.ts"
import type { AgentCalls } from "../adapters/mcp/AgentToolHandlers.ts"
import * as McpFace from "../adapters/mcp/McpFace.ts"

/** Idle time before it is closed. */
const idleMsMax = 10_000
/** Longest wait for a directory that another process has open, and the poll interval. */
const heldMsMax = 15_000
const heldEvery = "500 millis"

const isHeld = Predicate.isTagged("DirectoryHeld")

export const layer = (
  parts: Wiring["parts"],
  options: {
    readonly mock: boolean
    readonly model?: string | undefined
  }
) =>
  Layer.unwrap(Effect.gen(function*() {
    let isWarned = false
    const opened = yield* RcRef.make({
      idleTimeToLive: idleMsMax,
      acquire: Effect.gen(function*() {
        const { calls, warned } = yield* Effect.flatMap(
          parts,
          ({ calls }) => calls({ ...options, actor: "mcp" })
        ).pipe(
          Effect.retry({
            while: isHeld,
            schedule: Schedule.spaced(heldEvery).pipe(Schedule.upTo({ duration: heldMsMax }))
          })
        )
        if (!isWarned) yield* warned
        isWarned = true
        return calls
      })
    })
    const calls: AgentCalls = {
      call: (use) =>
        RcRef.get(opened).pipe(
          Effect.flatMap(use),
          // A stopped service may have left the directory to this process.
          Effect.tapError((failure) =>
            Predicate.isTagged(failure, "StoreUnavailable")
              ? RcRef.invalidate(opened)
              : Effect.void
          ),
          Effect.scoped
        )
    }
    return McpFace.stdio(calls)
  })).pipe(Layer.provide(NodeStdio.layer))
