/** `receipt`: what an answer claims and quotes, as a file that others can verify without us. */
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { commandFailed } from "./terminal/CommandFailed.ts"
import { asking, type Wiring } from "./Wiring.ts"

export const make = (wiring: Wiring) =>
  Command.make(
    "receipt",
    {
      session_id: Argument.String("session").pipe(Argument.withDescription("Session id")),
      request_id: Argument.String("request").pipe(Argument.withDescription("Request id")),
      claim: Flag.Int("claim").pipe(
        Flag.withDescription("Show the claim of this number alone, from 1; default: all of them"),
        Flag.optional
      )
    },
    Effect.fnUntraced(
      function*({ claim, request_id, session_id }) {
        const input = {
          session_id,
          request_id,
          ...(Option.isSome(claim) ? { claim: claim.value } : {})
        }
        const made = yield* asking(wiring, { mock: false }, ({ GetReceipt }) => GetReceipt(input))
        yield* Console.log(JSON.stringify(made))
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(
    Command.withDescription("Print the signed receipt of an answer that an anchor covers, as JSON")
  )
