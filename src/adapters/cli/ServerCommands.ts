/** `serve`, `sandbox`, `migrate` and `config`: commands for an operator. */
import { Cause, Console, Effect, Exit, Fiber, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { LagView } from "../../contract/HealthView.ts"
import type { RebuiltView } from "../../contract/Replayed.ts"
import * as Flags from "./terminal/Flags.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { CommandFailed, failWhen, indent, indentParts } from "./terminal/Terminal.ts"
import {
  answering,
  ask,
  command,
  CommandWiring,
  type EffectiveSetting,
  part,
  type SettingFinding
} from "./Wiring.ts"

const port = Flag.Int("port").pipe(
  Flag.withDescription("Port to listen on; 0 for any free one"),
  Flag.filter(
    (value) => value >= 0 && value <= 65_535,
    (value) => `Expected a port between 0 and 65535, got ${value}`
  )
)

export const serve = command(
  "serve",
  "Serve RPC, HTTP, MCP and the dashboard until stopped",
  {
    port: Flag.optional(port),
    host: Flags.text("host", "Address to listen on"),
    sandbox: Flags.sandbox,
    model: Flags.model
  },
  function*({ host, model, port, sandbox }) {
    const { serve } = yield* CommandWiring
    yield* Layer.launch(serve({
      mock: sandbox,
      model: Option.getOrUndefined(model),
      host: Option.getOrUndefined(host),
      port: Option.getOrUndefined(port)
    }))
  }
)

export const sandbox = command(
  "sandbox",
  "Serve the bundled corpus like the search providers",
  {
    port: port.pipe(Flag.withDefault(7421))
  },
  function*({ port }) {
    yield* part(({ sandbox }) => Layer.launch(sandbox(port)))
  }
)

export const migrate = command(
  "migrate",
  "Bring the database's schema up to date",
  {},
  function*() {
    const { applied, problem } = yield* part(({ migrate }) => migrate)
    yield* Console.log(
      applied.length === 0 ? "The database is up to date." : `Applied ${applied.join(", ")}.`
    )
    yield* failWhen(problem !== undefined, problem ?? "")
  }
)

/** Exit code for invalid settings; other failures end with 1. */
const problemsExitCode = 2

const check = command(
  "check",
  "Report all faults of the settings; exit code 2 if there is one",
  { json: Flags.json() },
  function*({ json }) {
    const findings = yield* (yield* CommandWiring).config.check
    const problems = findings.filter(({ kind }) => kind !== "choice")
    yield* Terminal.print(json, findings, (_, { columns }) => [
      ...findings.flatMap((finding) => indent(lineOf(finding), columns)),
      ...(problems.length === 0 ? ["The settings fit."] : [])
    ])
    if (problems.length > 0) {
      return yield* new CommandFailed({
        sentence: `The settings have ${problems.length} problem${problems.length > 1 ? "s" : ""}`,
        code: problemsExitCode
      })
    }
  }
)

const print = answering(
  "print",
  "Print every setting with its value and origin, without secrets",
  {},
  () => Effect.flatMap(CommandWiring, ({ config }) => config.print),
  (all) => all.map(rowOf)
)

const lineOf = ({ bounds, fallback, kind, problem, setting }: SettingFinding): string => {
  if (kind !== "invalid") return `${setting} ${problem}`
  return bounds === undefined
    ? `${setting}: ${problem}`
    : `${setting}: ${problem} (${bounds}; default: ${fallback})`
}

const nameColumns = 37
const sourceColumns = 12

const rowOf = ({ name, source, value }: EffectiveSetting): string =>
  `${name.padEnd(nameColumns)} ${source.padEnd(sourceColumns)}${value ?? "none"}`

export const config = Command.make("config").pipe(
  Command.withDescription("Check settings without starting anything"),
  Command.withSubcommands([check, print])
)

// `mcp`: serves one agent over standard input and output, which belong to the protocol.

export const mcp = command("mcp", "Serve one agent over MCP on standard input and output", {
  sandbox: Flags.sandbox,
  model: Flags.model
}, function*({ model, sandbox }) {
  const { mcp } = yield* CommandWiring
  const serving = Layer.launch(mcp({ mock: sandbox, model: Option.getOrUndefined(model) }))
  const exit = yield* Fiber.await(yield* Effect.forkChild(serving))
  // At the end of its input the protocol interrupts the serving fiber: that is no failure.
  if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) yield* exit
})

// `projections`: progress of the read models, and their rebuild from the log.

const list = answering(
  "list",
  "Show each read model's version, state and lag behind the log",
  {},
  () => Effect.map(ask("GetProjections", {}), ({ projections }) => projections),
  (lags, { columns }) => lags.flatMap((lag) => indentParts(partsOf(lag), columns))
)

const rebuild = answering(
  "rebuild",
  "Fold the log again and correct differing rows, while they are in use",
  {},
  () => Effect.map(ask("RebuildProjections", {}), ({ rebuilt }) => rebuilt),
  (all, { columns }) => all.flatMap((rebuilt) => indent(toldOf(rebuilt), columns)),
  (all) => {
    const passed = all.filter(({ passed }) => passed !== undefined).map(({ model }) => model)
    return passed.length === 0 ? "" : `Not all rebuilt: ${passed.join(", ")}`
  }
)

const partsOf = (
  { error, events, model, ms, parked, position, state, version }: LagView
): ReadonlyArray<string> => [
  `${model}@${version}`.padEnd(20),
  state.padEnd(10),
  `at ${position}`,
  events === 0 ? "up to date" : `${events} behind (${Math.round(ms / 1_000)} s)`,
  ...(parked === 0 ? [] : [`${parked} set aside`]),
  ...(error === undefined ? [] : [error])
]

const toldOf = ({ corrected, model, passed, rows }: RebuiltView): string => {
  const name = model.padEnd(20)
  const counts = `${name}${rows} rows, `
  switch (passed) {
    case undefined:
      return `${counts}${corrected === 0 ? "all as the log says" : `${corrected} corrected`}`
    case "moving":
      return `${counts}${corrected} corrected; others changed meanwhile: ask again`
    case "under_way":
      return `${name}not looked at: another rebuild is under way`
    default:
      return `${name}not looked at: ${passed}`
  }
}

export const projections = Command.make("projections").pipe(
  Command.withDescription("Inspect and rebuild read models and caches"),
  Command.withSubcommands([list, rebuild])
)
