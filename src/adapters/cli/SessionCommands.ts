/** `session` and `pack`: what a session holds. */
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { everyEvent } from "../../contract/EventView.ts"
import { ViewAudience } from "../../domain/view/ViewSchemas.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import * as PackText from "./rendering/PackText.ts"
import * as SessionText from "./rendering/SessionText.ts"
import { commandFailed } from "./terminal/CommandFailed.ts"
import { jsonFlag } from "./terminal/JsonFlag.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { asking, type Wiring } from "./Wiring.ts"

const flags = {
  session_id: Argument.String("session").pipe(Argument.withDescription("Session id")),
  json: jsonFlag()
}

export const session = (wiring: Wiring) =>
  Command.make(
    "session",
    flags,
    Effect.fnUntraced(function*({ json, session_id }) {
      const events = yield* asking(
        wiring,
        { mock: false },
        ({ GetSession }) => everyEvent((after) => GetSession({ session_id, after }))
      ).pipe(Effect.mapError(commandFailed))
      if (json) {
        return yield* Console.log(JSON.stringify(events, undefined, 2))
      }
      const style = yield* Terminal.style
      yield* Console.log(style.strong(`Session ${oneLine(session_id)}, ${events.length} events`))
      yield* Effect.forEach(events, (event) => Console.log(SessionText.eventText(event, style)))
    })
  ).pipe(Command.withDescription("List the events a session has recorded"))

export const pack = (wiring: Wiring) =>
  Command.make(
    "pack",
    {
      ...flags,
      request_id: Argument.String("request").pipe(Argument.withDescription("Request id")),
      audience: Flag.Literals("audience", ViewAudience.literals).pipe(
        Flag.withDescription("As this audience may see it; coach is for premium requests"),
        Flag.optional
      )
    },
    Effect.fnUntraced(function*({ audience, json, request_id, session_id }) {
      const style = yield* Terminal.style
      const printed = <A>(value: A, text: (value: A) => string) =>
        json ? JSON.stringify(value, undefined, 2) : text(value)
      const id = { session_id, request_id }
      const answer = yield* asking(wiring, { mock: false }, ({ GetPack, GetPackView }) =>
        Option.match(audience, {
          onNone: () =>
            Effect.map(
              GetPack(id),
              (outcome) =>
                printed(outcome, (whole) =>
                  PackText.render(whole, style))
            ),
          onSome: (audience) =>
            Effect.map(
              GetPackView({ ...id, audience }),
              (view) => printed(view, ({ text }) => text)
            )
        })).pipe(Effect.mapError(commandFailed))
      yield* Console.log(answer)
    })
  ).pipe(Command.withDescription("Print a recorded pack, whole or as one audience may see it"))
