/**
 * The console of the command line: all that is printed, by whatever command, is escaped here.
 *
 * Ids, titles, questions and failures come from callers, pages and files. Escaping them where they
 * are printed would have to be remembered at each place.
 */
import { Console, Effect, Layer } from "effect"
import { TerminalCapabilities } from "effect/cli"
import { inspect } from "node:util"
import * as TerminalText from "../../../infrastructure/TerminalText.ts"

/** Over the console that is there. Our own styles stay where the terminal shows colours. */
export const layer = Layer.effect(
  Console.Console,
  Effect.gen(function*() {
    const { canColor } = yield* TerminalCapabilities.TerminalCapabilities
    return escaping(yield* Console.Console, canColor ? TerminalText.styled : TerminalText.plainText)
  })
)

type Print = (...values: ReadonlyArray<unknown>) => void

const escaping = (
  under: Console.Console,
  safe: (text: string) => string
): Console.Console => {
  const printing = (print: Print): Print => (...values) =>
    print(...values.map((value) => safe(typeof value === "string" ? value : inspect(value))))
  return {
    assert: (condition, ...values) =>
      printing((...safe) => under.assert(condition, ...safe))(...values),
    clear: () => under.clear(),
    count: (label) => under.count(label),
    countReset: (label) => under.countReset(label),
    debug: printing((...values) => under.debug(...values)),
    dir: printing((value) => under.log(value)),
    dirxml: printing((...values) => under.log(...values)),
    error: printing((...values) => under.error(...values)),
    group: printing((...values) => under.group(...values)),
    groupCollapsed: printing((...values) => under.groupCollapsed(...values)),
    groupEnd: () => under.groupEnd(),
    info: printing((...values) => under.info(...values)),
    log: printing((...values) => under.log(...values)),
    table: printing((table) => under.log(table)),
    time: (label) => under.time(label),
    timeEnd: (label) => under.timeEnd(label),
    timeLog: (label, ...values) => printing((...safe) => under.timeLog(label, ...safe))(...values),
    trace: printing((...values) => under.trace(...values)),
    warn: printing((...values) => under.warn(...values))
  }
}
