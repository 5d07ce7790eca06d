/** `serve`, `sandbox`, `migrate` and `config`: what an operator runs. */
import { Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed, commandFailed } from "./terminal/CommandFailed.ts"
import { jsonFlag } from "./terminal/JsonFlag.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { indent } from "./terminal/Wrapping.ts"
import { type EffectiveSetting, part, type SettingFinding, type Wiring } from "./Wiring.ts"

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

/** Exit code of a command whose settings have a problem; other failures end with 1. */
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
