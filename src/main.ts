/** The process: the command line, with the settings of its environment. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Exit, Runtime } from "effect"
import * as Settings from "./infrastructure/Settings.ts"
import * as Program from "./wiring/Program.ts"

/** A service that ends in order when an orchestrator says so has not failed. */
const ending = { isServing: false, isAsked: false }
process.once("SIGTERM", () => {
  ending.isAsked = true
})

const teardown: Runtime.Teardown = (exit, onExit) =>
  ending.isServing && ending.isAsked && Exit.isFailure(exit) &&
    Cause.hasInterruptsOnly(exit.cause)
    ? onExit(0)
    : Runtime.defaultTeardown(exit, onExit)

const serving = Effect.sync(() => {
  ending.isServing = true
})

const program = Program.run(process.argv.slice(2), serving).pipe(
  Effect.provide(Settings.environment)
)

NodeRuntime.runMain(program, { disableErrorReporting: true, teardown })
