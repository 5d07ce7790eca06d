/** Text styles, none if the output is not a terminal or `NO_COLOR` is set. */
import {
  Config,
  Console,
  Effect,
  FileSystem,
  Layer,
  type PlatformError,
  Predicate,
  Runtime,
  Schema
} from "effect"
import { TerminalCapabilities } from "effect/cli"
import { inspect } from "node:util"
import * as TerminalText from "../../../infrastructure/TerminalText.ts"
import details from "./EngineDetails.json" with { type: "json" }

export interface Style {
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
  readonly good: (text: string) => string
  readonly doubtful: (text: string) => string
  readonly columns: number
}

const columnsMax = 100
const columnsMin = 40

const escape = String.fromCharCode(27)
const wrap = (code: number) => (text: string) => `${escape}[${code}m${text}${escape}[0m`
const as = (text: string): string => text

const plain = { strong: as, faint: as, good: as, doubtful: as }
const coloured = { strong: wrap(1), faint: wrap(2), good: wrap(32), doubtful: wrap(33) }

const styled = (isColoured: boolean, columns: number = columnsMax): Style => ({
  ...(isColoured ? coloured : plain),
  columns: Math.max(columnsMin, Math.min(columnsMax, columns))
})

export const style: Effect.Effect<Style> = Effect.map(
  TerminalCapabilities.TerminalCapabilities,
  ({ canColor }) => styled(canColor, process.stdout.columns)
)

/** Style of progress, for standard error, since only one of the two may be a file. */
export const progressStyle: Effect.Effect<Style> = Config.String("NO_COLOR").pipe(
  Config.withDefault(""),
  Effect.orElseSucceed(() => ""),
  Effect.map((noColor) => styled(process.stderr.isTTY && noColor === "", process.stderr.columns))
)

/** JSON, or the text or lines that `text` makes. */
export const print = <A>(
  asJson: boolean,
  answer: A,
  text: (answer: A, style: Style) => string | ReadonlyArray<string>
) =>
  Effect.flatMap(style, (style) =>
    Console.log(
      asJson ? JSON.stringify(answer, undefined, 2) : [text(answer, style)].flat().join("\n")
    ))

// Escapes everything that is printed: ids, titles, questions and failures come from callers, pages
// and files.

/** Wraps the current console. Our own styles stay if the terminal shows colours. */
export const layer = Layer.effect(
  Console.Console,
  Effect.gen(function*() {
    const { canColor } = yield* TerminalCapabilities.TerminalCapabilities
    return escaping(yield* Console.Console, canColor ? TerminalText.styled : TerminalText.plainText)
  })
)

const escaping = (under: Console.Console, safe: (text: string) => string): Console.Console => {
  const shown = (value: unknown): unknown => {
    if (typeof value === "string") return safe(value)
    return Predicate.isObjectOrArray(value) ? safe(inspect(value)) : value
  }
  return new Proxy(under, {
    get: (_, method) => (...values: ReadonlyArray<unknown>) =>
      Reflect.get(under, method)(...values.map(shown))
  })
}

// Wraps text for a terminal, where Chinese, Japanese and Korean characters take two columns.

const unspaced = "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}"
const wide = new RegExp(
  `[${unspaced}\\p{scx=Hangul}\\p{Emoji_Presentation}\\u3000-\\u303F\\uFF01-\\uFF60\\uFFE0-\\uFFE6]`,
  "v"
)
const unseen = /[\p{Mn}\p{Me}\p{Cf}]/v
/** Spaces, a breakable character with marks that may not begin a line, or a word. */
const piece = new RegExp(
  ` +|[[${unspaced}]&&[\\p{L}]][ー々\\p{Pe}\\p{Pf}、。，．！？]*|(?:(?![[${unspaced}]&&[\\p{L}]])[^ ])+`,
  "gv"
)

export const widthOf = (text: string): number =>
  Array.from(text).reduce((sum, character) => {
    if (unseen.test(character)) return sum
    return sum + (wide.test(character) ? 2 : 1)
  }, 0)

/** Indents the first line by `first` spaces, the others by `rest`; a long word is not broken. */
export const indent = (
  text: string,
  columns: number,
  first = 0,
  rest = first + 2
): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = " ".repeat(first)
  for (const [part] of text.matchAll(piece)) {
    const isSpace = part.startsWith(" ")
    if (!isSpace && widthOf(line) + widthOf(part) > columns && line.trim() !== "") {
      lines.push(line.trimEnd())
      line = " ".repeat(rest)
    }
    line += isSpace && line.trim() === "" ? "" : part
  }
  return [...lines, line.trimEnd()]
}

/**
 * Parts separated by two spaces, as many a line as fit. A part wider than a line is broken at its
 * spaces.
 */
export const indentParts = (
  parts: ReadonlyArray<string>,
  columns: number,
  first = 0,
  rest = first + 2
): ReadonlyArray<string> =>
  parts.reduce<ReadonlyArray<string>>((lines, part) => {
    const last = lines.at(-1)
    const joined = last === undefined ? undefined : `${last}  ${part}`
    if (joined !== undefined && widthOf(joined) <= columns) return [...lines.slice(0, -1), joined]
    return [...lines, ...indent(part, columns, last === undefined ? first : rest, rest)]
  }, [])

export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  sentence: Schema.String,
  /** Exit code of the process. Default 1. */
  code: Schema.optionalKey(Schema.Int)
}) {
  override readonly [Runtime.errorExitCode] = this.code ?? 1

  override get message(): string {
    return this.sentence
  }
}

export const commandFailed = (failure: Error): CommandFailed =>
  failure instanceof CommandFailed ? failure : new CommandFailed({ sentence: failure.message })

/** Ends a command with one sentence, where that is so. */
export const failWhen = (
  isFailed: boolean,
  sentence: string
): Effect.Effect<void, CommandFailed> => isFailed ? new CommandFailed({ sentence }) : Effect.void

const faultTexts: Partial<Record<string, string>> = {
  NotFound: "no such file or folder",
  PermissionDenied: "it may not be read"
}

export const becauseOfFile =
  (place: string) => ({ message, reason }: PlatformError.PlatformError): CommandFailed =>
    new CommandFailed({ sentence: `${place}: ${faultTexts[reason._tag] ?? message}` })

export const textOfFile = (file: string) =>
  Effect.flatMap(
    FileSystem.FileSystem,
    ({ readFileString }) => Effect.mapError(readFileString(file), becauseOfFile(file))
  )

// An engine's failure code, with a short explanation.

const plainCode: Readonly<Record<string, string>> = details

/** "http_404, the site answered with status 404"; an unknown code alone. */
export const explained = (code: string): string => {
  const status = /^http_(\d{3})$/.exec(code)?.[1]
  if (status !== undefined) return `${code}, the site answered with status ${status}`
  const words = Object.hasOwn(plainCode, code) ? plainCode[code] : undefined
  return words === undefined ? code : `${code}, ${words}`
}
