/** Page of a session: its requests, and of one of them the pack beside the timeline. */
import type { SessionTimeline } from "../../../contract/Records.ts"
import type { Replayed } from "../../../contract/Replayed.ts"
import type { CitedPack } from "../../../domain/summary/CitedPack.ts"
import type { GroundingSummary } from "../../../domain/summary/GroundingSummary.ts"
import * as ErasePart from "./ErasePart.ts"
import { counted, dollars, duration, moment, number } from "./Figures.ts"
import { type Html, html } from "./Html.ts"
import * as PackCard from "./PackCard.ts"
import { requestsText, stateChip } from "./SessionsPage.ts"
import { card, empty, header, type Viewer } from "./Shell.ts"
import * as WhatIfPart from "./WhatIfPart.ts"

export interface Shown {
  readonly timeline: SessionTimeline
  /** The request that is looked at. */
  readonly grounding: GroundingSummary | undefined
  /** Absent while it has no answer. */
  readonly cited: CitedPack | undefined
}

export const pathOf = (sessionId: string, requestId?: string): string =>
  `/sessions/${encodeURIComponent(sessionId)}` +
  (requestId === undefined ? "" : `?request=${encodeURIComponent(requestId)}`)

export const body = (viewer: Viewer, { cited, grounding, timeline }: Shown): Html => {
  const { groundings, session } = timeline
  return [
    header(
      grounding?.question ?? session.question,
      [
        viewer.canAudit ? audits(session.session_id) : "",
        cited === undefined ? "" : receipt(cited)
      ],
      html`<a href="/sessions">Sessions</a> / <span class="mono">${session.session_id}</span>`
    ),
    viewer.canAudit ? WhatIfPart.form(session.session_id) : "",
    viewer.canErase ? ErasePart.form(session.session_id) : "",
    html`<div id="verdict" role="status"></div>`,
    groundings.length > 1 ? requests(groundings, grounding) : "",
    html`<div class="grid even">
      <div data-part="pack">${pack(grounding, cited)}</div>
      <div data-part="timeline">${
      grounding === undefined ? "" : timelineCard(grounding, session)
    }</div>
    </div>`
  ]
}

/** A button whose answer stands below the title. */
const action = (sessionId: string, path: string, label: string): Html =>
  html`<button type="button" class="button"
    data-post=${`/sessions/${encodeURIComponent(sessionId)}/${path}`}
    data-into="verdict">${label}</button>`

const audits = (sessionId: string): Html => [
  action(sessionId, "replay", "Replay"),
  action(sessionId, "verify", "Verify"),
  html`<a class="button" download href=${`/sessions/${
    encodeURIComponent(sessionId)
  }/export`}>Export</a>`
]

const receipt = ({ request_id, session_id }: CitedPack): Html =>
  html`<a class="button" download href=${`/sessions/${
    encodeURIComponent(session_id)
  }/receipt?request=${encodeURIComponent(request_id)}`}>Receipt</a>`

const requests = (
  groundings: ReadonlyArray<GroundingSummary>,
  shown: GroundingSummary | undefined
): Html =>
  html`<div data-part="requests">${
    card(
      requestsText(groundings.length),
      html`<ul class="requests">${
        groundings.map(({ question, request_id, requested_at, session_id, state }) =>
          html`<li><a href=${pathOf(session_id, request_id)}
            aria-current=${request_id === shown?.request_id ? "true" : undefined}>
            <span class="q" dir="auto">${question}</span>
            <span class="small muted">${stateChip(state)}<time datetime=${requested_at}>${
            moment(requested_at)
          }</time></span></a></li>`
        )
      }</ul>`
    )
  }</div>`

const pack = (grounding: GroundingSummary | undefined, cited: CitedPack | undefined): Html => {
  if (cited !== undefined) return PackCard.card(cited)
  return card(
    "Pack",
    grounding?.state === "unfinished"
      ? empty("No answer is recorded yet.", "It appears here when the request ends.")
      : empty("The answer is not kept as a pack.", "An older release recorded it.")
  )
}

const timelineCard = (
  grounding: GroundingSummary,
  session: SessionTimeline["session"]
): Html => {
  const { cost_micros, credits, duration_ms, requested_at, searches, searches_limit } = grounding
  const begunMs = Date.parse(requested_at)
  return card(
    "Timeline",
    html`<ol class="timeline">${
      grounding.timeline.map(({ at, detail, duration_ms, title, tone }) =>
        html`<li>
          <time datetime=${at} title=${moment(at)}>${
          duration(Math.max(0, Date.parse(at) - begunMs))
        }</time>
          <span class=${`mark ${tone}`} aria-hidden="true"></span>
          <div class="told" dir="auto"><b>${title}</b> <span class="muted">${detail}</span></div>
          <span class="took">${duration_ms === undefined ? "" : duration(duration_ms)}</span>
        </li>`
      )
    }</ol>`,
    [
      duration_ms === undefined ? "under way" : duration(duration_ms),
      counted(searches, "search", "searches"),
      ...(searches_limit === undefined
        ? []
        : [`session ${number(session.searches)} of ${number(searches_limit)}`]),
      counted(credits, "credit"),
      ...(cost_micros === 0 ? [] : [dollars(cost_micros)])
    ].join(" · ")
  )
}

/** Verdict of a replay. */
export const verdict = (
  {
    chain_fault,
    difference,
    engines_as_recorded,
    events,
    not_recomputed,
    other_rules,
    requests
  }: Replayed
): Html => {
  const counts = `${counted(events, "event")} of ${requestsText(requests)}`
  const [tone, told] = chain_fault !== undefined
    ? ["critical", `The hash chain is broken at event ${chain_fault.version}: ${chain_fault.kind}.`]
    : difference !== undefined
    ? ["critical", `Differs at event ${difference.version}, ${difference.type} ${difference.path}.`]
    : other_rules !== undefined
    ? [
      "info",
      `Recomputed as far as rules ${other_rules.from} and ${other_rules.to} agree${
        other_rules.language === undefined ? "" : ", in two versions of the language package"
      }.`
    ]
    : ["info", "Identical: the log alone gives the same answers again."]
  const kept = not_recomputed === 0
    ? ""
    : ` ${number(not_recomputed)} stand as recorded: page texts are kept with consent only.`
  const engines = engines_as_recorded.map(({ answers, engine }) =>
    ` ${counted(answers, "answer")} of ${engine} stand as recorded.`
  ).join("")
  return html`<div class=${`notice ${tone}`}><span class=${
    tone === "critical" ? "bad" : "ok"
  }>Replay</span>
    <div><p>${told}</p><p>${counts}, hash chain ${
    chain_fault === undefined ? "intact" : "broken"
  }.${kept}${engines}</p></div></div>`
}
