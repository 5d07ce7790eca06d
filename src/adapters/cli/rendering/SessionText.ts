/** A session as lines of the terminal: its events, and whether it replays. */
import type { Schema } from "effect"
import type { EventView } from "../../../contract/EventView.ts"
import type { Replayed, SessionVerdict } from "../../../contract/Replayed.ts"
import { oneLine } from "../../../infrastructure/TerminalText.ts"
import type { Style } from "../terminal/Terminal.ts"
import { indent, indentParts } from "../terminal/Wrapping.ts"

const versionWidth = 4
const hashCharsShown = 12

/** Text of a recorded event: its version and type, then its request and author. */
export const eventText = (event: EventView, { columns, faint }: Style): string => {
  const version = String(event.stream_version)
  const first = Math.max(0, versionWidth - version.length)
  const about = [
    `request ${oneLine(event.correlation_id)}`,
    `${oneLine(event.actor)} ${event.hash.slice(0, hashCharsShown)}`
  ]
  return [
    ...indentParts([version, event.recorded_at, event.type], first, versionWidth, columns),
    ...indentParts(about, versionWidth + 2, versionWidth, columns).map(faint)
  ].join("\n")
}

/** Whether a session replays, and where it differs if not. */
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
    lines.flatMap(([line, first]) => indent(line, first, first + 2, columns)).join("\n")
  const counts = `${events} events of ${requests} request${requests === 1 ? "" : "s"}`
  const chain = chain_fault === undefined
    ? "hash chain intact"
    : `hash chain broken at event ${chain_fault.version}: ${chain_fault.kind}`
  if (difference === undefined) {
    const kept = `${not_recomputed} of them as recorded: page texts are kept with consent only`
    const verdict = other_rules === undefined
      ? "identical"
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
  `${answers} answer${answers === 1 ? "" : "s"} of ${oneLine(engine)} (${oneLine(version)}) ` +
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

/** Verdict on a session, where many are replayed. */
export const sessionVerdictText = (
  { replayed, session_id, verdict }: SessionVerdict,
  style: Style
): string =>
  replayed === undefined
    ? `Session ${oneLine(session_id)}: ${verdict}`
    : verdictText(replayed, style)

/** How many sessions there were of each verdict, and where an interrupted run goes on. */
export const summaryText = (
  sessions: number,
  counts: Readonly<Record<SessionVerdict["verdict"], number>>,
  next: string | undefined
): string => {
  const told = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict.replaceAll("_", " ")}`)
  const more = next === undefined ? "" : `; more follow: --cursor ${next}`
  return `${sessions} sessions${told.length === 0 ? "" : `: ${told.join(", ")}`}${more}`
}
