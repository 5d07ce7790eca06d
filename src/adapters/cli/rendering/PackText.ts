/** A pack as text: claims, their quotes and sources, uncertain points. */
import type { CitedSource, Claim, GroundingPack } from "../../../domain/pack/GroundingPack.ts"
import { coarse } from "../../../domain/search/SearchStatus.ts"
import type { Rung } from "../../../domain/session/EngineDetail.ts"
import { listed } from "../../../domain/session/FactText.ts"
import type { GroundingOutcome } from "../../../domain/session/GroundingOutcome.ts"
import { table } from "../../../domain/session/OutcomeReason.ts"
import type { SessionEvent } from "../../../domain/session/SessionEvent.ts"
import * as TimelineEntry from "../../../domain/summary/TimelineEntry.ts"
import * as Citations from "../../../domain/view/Citations.ts"
import {
  asidesOf,
  madeUpText,
  noteTexts,
  originText,
  reasonTexts
} from "../../../domain/view/PackTexts.ts"
import { oneLine, plainText } from "../../../infrastructure/TerminalText.ts"
import { explained, indent, type Style } from "../terminal/Terminal.ts"

type Sources = ReadonlyMap<string, { readonly source: CitedSource; readonly number: number }>

const sectionsOf = (pack: GroundingPack) => [
  { title: "Rules", claims: pack.constraints_and_rules },
  { title: "Norms and expectations", claims: pack.norms_and_expectations },
  { title: "Key points", claims: pack.key_points },
  ...asidesOf(pack)
]

export const render = (outcome: GroundingOutcome, style: Style): string => {
  const { pack } = outcome
  const sources = sourcesOf(pack)
  const sections = sectionsOf(pack).flatMap(({ claims, title }) =>
    claims.length === 0 ? [] : [
      "",
      style.strong(title),
      ...claims.flatMap((claim) => claimLines(claim, sources, style))
    ]
  )
  return [
    ...(outcome.sandbox === true
      ? indent(madeUpText, style.columns).map(style.doubtful)
      : []),
    ...summaryLines(outcome, style),
    ...(outcome.answer === undefined ? [] : ["", ...indent(outcome.answer, style.columns, 0, 0)]),
    ...sections,
    ...askLines(pack, style),
    ...sourceLines(sources, style),
    ...noteLines(outcome, style),
    "",
    ...indent(
      `session ${oneLine(outcome.session_id)} · request ${oneLine(outcome.request_id)}`,
      style.columns
    ).map(style.faint),
    // One line whatever its length, so that it can be copied.
    style.faint(`replay: npm run -s wg -- replay ${oneLine(quoted(outcome.session_id))}`)
  ].join("\n")
}

const band = (confidence: number): string =>
  confidence >= 0.7 ? "high" : confidence >= 0.3 ? "usable" : "not usable"

const whyNothing = ({ disputed_or_uncertain }: GroundingOutcome["pack"]): string => {
  const reasons = new Set(
    disputed_or_uncertain.filter(({ beside_question }) => beside_question === undefined)
      .map(({ reason }) => reason)
  )
  if (reasons.has("contradicted_by_other_source")) return "the sources contradict each other"
  if (reasons.has("needs_official_or_second_source")) {
    return "neither an official source nor a second one says it"
  }
  return "no sentence that was read answers this"
}

const summaryLines = (
  { evidence_block, mode, need, pack, reason, searches }: GroundingOutcome,
  style: Style
): ReadonlyArray<string> => {
  const lines = (text: string) => indent(text, style.columns)
  if (mode === "not_searched") {
    return lines(`${reason === undefined ? listed(need.reason_codes) : table[reason].meaning}.`)
  }
  if (mode === "ungrounded" && evidence_block !== "") {
    return lines(`Nothing could be grounded: ${whyNothing(pack)}.`).map(style.doubtful)
  }
  if (mode === "ungrounded") {
    const statuses = [...new Set(searches.map(({ status }) => coarse(status)))].join(", ")
    return lines(
      `Nothing could be grounded (${statuses || "the evidence store holds nothing on it"}).`
    ).map(style.doubtful)
  }
  const asOf = pack.as_of === undefined ? "" : `, as of ${pack.as_of.slice(0, 10)}`
  const tint = pack.confidence >= 0.3 ? style.good : style.doubtful
  return lines(
    `Confidence ${pack.confidence.toFixed(2)} (${band(pack.confidence)})${asOf}`
  ).map(tint)
}

const sourcesOf = (pack: GroundingPack): Sources => {
  const cited = sectionsOf(pack).flatMap(({ claims }) => claims).flatMap(({ sources }) => sources)
  const numbers = Citations.numbersOf(cited)
  const numbered = cited.map((source) => ({ source, number: numbers.get(source.source_id) ?? 0 }))
    .toSorted((one, other) => one.number - other.number)
  return new Map(numbered.map((one) => [one.source.source_id, one]))
}

const againstText = ({ against = [] }: Claim): string =>
  against.length === 0 ? "" : `: ${against.map((text) => `“${text}”`).join("; ")}`

const claimLines = (claim: Claim, sources: Sources, style: Style): ReadonlyArray<string> => {
  const marks = claim.sources.map(({ source_id }) => `[${sources.get(source_id)?.number ?? "?"}]`)
  const { reason = claim.beside_question && "beside_question" } = claim
  // A claim that was set aside as such is under that heading.
  const isSaid = reason === undefined || claim.reason === "beside_question"
  const why = isSaid
    ? []
    : indent(`(${reasonTexts[reason]}${againstText(claim)})`, style.columns, 4, 5)
  const origin = originText(claim)
  const unjudged = claim.unverified_infra === true ? ", not judged" : ""
  const rating = ` ${claim.confidence.toFixed(2)}${unjudged}`
  const said = indent(`• ${claim.text} ${marks.join("")}`, style.columns - rating.length, 2)
  return [
    ...said.slice(0, -1),
    `${said.at(-1) ?? ""}${style.faint(rating)}`,
    ...why.map(style.doubtful),
    ...(origin === undefined ? [] : indent(`(${oneLine(origin)})`, style.columns, 4, 5)).map(
      style.doubtful
    ),
    ...claim.sources.flatMap((source) =>
      source.quotes.filter(({ text }) => text !== claim.text).flatMap(({ text }) =>
        indent(`“${text}” [${sources.get(source.source_id)?.number ?? "?"}]`, style.columns, 6, 7)
          .map(style.faint)
      )
    )
  ]
}

const askLines = ({ what_to_ask_user }: GroundingPack, style: Style): ReadonlyArray<string> =>
  what_to_ask_user.length === 0 ? [] : [
    "",
    style.strong("Ask the user"),
    ...what_to_ask_user.flatMap(({ q, why }) => indent(`? ${q} (${why})`, style.columns, 2))
  ]

const sourceLines = (sources: Sources, style: Style): ReadonlyArray<string> =>
  sources.size === 0 ? [] : [
    "",
    style.strong("Sources"),
    ...[...sources.values()].flatMap(({ number, source }) => [
      ...indent(
        `[${number}] ${source.title} · ${source.site}${source.official ? " (official)" : ""}` +
          `, ${dateOf(source)}`,
        style.columns,
        2,
        6
      ),
      // Not wrapped: the terminal breaks a long URL, and it can still be copied.
      style.faint(`      ${source.url}`)
    ])
  ]

const dateOf = ({ modified_date, published_date }: CitedSource): string => {
  const [written, changed] = [published_date?.slice(0, 10), modified_date?.slice(0, 10)]
  if (changed === undefined || changed === written) return written ?? "undated"
  return [...(written === undefined ? [] : [written]), `updated ${changed}`].join(", ")
}

/** Each reason once, however many pages it applied to. */
const whyUnread = (reader: Rung | undefined): ReadonlyArray<string> => {
  const reasons = (reader?.faults ?? []).map(({ detail, reason }) => explained(detail ?? reason))
  const why = reasons.length === 0 ? "" : ` (${[...new Set(reasons)].join("; ")})`
  return [`The pages themselves were not read; claims are from the search results' excerpts${why}.`]
}

const noteLines = (
  { evidence_block, llm_context, mode, pack, rungs }: GroundingOutcome,
  style: Style
): ReadonlyArray<string> => {
  // The evidence block is for a model; advice is for both.
  const adviceLines = mode === "ungrounded" && evidence_block === "" && llm_context !== ""
    ? [llm_context.split("\n")[0] ?? ""]
    : []
  const shownNotes = pack.notes.filter((note) => note !== "question_not_answered")
  const unread = mode === "snippets_only" ? whyUnread(rungs["reader"]) : []
  const notes = [...shownNotes.map((note) => noteTexts[note]), ...unread, ...adviceLines]
  return notes.length === 0 ? [] : [
    "",
    ...notes.flatMap((note) => indent(note, style.columns, 0, 0)).map(style.faint)
  ]
}

export const cutOff = (sessionId: string, requestId: string, { columns }: Style): string =>
  indent(
    `web-grounding: cut off; the same command with --session ${quoted(sessionId)} ` +
      `--request ${quoted(requestId)} goes on from what is recorded`,
    columns
  ).join("\n")

const versionWidth = 3

export const factText = (
  event: SessionEvent,
  { version }: { readonly version: number },
  { columns, faint }: Style
): string => {
  const { detail, title } = TimelineEntry.textOf(event)
  const text = `${version} ${plainText(oneLine(listed([title, detail])))}`
  const first = Math.max(0, versionWidth - String(version).length)
  return indent(text, columns, first, versionWidth + 1).map(faint).join("\n")
}

/** One shell word, in double quotes unless plain ASCII. New ids contain nothing to expand. */
const quoted = (id: string): string => /^[\w.:-]+$/.test(id) ? id : JSON.stringify(id)
