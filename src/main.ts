/**
 * The process: the command line, with logs and failures on standard error.
 *
 * The composition root is loaded by the first command that runs. Help, completions and a mistyped
 * invocation do without it.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Logger, Predicate, References } from "effect"
import * as Cli from "./adapters/cli/Cli.ts"
import type { Wiring } from "./adapters/cli/Wiring.ts"
import * as Redaction from "./infrastructure/Redaction.ts"
import * as Settings from "./infrastructure/Settings.ts"

const version = "0.1.0"

const loaded = Effect.map(Effect.promise(() => import("./layers.ts")), ({ wiring }) => wiring)

/** Loads the composition root, then asks it. */
const lazily = <A, E, R>(ask: (wiring: Wiring) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(loaded, ask)

const lazyLayer = <A, E, R>(ask: (wiring: Wiring) => Layer.Layer<A, E, R>) =>
  Layer.unwrap(Effect.map(loaded, ask))

const wiring: Wiring = {
  application: (options) => lazily(({ application }) => application(options)),
  evidence: (options) => lazily(({ evidence }) => evidence(options)),
  serve: (options) => lazyLayer(({ serve }) => serve(options)),
  sandbox: (options) => lazyLayer(({ sandbox }) => sandbox(options)),
  projections: {
    list: lazily(({ projections }) => projections.list),
    rebuild: lazily(({ projections }) => projections.rebuild)
  },
  readiness: (options) => lazily(({ readiness }) => readiness(options)),
  migrate: lazily(({ migrate }) => migrate),
  tenantId: lazily(({ tenantId }) => tenantId)
}

/** Logs go to standard error, without secrets: standard output belongs to the answer. */
const logging = Layer.unwrap(
  Effect.map(
    Settings.Settings,
    (settings) => Logger.layer([Redaction.logger(Settings.secretsOf(settings))])
  )
).pipe(
  Layer.provide(Settings.layer),
  // A setting that cannot be read is told by the command that needs it.
  Layer.catchTag("SettingInvalid", () => Logger.layer([Redaction.logger([])]))
)

const isReported = Predicate.isTagged("ShowHelp")

const program = Cli.run(wiring, version)(process.argv.slice(2)).pipe(
  Effect.tapError((failure) => isReported(failure) ? Effect.void : Cli.tell(failure)),
  Effect.provide(Layer.mergeAll(NodeServices.layer, Cli.presenter, logging)),
  Effect.provide(Settings.environment),
  Effect.provideService(References.MinimumLogLevel, "Info")
)

NodeRuntime.runMain(program, { disableErrorReporting: true })
