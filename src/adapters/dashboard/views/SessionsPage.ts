/** The list of sessions: filters in the address, page after page. */
import type { SessionList } from "../../../contract/Records.ts"
import { RequestState } from "../../../domain/summary/GroundingSummary.ts"
import type { SessionSummary } from "../../../domain/summary/SessionSummary.ts"
import { counted, dollars, moment, number, timeAgo, words } from "./Figures.ts"
import { type Html, html } from "./Html.ts"
import { empty, header, scrolled, type Tone } from "./Shell.ts"

export interface Asked {
  readonly state?: string
  readonly words?: string
  readonly cursor?: string
}

const stateTones: Readonly<Record<RequestState, Tone>> = {
  unfinished: "warn",
  answered: "ok",
  degraded: "warn",
  unanswered: "idle",
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
  ["not_searched", "Not searched"]
] as const

const addressOf = (asked: Asked): string => {
  const query = new URLSearchParams(
    Object.entries(asked).filter((field): field is [string, string] => (field[1] ?? "") !== "")
  ).toString()
  return query === "" ? "/sessions" : `/sessions?${query}`
}

export const body = (asked: Asked, { next, sessions }: SessionList, nowIso: string): Html => [
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
        html`<table>
        <thead><tr><th scope="col">Question</th><th scope="col">Requests</th>
          <th scope="col" class="num wide">Searches</th>
          <th scope="col" class="num wide">Credits</th><th scope="col" class="num wide">Models</th>
          <th scope="col" class="num">Confidence</th><th scope="col">Last</th></tr></thead>
        <tbody data-rows>${sessions.map((session) => row(session, nowIso))}</tbody>
      </table>`
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

const filter = ({ state = "", words = "" }: Asked): Asked => ({ state, words })

const none = ({ cursor, state, words }: Asked): Html =>
  (state ?? "") === "" && (words ?? "") === "" && cursor === undefined
    ? empty("Nothing was asked yet.", html`Ask something under <a href="/try">Try it</a>.`)
    : empty("No session fits.", html`<a href="/sessions">Show all sessions</a>`)

const row = (session: SessionSummary, nowIso: string): Html => {
  const { confidence, last_at, question, requests, session_id, states } = session
  return html`<tr class="link">
    <td class="what"><a class="inline" href=${`/sessions/${encodeURIComponent(session_id)}`}
      dir="auto">${question}</a><div class="sub mono">${session_id}</div></td>
    <td class="nowrap">${
    RequestState.literals.filter((state) => (states[state] ?? 0) > 0).map((state) =>
      stateChip(state, requests === 1 ? undefined : states[state])
    )
  }</td>
    <td class="num wide">${number(session.searches)}</td>
    <td class="num wide">${number(session.credits)}</td>
    <td class="num wide">${dollars(session.cost_micros)}</td>
    <td class="num">${confidence === undefined ? "–" : confidence.toFixed(2)}</td>
    <td class="nowrap"><time datetime=${last_at} title=${moment(last_at)}>${
    timeAgo(last_at, nowIso)
  }</time></td>
  </tr>`
}

/** How a request stands; with a count, how many of them. */
export const stateChip = (state: RequestState, count?: number): Html =>
  html`<span class=${`chip ${stateTones[state]}`}>${
    count === undefined ? words(state) : `${number(count)} ${words(state)}`
  }</span> `

export const requestsText = (requests: number): string => counted(requests, "request")
