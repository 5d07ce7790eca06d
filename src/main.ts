/** The process: the command line over the wiring, with logs and failures on standard error. */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect, Layer, Predicate, References } from "effect"
import * as Cli from "./adapters/cli/Cli.ts"
import { environment } from "./infrastructure/Settings.ts"
import { logging, version, wiring } from "./layers.ts"

const isReported = Predicate.isTagged("ShowHelp")

const program = Cli.run(wiring, version)(process.argv.slice(2)).pipe(
  Effect.tapError((failure) => isReported(failure) ? Effect.void : Cli.tell(failure)),
  Effect.provide(Layer.mergeAll(NodeServices.layer, Cli.presenter, logging)),
  Effect.provide(environment),
  Effect.provideService(References.MinimumLogLevel, "Info")
)

NodeRuntime.runMain(program, { disableErrorReporting: true })
