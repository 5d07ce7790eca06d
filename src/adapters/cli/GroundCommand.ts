/** `ground`: asks one question and prints the pack, or the whole outcome as JSON. */
import { Console, Effect, Option, Ref } from "effect"
import { Command } from "effect/cli"
import * as Input from "../../contract/Input.ts"
import { isOpenTo } from "../../domain/view/ViewSchemas.ts"
import * as GroundFlags from "./GroundFlags.ts"
import * as FactText from "./rendering/FactText.ts"
import * as PackText from "./rendering/PackText.ts"
import { CommandFailed, commandFailed } from "./terminal/CommandFailed.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { askUnknown, part, type Wiring } from "./Wiring.ts"

const checkInput = Input.decode(Input.GroundInput)

export const make = (wiring: Wiring) =>
  Command.make(
    "ground",
    GroundFlags.flags,
    Effect.fnUntraced(
      function*(asked) {
        const input = GroundFlags.inputOf(asked)
        // Wrong input is told before anything is loaded or opened.
        yield* checkInput(input)
        const style = yield* Terminal.style
        const progress = yield* Terminal.progressStyle
        const audience = Option.getOrUndefined(asked.audience)
        if (audience !== undefined && !isOpenTo(audience, asked.tier)) {
          return yield* new CommandFailed({
            sentence: `--audience ${audience} needs --tier premium`
          })
        }
        const recorded = yield* Ref.make(Option.none<string>())
        const told = Effect.flatMap(
          Ref.get(recorded),
          Option.match({
            onNone: () => Effect.void,
            onSome: (requestId) =>
              Console.error(FactText.cutOff(input.session_id, requestId, progress))
          })
        )
        const { outcome, view } = yield* Effect.gen(function*() {
          const options = { mock: asked.sandbox, model: Option.getOrUndefined(asked.model) }
          const { calls, warned } = yield* part(wiring, ({ calls }) => calls(options))
          if (!asked.stored) yield* warned
          const outcome = yield* askUnknown(calls, "Ground", input, ({ event, stored }) =>
            Effect.andThen(
              Ref.set(recorded, Option.some(event.request_id)),
              asked.json ? Effect.void : Console.error(FactText.factText(event, stored, progress))
            ))
          const { request_id, session_id } = outcome
          return {
            outcome,
            view: audience === undefined
              ? undefined
              : yield* calls.GetPackView({ session_id, request_id, audience })
          }
        }).pipe(
          Effect.scoped,
          Effect.onInterrupt(() =>
            told
          )
        )
        if (view !== undefined) {
          return yield* Console.log(asked.json ? JSON.stringify(view, undefined, 2) : view.text)
        }
        yield* Console.log(
          asked.json ? JSON.stringify(outcome, undefined, 2) : PackText.render(outcome, style)
        )
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(
    Command.withDescription("Ground one question and print the cited pack"),
    Command.withExamples([{
      command: "ground \"How much notice must a tenant give in Japan?\" --sandbox",
      description: "Try it without a key and without internet"
    }])
  )
