/** Emphasis for people, and none where the output is not a terminal or `NO_COLOR` is set. */
import { Config, Effect } from "effect"
import { TerminalCapabilities } from "effect/cli"

export interface Style {
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
  readonly good: (text: string) => string
  readonly doubtful: (text: string) => string
  /** Columns a line may take. */
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

/** Style of the answer: by what standard output is. */
export const style: Effect.Effect<Style> = Effect.map(
  TerminalCapabilities.TerminalCapabilities,
  ({ canColor }) => styled(canColor, process.stdout.columns)
)

/** Style of progress: by what standard error is, since only one of the two may be a file. */
export const progressStyle: Effect.Effect<Style> = Config.String("NO_COLOR").pipe(
  Config.withDefault(""),
  Effect.orElseSucceed(() => ""),
  Effect.map((noColor) => styled(process.stderr.isTTY && noColor === "", process.stderr.columns))
)
