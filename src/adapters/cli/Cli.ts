/** The command line; reports what is wrong with an invocation in one sentence. */
import { Console, Effect } from "effect"
import { type CliError, CliOutput, Command } from "effect/cli"
import { anchors } from "./AnchorsCommand.ts"
import { audit, receipt, verify } from "./AuditCommands.ts"
import { erase, payloads, retention } from "./EraseCommand.ts"
import { evidence } from "./EvidenceCommand.ts"
import { exporting, importCommand } from "./ExportCommands.ts"
import { ground, search } from "./GroundCommand.ts"
import { health, readiness } from "./HealthCommand.ts"
import { outline, research } from "./ResearchCommands.ts"
import { config, mcp, migrate, projections, sandbox, serve } from "./ServerCommands.ts"
import { pack, replay, session, sessions } from "./SessionCommands.ts"
import { tokens } from "./TokensCommand.ts"
import { whatIf } from "./WhatIfCommand.ts"
import { CommandWiring, type Wiring } from "./Wiring.ts"

const name = "web-grounding"

/** Shows help if requested; a mistyped invocation gets its error and where to read on. */
export const presenter = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Console.error(
        `${name}: ${event.errors.map(mistakeOf).join("; ")} ` +
          `(see: ${event.commandPath.join(" ")} --help)`
      )
      : CliOutput.defaultPresenter.present(event)
})

const mistakeOf = (error: CliError.CliError): string => {
  const [line = ""] = error.message.split("\n")
  if (error._tag !== "UnknownSubcommand" && error._tag !== "UnrecognizedOption") return line
  const mistake = error._tag === "UnknownSubcommand"
    ? `Unknown command "${error.subcommand}"`
    : line
  const near = error.suggestions.join(" or ")
  return near === "" ? mistake : `${mistake}: did you mean ${near}?`
}

const commands = Command.make(name).pipe(
  Command.withDescription("Facts from the open web for one question, cited and recorded"),
  Command.withSubcommands([
    ground,
    search,
    research,
    outline,
    sessions,
    session,
    pack,
    replay,
    whatIf,
    exporting,
    importCommand,
    audit,
    anchors,
    receipt,
    verify,
    erase,
    health,
    readiness,
    payloads,
    projections,
    retention,
    evidence,
    tokens,
    serve,
    mcp,
    sandbox,
    config,
    migrate
  ])
)

export const run = (wiring: Wiring, version: string) => (args: ReadonlyArray<string>) =>
  Effect.provideService(Command.runWith(commands, { version })(args), CommandWiring, wiring)

export const printText = (text: string): Effect.Effect<void> =>
  Console.error(text.split("\n").map((line) => `${name}: ${line}`).join("\n"))

export const printFailure = (failure: unknown): Effect.Effect<void> =>
  printText(failure instanceof Error ? failure.message : String(failure))
