/** `health`: how the searches of the last hours went, by status, provider and key. */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as Input from "../../contract/Input.ts"
import * as HealthText from "./HealthText.ts"
import { because } from "./terminal/CommandFailed.ts"
import * as Terminal from "./terminal/Terminal.ts"
import type { Wiring } from "./Wiring.ts"

const checkInput = Input.decode(Input.HealthInput)

export const make = ({ application }: Wiring) =>
  Command.make(
    "health",
    {
      hours: Flag.Int("hours").pipe(
        Flag.withDescription("Hours before now, 1 to 168"),
        Flag.withDefault(24)
      ),
      json: Flag.Boolean("json").pipe(
        Flag.withDescription("Print JSON instead of text"),
        Flag.withDefault(false)
      )
    },
    Effect.fnUntraced(
      function*({ hours, json }) {
        yield* checkInput({ hours })
        const view = yield* application({ mock: false }).pipe(
          Effect.flatMap(({ api }) => api.health({ hours }, "deployment")),
          Effect.scoped
        )
        const style = yield* Terminal.style
        yield* Console.log(
          json ? JSON.stringify(view, undefined, 2) : HealthText.render(view, style)
        )
      },
      Effect.mapError(because)
    )
  ).pipe(Command.withDescription("Show how the searches go"))
