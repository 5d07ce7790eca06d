/**
 * A run of the command line. The first command that runs loads the composition root, not help,
 * completions or a mistyped invocation.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Proxies } from "@web-grounding/safe-fetch/Proxy"
import { Effect, Layer, Logger, Predicate, References } from "effect"
import * as Cli from "../adapters/cli/Cli.ts"
import * as Terminal from "../adapters/cli/terminal/Terminal.ts"
import type { Parts, Wiring } from "../adapters/cli/Wiring.ts"
import * as Redaction from "../infrastructure/Redaction.ts"
import * as Settings from "../infrastructure/Settings.ts"
import * as CheckSettings from "./CheckSettings.ts"

const version = "0.1.0"

/** Once, before the first command's first call. */
const loading = Effect.gen(function*() {
  yield* Effect.forEach(yield* CheckSettings.unreadNames, Cli.printText)
  const { parts } = yield* Effect.promise(() => import("./layers.ts"))
  return parts
})

const wiringOf = (parts: Effect.Effect<Parts>, serving: Effect.Effect<void>): Wiring => ({
  parts,
  config: { check: CheckSettings.check, print: CheckSettings.print },
  serve: (options) =>
    Layer.unwrap(Effect.map(parts, ({ serve }) => serve(options))).pipe(Layer.tap(() => serving)),
  // An agent is served before the composition root is loaded.
  mcp: (options) =>
    Layer.unwrap(
      Effect.map(Effect.promise(() => import("./Mcp.ts")), ({ layer }) => layer(parts, options))
    )
})

/** Logs go to standard error, without secrets: standard output belongs to the answer. */
const surroundings = Settings.layerBy((settings) =>
  Layer.merge(
    Logger.layer([Redaction.logger(Settings.secretsOf(settings), settings.LOG_FORMAT)]),
    Layer.succeed(Proxies, Settings.proxiesOf(settings))
  )
).pipe(
  Layer.provide(Settings.layer),
  // An invalid setting is reported by the command that needs it.
  Layer.catchTag("SettingsInvalid", () => Logger.layer([Redaction.logger([])]))
)

const isReported = Predicate.isTagged("ShowHelp")

/**
 * A failure sets the exit code to 1, or 2 for invalid settings. `serving` runs once calls are
 * answered, for the command that serves.
 */
export const run = (args: ReadonlyArray<string>, serving: Effect.Effect<void> = Effect.void) =>
  Effect.cached(loading).pipe(
    Effect.map((parts) => wiringOf(parts, serving)),
    Effect.flatMap((wiring) => Cli.run(wiring, version)(args)),
    Effect.tapError((failure) => isReported(failure) ? Effect.void : Cli.printFailure(failure)),
    Effect.tapDefect((defect) => Effect.logError("a bug ended the command", defect)),
    Effect.provide(Layer.mergeAll(NodeServices.layer, Cli.presenter, Terminal.layer, surroundings)),
    Effect.provideService(References.MinimumLogLevel, "Info")
  )
