/**
 * A command run within the test's own process, by the program that `bin/wg.js` starts: for what a
 * command says and records. What only a process shows is tested by one.
 */
import { ConfigProvider, Console, Effect, Exit } from "effect"
import { formatWithOptions } from "node:util"
import * as Program from "../../src/wiring/Program.ts"

export interface Ended {
  /** As of the process: 0, or 1 after a failure. */
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Before the command is interrupted, as a process would be killed. */
const runMsMax = 60_000

/** Keeps the lines that standard output and standard error would have. */
const recording = () => {
  const lines = { out: new Array<string>(), err: new Array<string>() }
  const to = (kept: Array<string>) => (...values: ReadonlyArray<unknown>) => {
    kept.push(`${formatWithOptions({ colors: false }, ...values)}\n`)
  }
  const [out, err] = [to(lines.out), to(lines.err)]
  const console: Console.Console = Object.assign(Object.create(globalThis.console), {
    log: out,
    info: out,
    debug: out,
    error: err,
    warn: err,
    trace: err
  })
  return { console, text: () => ({ out: lines.out.join(""), err: lines.err.join("") }) }
}

/** Ends with all that the command opened closed again. Its settings are `env` and nothing else. */
export const run = async (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>
): Promise<Ended> => {
  const { console, text } = recording()
  const exit = await Effect.runPromiseExit(
    Program.run(args).pipe(
      Effect.provideService(Console.Console, console),
      Effect.provide(
        ConfigProvider.layer(ConfigProvider.fromEnv({ env, preserveEmptyStrings: true }))
      ),
      Effect.scoped
    ),
    { signal: AbortSignal.timeout(runMsMax) }
  )
  return { code: Exit.isSuccess(exit) ? 0 : 1, ...text() }
}
