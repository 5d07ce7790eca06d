/** `retention`: erases what was kept as long as the settings say, now. */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import { countedAs } from "./rendering/FactText.ts"
import { CommandFailed, commandFailed } from "./terminal/CommandFailed.ts"
import { jsonFlag } from "./terminal/JsonFlag.ts"
import { part, type Wiring } from "./Wiring.ts"

export const make = (wiring: Wiring) =>
  Command.make(
    "retention",
    {
      look: Flag.Boolean("dry-run").pipe(
        Flag.withDescription("Say what would go, and change nothing"),
        Flag.withDefault(false)
      ),
      json: jsonFlag()
    },
    Effect.fnUntraced(
      function*({ json, look }) {
        const retained = yield* part(wiring, ({ retained }) => retained(look ? "look" : "erase"))
        const verb = look ? "would go" : "went"
        yield* Console.log(
          json ? JSON.stringify(retained, undefined, 2) : [
            ...retained.map(({ cached, pages, sessions, tenant_id }) =>
              `Tenant ${oneLine(tenant_id)}: ${countedAs(sessions, "session")}, ` +
              `${cached} of the caches, ${countedAs(pages, "page")} ${verb}`
            ),
            ...(retained.length === 0 ? ["Nothing was kept for too long."] : [])
          ].join("\n")
        )
        const failed = retained.reduce((sum, { failed }) => sum + failed, 0)
        if (failed > 0) {
          return yield* new CommandFailed({ sentence: `${failed} of them could not be erased` })
        }
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Erase what was kept as long as the settings say"))
