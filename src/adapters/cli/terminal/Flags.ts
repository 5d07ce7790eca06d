/** Commands, and the kinds of flags and arguments that they share. */
import { Effect, type Scope } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type CommandFailed, commandFailed } from "./Terminal.ts"

/** A command whose failure is one sentence. Its scope ends with it. */
export const command = <
  const Name extends string,
  const Flags extends Command.Command.Config,
  E extends Error,
  R
>(
  name: Name,
  description: string,
  flags: Flags,
  run: (given: Command.Command.Config.Infer<Flags>) => Effect.Effect<void, E, R>
): Command.Command<
  Name,
  Command.Command.Config.Infer<Flags>,
  object,
  CommandFailed,
  Exclude<R, Scope.Scope>
> =>
  Command.make(
    name,
    flags,
    (given) => run(given).pipe(Effect.scoped, Effect.mapError(commandFailed))
  ).pipe(Command.withDescription(description))

export const argument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

export const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

export const many = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.atLeast(0))

export const whole = (name: string, description: string) =>
  Flag.Int(name).pipe(Flag.withDescription(description), Flag.optional)

export const wholeOr = (name: string, otherwise: number, description: string) =>
  Flag.Int(name).pipe(Flag.withDescription(description), Flag.withDefault(otherwise))

export const bool = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

export const choice = <const Literals extends ReadonlyArray<string>>(
  name: string,
  literals: Literals,
  description: string
) => Flag.Literals(name, literals).pipe(Flag.withDescription(description), Flag.optional)

export const choiceOr = <const Literals extends ReadonlyArray<string>>(
  name: string,
  literals: Literals,
  otherwise: Literals[number],
  description: string
) =>
  Flag.Literals(name, literals).pipe(
    Flag.withDescription(description),
    Flag.withDefault(otherwise)
  )

export const json = (description = "Print JSON instead of text") => bool("json", description)

export const sandbox = bool("sandbox", "Search the bundled sandbox: no key, no internet")

export const model = text("model", "Model to use; with --sandbox one of the sandbox's, e.g. good")

export const session = argument("session", "Session id")

export const oneOrAll = Argument.optional(
  argument("session", "Session id; none with --all")
)

export const rangeFlags = {
  all: bool("all", "Every session of the tenant, the newest first"),
  since: text("since", "With --all: sessions that began at this time or later, ISO 8601"),
  until: text("until", "With --all: sessions that began before this time, ISO 8601"),
  cursor: text("cursor", "With --all: go on after the last session of an earlier run"),
  limit: whole("limit", "With --all: most sessions; default: all")
}

export type RangeGiven = Omit<Command.Command.Config.Infer<typeof rangeFlags>, "all">
