/** The command line; reports what is wrong with an invocation in one sentence. */
import { Console, Effect } from "effect"
import { type CliError, CliOutput, Command } from "effect/cli"
import { make as anchors } from "./AnchorsCommand.ts"
import { audit, make as receipt, verify } from "./AuditCommands.ts"
import {
  make as erase,
  makePayloadsCommand as payloads,
  makeRetentionCommand as retention
} from "./EraseCommand.ts"
import { make as evidence } from "./EvidenceCommand.ts"
import { exporting, importCommand } from "./ExportCommands.ts"
import { make as ground, makeSearchCommand as search } from "./GroundCommand.ts"
import { make as health, makeReadinessCommand as readiness } from "./HealthCommand.ts"
import { outline, research } from "./ResearchCommands.ts"
import {
  config,
  make as mcp,
  makeProjectionsCommand as projections,
  migrate,
  sandbox,
  serve
} from "./ServerCommands.ts"
import { make as replay, pack, session, sessions } from "./SessionCommands.ts"
import { make as tokens } from "./TokensCommand.ts"
import { make as whatIf } from "./WhatIfCommand.ts"
import type { Wiring } from "./Wiring.ts"

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

export const run = (wiring: Wiring, version: string) =>
  Command.runWith(
    Command.make(name).pipe(
      Command.withDescription("Facts from the open web for one question, cited and recorded"),
      Command.withSubcommands([
        ground(wiring),
        search(wiring),
        research(wiring),
        outline(wiring),
        sessions(wiring),
        session(wiring),
        pack(wiring),
        replay(wiring),
        whatIf(wiring),
        exporting(wiring),
        importCommand(wiring),
        audit(wiring),
        anchors(wiring),
        receipt(wiring),
        verify(wiring),
        erase(wiring),
        health(wiring),
        readiness(wiring),
        payloads(wiring),
        projections(wiring),
        retention(wiring),
        evidence(wiring),
        tokens(wiring),
        serve(wiring),
        mcp(wiring),
        sandbox(wiring),
        config(wiring),
        migrate(wiring)
      ])
    ),
    { version }
  )

export const printText = (text: string): Effect.Effect<void> =>
  Console.error(text.split("\n").map((line) => `${name}: ${line}`).join("\n"))

export const printFailure = (failure: unknown): Effect.Effect<void> =>
  printText(failure instanceof Error ? failure.message : String(failure))
