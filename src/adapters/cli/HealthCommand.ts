/** `health`: how the searches of the last hours went, by status, provider and key. */
import { Console, Effect, Schedule } from "effect"
import { Command, Flag } from "effect/cli"
import type { HealthView } from "../../contract/EventView.ts"
import * as Input from "../../contract/Input.ts"
import * as HealthText from "./rendering/HealthText.ts"
import { commandFailed } from "./terminal/CommandFailed.ts"
import { jsonFlag } from "./terminal/JsonFlag.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { asking, type Wiring } from "./Wiring.ts"

const checkInput = Input.decode(Input.HealthInput)

const watchEvery = "5 seconds"

export const make = (wiring: Wiring) =>
  Command.make(
    "health",
    {
      hours: Flag.Int("hours").pipe(
        Flag.withDescription("Hours before now, 1 to 168"),
        Flag.withDefault(24)
      ),
      json: jsonFlag(),
      watch: Flag.Boolean("watch").pipe(
        Flag.withDescription("Show it again every 5 seconds, until you interrupt"),
        Flag.withDefault(false)
      )
    },
    Effect.fnUntraced(
      function*({ hours, json, watch }) {
        yield* checkInput({ hours })
        const style = yield* Terminal.style
        const print = Effect.fnUntraced(function*(view: HealthView) {
          if (watch && !json) yield* Console.clear
          yield* Console.log(
            json
              ? JSON.stringify(view, undefined, watch ? undefined : 2)
              : HealthText.render(view, style)
          )
        })
        yield* asking(
          wiring,
          { mock: false },
          ({ GetHealth }) => {
            const show = Effect.flatMap(GetHealth({ hours }), print)
            return watch ? Effect.repeat(show, Schedule.spaced(watchEvery)) : show
          }
        )
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Show how the searches go"))
