/** `readiness`: whether web search can be relied on here, and what to do if not. */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import type { ReadinessReport } from "../../domain/health/Readiness.ts"
import { CommandFailed, commandFailed } from "./terminal/CommandFailed.ts"
import { jsonFlag } from "./terminal/JsonFlag.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { indent } from "./terminal/Wrapping.ts"
import { asking, type Wiring } from "./Wiring.ts"

export const make = (wiring: Wiring) =>
  Command.make(
    "readiness",
    {
      sandbox: Flag.Boolean("sandbox").pipe(
        Flag.withDescription("Audit the bundled sandbox instead of the web"),
        Flag.withDefault(false)
      ),
      json: jsonFlag()
    },
    Effect.fnUntraced(function*({ json, sandbox }) {
      const report = yield* asking(
        wiring,
        { mock: sandbox },
        ({ CheckReadiness }) => CheckReadiness({})
      ).pipe(Effect.mapError(commandFailed))
      const style = yield* Terminal.style
      yield* Console.log(json ? JSON.stringify(report, undefined, 2) : textOf(report, style))
      if (report.verdict === "WEB_SEARCH_UNRELIABLE") {
        return yield* new CommandFailed({ sentence: `${report.score}/6 checks passed` })
      }
    })
  ).pipe(
    Command.withDescription("Audit web search with one real search; exit code 1 when unreliable")
  )

const textOf = (
  { checks, next_steps, score, verdict }: ReadinessReport,
  { columns, doubtful, good, strong }: Terminal.Style
): string =>
  [
    ...checks.flatMap(({ finding, name, passed }) => {
      const [first = "", ...rest] = indent(`${name.padEnd(20)} ${finding}`, 6, 8, columns)
      return [`${passed ? good("pass") : doubtful("FAIL")}${first.slice(4)}`, ...rest]
    }),
    "",
    strong(`${score}/6 → ${verdict}`),
    ...next_steps.flatMap((step) => indent(`Next: ${step}`, 0, 6, columns))
  ].join("\n")
