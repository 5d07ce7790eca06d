/** `payloads`: what an operator does with the key that payloads are encrypted under. */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { countedAs } from "./rendering/FactText.ts"
import { CommandFailed, commandFailed } from "./terminal/CommandFailed.ts"
import { part, type Wiring } from "./Wiring.ts"

export const make = (wiring: Wiring) =>
  Command.make("payloads").pipe(
    Command.withDescription("Look after the key that payloads are encrypted under"),
    Command.withSubcommands([rewrap(wiring)])
  )

const rewrap = (wiring: Wiring) =>
  Command.make("rewrap", {}, () =>
    Effect.gen(function*() {
      const { left, rewrapped } = yield* part(wiring, ({ rewrapped }) => rewrapped)
      yield* Console.log(`Wrapped anew under PAYLOAD_KEY: ${countedAs(rewrapped, "data key")}.`)
      if (left > 0) {
        return yield* new CommandFailed({
          sentence: `${countedAs(left, "data key")} cannot be unwrapped: see PAYLOAD_KEYS_FORMER`
        })
      }
    }).pipe(Effect.mapError(commandFailed))).pipe(
      Command.withDescription("Wrap every data key under PAYLOAD_KEY; then former keys may go")
    )
