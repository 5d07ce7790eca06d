/** `mcp`: serves one agent over standard input and output, which belong to the protocol. */
import { Cause, Effect, Exit, Fiber, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { commandFailed } from "./terminal/CommandFailed.ts"
import type { Wiring } from "./Wiring.ts"

export const make = (wiring: Wiring) =>
  Command.make(
    "mcp",
    {
      sandbox: Flag.Boolean("sandbox").pipe(
        Flag.withDescription("Search the bundled sandbox: no key, no internet"),
        Flag.withDefault(false)
      ),
      model: Flag.String("model").pipe(
        Flag.withDescription("Model to think with; with --sandbox one of its own, e.g. good"),
        Flag.optional
      )
    },
    ({ model, sandbox }) =>
      untilInputEnds(
        Layer.launch(wiring.mcp({ mock: sandbox, model: Option.getOrUndefined(model) }))
      ).pipe(Effect.mapError(commandFailed))
  ).pipe(Command.withDescription("Serve one agent over MCP on standard input and output"))

/** The protocol interrupts the fiber that serves when its input ends: that is no failure. */
const untilInputEnds = <A, E>(serving: Effect.Effect<A, E>) =>
  Effect.forkChild(serving).pipe(
    Effect.flatMap(Fiber.await),
    Effect.flatMap((exit) =>
      Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)
        ? Effect.failCause(exit.cause)
        : Effect.void
    )
  )
