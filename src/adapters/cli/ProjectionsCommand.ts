/** `projections`: how far the read models are, and building them anew from the log. */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import type { ProjectionView, RebuiltView } from "../../contract/Replayed.ts"
import { CommandFailed, commandFailed } from "./terminal/CommandFailed.ts"
import { jsonFlag } from "./terminal/JsonFlag.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { indent, indentParts } from "./terminal/Wrapping.ts"
import { asking, type Wiring } from "./Wiring.ts"

const json = jsonFlag()

export const make = (wiring: Wiring) =>
  Command.make("projections").pipe(
    Command.withDescription("Look after what is kept beside the log: read models and caches"),
    Command.withSubcommands([list(wiring), rebuild(wiring)])
  )

const list = (wiring: Wiring) =>
  Command.make(
    "list",
    { json },
    Effect.fnUntraced(function*({ json }) {
      const { projections: lags } = yield* asking(
        wiring,
        { mock: false },
        ({ GetProjections }) => GetProjections({})
      ).pipe(Effect.mapError(commandFailed))
      const { columns } = yield* Terminal.style
      yield* Console.log(
        json
          ? JSON.stringify(lags, undefined, 2)
          : lags.flatMap((lag) => indentParts(partsOf(lag), 0, 2, columns)).join("\n")
      )
    })
  ).pipe(Command.withDescription("Show each read model's version, state and distance to the log"))

const rebuild = (wiring: Wiring) =>
  Command.make(
    "rebuild",
    { json },
    Effect.fnUntraced(function*({ json }) {
      const { rebuilt: all } = yield* asking(
        wiring,
        { mock: false },
        ({ RebuildProjections }) => RebuildProjections({})
      ).pipe(Effect.mapError(commandFailed))
      const { columns } = yield* Terminal.style
      yield* Console.log(
        json
          ? JSON.stringify(all, undefined, 2)
          : all.flatMap((rebuilt) => indent(toldOf(rebuilt), 0, 2, columns)).join("\n")
      )
      const passed = all.flatMap(({ model, passed }) => passed === undefined ? [] : [model])
      if (passed.length > 0) {
        return yield* new CommandFailed({ sentence: `Not all rebuilt: ${passed.join(", ")}` })
      }
    })
  ).pipe(
    Command.withDescription(
      "Fold the log anew and put right what differs, while it is read; a sound store stays"
    )
  )

const partsOf = (
  { error, events, model, ms, parked, position, state, version }: typeof ProjectionView.Type
): ReadonlyArray<string> => [
  `${model}@${version}`.padEnd(20),
  state.padEnd(10),
  `at ${position}`,
  events === 0 ? "up to date" : `${events} behind (${Math.round(ms / 1_000)} s)`,
  ...(parked === 0 ? [] : [`${parked} set aside`]),
  ...(error === undefined ? [] : [error])
]

const toldOf = ({ corrected, model, passed, rows }: typeof RebuiltView.Type): string => {
  const name = model.padEnd(20)
  const counts = `${name}${rows} rows, `
  switch (passed) {
    case undefined:
      return `${counts}${corrected === 0 ? "all as the log says" : `${corrected} corrected`}`
    case "moving":
      return `${counts}${corrected} corrected; others changed meanwhile: ask again`
    case "under_way":
      return `${name}not looked at: another rebuild is under way`
    default:
      return `${name}not looked at: ${passed}`
  }
}
