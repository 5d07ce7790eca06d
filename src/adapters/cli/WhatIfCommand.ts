/** `what-if`: what recorded sessions would have come to otherwise; nobody outside is asked. */
import { Console, Effect, Option, Ref } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { SessionWhatIf } from "../../contract/Replayed.ts"
import type { SentOf } from "../../contract/ServiceOperations.ts"
import * as NearestName from "../../infrastructure/NearestName.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import { eachPage, rangeFlags, type RangeGiven } from "./audit/SessionRangeFlags.ts"
import * as WhatIfText from "./audit/WhatIfText.ts"
import { CommandFailed, commandFailed } from "./terminal/CommandFailed.ts"
import { jsonFlag } from "./terminal/JsonFlag.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { asking, type Wiring } from "./Wiring.ts"

/**
 * Fields of a supposition by the name of the setting or of the request's field that they change.
 */
const names = {
  INTERNET_RAG_MAX_EXTRACT_URLS: "pages_max",
  INTERNET_RAG_TOP_K: "passages_max",
  MAX_EVIDENCE_CHARS: "evidence_chars_max",
  SEARCH_SCORE_MIN: "score_min",
  max_queries: "queries_max",
  search_depth: "search_depth",
  tier: "tier"
} as const

/** `local` is this build's own engine; any other value is a model that nobody has asked. */
const engineNames = {
  LLM_GATE_MODEL: "gate",
  LLM_PLANNER_MODEL: "planner",
  JINA_RERANKER_MODEL: "ranker",
  LLM_WRITER_MODEL: "writer",
  LLM_JUDGE_MODEL: "judge",
  LLM_RESEARCHER_MODEL: "researcher"
} as const

const isName = (name: string): name is keyof typeof names => Object.hasOwn(names, name)
const isEngineName = (name: string): name is keyof typeof engineNames =>
  Object.hasOwn(engineNames, name)

const flags = {
  session_id: Argument.String("session").pipe(
    Argument.withDescription("Session id; left out with --all"),
    Argument.optional
  ),
  set: Flag.String("set").pipe(
    Flag.withDescription(
      `NAME=value; may be given again: ${Object.keys({ ...names, ...engineNames }).join(", ")}`
    ),
    Flag.atLeast(0)
  ),
  json: jsonFlag("Print JSON instead of text; with --all one line a session"),
  ...rangeFlags
}

export const make = (wiring: Wiring) =>
  Command.make(
    "what-if",
    flags,
    Effect.fnUntraced(
      function*({ all, json, session_id, set, ...range }) {
        if (all === Option.isSome(session_id)) {
          return yield* new CommandFailed({ sentence: "Name one session, or --all of them" })
        }
        const suppose = yield* suppositionOf(set)
        return Option.isSome(session_id)
          ? yield* supposeOne(wiring, session_id.value, suppose, json)
          : yield* supposeAll(wiring, range, suppose, json)
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(
    Command.withDescription("Tell what recorded sessions would have come to otherwise")
  )

type Fields = Readonly<Record<string, unknown>>
type Supposed = SentOf<"WhatIfSession">["suppose"]

/** Supposition that the service checks; a name that it does not know is refused here. */
const suppositionOf = (set: ReadonlyArray<string>): Effect.Effect<Supposed, CommandFailed> =>
  Effect.reduce(set, (): Fields => ({}), (fields, given) => {
    const place = given.indexOf("=")
    const [name, value] = [given.slice(0, Math.max(0, place)), given.slice(place + 1)]
    if (isName(name)) {
      return Effect.succeed({ ...fields, [names[name]]: numberOrText(value) })
    }
    if (isEngineName(name)) {
      const engines = {
        ...Object(fields["engines"]),
        [engineNames[name]]: value === "local" ? "local" : "other"
      }
      return Effect.succeed({ ...fields, engines })
    }
    const near = NearestName.nearestName(name, Object.keys({ ...names, ...engineNames }))
    return Effect.fail(
      new CommandFailed({
        sentence: `Expected NAME=value and not ${oneLine(given)}` +
          Option.match(near, { onNone: () => "", onSome: (one) => `: did you mean ${one}?` })
      })
    )
  })

const numberOrText = (value: string): number | string =>
  value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value

const supposeOne = Effect.fnUntraced(
  function*(wiring: Wiring, session_id: string, suppose: Supposed, json: boolean) {
    const told = yield* asking(
      wiring,
      { mock: false },
      ({ WhatIfSession }) => WhatIfSession({ session_id, suppose })
    )
    const style = yield* Terminal.style
    yield* Console.log(
      json ? JSON.stringify(told, undefined, 2) : WhatIfText.whatIfText(told, style)
    )
  }
)

const supposeAll = Effect.fnUntraced(
  function*(wiring: Wiring, range: RangeGiven, suppose: Supposed, json: boolean) {
    const style = yield* Terminal.style
    const report = yield* Ref.make(WhatIfText.nothingYet)
    const print = (session: SessionWhatIf) => {
      if (json) return Console.log(JSON.stringify(session))
      return session.what_if === undefined || session.verdict === "same"
        ? Effect.void
        : Console.log(WhatIfText.whatIfText(session.what_if, style))
    }
    const take = (session: SessionWhatIf) =>
      Effect.andThen(
        Ref.update(report, (before) => WhatIfText.counted(before, session)),
        print(session)
      )
    const next = yield* asking(
      wiring,
      { mock: false },
      ({ WhatIfSessions }) => eachPage(range, (page) => WhatIfSessions({ ...page, suppose }), take)
    )
    const told = yield* Ref.get(report)
    yield* Console.log(
      json
        ? JSON.stringify({ summary: { ...told, ...(next === undefined ? {} : { next }) } })
        : WhatIfText.reportText(told, next)
    )
  }
)
