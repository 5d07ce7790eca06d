/** `replay`: recomputes one session or all of them, and says where the record differs. */
import { Console, Effect, Option, Ref } from "effect"
import { Argument, Command } from "effect/cli"
import type { SessionVerdict } from "../../contract/Replayed.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import { eachPage, rangeFlags, type RangeGiven } from "./audit/SessionRangeFlags.ts"
import * as SessionText from "./rendering/SessionText.ts"
import { CommandFailed, commandFailed } from "./terminal/CommandFailed.ts"
import { jsonFlag } from "./terminal/JsonFlag.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { asking, type Wiring } from "./Wiring.ts"

const flags = {
  session_id: Argument.String("session").pipe(
    Argument.withDescription("Session id; left out with --all"),
    Argument.optional
  ),
  json: jsonFlag("Print JSON instead of text; with --all one line a session"),
  ...rangeFlags
}

export const make = (wiring: Wiring) =>
  Command.make(
    "replay",
    flags,
    Effect.fnUntraced(
      function*({ all, json, session_id, ...range }) {
        if (all === Option.isSome(session_id)) {
          return yield* new CommandFailed({ sentence: "Name one session, or --all of them" })
        }
        return Option.isSome(session_id)
          ? yield* replayOne(wiring, session_id.value, json)
          : yield* replayAll(wiring, range, json)
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(
    Command.withDescription("Recompute sessions with the network unplugged and compare")
  )

const replayOne = Effect.fnUntraced(
  function*(wiring: Wiring, session_id: string, json: boolean) {
    const replayed = yield* asking(
      wiring,
      { mock: false },
      ({ ReplaySession }) => ReplaySession({ session_id })
    )
    const style = yield* Terminal.style
    yield* Console.log(
      json ? JSON.stringify(replayed, undefined, 2) : SessionText.verdictText(replayed, style)
    )
    if (replayed.difference !== undefined || replayed.chain_fault !== undefined) {
      return yield* new CommandFailed({
        sentence: `Session ${oneLine(session_id)} does not replay`
      })
    }
  }
)

type Counts = Readonly<Record<SessionVerdict["verdict"], number>>

const none: Counts = { identical: 0, other_rules: 0, different: 0, erased: 0, unreadable: 0 }

const replayAll = Effect.fnUntraced(
  function*(wiring: Wiring, range: RangeGiven, json: boolean) {
    const style = yield* Terminal.style
    const counts = yield* Ref.make(none)
    const take = (session: SessionVerdict) =>
      Effect.andThen(
        Ref.update(counts, (before) => ({
          ...before,
          [session.verdict]: before[session.verdict] + 1
        })),
        json
          ? Console.log(JSON.stringify(session))
          : isSound(session)
          ? Effect.void
          : Console.log(SessionText.sessionVerdictText(session, style))
      )
    const next = yield* asking(
      wiring,
      { mock: false },
      ({ ReplaySessions }) => eachPage(range, ReplaySessions, take)
    )
    const told = yield* Ref.get(counts)
    const sessions = Object.values(told).reduce((sum, count) => sum + count, 0)
    yield* Console.log(
      json
        ? JSON.stringify({
          summary: { sessions, ...told, ...(next === undefined ? {} : { next }) }
        })
        : SessionText.summaryText(sessions, told, next)
    )
    const failed = told.different + told.unreadable
    if (failed > 0) {
      return yield* new CommandFailed({ sentence: `${failed} of ${sessions} do not replay` })
    }
  }
)

/** Whether a verdict counts as sound: an erased session does not differ. */
const isSound = ({ verdict }: SessionVerdict): boolean =>
  verdict === "identical" || verdict === "other_rules" || verdict === "erased"
