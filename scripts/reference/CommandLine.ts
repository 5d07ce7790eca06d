/** Reference of the command line, made of the commands' own help. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Option, Ref } from "effect"
import { CliOutput, type HelpDoc } from "effect/cli"
import * as Cli from "../../src/adapters/cli/Cli.ts"

/** More commands than this are not asked for: one of them names itself. */
const commandsMax = 200

/** Help starts nothing, so that the parts of a command are never asked for. */
const unused: Parameters<typeof Cli.run>[0] = {
  parts: Effect.never,
  serve: () => Layer.empty,
  config: { check: Effect.never, print: Effect.never },
  mcp: () => Layer.empty
}

const helpOf = Effect.fnUntraced(function*(path: ReadonlyArray<string>) {
  const shown = yield* Ref.make(Option.none<HelpDoc.HelpDoc>())
  const presenter = CliOutput.layerPresenter({
    present: (event) =>
      event._tag === "Version" ? Effect.void : Ref.set(shown, Option.some(event.helpDoc))
  })
  yield* Cli.run(unused, "0")([...path, "--help"]).pipe(
    Effect.provide(Layer.merge(NodeServices.layer, presenter))
  )
  return yield* Effect.fromOption(yield* Ref.get(shown))
})

interface Page {
  readonly path: ReadonlyArray<string>
  readonly help: HelpDoc.HelpDoc
}

const subcommandsOf = ({ subcommands = [] }: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))

/** Every command in the order of help, each before its subcommands. */
const pages = Effect.gen(function*() {
  const found: Array<Page> = []
  let open: ReadonlyArray<ReadonlyArray<string>> = [[]]
  while (open.length > 0 && found.length < commandsMax) {
    const [path = [], ...rest] = open
    const help = yield* helpOf(path)
    found.push({ path, help })
    open = [...subcommandsOf(help).map((name) => [...path, name]), ...rest]
  }
  return found
})

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s+/g, " ").trim()

/** A flag that may be repeated may be left out: help takes it for required all the same. */
const isRepeated = /may be repeated/

const flagRow = ({ aliases, description, name, required, type }: HelpDoc.FlagDoc): string => {
  const names = [`--${name}`, ...aliases].map((one) => `\`${one}\``).join(", ")
  const takes = type === "boolean" ? "" : type.startsWith("<") ? "choice" : type
  const meaning = Option.getOrElse(description, () => "")
  const how = required && !isRepeated.test(meaning) ? ". Required" : ""
  return `| ${names} | ${cell(takes)} | ${cell(meaning)}${how} |`
}

const argumentRow = ({ description, name, required, type, variadic }: HelpDoc.ArgDoc): string => {
  const meaning = Option.getOrElse(description, () => "")
  const how = `${required ? "" : ". May be left out"}${variadic ? ". May be repeated" : ""}`
  return `| \`<${name}>\` | ${cell(type)} | ${cell(meaning)}${how} |`
}

const tableOf = (rows: ReadonlyArray<string>): ReadonlyArray<string> =>
  rows.length === 0
    ? []
    : ["", "| Argument or flag | Takes | Meaning |", "| --- | --- | --- |", ...rows]

const sectionOf = ({ help, path }: Page): ReadonlyArray<string> => {
  const examples = help.examples ?? []
  const isGroup = subcommandsOf(help).length > 0
  return [
    "",
    `${path.length > 1 ? "###" : "##"} ${path.join(" ")}`,
    "",
    `${help.description}.`,
    ...(isGroup ? [] : ["", "```text", help.usage, "```"]),
    ...tableOf([...(help.args ?? []).map(argumentRow), ...help.flags.map(flagRow)]),
    ...examples.flatMap(({ command, description = "" }) => [
      "",
      `${description}:`,
      "",
      "```sh",
      command,
      "```"
    ])
  ]
}

/** The whole page of `docs/reference/cli.md`. */
export const text = Effect.gen(function*() {
  const [top, ...commands] = yield* pages
  return [
    "# Command line",
    "",
    "Every command with its arguments and flags. In a clone it is `npm run -s wg -- <command>`. Written by",
    "`node scripts/references.ts --write` from the commands' own help; a test compares them.",
    "",
    "The answer goes to standard output, progress and failures to standard error. A command ends with 0, or",
    "with 1 after a failure, which it reports in one sentence; `config check` ends with 2 where a setting has a",
    "problem. [messages.md](messages.md) says what those sentences mean, [settings.md](settings.md) lists",
    "the settings.",
    "",
    "## Flags of every command",
    ...tableOf((top?.help.globalFlags ?? []).map(flagRow)),
    ...commands.flatMap(sectionOf),
    ""
  ].join("\n")
})
