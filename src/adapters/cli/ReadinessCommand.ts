/** `readiness`: whether web search can be relied on here, and what to do if not. */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import type { ReadinessReport } from "../../domain/health/Readiness.ts"
import { because, CommandFailed } from "./CommandFailed.ts"
import * as Terminal from "./Terminal.ts"
import type { Wiring } from "./Wiring.ts"

export const make = (wiring: Wiring) =>
  Command.make(
    "readiness",
    {
      sandbox: Flag.Boolean("sandbox").pipe(
        Flag.withDescription("Audit the bundled sandbox instead of the web"),
        Flag.withDefault(false)
      ),
      json: Flag.Boolean("json").pipe(
        Flag.withDescription("Print JSON instead of text"),
        Flag.withDefault(false)
      )
    },
    Effect.fnUntraced(function*({ json, sandbox }) {
      const report = yield* Effect.mapError(wiring.readiness({ mock: sandbox }), because)
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
  { doubtful, good, strong }: Terminal.Style
): string =>
  [
    ...checks.map(({ finding, name, passed }) =>
      `${passed ? good("pass") : doubtful("FAIL")}  ${name.padEnd(20)} ${finding}`
    ),
    "",
    strong(`${score}/6 → ${verdict}`),
    ...next_steps.map((step) => `Next: ${step}`)
  ].join("\n")
