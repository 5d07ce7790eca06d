/** The kinds of flags and arguments that commands share. */
import { Option } from "effect"
import { Argument, type Command, Flag } from "effect/cli"

export const argument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

export const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

/** None if it is not given. */
export const many = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(description),
    Flag.atLeast(0),
    Flag.map(Option.liftPredicate((values) => values.length > 0))
  )

export const whole = (name: string, description: string) =>
  Flag.Int(name).pipe(Flag.withDescription(description), Flag.optional)

export const wholeOr = (name: string, otherwise: number, description: string) =>
  Flag.Int(name).pipe(Flag.withDescription(description), Flag.withDefault(otherwise))

export const bool = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

/** `true` if it is given, else none. */
export const given = (name: string, description: string) =>
  bool(name, description).pipe(
    Flag.map((isGiven) => isGiven ? Option.some(true as const) : Option.none())
  )

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
