/** The list of sessions: filters in the URL, page by page. */
import type { ErasureReport } from "../../../contract/Erasure.ts"
import type { SessionList, SessionTimeline } from "../../../contract/Records.ts"
import type { Replayed } from "../../../contract/Replayed.ts"
import type { CitedPack } from "../../../domain/summary/CitedPack.ts"
import { type GroundingSummary, RequestState } from "../../../domain/summary/GroundingSummary.ts"
import type { SessionSummary } from "../../../domain/summary/SessionSummary.ts"
import * as PackCard from "./PackCard.ts"
import {
  card,
  counted,
  dollars,
  duration,
  empty,
  header,
  type Html,
  html,
  moment,
  notice,
  number,
  numberCell,
  scrolled,
  table,
  timeAgo,
  timeOf,
  type Tone,
  type Viewer,
  words
} from "./Shell.ts"

export interface SessionsQuery {
  readonly state?: string
  readonly words?: string
  readonly cursor?: string
}

const stateTones: Readonly<Record<RequestState, Tone>> = {
  unfinished: "warn",
  answered: "ok",
  degraded: "warn",
  unanswered: "idle",
  listed: "ok",
  failed: "bad",
  not_searched: "idle"
}

/** Most urgent first. */
const filters = [
  ["", "All"],
  ["failed", "Failed only"],
  ["degraded", "Degraded"],
  ["unfinished", "Unfinished"],
  ["unanswered", "Unanswered"],
  ["answered", "Answered"],
  ["listed", "Listed"],
  ["not_searched", "Not searched"]
] as const

const addressOf = (asked: SessionsQuery): string => {
  const query = new URLSearchParams(
    Object.entries(asked).filter((field): field is [string, string] => (field[1] ?? "") !== "")
  ).toString()
  return query === "" ? "/sessions" : `/sessions?${query}`
}

export const body = (
  asked: SessionsQuery,
  { next, sessions }: SessionList,
  nowIso: string
): Html => [
  header(
    "Sessions",
    html`<div class="range" role="group" aria-label="Filter by state">${
      filters.map(([state, label]) =>
        html`<a href=${addressOf({ ...filter(asked), state })}
          aria-current=${state === (asked.state ?? "") ? "true" : undefined}>${label}</a>`
      )
    }</div>`
  ),
  html`<form class="filters" method="get" action="/sessions" role="search" data-filter>
    <label class="sr" for="words">Words of the question, or a session's id</label>
    <input type="search" id="words" name="words" value=${asked.words ?? ""}
      placeholder="Words of the question, or an id" maxlength="200" autocomplete="off" />
    ${asked.state ? html`<input type="hidden" name="state" value=${asked.state} />` : ""}
    <button class="button" type="submit">Search</button>
  </form>`,
  html`<section class="card" data-part="list" aria-label="Sessions" aria-live="polite">${
    sessions.length === 0 ? none(asked) : [
      scrolled(
        "List of sessions",
        table([
          ["Question"],
          ["Requests"],
          ["Searches", "num wide"],
          ["Credits", "num wide"],
          ["Model cost", "num wide"],
          ["Confidence", "num"],
          ["Last"]
        ], sessions.map((session) => row(session, nowIso)))
      ),
      html`<div class="more" data-more>${
        next === undefined
          ? asked.cursor === undefined
            ? ""
            : html`<a href=${addressOf(filter(asked))}>To the newest</a>`
          : html`<a class="button" href=${addressOf({ ...filter(asked), cursor: next })}>More</a>`
      }</div>`
    ]
  }</section>`
]

const filter = ({ state = "", words = "" }: SessionsQuery): SessionsQuery => ({ state, words })

const none = ({ cursor, state, words }: SessionsQuery): Html =>
  (state ?? "") === "" && (words ?? "") === "" && cursor === undefined
    ? empty("Nothing was asked yet.", html`Ask something under <a href="/try">Try it</a>.`)
    : empty("No session fits.", html`<a href="/sessions">Show all sessions</a>`)

const row = (session: SessionSummary, nowIso: string): Html => {
  const { confidence, last_at, question, requests, session_id, states } = session
  return html`<tr class="link">
    <td class="what"><a class="inline" href=${
    pathOf(session_id)
  } dir="auto">${question}</a><div class="sub mono">${session_id}</div></td>
    <td class="nowrap">${
    RequestState.literals.filter((state) => (states[state] ?? 0) > 0).map((state) =>
      stateChip(state, requests === 1 ? undefined : states[state])
    )
  }</td>
    ${
    [number(session.searches), number(session.credits), dollars(session.cost_micros)]
      .map((value) => numberCell(value, "num wide"))
  }
    ${numberCell(confidence === undefined ? "–" : confidence.toFixed(2))}
    <td class="nowrap"><time datetime=${last_at} title=${moment(last_at)}>${
    timeAgo(last_at, nowIso)
  }</time></td>
  </tr>`
}

const stateChip = (state: RequestState, count?: number): Html =>
  html`<span class=${`chip ${stateTones[state]}`}>${
    count === undefined ? words(state) : `${number(count)} ${words(state)}`
  }</span> `

interface Shown {
  readonly timeline: SessionTimeline
  readonly grounding: GroundingSummary | undefined
  readonly cited: CitedPack | undefined
  readonly isChanged: boolean
}

export const pathOf = (sessionId: string, requestId?: string): string =>
  `/sessions/${encodeURIComponent(sessionId)}` +
  (requestId === undefined ? "" : `?request=${encodeURIComponent(requestId)}`)

export const sessionBody = (
  viewer: Viewer,
  { cited, grounding, isChanged, timeline }: Shown
): Html => {
  const { groundings, session } = timeline
  return [
    header(
      grounding?.question ?? session.question,
      [
        viewer.canAudit ? audits(session.session_id) : "",
        cited === undefined ? "" : receipt(cited),
        viewer.canErase
          ? html`<details class="menu"><summary class="button">More</summary><div class="card">${
            eraseForm(session.session_id)
          }</div></details>`
          : ""
      ],
      html`<a href="/sessions">Sessions</a> / <span class="mono">${session.session_id}</span>`
    ),
    isChanged
      ? html`<section class="card" role="alert"><p>The record of this session was changed in the
        database. What follows may be older than the change, and no request is answered from this
        session any more. Verify shows which event was changed.</p></section>`
      : "",
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

/** A button whose result appears below the title. */
const action = (sessionId: string, path: string, label: string): Html =>
  html`<button type="button" class="button" data-post=${`${pathOf(sessionId)}/${path}`}
    data-into="verdict">${label}</button>`

const audits = (sessionId: string): Html => [
  action(sessionId, "replay", "Replay"),
  action(sessionId, "verify", "Verify"),
  html`<a class="button" href=${`${pathOf(sessionId)}/export`}>Export</a>`
]

const receipt = ({ request_id, session_id }: CitedPack): Html =>
  html`<a class="button" href=${`${pathOf(session_id)}/receipt?request=${
    encodeURIComponent(request_id)
  }`}>Receipt</a>`

const requests = (
  groundings: ReadonlyArray<GroundingSummary>,
  shown: GroundingSummary | undefined
): Html =>
  html`<div data-part="requests">${
    card(
      counted(groundings.length, "request"),
      html`<ul class="requests">${
        groundings.map(({ question, request_id, requested_at, session_id, state }) =>
          html`<li><a href=${pathOf(session_id, request_id)}
            aria-current=${request_id === shown?.request_id ? "true" : undefined}>
            <span class="q" dir="auto">${question}</span>
            <span class="small muted">${stateChip(state)}${timeOf(requested_at)}</span></a></li>`
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
    html`<ol class="timeline">
      <li class="small muted"><span>After</span><span></span><span>Step</span><span class="took">Took</span></li>${
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
  const counts = `${counted(events, "event")} of ${counted(requests, "request")}`
  const [tone, message]: readonly ["critical" | "info", string] = chain_fault !== undefined
    ? ["critical", `The hash chain is broken at event ${chain_fault.version}: ${chain_fault.kind}.`]
    : difference !== undefined
    ? ["critical", `Differs at event ${difference.version}, ${difference.type} ${difference.path}.`]
    : other_rules !== undefined
    ? [
      "info",
      `Identical as far as rules ${other_rules.from} and ${other_rules.to} agree${
        other_rules.language === undefined ? "" : ", in two versions of the language package"
      }.`
    ]
    : ["info", "Identical: the log alone gives the same answers again."]
  const kept = not_recomputed === 0
    ? ""
    : ` ${
      number(not_recomputed)
    } were taken from the record: page texts are kept with consent only.`
  const engines = engines_as_recorded.map(({ answers, engine }) =>
    ` ${counted(answers, "answer")} of ${engine} taken from the record.`
  ).join("")
  const chain = chain_fault === undefined ? "intact" : "broken"
  return notice(
    tone,
    "Replay",
    html`<p>${message}</p><p>${counts}, hash chain ${chain}.${kept}${engines}</p>`
  )
}

/** Form that erases a session. Irreversible, so its id must be typed. */
const eraseForm = (sessionId: string): Html =>
  html`<h2>Erase this session for good</h2>
    <form class="fields" data-post=${`${pathOf(sessionId)}/erase`} data-into="verdict">
      <label class="field">The session's id, to confirm<input name="confirmed"
        autocomplete="off" spellcheck="false" required /></label>
      <button class="button" type="submit">Erase</button>
    </form>`

export const erasedText = ({ erased_at, recorded, removed }: ErasureReport): Html =>
  notice(
    "info",
    "Erased",
    html`<p>${moment(erased_at)}: the content of ${counted(removed.payloads, "event")} is gone, with
      what was copied from it. The chain stays, and event ${recorded.position} of the log says
      so.</p>`
  )

export const tryBody = (viewer: Viewer): Html => [
  header("Try it"),
  viewer.canGround
    ? html`<div class="grid same">
      ${
      card(
        "Question",
        html`<form data-try>
          <label class="field">Question<textarea name="topic" required maxlength="2000"
            rows="3" dir="auto" placeholder="How much notice must a tenant give in Japan?"></textarea></label>
          <label class="check"><input type="checkbox" name="user_asked_for_facts" checked /> The user asked to look it up</label>
          <label class="check"><input type="checkbox" name="consent_raw_content" checked /> Keep the texts of pages with the record</label>
          <label class="field">Session<input name="session_id" maxlength="200" autocomplete="off" placeholder="a new one" /></label>
          <button class="button main" type="submit">Ask</button>
        </form>`,
        viewer.isSandbox
          ? "sandbox: answers come from made-up pages"
          : "searches the web and counts against the tenant's budget"
      )
    }
      ${
      card(
        "Steps",
        html`<div data-steps aria-live="polite">${
          empty("No question yet.", "Each step appears here as it is recorded.")
        }</div>`
      )
    }
    </div>`
    : empty("This token lacks the scope ground.", "Sign in with one that has it.")
]
