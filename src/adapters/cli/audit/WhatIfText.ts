/** Results of a what-if as lines of the terminal. */
import type { SessionWhatIf, WhatIf, WhatIfRequest } from "../../../contract/Replayed.ts"
import type { OutcomeChange } from "../../../domain/audit/OutcomeChange.ts"
import { oneLine } from "../../../infrastructure/TerminalText.ts"
import type { Style } from "../terminal/Terminal.ts"
import { indent } from "../terminal/Wrapping.ts"

export const whatIfText = ({ requests, rules, session_id }: WhatIf, { columns }: Style): string => {
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
export interface Report {
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

export const nothingYet: Report = {
  sessions: { same: 0, changed: 0, undetermined: 0, erased: 0, unreadable: 0, tampered: 0 },
  requests: 0,
  decisions: 0,
  queries: 0,
  claims: { appeared: 0, gone: 0, changed: 0 },
  needs: {}
}

export const counted = (report: Report, { verdict, what_if }: SessionWhatIf): Report => {
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

export const reportText = (report: Report, next: string | undefined): string => {
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
