/** `search`: one query through the chain of providers, recorded and budgeted, and what it found. */
import { Console, Effect, Ref } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { randomUUID } from "node:crypto"
import type { Caller } from "../../application/GroundQuestion.ts"
import * as Input from "../../contract/Input.ts"
import type { Called } from "../../domain/session/SessionEvent.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import { countedAs } from "./FactText.ts"
import { because } from "./terminal/CommandFailed.ts"
import type { Style } from "./terminal/Terminal.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { indent } from "./terminal/Wrapping.ts"
import type { Wiring } from "./Wiring.ts"

type Hits = typeof Called.Type["hits"]

/** Of an excerpt that is shown, in UTF-16 code units. */
const excerptCharsMax = 240

const checkInput = Input.decode(Input.GroundInput)

export const make = ({ application, tenantId }: Wiring) =>
  Command.make(
    "search",
    {
      query: Argument.String("query").pipe(Argument.withDescription("What to search for")),
      sandbox: Flag.Boolean("sandbox").pipe(
        Flag.withDescription("Search the bundled sandbox: no key, no internet"),
        Flag.withDefault(false)
      ),
      json: Flag.Boolean("json").pipe(
        Flag.withDescription("Print status and hits as JSON"),
        Flag.withDefault(false)
      )
    },
    Effect.fnUntraced(
      function*({ json, query, sandbox }) {
        const input = {
          topic: query,
          session_id: `search-${randomUUID().slice(0, 8)}`,
          phase: "mid_chat",
          user_asked_for_facts: true,
          overrides: { queries: [query], max_queries: 1 }
        }
        yield* checkInput(input)
        const caller: Caller = { tenantId: yield* tenantId, actor: "cli" }
        const hits = yield* Ref.make<Hits>([])
        const { searches, session_id } = yield* application({ mock: sandbox }).pipe(
          Effect.flatMap(({ api }) =>
            api.ground(input, caller, ({ event }) =>
              event._tag === "WEB_GROUNDING_CALLED" || event._tag === "WEB_GROUNDING_CACHE_USED"
                ? Ref.set(hits, event.hits)
                : Effect.void)
          ),
          Effect.scoped
        )
        const found = yield* Ref.get(hits)
        const style = yield* Terminal.style
        const [search] = searches
        yield* Console.log(
          json
            ? JSON.stringify({ session_id, ...search, hits: found }, undefined, 2)
            : textOf(search?.status ?? "timeout", search?.tool_used, found, style)
        )
      },
      Effect.mapError(because)
    )
  ).pipe(Command.withDescription("Send one query to the search providers and list the hits"))

const textOf = (
  status: string,
  tool: string | undefined,
  hits: Hits,
  { columns, faint, strong }: Style
): string =>
  [
    `${countedAs(hits.length, "hit")}${tool === undefined ? "" : ` by ${tool}`} (${status})`,
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
