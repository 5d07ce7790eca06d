/** `what-if`: what recorded sessions would have come to otherwise; nobody outside is asked. */
import { Console, Effect, Option, Ref } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { SessionWhatIf, WhatIf, WhatIfRequest } from "../../contract/Replayed.ts"
import type { SentOf } from "../../contract/ServiceOperations.ts"
import type { OutcomeChange } from "../../domain/audit/OutcomeChange.ts"
import * as NearestName from "../../infrastructure/NearestName.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import { eachPage, rangeFlags, type RangeGiven } from "./audit/SessionRangeFlags.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { CommandFailed, commandFailed, indent, jsonFlag, type Style } from "./terminal/Terminal.ts"
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
      json ? JSON.stringify(told, undefined, 2) : whatIfText(told, style)
    )
  }
)

const supposeAll = Effect.fnUntraced(
  function*(wiring: Wiring, range: RangeGiven, suppose: Supposed, json: boolean) {
    const style = yield* Terminal.style
    const report = yield* Ref.make(nothingYet)
    const print = (session: SessionWhatIf) => {
      if (json) return Console.log(JSON.stringify(session))
      return session.what_if === undefined || session.verdict === "same"
        ? Effect.void
        : Console.log(whatIfText(session.what_if, style))
    }
    const take = (session: SessionWhatIf) =>
      Effect.andThen(
        Ref.update(report, (before) => counted(before, session)),
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
        : reportText(told, next)
    )
  }
)

// Results of a what-if as lines of the terminal.

const whatIfText = ({ requests, rules, session_id }: WhatIf, { columns }: Style): string => {
  const from = rules.from === rules.to ? `rules ${rules.to}` : `rules ${rules.from} → ${rules.to}`
  return [
    ...indent(`Session ${oneLine(session_id)}, ${from}`, 0, 2, columns),
    ...requests.flatMap((request) => requestLines(request, columns))
  ].join("\n")
}

const requestLines = (
  { change, needs, request_id, verdict }: WhatIfRequest,
  columns: number
): ReadonlyArray<string> => [
  ...indent(`Request ${oneLine(request_id)}: ${verdict}`, 2, 4, columns),
  ...changeLines(change ?? {}).flatMap((line) => indent(line, 4, 6, columns)),
  ...needs.flatMap(({ fact, step, what }) =>
    indent(
      `needs ${fact.replaceAll("_", " ")} at ${step}${what === "" ? "" : `: ${oneLine(what)}`}`,
      4,
      6,
      columns
    )
  )
]

/** Each part that differs, from what was recorded to what would have been. */
const changeLines = (change: OutcomeChange): ReadonlyArray<string> => {
  const { budget, claims = [], confidence, decision, evidence_chars, planned, reason, searched } =
    change
  return [
    ...pairLine(
      "decision",
      decision,
      decisionText
    ),
    ...pairLine("planned", planned, queries),
    ...pairLine("searched", searched, queries),
    ...pairLine("reason", reason, (one) => one ?? "none"),
    ...pairLine("confidence", confidence, (one) => one.toFixed(2)),
    ...pairLine("evidence block", evidence_chars, (one) => `${one} characters`),
    ...pairLine("budget", budget, ({ limit, spent }) => `${spent} of ${limit} searches`),
    ...claims.map(({ after, before, text }) => {
      const told = `“${oneLine(text)}”`
      if (before === undefined) return `+ ${told} ${standing(after)}`
      return after === undefined
        ? `- ${told} ${standing(before)}`
        : `~ ${told} ${standing(before)} → ${standing(after)}`
    })
  ]
}

const decisionText = (
  { need_search, queries_max, reason_codes }: NonNullable<OutcomeChange["decision"]>["before"]
): string =>
  `${need_search ? `search, ${queries_max} queries at most` : "no search"} ` +
  `(${reason_codes.join(", ")})`

const pairLine = <A>(
  name: string,
  pair: { readonly before: A; readonly after: A } | undefined,
  text: (one: A) => string
): ReadonlyArray<string> =>
  pair === undefined ? [] : [`${name}: ${text(pair.before)} → ${text(pair.after)}`]

const queries = (list: ReadonlyArray<string>): string =>
  list.length === 0 ? "none" : list.map((query) => `“${oneLine(query)}”`).join(", ")

type Standing = NonNullable<NonNullable<OutcomeChange["claims"]>[number]["before"]>

const standing = (one: Standing | undefined): string =>
  one === undefined
    ? ""
    : `${one.section.replaceAll("_", " ")} ${one.confidence.toFixed(2)}` +
      (one.reason === undefined ? "" : ` (${one.reason.replaceAll("_", " ")})`)

/** How many there were of what, over many sessions. */
interface Report {
  readonly sessions: Readonly<Record<SessionWhatIf["verdict"], number>>
  readonly requests: number
  /** Requests that decide otherwise on searching. */
  readonly decisions: number
  /** Requests that plan or send other queries. */
  readonly queries: number
  readonly claims: { readonly appeared: number; readonly gone: number; readonly changed: number }
  /** Requests that need each kind of fact. */
  readonly needs: Readonly<Record<string, number>>
}

const nothingYet: Report = {
  sessions: { same: 0, changed: 0, undetermined: 0, erased: 0, unreadable: 0, tampered: 0 },
  requests: 0,
  decisions: 0,
  queries: 0,
  claims: { appeared: 0, gone: 0, changed: 0 },
  needs: {}
}

const counted = (report: Report, { verdict, what_if }: SessionWhatIf): Report => {
  const requests = what_if?.requests ?? []
  const claims = requests.flatMap(({ change }) => change?.claims ?? [])
  const has = (of: (change: OutcomeChange) => unknown) =>
    requests.filter(({ change }) => change !== undefined && of(change) !== undefined).length
  return {
    sessions: { ...report.sessions, [verdict]: report.sessions[verdict] + 1 },
    requests: report.requests + requests.length,
    decisions: report.decisions + has(({ decision }) => decision),
    queries: report.queries + has(({ planned, searched }) => planned ?? searched),
    claims: {
      appeared: report.claims.appeared + claims.filter(({ before }) => before === undefined).length,
      gone: report.claims.gone + claims.filter(({ after }) => after === undefined).length,
      changed: report.claims.changed +
        claims.filter(({ after, before }) => before !== undefined && after !== undefined).length
    },
    needs: requests.flatMap(({ needs }) => needs).reduce<Readonly<Record<string, number>>>(
      (sums, { fact }) => ({ ...sums, [fact]: (sums[fact] ?? 0) + 1 }),
      report.needs
    )
  }
}

const reportText = (report: Report, next: string | undefined): string => {
  const told = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).filter(([, count]) => count > 0)
      .map(([name, count]) => `${count} ${name.replaceAll("_", " ")}`).join(", ")
  const { claims, decisions, needs, queries, requests, sessions } = report
  const all = Object.values(sessions).reduce((sum, count) => sum + count, 0)
  const lines = [
    `${all} sessions, ${requests} requests: ${told(sessions) || "none"}`,
    `${decisions} decide otherwise, ${queries} have other queries`,
    `Claims: ${claims.appeared} appear, ${claims.gone} go, ${claims.changed} change`,
    ...(Object.keys(needs).length === 0 ? [] : [`Not recorded: ${told(needs)}`]),
    ...(next === undefined ? [] : [`More follow: --cursor ${next}`])
  ]
  return lines.join("\n")
}
