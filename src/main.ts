/** The process: the command line, with the settings of its environment. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import * as Settings from "./infrastructure/Settings.ts"
import * as Program from "./wiring/Program.ts"

const program = Program.run(process.argv.slice(2)).pipe(Effect.provide(Settings.environment))

NodeRuntime.runMain(program, { disableErrorReporting: true })
