/** `search`: one query through the chain of providers, recorded and budgeted, and what it found. */
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { randomUUID } from "node:crypto"
import * as ListResults from "../../application/ListResults.ts"
import type { SearchFound } from "../../contract/AgentTools.ts"
import * as Input from "../../contract/Input.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import { countedAs } from "./rendering/FactText.ts"
import { commandFailed } from "./terminal/CommandFailed.ts"
import { jsonFlag } from "./terminal/JsonFlag.ts"
import * as Terminal from "./terminal/Terminal.ts"
import type { Style } from "./terminal/Terminal.ts"
import { indent } from "./terminal/Wrapping.ts"
import { asking, type Wiring } from "./Wiring.ts"

/** Longest excerpt shown, in UTF-16 code units. */
const excerptCharsMax = 240

const checkInput = Input.decode(Input.GroundInput)

export const make = (wiring: Wiring) =>
  Command.make(
    "search",
    {
      query: Argument.String("query").pipe(Argument.withDescription("What to search for")),
      sandbox: Flag.Boolean("sandbox").pipe(
        Flag.withDescription("Search the bundled sandbox: no key, no internet"),
        Flag.withDefault(false)
      ),
      json: jsonFlag("Print status and hits as JSON")
    },
    Effect.fnUntraced(
      function*({ json, query, sandbox }) {
        const input = ListResults.inputOf({ query }, `search-${randomUUID().slice(0, 8)}`)
        yield* checkInput(input)
        const { found } = yield* asking(wiring, { mock: sandbox }, ({ Ground }) =>
          ListResults.findHits((report) =>
            Ground(input, report), () => Effect.void))
        const style = yield* Terminal.style
        yield* Console.log(json ? JSON.stringify(found, undefined, 2) : textOf(found, style))
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Send one query to the search providers and list the hits"))

const textOf = (
  { cached_age_ms, hits, status, tool_used }: SearchFound,
  { columns, faint, strong }: Style
): string =>
  [
    `${countedAs(hits.length, "hit")}${tool_used === undefined ? "" : ` by ${tool_used}`} ` +
    `(${status}${cached_age_ms === undefined ? "" : ", as another session found"})`,
    ...hits.flatMap(({ content, published_date, title, url }, place) => [
      "",
      ...indent(`${place + 1}. ${oneLine(title)}`, 0, 3, columns).map(strong),
      ...indent(
        oneLine(url) + (published_date === undefined ? "" : ` (${published_date})`),
        3,
        3,
        columns
      )
        .map(faint),
      ...indent(excerptOf(content), 3, 3, columns)
    ])
  ].join("\n")

const excerptOf = (content: string): string => {
  const line = oneLine(content)
  return line.length <= excerptCharsMax ? line : `${line.slice(0, excerptCharsMax).trimEnd()}…`
}
