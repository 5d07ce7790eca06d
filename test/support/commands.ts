/** The commands' wiring as tests replace parts of it. */
import { Effect, Layer } from "effect"
import type { CallsOptions, Wiring } from "../../src/adapters/cli/Wiring.ts"
import { type AskedCalls, askedCallsOf } from "../../src/application/operations/Calls.ts"
import * as CheckSettings from "../../src/wiring/CheckSettings.ts"
import { parts } from "../../src/wiring/layers.ts"
import { caller } from "./grounding.ts"

export const commands: Wiring = {
  parts: Effect.succeed(parts),
  serve: parts.serve,
  config: CheckSettings,
  mcp: () => Layer.empty
}

/** The commands over these calls of one caller; those left out are not asked. */
export const commandsOver = (
  calls: Partial<AskedCalls>,
  opened: (options: CallsOptions) => void = () => {}
): Wiring => {
  const unasked = askedCallsOf((name) => () => Effect.die(`${name} is not asked here`))
  return {
    ...commands,
    parts: Effect.succeed({
      ...parts,
      calls: (options) =>
        Effect.sync(() => {
          opened(options)
          return { calls: { ...unasked, ...calls }, warned: Effect.void }
        }),
      tenantId: Effect.succeed(caller.tenantId)
    })
  }
}
