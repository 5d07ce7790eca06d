/** `serve`, `sandbox`, `migrate` and `config`: commands for an operator. */
import { Cause, Console, Effect, Exit, Fiber, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { ProjectionView, RebuiltView } from "../../contract/Replayed.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { CommandFailed, commandFailed, indent, indentParts, jsonFlag } from "./terminal/Terminal.ts"
import { asking, type EffectiveSetting, part, type SettingFinding, type Wiring } from "./Wiring.ts"

const json = jsonFlag()

const port = Flag.Int("port").pipe(
  Flag.withDescription("Port to listen on; 0 for any free one"),
  Flag.filter(
    (value) => value >= 0 && value <= 65_535,
    (value) => `Expected a port between 0 and 65535, got ${value}`
  )
)

export const serve = (wiring: Wiring) =>
  Command.make(
    "serve",
    {
      port: Flag.optional(port),
      host: Flag.String("host").pipe(
        Flag.withDescription("Address to listen on"),
        Flag.optional
      ),
      sandbox: Flag.Boolean("sandbox").pipe(
        Flag.withDescription("Search the bundled sandbox: no key, no internet"),
        Flag.withDefault(false)
      ),
      model: Flag.String("model").pipe(
        Flag.withDescription("Model to think with; with --sandbox one of its own, e.g. good"),
        Flag.optional
      )
    },
    ({ host, model, port, sandbox }) =>
      Layer.launch(wiring.serve({
        mock: sandbox,
        model: Option.getOrUndefined(model),
        host: Option.getOrUndefined(host),
        port: Option.getOrUndefined(port)
      })).pipe(Effect.mapError(commandFailed))
  ).pipe(Command.withDescription("Serve groundings over RPC until told to stop"))

export const sandbox = (wiring: Wiring) =>
  Command.make(
    "sandbox",
    {
      port: port.pipe(Flag.withDefault(7421)),
      bodies: Flag.String("bodies").pipe(
        Flag.withDescription("Folder of recorded answers to serve instead of the corpus"),
        Flag.optional
      )
    },
    ({ bodies, port }) =>
      part(wiring, ({ sandbox }) =>
        Layer.launch(sandbox({ port, bodies: Option.getOrUndefined(bodies) }))).pipe(
          Effect.mapError(commandFailed)
        )
  ).pipe(Command.withDescription("Serve the bundled corpus as the search providers would"))

export const migrate = (wiring: Wiring) =>
  Command.make(
    "migrate",
    {},
    () =>
      part(wiring, ({ migrate }) => migrate).pipe(
        Effect.mapError(commandFailed),
        Effect.flatMap((applied) =>
          Console.log(
            applied.length === 0
              ? "The database is up to date."
              : `Applied ${applied.join(", ")}.`
          )
        )
      )
  ).pipe(Command.withDescription("Bring the database's schema up to date"))

/** Exit code for invalid settings; other failures end with 1. */
const problemsExitCode = 2

export const config = (wiring: Wiring) =>
  Command.make("config").pipe(
    Command.withDescription("Look at the settings without starting anything"),
    Command.withSubcommands([check(wiring), print(wiring)])
  )

const check = (wiring: Wiring) =>
  Command.make(
    "check",
    { json },
    Effect.fnUntraced(function*({ json }) {
      const findings = yield* Effect.mapError(wiring.config.check, commandFailed)
      const { columns } = yield* Terminal.style
      const problems = findings.filter(({ kind }) => kind !== "choice")
      const lines = findings.flatMap((finding) => indent(lineOf(finding), 0, 2, columns))
      const text = [...lines, ...(problems.length === 0 ? ["The settings fit."] : [])].join("\n")
      yield* Console.log(json ? JSON.stringify(findings, undefined, 2) : text)
      if (problems.length > 0) {
        return yield* new CommandFailed({
          sentence: `The settings have ${problems.length} problem${problems.length > 1 ? "s" : ""}`,
          code: problemsExitCode
        })
      }
    })
  ).pipe(
    Command.withDescription(
      "Tell all that is wrong with the settings; exit code 2 when anything is"
    )
  )

const print = (wiring: Wiring) =>
  Command.make(
    "print",
    { json },
    Effect.fnUntraced(function*({ json }) {
      const all = yield* Effect.mapError(wiring.config.print, commandFailed)
      yield* Console.log(
        json ? JSON.stringify(all.map(fieldsOf), undefined, 2) : all.map(rowOf).join("\n")
      )
    })
  ).pipe(
    Command.withDescription("Print every setting as it holds, and where it comes from; no secret")
  )

const lineOf = ({ bounds, fallback, kind, problem, setting }: SettingFinding): string => {
  if (kind !== "invalid") return `${setting} ${problem}`
  return bounds === undefined
    ? `${setting}: ${problem}`
    : `${setting}: ${problem} (${bounds}; default: ${fallback})`
}

const fieldsOf = ({ name, source, value }: EffectiveSetting) => ({
  name,
  value: Option.getOrNull(value),
  source
})

const nameColumns = 37
const sourceColumns = 12

const rowOf = ({ name, source, value }: EffectiveSetting): string =>
  `${name.padEnd(nameColumns)} ${source.padEnd(sourceColumns)}${
    Option.getOrElse(value, () => "none")
  }`

// `mcp`: serves one agent over standard input and output, which belong to the protocol.

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

/** At the end of its input the protocol interrupts the serving fiber: that is no failure. */
const untilInputEnds = <A, E>(serving: Effect.Effect<A, E>) =>
  Effect.forkChild(serving).pipe(
    Effect.flatMap(Fiber.await),
    Effect.flatMap((exit) =>
      Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)
        ? Effect.failCause(exit.cause)
        : Effect.void
    )
  )

// `projections`: progress of the read models, and their rebuild from the log.

export const makeProjectionsCommand = (wiring: Wiring) =>
  Command.make("projections").pipe(
    Command.withDescription("Look after what is kept beside the log: read models and caches"),
    Command.withSubcommands([list(wiring), rebuild(wiring)])
  )

const list = (wiring: Wiring) =>
  Command.make(
    "list",
    { json },
    Effect.fnUntraced(function*({ json }) {
      const { projections: lags } = yield* asking(
        wiring,
        { mock: false },
        ({ GetProjections }) => GetProjections({})
      ).pipe(Effect.mapError(commandFailed))
      const { columns } = yield* Terminal.style
      yield* Console.log(
        json
          ? JSON.stringify(lags, undefined, 2)
          : lags.flatMap((lag) => indentParts(partsOf(lag), 0, 2, columns)).join("\n")
      )
    })
  ).pipe(Command.withDescription("Show each read model's version, state and distance to the log"))

const rebuild = (wiring: Wiring) =>
  Command.make(
    "rebuild",
    { json },
    Effect.fnUntraced(function*({ json }) {
      const { rebuilt: all } = yield* asking(
        wiring,
        { mock: false },
        ({ RebuildProjections }) => RebuildProjections({})
      ).pipe(Effect.mapError(commandFailed))
      const { columns } = yield* Terminal.style
      yield* Console.log(
        json
          ? JSON.stringify(all, undefined, 2)
          : all.flatMap((rebuilt) => indent(toldOf(rebuilt), 0, 2, columns)).join("\n")
      )
      const passed = all.flatMap(({ model, passed }) => passed === undefined ? [] : [model])
      if (passed.length > 0) {
        return yield* new CommandFailed({ sentence: `Not all rebuilt: ${passed.join(", ")}` })
      }
    })
  ).pipe(
    Command.withDescription(
      "Fold the log anew and put right what differs, while it is read; a sound store stays"
    )
  )

const partsOf = (
  { error, events, model, ms, parked, position, state, version }: typeof ProjectionView.Type
): ReadonlyArray<string> => [
  `${model}@${version}`.padEnd(20),
  state.padEnd(10),
  `at ${position}`,
  events === 0 ? "up to date" : `${events} behind (${Math.round(ms / 1_000)} s)`,
  ...(parked === 0 ? [] : [`${parked} set aside`]),
  ...(error === undefined ? [] : [error])
]

const toldOf = ({ corrected, model, passed, rows }: typeof RebuiltView.Type): string => {
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
