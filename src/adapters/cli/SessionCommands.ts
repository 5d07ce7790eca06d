/** `sessions`, `session` and `pack`: recorded questions, and the contents of a session. */
import { Console, Effect, Option, type Schema } from "effect"
import { Argument } from "effect/cli"
import { everyEvent } from "../../contract/EventView.ts"
import type { SessionTimeline } from "../../contract/Records.ts"
import type { Replayed, SessionVerdict } from "../../contract/Replayed.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import { counted, listed, plain } from "../../domain/session/FactText.ts"
import type { SessionSummary } from "../../domain/summary/SessionSummary.ts"
import { ViewAudience } from "../../domain/view/ViewSchemas.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import * as Flags from "./terminal/Flags.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { failWhen, indent, type Style } from "./terminal/Terminal.ts"
import { answering, ask, asking, command } from "./Wiring.ts"

const flags = {
  session_id: Flags.session,
  json: Flags.json()
}

/** Loaded on use: help needs no words of facts. */
const packText = Effect.promise(() => import("./rendering/PackText.ts"))

const sessionsShown = 20

export const sessions = answering(
  "sessions",
  "List the sessions, the latest first; for evidence use export, replay or audit",
  {
    limit: Flags.wholeOr("limit", sessionsShown, "Number of sessions"),
    words: Flags.text("words", "Only sessions with this text in id or questions")
  },
  ({ limit, words }) => ask("ListSessions", { limit, ...asGiven({ words }) }),
  ({ sessions }, style) =>
    sessions.length === 0
      ? "No sessions."
      : sessions.map((one) => summaryOf(one, style))
)

/** A session in two lines: id, time and states, then its latest question. */
export const summaryOf = (
  { confidence, last_at, question, requests, searches, session_id, states }: SessionSummary,
  { columns, faint, strong }: Style
): string => {
  const about = [
    secondOf(last_at),
    requests === 1
      ? Object.keys(states).map(plain).join("")
      : Object.entries(states).map(([state, count]) => `${count} ${plain(state)}`).join(", "),
    ...(confidence === undefined ? [] : [`confidence ${confidence.toFixed(2)}`]),
    counted(searches, "search")
  ]
  return [
    ...indent(oneLine(session_id), columns).map(strong),
    ...indent(oneLine(question), columns, 2),
    ...indent(about.join(" · "), columns, 2).map(faint)
  ].join("\n")
}

const secondOf = (iso: string): string => `${iso.slice(0, 19).replace("T", " ")} UTC`

export const session = command(
  "session",
  "Show a session, with --json its events; for evidence use export, replay or audit",
  flags,
  function*({ json, session_id }) {
    const style = yield* Terminal.style
    const told = yield* asking(({ GetSession, GetSessionTimeline }) =>
      json
        ? Effect.map(
          everyEvent((after) => GetSession({ session_id, after })),
          (events) => JSON.stringify(events, undefined, 2)
        )
        : Effect.map(
          GetSessionTimeline({ session_id }),
          (timeline) => timelineText(timeline, style)
        )
    )
    yield* Console.log(told)
  }
)

export const pack = command("pack", "Print a recorded pack, whole or for an audience", {
  ...flags,
  request: Argument.optional(Flags.argument("request", "Request id; left out: the latest")),
  audience: Flags.choice(
    "audience",
    ViewAudience.literals,
    "For this audience; coach needs a premium request"
  )
}, function*({ audience, json, request, session_id }) {
  const request_id = Option.isSome(request)
    ? request.value
    : (yield* ask("GetSessionTimeline", { session_id })).groundings.at(-1)?.request_id
  const id = { session_id, request_id: request_id ?? "" }
  yield* Option.isNone(audience)
    ? Terminal.print(json, yield* ask("GetPack", id), (yield* packText).render)
    : Terminal.print(
      json,
      yield* ask("GetPackView", { ...id, audience: audience.value }),
      ({ text }) => text
    )
})

const offsetWidth = 8

/** The timeline of each request, in the words of its progress. */
export const timelineText = ({ groundings, session }: SessionTimeline, style: Style): string => {
  const { columns, doubtful, faint, strong } = style
  return [
    ...indent(
      `Session ${oneLine(session.session_id)}: ${counted(session.requests, "request")}, ` +
        `${counted(session.searches, "search")}, ${counted(session.credits, "credit")}`,
      columns
    ).map(strong),
    ...groundings.flatMap(({ confidence, question, request_id, requested_at, state, timeline }) => [
      "",
      ...indent(oneLine(question), columns).map(strong),
      ...indent(
        listed([
          secondOf(requested_at),
          plain(state),
          confidence === undefined ? "" : `confidence ${confidence.toFixed(2)}`,
          `request ${oneLine(request_id)}`
        ]),
        columns,
        2
      ).map(faint),
      ...timeline.flatMap(({ at, detail, title, tone }) => {
        const after = `${Math.max(0, Date.parse(at) - Date.parse(requested_at))} ms`
        return indent(
          `${after} ${oneLine(listed([title, detail]))}`,
          columns,
          Math.max(0, offsetWidth - after.length),
          offsetWidth + 1
        ).map(tone === "warning" ? doubtful : tone === "quiet" ? faint : (line) => line)
      })
    ])
  ].join("\n")
}

export const verdictText = (
  {
    chain_fault,
    difference,
    engines_as_recorded,
    events,
    not_recomputed,
    other_rules,
    requests,
    session_id
  }: Replayed,
  { columns }: Style
): string => {
  const joined = (lines: ReadonlyArray<readonly [string, number]>) =>
    lines.flatMap(([line, first]) => indent(line, columns, first)).join("\n")
  const counts = `${counted(events, "event")} of ${counted(requests, "request")}`
  const chain = chain_fault === undefined
    ? "hash chain intact"
    : `hash chain broken at event ${chain_fault.version}: ${chain_fault.kind}`
  if (difference === undefined) {
    const kept = `${not_recomputed} of them as recorded: page texts are kept with consent only`
    const verdict = other_rules === undefined
      ? chain_fault === undefined ? "identical" : "changed by someone other than the service"
      : "recomputed as far as the rules are the same"
    return joined([
      [`Session ${oneLine(session_id)}: ${verdict} (${counts}, ${chain})`, 0],
      ...(other_rules === undefined ? [] : [[rulesText(other_rules), 2] as const]),
      ...(not_recomputed === 0 ? [] : [[kept, 2] as const]),
      ...engines_as_recorded.map((engine) => [asRecordedText(engine), 2] as const)
    ])
  }
  const { path, recorded, recomputed, type, version } = difference
  return joined([
    [
      `Session ${oneLine(session_id)}: differs at event ${version}, ${type} (${counts}, ${chain})`,
      0
    ],
    [`at          ${path === "" ? "the event itself" : path}`, 2],
    [`recorded    ${shown(recorded)}`, 2],
    [`recomputed  ${shown(recomputed)}`, 2]
  ])
}

const asRecordedText = (
  { answers, engine, version }: Replayed["engines_as_recorded"][number]
): string =>
  `${counted(answers, "answer")} of ${oneLine(engine)} (${oneLine(version)}) ` +
  "as recorded, and checked"

const rulesText = (
  { from, language, not_recomputed, to }: NonNullable<Replayed["other_rules"]>
): string =>
  `${not_recomputed} of them not recomputed: rules ${from} → ${to}` +
  (language === undefined ? "" : `, language ${oneLine(language.from)} → ${language.to}`) +
  ". Budgets and quotes hold"

const shownCharsMax = 300

const shown = (value: Schema.Json | undefined): string =>
  value === undefined ? "nothing" : JSON.stringify(value).slice(0, shownCharsMax)

const sessionVerdictText = (
  { replayed, session_id, verdict }: SessionVerdict,
  style: Style
): string =>
  replayed === undefined
    ? `Session ${oneLine(session_id)}: ${verdict}`
    : verdictText(replayed, style)

const summaryText = (
  sessions: number,
  counts: Readonly<Record<SessionVerdict["verdict"], number>>,
  next: string | undefined
): string => {
  const told = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict.replaceAll("_", " ")}`)
  const more = next === undefined ? "" : `; more follow: --cursor ${next}`
  return `${counted(sessions, "session")}${told.length === 0 ? "" : `: ${told.join(", ")}`}${more}`
}

// `replay`: recomputes one session or all of them, and reports differences from the record.

export const replay = command(
  "replay",
  "Recompute sessions from the log alone, and compare",
  {
    session_id: Flags.oneOrAll,
    json: Flags.json("Print JSON instead of text; with --all one line a session"),
    ...Flags.rangeFlags
  },
  function*({ all, json, session_id, ...range }) {
    yield* failWhen(all === Option.isSome(session_id), "Name one session, or --all of them")
    if (Option.isNone(session_id)) return yield* replayAll(range, json)
    const replayed = yield* ask("ReplaySession", { session_id: session_id.value })
    yield* Terminal.print(json, replayed, verdictText)
    yield* failUnlessReplayed(replayed)
  }
)

export const failUnlessReplayed = ({ chain_fault, difference, session_id }: Replayed) =>
  failWhen(
    difference !== undefined || chain_fault !== undefined,
    `Session ${oneLine(session_id)} does not replay`
  )

/** Sessions in one page: progress is shown after each. */
const pageSessions = 20

const replayAll = Effect.fnUntraced(
  function*({ cursor, limit, since, until }: Flags.RangeGiven, json: boolean) {
    const style = yield* Terminal.style
    const counts = { identical: 0, other_rules: 0, different: 0, erased: 0, unreadable: 0 }
    const most = Option.getOrElse(limit, () => Infinity)
    let done = 0
    let next = Option.getOrUndefined(cursor)
    yield* asking(Effect.fnUntraced(function*({ ReplaySessions }) {
      while (done < most) {
        const page = yield* ReplaySessions({
          ...asGiven({ since, until, cursor: next }),
          limit: Math.min(most - done, pageSessions)
        })
        for (const session of page.sessions) {
          counts[session.verdict] += 1
          if (json) yield* Console.log(JSON.stringify(session))
          else if (!isSound(session)) yield* Console.log(sessionVerdictText(session, style))
        }
        done += page.sessions.length
        next = page.next
        if (next === undefined) return
        yield* Console.error(`${done} sessions, next --cursor ${next}`)
      }
    }))
    yield* Console.log(
      json
        ? JSON.stringify({ summary: { sessions: done, ...counts, ...asGiven({ next }) } })
        : summaryText(done, counts, next)
    )
    const failed = counts.different + counts.unreadable
    yield* failWhen(failed > 0, `${failed} of ${done} do not replay`)
  }
)

const isSound = ({ verdict }: SessionVerdict): boolean =>
  verdict === "identical" || verdict === "other_rules" || verdict === "erased"
